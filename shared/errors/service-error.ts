import type { AuditFacts } from '../ports/audit.ts';
import { catalogue, type ErrorDialect, type ErrorKey } from './catalogue.ts';

export interface ErrorDetail {
  /** Replaces the catalogue's sentence on the wire; names the field, never a secret. */
  readonly message?: string;
  /** All complaints about an input, for dialects with a `message` array. */
  readonly messages?: readonly string[];
  /** The redirect URI or client that is not known, escaped: in JSON and in the log, on no page. */
  readonly asked?: string;
  readonly retryAfterSeconds?: number;
  /** Extra response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the dialect of the row: the fallback answers for all sections. */
  readonly dialect?: ErrorDialect;
  /** Waiting does not help: only the user or an operator can end it. */
  readonly isFinal?: boolean;
  /** The last wrong code before the lock. */
  readonly isLastTry?: boolean;
  /** The message may have gone out all the same. */
  readonly mayArrive?: boolean;
  /** For the log only. */
  readonly cause?: unknown;
  /** For the log only: a failed login is reported with these facts. */
  readonly audit?: AuditFacts;
}

/** The refusal of a message tells support how long it holds. */
const withWait = (detail: ErrorDetail): ErrorDetail => {
  const { audit, retryAfterSeconds } = detail;
  return audit?.refusal === undefined || retryAfterSeconds === undefined
    ? detail
    : { ...detail, audit: { retryAfterSeconds, ...audit } };
};

/** An error of the catalogue. Anything else that is thrown becomes `internal_error`. */
export class ServiceError extends Error {
  readonly key: ErrorKey;
  readonly detail: ErrorDetail;

  constructor(key: ErrorKey, detail: ErrorDetail = {}) {
    super(detail.message ?? key, { cause: detail.cause });
    this.name = 'ServiceError';
    this.key = key;
    this.detail = key === 'rate_limited' ? withWait(detail) : detail;
  }
}

/** Whether the answer is a 5xx: what the request asked for may be right. */
export const isFaultOfService = (error: unknown): boolean =>
  !(error instanceof ServiceError) || catalogue[error.key].status >= 500;

const ASKED_MAX = 200;

/** What a caller asked for, escaped for an answer and a log line: RFC 6749 §5.2 forbids quotes and backslashes. */
export const askedFor = (text: string): string =>
  text
    .slice(0, ASKED_MAX)
    .toWellFormed()
    .replace(/[^\w.~:/?#[\]@!$&()*+,;=%-]/gu, encodeURIComponent)
    .slice(0, ASKED_MAX);

/** An input that its schema accepts and a rule rejects. `message` names the field and never repeats a secret. */
export const invalidInput = (message: string, asked?: string): ServiceError =>
  new ServiceError('system_invalid_input', { message, ...(asked === undefined ? {} : { asked }) });
