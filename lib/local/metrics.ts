import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { OPERATION_HEADER } from './emulators/basis/faults.ts';
import { type AwsCall, isSigned, onCall, type TellsCall } from './playground/aws-call.ts';

export interface OperationMetrics {
  readonly requests: number;
  /** Calls of all requests, by `service.Action`; a retry counts as a call. */
  readonly aws_calls: Readonly<Record<string, number>>;
  readonly last: {
    /** The longest chain of calls of the last request: each began after the answer of the one before. */
    readonly sequential_depth: number;
    readonly calls: readonly string[];
  };
}

export interface Metrics {
  /** Runs one invocation, counts its AWS calls for the operation, and tells of them. */
  run<Result>(
    operation: string,
    invocation: () => Promise<Result>,
    tell?: (calls: () => readonly CallReport[]) => void,
  ): Promise<Result>;
  report(): Readonly<Record<string, OperationMetrics>>;
  reset(): void;
  close(): void;
}

/** A call of one request. */
export interface CallReport extends AwsCall {
  /** The longest chain of calls that ends with it: those of one step run beside each other. */
  readonly step: number;
  readonly milliseconds: number;
  /** Of the answer; absent: there was none. */
  readonly status?: number;
}

interface Call {
  name: string;
  readonly call: TellsCall | undefined;
  readonly beganAt: number;
  milliseconds: number;
  status?: number;
  readonly startedAt: number;
  /** Infinite until the answer comes. */
  endedAt: number;
}

/** One run of an operation. */
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
 * Counts the HTTP calls to AWS of each operation. Every begin and end of a call advances a counter that stands for time, so
 * no clock decides which call came first.
 */
export function createMetrics(): Metrics {
  const running = new AsyncLocalStorage<Invocation>();
  const calls = new WeakMap<ClientRequest, Call>();
  const signed = new WeakMap<ClientRequest, TellsCall>();
  const byOperation = new Map<string, Counts>();
  let tick = 0;

  const create = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const invocation = running.getStore();
    if (invocation === undefined) return;
    if (isSigned(request)) request.setHeader(OPERATION_HEADER, invocation.operation);
    onCall(request, (call) => signed.set(request, call));
  };
  const begin = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const ofInvocation = running.getStore()?.calls;
    if (ofInvocation === undefined) return;
    tick += 1;
    const call: Call = {
      name: nameOf(request),
      call: signed.get(request),
      startedAt: tick,
      endedAt: Number.POSITIVE_INFINITY,
      beganAt: performance.now(),
      milliseconds: 0,
    };
    calls.set(request, call);
    ofInvocation.push(call);
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
    if (typeof action === 'string') call.name = `${serviceOf(request)}.${action}`;
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
      const ofInvocation: Call[] = [];
      try {
        return await running.run({ operation, calls: ofInvocation }, invocation);
      } finally {
        note(byOperation, operation, ofInvocation);
        tell?.(() => reportsOf(ofInvocation));
      }
    },
    report: () => Object.fromEntries([...byOperation].map(([name, counts]) => [name, reportOf(counts)])),
    reset: () => byOperation.clear(),
    close() {
      for (const [channel, listener] of channels) unsubscribe(channel, listener);
    },
  };
}

function note(byOperation: Map<string, Counts>, operation: string, calls: readonly Call[]): void {
  const counts = byOperation.get(operation) ?? { requests: 0, awsCalls: new Map(), lastCalls: [] };
  byOperation.set(operation, counts);
  counts.requests += 1;
  counts.lastCalls = calls;
  for (const { name } of calls) counts.awsCalls.set(name, (counts.awsCalls.get(name) ?? 0) + 1);
}

function reportOf({ requests, awsCalls, lastCalls }: Counts): OperationMetrics {
  return {
    requests,
    aws_calls: Object.fromEntries([...awsCalls].sort()),
    last: { sequential_depth: depthOf(lastCalls), calls: lastCalls.map((call) => call.name) },
  };
}

function reportsOf(calls: readonly Call[]): readonly CallReport[] {
  const steps = stepsOf(calls);
  return calls.map(({ call, name, milliseconds, status }, index) => ({
    ...(call?.() ?? { action: name.replace('.', ':'), resource: '' }),
    step: steps[index] ?? 0,
    milliseconds: Math.round(milliseconds),
    ...(status !== undefined && { status }),
  }));
}

const depthOf = (calls: readonly Call[]): number => Math.max(0, ...stepsOf(calls));

/** `calls` in starting order. */
function stepsOf(calls: readonly Call[]): readonly number[] {
  const depths: number[] = [];
  for (const call of calls) {
    const before = depths.filter((_, index) => (calls[index]?.endedAt ?? 0) < call.startedAt);
    depths.push(1 + Math.max(0, ...before));
  }
  return depths;
}

/** The last segment of the endpoint's path names the service; SES and SNS name the action only in the body. */
function serviceOf(request: ClientRequest): string {
  return (
    request.path
      .replace(/[?].*$/, '')
      .split('/')
      .filter(Boolean)
      .at(-1) ?? 'unknown'
  );
}

function nameOf(request: ClientRequest): string {
  const target = String(request.getHeader('x-amz-target') ?? '');
  return `${serviceOf(request)}.${target.split('.')[1] ?? '?'}`;
}
