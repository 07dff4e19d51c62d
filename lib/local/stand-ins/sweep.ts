import { callJson } from './call-json.ts';

const PAGE = 200;

export interface SweepOptions {
  readonly endpoint: string;
  readonly table: string;
  /** Number attribute with the epoch second from which on an item may go. */
  readonly attribute: string;
}

interface ScanResult {
  readonly Items?: readonly Record<string, unknown>[];
  readonly LastEvaluatedKey?: Record<string, unknown>;
}

/** What DynamoDB's TTL does, some time after the fact: deletes what may go at `now` (epoch seconds). */
export async function sweep({ endpoint, table, attribute }: SweepOptions, now: number): Promise<number> {
  const condition = {
    ExpressionAttributeNames: { '#purge': attribute },
    ExpressionAttributeValues: { ':now': { N: String(now) } },
  };
  let swept = 0;
  let from: Record<string, unknown> | undefined;
  do {
    const page: ScanResult = await callJson(endpoint, 'DynamoDB_20120810.Scan', {
      ...condition,
      TableName: table,
      Limit: PAGE,
      FilterExpression: '#purge <= :now',
      ...(from && { ExclusiveStartKey: from }),
    });
    for (const { pk, sk } of page.Items ?? [])
      swept += await remove(endpoint, {
        ...condition,
        TableName: table,
        Key: { pk, sk },
        // Whoever wrote the item again meanwhile keeps it.
        ConditionExpression: '#purge <= :now',
      });
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return swept;
}

async function remove(endpoint: string, request: object): Promise<number> {
  try {
    await callJson(endpoint, 'DynamoDB_20120810.DeleteItem', request);
    return 1;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return 0;
    throw error;
  }
}
