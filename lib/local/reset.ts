import { type TableLayout, tableLayouts } from '../../shared/dynamo/keys.ts';
import { callJson } from './emulators/basis/call-json.ts';
import { clockOffset, returnToRealTime } from './emulators/basis/clock.ts';
import { scan } from './emulators/dynamodb/scan.ts';
import type { Emulators } from './emulators/start.ts';
import { clearFunctionCache } from './load-function.ts';
import type { Metrics } from './metrics.ts';
import type { History } from './playground/history.ts';

/** Maximum number of items that DynamoDB deletes in one BatchWriteItem call. */
const BATCH = 25;

async function emptyTable(endpoint: string, table: string, layout: TableLayout): Promise<void> {
  const keys: object[] = [];
  for await (const item of scan(endpoint, { TableName: table }))
    keys.push(Object.fromEntries([layout.partitionKey, layout.sortKey].map((name) => [name, item[name]])));
  for (let first = 0; first < keys.length; first += BATCH) {
    const requests = keys.slice(first, first + BATCH).map((Key) => ({ DeleteRequest: { Key } }));
    await callJson(endpoint, 'DynamoDB_20120810.BatchWriteItem', { RequestItems: { [table]: requests } });
  }
}

export interface ResetOptions {
  readonly emulators: Emulators;
  readonly metrics: Metrics;
  readonly history: History;
  readonly settleEvents: () => Promise<void>;
  /** Creates the demo tenant again after a reset has deleted it. */
  readonly seed: () => Promise<void>;
}

/** Creates the functions behind `POST /_local/reset` and `DELETE /_local/clock`. */
export function createResets({ emulators, metrics, history, settleEvents, seed }: ResetOptions) {
  const endpoint = emulators.endpoint('dynamodb');
  return {
    /** Restores the state of a fresh start. KMS keys are not deleted, but no record refers to the keys any more. */
    async reset(): Promise<void> {
      await settleEvents();
      await emulators.reset();
      returnToRealTime();
      for (const [table, layout] of Object.entries(tableLayouts)) await emptyTable(endpoint, table, layout);
      await seed();
      clearFunctionCache();
      metrics.reset();
      history.clear();
    },
    /** Returns to the real time. Deletes sessions, codes and counters, because their timestamps would be in the future. */
    async returnToRealTime(): Promise<void> {
      if (clockOffset() === 0) return;
      await settleEvents();
      returnToRealTime();
      await emulators.returnToRealTime();
      await emptyTable(endpoint, 'flows', tableLayouts.flows);
      clearFunctionCache();
    },
  };
}
