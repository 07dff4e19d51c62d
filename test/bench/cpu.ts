import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CpuOrder, OperationCpu } from './cpu/functions-process.ts';
import { flows } from './support/flows.ts';
import { rounded } from './support/statistics.ts';

export interface CpuRow {
  readonly what: string;
  readonly ms: number;
  readonly aws_calls: number;
}

const SIZES = { warmUp: 300, batches: 5, batch: 100 };

const toModulePath = (name: string) => join(import.meta.dirname, 'cpu', `${name}.ts`);

/**
 * Measures the CPU time of the functions per request, over all threads of their process. The functions are called one after the
 * other, as in a container, with rate limits and log lines. The AWS emulators run in another process.
 */
export async function measureCpu(): Promise<CpuRow[]> {
  const emulators = fork(toModulePath('emulators-process'));
  try {
    const [{ url }] = (await once(emulators, 'message')) as [{ url: string }];
    return toRows(await measureIn({ ...SIZES, emulatorsUrl: url }));
  } finally {
    emulators.disconnect();
  }
}

async function measureIn(order: CpuOrder): Promise<OperationCpu[]> {
  // Log lines are written and discarded.
  const child = fork(toModulePath('functions-process'), [JSON.stringify(order)], {
    env: { ...process.env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the functions ended with code ${code}`);
  });
  const [result] = (await Promise.race([once(child, 'message'), failed])) as [OperationCpu[]];
  failed.catch(() => {});
  return result;
}

function toRows(measured: readonly OperationCpu[]): CpuRow[] {
  const toRow = (what: string, operations: readonly string[]): CpuRow => {
    const sum = (key: 'ms' | 'awsCalls') =>
      measured.reduce((all, each) => all + (operations.includes(each.operation) ? each[key] : 0), 0);
    return { what, ms: rounded(sum('ms'), 2), aws_calls: sum('awsCalls') };
  };
  return flows.flatMap(({ name, steps }) => {
    const operations = steps.map(({ operation }) => operation);
    const parts = operations.map((operation) => toRow(operation, [operation]));
    return operations.length > 1 ? [toRow(name, operations), ...parts] : [toRow(name, operations)];
  });
}
