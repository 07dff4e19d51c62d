import { channel } from 'node:diagnostics_channel';
import { isId } from '../domain/basis/random.ts';
import type { ErrorKey } from '../errors/catalogue.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { AuditContext, Operation } from '../operation.ts';
import { auditEventsOf } from './audit-events.ts';
import { metricFields } from './emf.ts';
import type { Exchange } from './exchange.ts';

/** Published for the local server and tests only; in the cloud a subscription reads the log. */
const lines = channel('otl:log');

const LEVELS = { debug: 10, info: 20, error: 40, silent: 100 } as const;
type Level = keyof typeof LEVELS;

function threshold(): number {
  const level = process.env.LOG_LEVEL ?? 'info';
  return level in LEVELS ? LEVELS[level as Level] : LEVELS.info;
}

/** Escapes what JSON leaves: U+2028 and U+0085 end a line for some readers, and some terminals obey C1 controls. */
function inAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One JSON line in plain ASCII, or a caller's text could begin a forged line. */
export function lineOf(level: Exclude<Level, 'silent'>, fields: Readonly<Record<string, unknown>>): string {
  return inAscii(JSON.stringify({ level, time: new Date().toISOString(), ...fields }));
}

/** Writes a line at or above `LOG_LEVEL`. */
export function log(level: Exclude<Level, 'silent'>, fields: Readonly<Record<string, unknown>>): void {
  const printed = LEVELS[level] >= threshold();
  if (!printed && !lines.hasSubscribers) return;
  const line = lineOf(level, fields);
  if (lines.hasSubscribers) lines.publish(line);
  if (printed) process.stdout.write(`${line}\n`);
}

/** The answer of AWS: its request ID is what its support asks for. */
function answerOfAws(error: Error): Record<string, unknown> {
  const { requestId, httpStatusCode, attempts } = (
    '$metadata' in error && typeof error.$metadata === 'object' ? { ...error.$metadata } : {}
  ) as Readonly<Record<string, unknown>>;
  return requestId === undefined && httpStatusCode === undefined
    ? {}
    : { aws: { request_id: requestId, status: httpStatusCode, attempts } };
}

const FIELD = /^([a-z][a-zA-Z0-9_]{0,40})(?:[.:]|$)/;

/** The fields that a refusal complains of. Their names alone: what is below a field may be named by the caller. */
export function refusedFields(error: ServiceError): readonly string[] {
  if (error.key !== 'system_invalid_input') return [];
  const messages = error.detail.messages ?? [error.detail.message ?? ''];
  return [...new Set(messages.flatMap((message) => FIELD.exec(message)?.[1] ?? []))];
}

const FRAME = /^ {4}at .+:\d+:\d+\)?$/;

/**
 * Name and place of an unexpected error. Omits its message, even one that looks like a stack frame: AWS repeats addresses
 * and parameters in messages.
 */
function trace(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .filter((line) => FRAME.test(line));
  const cause = error.cause === undefined ? {} : { cause: trace(error.cause) };
  return {
    name: error.name,
    ...answerOfAws(error),
    ...('advice' in error ? { advice: error.advice } : {}),
    at: frames?.slice(0, 6).map((line) => line.trim()),
    ...cause,
  };
}

export interface Outcome {
  readonly status: number;
  readonly errorKey?: ErrorKey;
  readonly error?: unknown;
  /** The fields of the request that were refused. */
  readonly fields?: readonly string[];
  /** What was asked for and is not known. */
  readonly asked?: string | undefined;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ADDRESS = /^[a-z][a-z0-9.+-]*:\//i;

const isOurs = (id: string | undefined) => id !== undefined && isId(id);

/** Drops values that are no IDs of this service: callers put addresses where an ID belongs. */
function withoutStrangeIds({ userId, recordId, ...rest }: AuditContext): AuditContext {
  return {
    ...rest,
    ...(isOurs(userId) ? { userId } : {}),
    ...(isOurs(recordId) ? { recordId } : {}),
  };
}

/** The audit context as fields of a line, without events and cause. */
export function fieldsOf({
  events: _,
  cause: __,
  ...facts
}: AuditContext): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(withoutStrangeIds(facts)).map(([name, value]) => [snake(name), value]),
  );
}

/** Refusals that only the provider can explain. */
const REFUSED_BY_PROVIDER: ReadonlySet<ErrorKey | undefined> = new Set<ErrorKey>([
  'external_provider_configuration_error',
]);

/** The one line of a request: who, what, when, where and with what result (ASVS V16). No secret and no address. */
export function logRequest(row: Operation, exchange: Exchange, outcome: Outcome): void {
  const { auditContext } = exchange;
  const failed = outcome.status >= 500 || auditContext.result === 'internal_error';
  const audit = auditEventsOf(row, auditContext, outcome.errorKey);
  const error = outcome.error ?? auditContext.cause;
  const durationMs = Date.now() - exchange.startedAt;
  const result = outcome.errorKey ?? 'ok';
  log(failed ? 'error' : 'info', {
    event: row.event,
    section: row.section,
    request_id: exchange.request.requestId,
    status: outcome.status,
    result,
    duration_ms: durationMs,
    source_address: exchange.request.sourceAddress,
    ...fieldsOf(auditContext),
    ...(outcome.fields?.length ? { fields: outcome.fields } : {}),
    // A query may hold an address or a token, and what is no address, such as the ID of a client, a secret.
    ...(ADDRESS.test(outcome.asked ?? '') ? { asked: outcome.asked?.replace(/[?#].*/, '') } : {}),
    ...(audit.length === 0 ? {} : { audit }),
    ...(error !== undefined && (failed || REFUSED_BY_PROVIDER.has(outcome.errorKey ?? auditContext.result))
      ? { error: trace(error) }
      : {}),
    ...metricFields(auditContext, {
      status: outcome.status,
      durationMs,
      result: auditContext.result ?? result,
    }),
  });
}
