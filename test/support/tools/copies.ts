import { BatchWriteItemCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Key, TableName } from '../../../shared/dynamo/keys.ts';

/** BatchWriteItem takes no more. */
const BATCH = 25;

/** Many items like one that is stored; `name`, wherever it stands in that, is another in each. Past the stores, which write one by one. */
export async function copyItem(table: TableName, key: Key, name: string, count: number): Promise<void> {
  const client = new DynamoDBClient({});
  try {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: { pk: { S: key.pk }, sk: { S: key.sk } } }),
    );
    if (!Item) throw new Error(`there is no ${key.pk}`);
    const text = JSON.stringify(Item);
    const requests = Array.from({ length: count }, (_, n) => ({
      PutRequest: { Item: JSON.parse(text.replaceAll(name, `${name.slice(0, -4)}${1000 + n}`)) },
    }));
    for (let first = 0; first < count; first += BATCH)
      await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: requests.slice(first, first + BATCH) } }),
      );
  } finally {
    client.destroy();
  }
}
