import { callJson } from '../basis/call-json.ts';
import { scan } from './scan.ts';

const PAGE = 200;

const EVERY_MS = 5 * 60 * 1000;

export interface TtlOptions {
  readonly endpoint: string;
  readonly table: string;
  /** Name of the number attribute with the time, in epoch seconds, from which an item may be deleted. */
  readonly attribute: string;
}

/**
 * Deletes expired items as DynamoDB's TTL does, and returns their number.
 * @param now Time in epoch seconds.
 */
export async function deleteExpired(
  { endpoint, table, attribute }: TtlOptions,
  now: number,
): Promise<number> {
  const condition = {
    TableName: table,
    ExpressionAttributeNames: { '#purge': attribute },
    ExpressionAttributeValues: { ':now': { N: String(now) } },
  };
  let deleted = 0;
  const due = scan(endpoint, { ...condition, Limit: PAGE, FilterExpression: '#purge <= :now' });
  // The condition keeps items that were written again since the scan.
  for await (const { pk, sk } of due)
    deleted += await remove(endpoint, {
      ...condition,
      Key: { pk, sk },
      ConditionExpression: '#purge <= :now',
    });
  return deleted;
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

/** Starts a timer that deletes expired items every five minutes, until the caller clears it. */
export function startTtlCleanup(options: TtlOptions): NodeJS.Timeout {
  let running = false;
  return setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await deleteExpired(options, Math.floor(Date.now() / 1000));
    } catch (error) {
      console.error('TTL cleanup failed', error);
    } finally {
      running = false;
    }
  }, EVERY_MS);
}
