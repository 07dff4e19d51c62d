import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { flows, type Step } from '../support/flows.ts';
import { median } from '../support/statistics.ts';
import { awsFunctions } from './aws-functions.ts';
import { type Functions, runStep } from './functions.ts';

/** CPU time and AWS calls of one operation, as one process measures them. */
export interface OperationCpu {
  readonly operation: string;
  /** CPU time per request in milliseconds, as the median of the batches. */
  readonly ms: number;
  readonly awsCalls: number;
}

export interface CpuOrder {
  readonly emulatorsUrl: string;
  /** Number of requests to each operation before the measurement, so that V8 has finished optimising the code. */
  readonly warmUp: number;
  readonly batches: number;
  /** Number of requests to each operation per batch. */
  readonly batch: number;
}

const STEPS = flows.flatMap(({ steps }) => steps);

async function measure({ emulatorsUrl, warmUp, batches, batch }: CpuOrder): Promise<OperationCpu[]> {
  const functions = await awsFunctions(batch, emulatorsUrl);
  const awsCalls = await countCalls(functions);
  for (let done = 0; done < warmUp; done += batch) await runBatch(functions);
  const measured: Map<Step, number>[] = [];
  for (let done = 0; done < batches; done += 1) measured.push(await runBatch(functions));
  return STEPS.map((step) => ({
    operation: step.operation,
    ms: median(measured.map((cpu) => cpu.get(step) ?? 0)) / batch / 1000,
    awsCalls: awsCalls.get(step) ?? 0,
  }));
}

/** Runs one batch and returns the CPU time of each step in microseconds. */
async function runBatch({ load, logins }: Functions): Promise<Map<Step, number>> {
  const cpu = new Map<Step, number>();
  for (const step of STEPS) cpu.set(step, await runStep(load, step, logins));
  return cpu;
}

/** Counts the AWS calls of one warm request to each operation. */
async function countCalls({ load, logins }: Functions): Promise<Map<Step, number>> {
  const one = logins.slice(0, 1);
  for (const step of STEPS) await runStep(load, step, one);
  const counts = new Map<Step, number>();
  for (const step of STEPS) {
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    subscribe('http.client.request.start', count);
    await runStep(load, step, one);
    unsubscribe('http.client.request.start', count);
    counts.set(step, calls);
  }
  return counts;
}

const order = JSON.parse(process.argv[2] ?? '{}') as CpuOrder;
process.send?.(await measure(order), () => process.exit(0));
