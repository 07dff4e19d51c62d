import { type TableLayout, tableLayouts } from '../../shared/dynamo/keys.ts';
import { callJson } from './emulators/basis/call-json.ts';
import { clockOffset, returnToRealTime } from './emulators/basis/clock.ts';
import { scan } from './emulators/dynamodb/scan.ts';
import type { Emulators } from './emulators/start.ts';
import { forgetFunctions } from './load-function.ts';
import type { Metrics } from './metrics.ts';
import type { History } from './playground/history.ts';

/** The most that DynamoDB deletes by one call. */
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
  /** Makes the demo tenant again. */
  readonly seed: () => Promise<void>;
}

/** What `/_local/reset` and `/_local/clock` take back. */
export function createResets({ emulators, metrics, history, settleEvents, seed }: ResetOptions) {
  const endpoint = emulators.endpoint('dynamodb');
  return {
    /** Keys stay in KMS, where no record names them any more. */
    async reset(): Promise<void> {
      await settleEvents();
      await emulators.reset();
      returnToRealTime();
      for (const [table, layout] of Object.entries(tableLayouts)) await emptyTable(endpoint, table, layout);
      await seed();
      forgetFunctions();
      metrics.reset();
      history.clear();
    },
    /** Sessions, codes and counters go, for their times lie in the future. */
    async returnToRealTime(): Promise<void> {
      if (clockOffset() === 0) return;
      await settleEvents();
      returnToRealTime();
      await emulators.returnToRealTime();
      await emptyTable(endpoint, 'flows', tableLayouts.flows);
      forgetFunctions();
    },
  };
}
