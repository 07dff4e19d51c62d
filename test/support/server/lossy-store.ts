import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { connectDatabase, type Database } from '../../../shared/dynamo/database.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';
import { createTable, type Table } from '../../../shared/dynamo/table.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';
import { localConfig, type Store } from './store.ts';

export interface LossyStore {
  readonly proxy: () => LossyProxy;
  /** Returns a table whose calls pass through the proxy. */
  readonly table: (name: TableName) => Table;
}

/** Time limit of a call in milliseconds that is not exceeded even on a busy machine. */
export const PATIENT_MS = 10_000;

/**
 * Puts a lossy proxy in front of a store, for the tests of the calling block.
 * @param requestTimeout Time limit of a call in milliseconds. Only tests that lose responses in silence need a short one.
 */
export function useLossyStore(store: () => Store, requestTimeout = 1000): LossyStore {
  let proxy: LossyProxy;
  let client: Database;

  beforeAll(async () => {
    proxy = await startLossyProxy(store().endpoint);
  });
  // After many lost responses, an SDK client stops retrying, so each test has its own client.
  beforeEach(() => {
    client = connectDatabase({
      ...localConfig(proxy.endpoint),
      requestHandler: { requestTimeout, throwOnRequestTimeout: true },
    });
  });
  afterEach(() => client.destroy());
  afterAll(() => proxy.stop());

  return { proxy: () => proxy, table: (name) => createTable(client, name) };
}
