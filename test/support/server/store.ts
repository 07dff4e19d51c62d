import { spawnSync } from 'node:child_process';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createTables } from '../../../lib/local/emulators/dynamodb/tables.ts';
import { connectDatabase, type Database } from '../../../shared/dynamo/database.ts';
import { type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';
import { createTable, type Table } from '../../../shared/dynamo/table.ts';
import { openEmulators } from './emulators.ts';
import { emptyOracle } from './oracle.ts';
import { type EndsMode, patient, startTwoEnds } from './two-ends.ts';

/** Emulated DynamoDB with the three tables of the service, which are initially empty. */
export interface Store {
  readonly endpoint: string;
  readonly client: Database;
  table(name: TableName): Table;
  stop(): Promise<void>;
}

/** Multiplier for the timeouts of database calls, so that calls do not time out on a busy machine. */
const PATIENCE = 10;

const wantsOracle = process.env.STORE_ORACLE === '1';
const wantsEnds = process.env.STORE_ENDS as EndsMode | undefined;

/** Returns the DynamoDB client configuration for an emulator at the given URL. */
export function localConfig(endpoint: string): DynamoDBClientConfig {
  return {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
}

/**
 * Starts a DynamoDB emulator. The default is dynalite. STORE_ORACLE=1 selects the official DynamoDB Local, and STORE_ENDS
 * emulates a table with two regional endpoints (see `EndsMode`).
 */
export async function startStore(): Promise<Store> {
  const server = await (wantsOracle ? startOracle() : wantsEnds ? startEnds(wantsEnds) : startDynalite());
  const client = connectDatabase({ ...localConfig(server.endpoint), ...(wantsEnds && patient) }, PATIENCE);
  await createTables(server.endpoint, tableLayouts);
  return {
    endpoint: server.endpoint,
    client,
    table: (name) => createTable(client, name),
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}

/**
 * Runs the tests of `body` on a new store. Skips them with a message if DynamoDB Local is wanted but Java is absent.
 */
export function describeStore(name: string, body: (store: () => Store) => void): void {
  if (wantsOracle && !hasJava()) {
    process.stderr.write(`SKIPPED ${name}: the official DynamoDB Local needs Java 17 or newer\n`);
    describe.skip(name, () => body(() => fail()));
    return;
  }
  describe(name, () => {
    let store: Store | undefined;
    beforeAll(async () => {
      store = await startStore();
    }, START_MILLISECONDS);
    afterAll(() => store?.stop());
    body(() => store ?? fail());
  });
}

function fail(): never {
  throw new Error('The store has not been started');
}

interface RunningServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const START_MILLISECONDS = 60_000;
async function startDynalite(): Promise<RunningServer> {
  const { endpoint, stop } = await openEmulators();
  return { endpoint: endpoint('dynamodb'), stop };
}

async function startEnds(mode: EndsMode): Promise<RunningServer> {
  const stores = [await startDynalite(), ...(mode === 'eventual' ? [await startDynalite()] : [])];
  const [one = '', ...other] = stores.map(({ endpoint }) => endpoint);
  const ends = await startTwoEnds(
    mode,
    [one, ...other.slice(0, 1)] as [string, string?],
    Number(process.env.SEED ?? Date.now()),
  );
  return {
    endpoint: ends.endpoint,
    async stop() {
      await ends.stop();
      for (const store of stores) await store.stop();
    },
  };
}

const MIN_JAVA = 17;

function hasJava(): boolean {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= MIN_JAVA;
}

async function startOracle(): Promise<RunningServer> {
  return { endpoint: await emptyOracle(), stop: async () => {} };
}
