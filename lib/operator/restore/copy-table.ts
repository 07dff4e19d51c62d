import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

type Attributes = Record<string, AttributeValue>;
type Key = { readonly pk: AttributeValue; readonly sk: AttributeValue };

/** Number of table segments that are scanned in parallel. */
const SEGMENTS = 4;
/** Maximum number of items in one BatchWriteItem call. */
const BATCH = 25;
const BUSY_MILLISECONDS = 200;

const KEYS = { ProjectionExpression: 'pk, sk' } as const;
const toItemName = ({ pk, sk }: Attributes): string => JSON.stringify([pk?.S, sk?.S]);

export interface TableCopy {
  readonly copied: number;
  /** Number of items that were deleted from the target table because the source table does not have them. */
  readonly removed: number;
}

/**
 * Makes the table `to` identical to the table `from`, item by item. Nothing else may write to the two tables during the copy.
 * If the copy is interrupted, another run completes it.
 */
export async function copyTable(from: string, to: string): Promise<TableCopy> {
  const client = new DynamoDBClient(CALL_SETTINGS);

  async function* batches(table: string, more: Partial<ScanCommandInput>): AsyncGenerator<Attributes[]> {
    const asked = { TableName: table, ConsistentRead: true, ...more };
    let ExclusiveStartKey: Attributes | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({ ...asked, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
      );
      for (let first = 0; first < Items.length; first += BATCH) yield Items.slice(first, first + BATCH);
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }

  async function write(requests: WriteRequest[]): Promise<void> {
    for (let left = requests; left.length > 0; ) {
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [to]: left } }),
      );
      left = UnprocessedItems[to] ?? [];
      if (left.length > 0) await delay(BUSY_MILLISECONDS);
    }
  }

  async function existingAmong(keys: readonly Key[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let left: Key[] = [...keys]; left.length > 0; ) {
      const asked = { [from]: { Keys: left, ConsistentRead: true, ...KEYS } };
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetItemCommand({ RequestItems: asked }),
      );
      for (const item of Responses[from] ?? []) found.add(toItemName(item));
      left = (UnprocessedKeys[from]?.Keys ?? []) as Key[];
      if (left.length > 0) await delay(BUSY_MILLISECONDS);
    }
    return found;
  }

  /** Scans a table in parallel segments and calls `act` for each batch of items. Returns the sum of the results of `act`. */
  async function inSegments(table: string, more: object, act: (items: Attributes[]) => Promise<number>) {
    const segments = Array.from({ length: SEGMENTS }, async (_, Segment) => {
      let count = 0;
      for await (const items of batches(table, { ...more, Segment, TotalSegments: SEGMENTS }))
        count += await act(items);
      return count;
    });
    return (await Promise.all(segments)).reduce((sum, count) => sum + count, 0);
  }

  const copied = await inSegments(from, {}, async (items) => {
    await write(items.map((Item) => ({ PutRequest: { Item } })));
    return items.length;
  });
  const removed = await inSegments(to, KEYS, async (keys) => {
    const known = await existingAmong(keys as unknown as Key[]);
    const gone = keys.filter((key) => !known.has(toItemName(key)));
    await write(gone.map((Key) => ({ DeleteRequest: { Key } })));
    return gone.length;
  });
  client.destroy();
  return { copied, removed };
}

/** Returns true if the table has no items. `otl restore copy` requires an empty target table, unless `--again` is set. */
export async function isEmpty(table: string): Promise<boolean> {
  const client = new DynamoDBClient(CALL_SETTINGS);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table, Limit: 1, ...KEYS }));
  client.destroy();
  return Items.length === 0;
}
