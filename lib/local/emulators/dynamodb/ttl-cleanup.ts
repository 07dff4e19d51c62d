import { callJson } from '../basis/call-json.ts';
import { scan } from './scan.ts';

const PAGE = 200;

const SWEEP_EVERY_MS = 5 * 60 * 1000;

export interface SweepOptions {
  readonly endpoint: string;
  readonly table: string;
  /** Number attribute with the epoch second from which on an item may go. */
  readonly attribute: string;
}

/** What DynamoDB's TTL does, some time after the fact: deletes what may go at `now` (epoch seconds). */
export async function sweep({ endpoint, table, attribute }: SweepOptions, now: number): Promise<number> {
  const condition = {
    TableName: table,
    ExpressionAttributeNames: { '#purge': attribute },
    ExpressionAttributeValues: { ':now': { N: String(now) } },
  };
  let swept = 0;
  const due = scan(endpoint, { ...condition, Limit: PAGE, FilterExpression: '#purge <= :now' });
  // An item written again meanwhile stays.
  for await (const { pk, sk } of due)
    swept += await remove(endpoint, { ...condition, Key: { pk, sk }, ConditionExpression: '#purge <= :now' });
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

/** Sweeps every few minutes, until the timer is cleared. */
export function startBroom(options: SweepOptions): NodeJS.Timeout {
  let sweeping = false;
  return setInterval(async () => {
    if (sweeping) return;
    sweeping = true;
    try {
      await sweep(options, Math.floor(Date.now() / 1000));
    } catch (error) {
      console.error('sweeping expired items failed', error);
    } finally {
      sweeping = false;
    }
  }, SWEEP_EVERY_MS);
}
