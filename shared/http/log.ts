import { channel } from 'node:diagnostics_channel';
import { isId } from '../domain/basis/random.ts';
import type { ErrorKey } from '../errors/catalogue.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { AuditContext, Operation } from '../operation.ts';
import { collectAuditEvents } from './audit-events.ts';
import { metricFields } from './emf.ts';
import type { Exchange } from './exchange.ts';

/** Channel through which the local server and tests receive log lines. In the cloud, a log subscription reads the lines. */
const lines = channel('otl:log');

const LEVELS = { debug: 10, info: 20, error: 40, silent: 100 } as const;
type Level = keyof typeof LEVELS;

function threshold(): number {
  const level = process.env.LOG_LEVEL ?? 'info';
  return level in LEVELS ? LEVELS[level as Level] : LEVELS.info;
}

/**
 * Escapes all characters except printable ASCII. Some log readers break lines at U+2028, and some terminals execute C1
 * controls.
 */
function inAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns one JSON line in ASCII, so that a caller's text cannot start a forged line. */
export function formatLine(
  level: Exclude<Level, 'silent'>,
  fields: Readonly<Record<string, unknown>>,
): string {
  return inAscii(JSON.stringify({ level, time: new Date().toISOString(), ...fields }));
}

/** Writes a line if its level is at or above `LOG_LEVEL`. */
export function log(level: Exclude<Level, 'silent'>, fields: Readonly<Record<string, unknown>>): void {
  const printed = LEVELS[level] >= threshold();
  if (!printed && !lines.hasSubscribers) return;
  const line = formatLine(level, fields);
  if (lines.hasSubscribers) lines.publish(line);
  if (printed) process.stdout.write(`${line}\n`);
}

/** Returns the request ID and the status of the response that caused an AWS error. AWS Support asks for the request ID. */
function readAwsAnswer(error: Error): Record<string, unknown> {
  const { requestId, httpStatusCode, attempts } = (
    '$metadata' in error && typeof error.$metadata === 'object' ? { ...error.$metadata } : {}
  ) as Readonly<Record<string, unknown>>;
  return requestId === undefined && httpStatusCode === undefined
    ? {}
    : { aws: { request_id: requestId, status: httpStatusCode, attempts } };
}

const FIELD = /^([a-z][a-zA-Z0-9_]{0,40})(?:[.:]|$)/;

/** Returns the names of the rejected top-level fields. Nested names are omitted, because they may be text of the caller. */
export function refusedFields(error: ServiceError): readonly string[] {
  if (error.key !== 'system_invalid_input') return [];
  const messages = error.detail.messages ?? [error.detail.message ?? ''];
  return [...new Set(messages.flatMap((message) => FIELD.exec(message)?.[1] ?? []))];
}

const FRAME = /^ {4}at .+:\d+:\d+\)?$/;

/**
 * Returns the name and location of an unexpected error. Omits the error's message, even if it looks like a stack frame, because
 * AWS repeats addresses and parameters in messages.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .filter((line) => FRAME.test(line));
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return {
    name: error.name,
    ...readAwsAnswer(error),
    ...('advice' in error ? { advice: error.advice } : {}),
    at: frames?.slice(0, 6).map((line) => line.trim()),
    ...cause,
  };
}

export interface Outcome {
  readonly status: number;
  readonly errorKey?: ErrorKey;
  readonly error?: unknown;
  /** Names of the rejected request fields. */
  readonly fields?: readonly string[];
  /** Unknown redirect URI or client in the request. */
  readonly asked?: string | undefined;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ADDRESS = /^[a-z][a-z0-9.+-]*:\//i;

const isOwnId = (id: string | undefined) => id !== undefined && isId(id);

/** Removes IDs that do not have this service's format, because callers may send addresses instead of IDs. */
function withoutForeignIds({ userId, recordId, ...rest }: AuditContext): AuditContext {
  return {
    ...rest,
    ...(isOwnId(userId) ? { userId } : {}),
    ...(isOwnId(recordId) ? { recordId } : {}),
  };
}

/** Returns the audit context as fields of a log line, without events and cause. */
export function toLogFields({
  events: _,
  cause: __,
  ...facts
}: AuditContext): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(withoutForeignIds(facts)).map(([name, value]) => [snake(name), value]),
  );
}

/** Errors caused by an external provider. Their log lines also contain the name of the provider's error. */
const REFUSED_BY_PROVIDER: ReadonlySet<ErrorKey | undefined> = new Set<ErrorKey>([
  'external_provider_configuration_error',
]);

/**
 * Writes the single log line of a request (ASVS V16): caller, operation, time, source and result, but no secrets and no
 * addresses.
 */
export function logRequest(row: Operation, exchange: Exchange, outcome: Outcome): void {
  const { auditContext } = exchange;
  const failed = outcome.status >= 500 || auditContext.result === 'internal_error';
  const audit = collectAuditEvents(row, auditContext, outcome.errorKey);
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
    ...toLogFields(auditContext),
    ...(outcome.fields?.length ? { fields: outcome.fields } : {}),
    // The query is removed, because it may contain an address or a token. A value that is not a URL, such as a client ID, is
    // omitted, because it may be a secret.
    ...(ADDRESS.test(outcome.asked ?? '') ? { asked: outcome.asked?.replace(/[?#].*/, '') } : {}),
    ...(audit.length === 0 ? {} : { audit }),
    ...(error !== undefined && (failed || REFUSED_BY_PROVIDER.has(outcome.errorKey ?? auditContext.result))
      ? { error: describeError(error) }
      : {}),
    ...metricFields(auditContext, {
      status: outcome.status,
      durationMs,
      checksCredential: row.checksCredential === true,
      result: auditContext.result ?? result,
    }),
  });
}
