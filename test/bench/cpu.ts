import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CpuOrder, OperationCpu } from './cpu/functions-process.ts';
import { flows } from './support/flows.ts';
import { rounded } from './support/statistics.ts';

export interface CpuRow {
  readonly what: string;
  readonly total_ms: number;
  /** The same with ports in memory in the place of the AWS adapters. */
  readonly ours_ms: number;
  readonly sdk_ms: number;
  readonly aws_calls: number;
}

const SIZES = { warmUp: 300, batches: 5, batch: 100 };

const moduleOf = (name: string) => join(import.meta.dirname, 'cpu', `${name}.ts`);

/**
 * CPU time of the functions per request, all threads of their process: called one after the other as a container does,
 * with windows and log lines on. The emulators for AWS run in another process.
 */
export async function measureCpu(): Promise<CpuRow[]> {
  const emulators = fork(moduleOf('emulators-process'));
  try {
    const [{ url }] = (await once(emulators, 'message')) as [{ url: string }];
    const total = await measureIn({ ...SIZES, emulatorsUrl: url });
    const ours = await measureIn({ ...SIZES, warmUp: SIZES.warmUp * 5, batches: SIZES.batches * 3 });
    return rowsOf(total, ours);
  } finally {
    emulators.disconnect();
  }
}

async function measureIn(order: CpuOrder): Promise<OperationCpu[]> {
  // Log lines are written and thrown away.
  const child = fork(moduleOf('functions-process'), [JSON.stringify(order)], {
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

function rowsOf(total: readonly OperationCpu[], ours: readonly OperationCpu[]): CpuRow[] {
  const rowOf = (what: string, operations: readonly string[]): CpuRow => {
    const sum = (cpu: readonly OperationCpu[], key: 'ms' | 'awsCalls') =>
      cpu.reduce((all, each) => all + (operations.includes(each.operation) ? each[key] : 0), 0);
    const [all, own] = [sum(total, 'ms'), sum(ours, 'ms')];
    return {
      what,
      total_ms: rounded(all, 2),
      ours_ms: rounded(own, 2),
      sdk_ms: rounded(all - own, 2),
      aws_calls: sum(total, 'awsCalls'),
    };
  };
  return flows.flatMap(({ name, steps }) => {
    const operations = steps.map(({ operation }) => operation);
    const parts = operations.map((operation) => rowOf(operation, [operation]));
    return operations.length > 1 ? [rowOf(name, operations), ...parts] : [rowOf(name, operations)];
  });
}
