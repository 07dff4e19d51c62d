import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Key, TableName } from '../../../shared/dynamo/keys.ts';

/** Maximum number of items in a BatchWriteItem call. */
const BATCH = 25;

type Stored = Record<string, AttributeValue>;

/** Direct access to items. The stores are not used, because they write only one item at a time. */
export interface RawTables {
  /** Returns a stored item as text, in which IDs can be replaced. */
  readItemText(table: TableName, key: Key): Promise<string>;
  write(table: TableName, items: readonly string[]): Promise<void>;
}

export async function withRawTables<T>(act: (tables: RawTables) => Promise<T>): Promise<T> {
  const client = new DynamoDBClient({});
  try {
    return await act({
      async readItemText(TableName, { pk, sk }) {
        const { Item } = await client.send(
          new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
        );
        if (!Item) throw new Error(`there is no ${pk}`);
        return JSON.stringify(Item);
      },
      async write(table, items) {
        const requests = items.map((item) => ({ PutRequest: { Item: JSON.parse(item) as Stored } }));
        for (let first = 0; first < requests.length; first += BATCH)
          await client.send(
            new BatchWriteItemCommand({ RequestItems: { [table]: requests.slice(first, first + BATCH) } }),
          );
      },
    });
  } finally {
    client.destroy();
  }
}

/** Stores `count` copies of an item. In each copy, all occurrences of the text `name` are replaced with a unique text. */
export const copyItem = (table: TableName, key: Key, name: string, count: number): Promise<void> =>
  withRawTables(async ({ readItemText, write }) => {
    const text = await readItemText(table, key);
    const copies = Array.from({ length: count }, (_, n) => text.replaceAll(name, `${name}-${n}`));
    await write(table, copies);
  });
