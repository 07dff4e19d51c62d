import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { OPERATION_HEADER } from './emulators/basis/faults.ts';
import { type AwsCall, isAwsRequest, onRequestBody, type ReadCall } from './playground/aws-call.ts';

/** Number of requests to an operation, and number of the AWS calls that those requests made. */
export interface OperationMetrics {
  readonly requests: number;
  /** Number of AWS calls of all requests, keyed by `service.Action`. Each retry counts as a call. */
  readonly aws_calls: Readonly<Record<string, number>>;
  readonly last: {
    /**
     * Length of the longest chain of AWS calls in the last request. Each call of a chain begins after the previous call has
     * ended.
     */
    readonly sequential_depth: number;
    readonly calls: readonly string[];
  };
}

export interface Metrics {
  /**
   * Runs one invocation of an operation and counts its AWS calls. When the invocation has ended, calls `tell` with a function
   * that returns these calls.
   */
  run<Result>(
    operation: string,
    invocation: () => Promise<Result>,
    tell?: (calls: () => readonly CallReport[]) => void,
  ): Promise<Result>;
  report(): Readonly<Record<string, OperationMetrics>>;
  reset(): void;
  close(): void;
}

/** AWS call that was made during one request. */
export interface CallReport extends AwsCall {
  /** Position of the call in the longest chain of calls that ends with it. Calls with the same position ran in parallel. */
  readonly step: number;
  readonly milliseconds: number;
  /** HTTP status of the response. Undefined if there was no response. */
  readonly status?: number;
}

interface Call {
  name: string;
  readonly call: ReadCall | undefined;
  readonly beganAt: number;
  milliseconds: number;
  status?: number;
  readonly startedAt: number;
  /** Value of the event counter when the call's response was received. Until then, the value is infinite. */
  endedAt: number;
}

/** One run of an operation with the AWS calls that it has made so far. */
interface Invocation {
  readonly operation: string;
  readonly calls: Call[];
}

interface Counts {
  requests: number;
  readonly awsCalls: Map<string, number>;
  lastCalls: readonly Call[];
}

/**
 * Counts the HTTP calls that each operation makes to AWS. The order of calls is taken from a counter, which increases at the
 * start and at the end of each call, because clocks are not precise enough.
 */
export function createMetrics(): Metrics {
  const running = new AsyncLocalStorage<Invocation>();
  const calls = new WeakMap<ClientRequest, Call>();
  const signed = new WeakMap<ClientRequest, ReadCall>();
  const byOperation = new Map<string, Counts>();
  let tick = 0;

  const create = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const invocation = running.getStore();
    if (invocation === undefined) return;
    if (isAwsRequest(request)) request.setHeader(OPERATION_HEADER, invocation.operation);
    onRequestBody(request, (call) => signed.set(request, call));
  };
  const begin = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const invocationCalls = running.getStore()?.calls;
    if (invocationCalls === undefined) return;
    tick += 1;
    const call: Call = {
      name: readCallName(request),
      call: signed.get(request),
      startedAt: tick,
      endedAt: Number.POSITIVE_INFINITY,
      beganAt: performance.now(),
      milliseconds: 0,
    };
    calls.set(request, call);
    invocationCalls.push(call);
  };
  const end = (message: unknown) => {
    const { request, response } = message as { request: ClientRequest; response?: IncomingMessage };
    const call = calls.get(request);
    if (call === undefined) return;
    tick += 1;
    call.endedAt = tick;
    call.milliseconds = performance.now() - call.beganAt;
    if (response?.statusCode !== undefined) call.status = response.statusCode;
    const action = response?.headers['x-local-action'];
    if (typeof action === 'string') call.name = `${readService(request)}.${action}`;
  };
  const channels = [
    ['http.client.request.created', create],
    ['http.client.request.start', begin],
    ['http.client.response.finish', end],
    ['http.client.request.error', end],
  ] as const;
  for (const [channel, listener] of channels) subscribe(channel, listener);

  return {
    async run(operation, invocation, tell) {
      const invocationCalls: Call[] = [];
      try {
        return await running.run({ operation, calls: invocationCalls }, invocation);
      } finally {
        countCalls(byOperation, operation, invocationCalls);
        tell?.(() => reportCalls(invocationCalls));
      }
    },
    report: () =>
      Object.fromEntries([...byOperation].map(([name, counts]) => [name, reportOperation(counts)])),
    reset: () => byOperation.clear(),
    close() {
      for (const [channel, listener] of channels) unsubscribe(channel, listener);
    },
  };
}

function countCalls(byOperation: Map<string, Counts>, operation: string, calls: readonly Call[]): void {
  const counts = byOperation.get(operation) ?? { requests: 0, awsCalls: new Map(), lastCalls: [] };
  byOperation.set(operation, counts);
  counts.requests += 1;
  counts.lastCalls = calls;
  for (const { name } of calls) counts.awsCalls.set(name, (counts.awsCalls.get(name) ?? 0) + 1);
}

function reportOperation({ requests, awsCalls, lastCalls }: Counts): OperationMetrics {
  return {
    requests,
    aws_calls: Object.fromEntries([...awsCalls].sort()),
    last: { sequential_depth: sequentialDepth(lastCalls), calls: lastCalls.map((call) => call.name) },
  };
}

function reportCalls(calls: readonly Call[]): readonly CallReport[] {
  const steps = computeSteps(calls);
  return calls.map(({ call, name, milliseconds, status }, index) => ({
    ...(call?.() ?? { action: name.replace('.', ':'), resource: '' }),
    step: steps[index] ?? 0,
    milliseconds: Math.round(milliseconds),
    ...(status !== undefined && { status }),
  }));
}

const sequentialDepth = (calls: readonly Call[]): number => Math.max(0, ...computeSteps(calls));

/**
 * Returns the step of each call: one more than the highest step of the calls that ended before the call started. The calls must
 * be sorted by their start.
 */
function computeSteps(calls: readonly Call[]): readonly number[] {
  const depths: number[] = [];
  for (const call of calls) {
    const before = depths.filter((_, index) => (calls[index]?.endedAt ?? 0) < call.startedAt);
    depths.push(1 + Math.max(0, ...before));
  }
  return depths;
}

/**
 * Returns the AWS service of a request: the last segment of the emulator's endpoint. In a call of Lambda, the path of the
 * Lambda operation after this segment is removed first.
 */
function readService(request: ClientRequest): string {
  return (
    request.path
      .replace(/[?].*$/, '')
      .replace(/\/2015-03-31\/functions\/.*$/, '')
      .split('/')
      .filter(Boolean)
      .at(-1) ?? 'unknown'
  );
}

/** Returns the name of an AWS call as `service.Action`. For SES and SNS, the action is `?` until a response header names it. */
function readCallName(request: ClientRequest): string {
  const target = String(request.getHeader('x-amz-target') ?? '');
  return `${readService(request)}.${target.split('.')[1] ?? '?'}`;
}
