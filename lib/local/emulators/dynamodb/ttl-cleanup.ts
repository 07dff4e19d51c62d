import { callJson } from '../basis/call-json.ts';
import { scan } from './scan.ts';

const PAGE = 200;

const EVERY_MS = 5 * 60 * 1000;

export interface TtlOptions {
  readonly endpoint: string;
  readonly table: string;
  /** Number attribute: the epoch second after which an item may be deleted. */
  readonly attribute: string;
}

/** Deletes items that have expired at `now` (epoch seconds), like DynamoDB's TTL. Returns their number. */
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
  // An item written again meanwhile stays.
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

/** Deletes expired items every few minutes, until the timer is cleared. */
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
