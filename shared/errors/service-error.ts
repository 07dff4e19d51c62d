import type { AuditFacts } from '../ports/audit.ts';
import { catalogue, type ErrorDialect, type ErrorKey } from './catalogue.ts';

export interface ErrorDetail {
  /** Message that replaces the catalogue's. It names the field, and never contains a secret. */
  readonly message?: string;
  /** All complaints about an input, for dialects with a `message` array. */
  readonly messages?: readonly string[];
  /** Unknown redirect URI or client that was asked for, escaped. It is shown in JSON and the log, but on no page. */
  readonly unknownValue?: string;
  readonly retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Dialect that replaces that of the row, because the fallback answers for all sections. */
  readonly dialect?: ErrorDialect;
  /** True if waiting does not help: only the user or an operator can resolve the error. */
  readonly isFinal?: boolean;
  /** True for the last wrong code before the lock. */
  readonly isLastTry?: boolean;
  /** True if the message may have been sent despite the error. */
  readonly mayArrive?: boolean;
  /** Original error, for the log only. */
  readonly cause?: unknown;
  /** Facts about a failed login, for the log only. */
  readonly audit?: AuditFacts;
}

/** Adds the time after which a refused message can be sent again to the audit facts, for support. */
const withWait = (detail: ErrorDetail): ErrorDetail => {
  const { audit, retryAfterSeconds } = detail;
  return audit?.refusal === undefined || retryAfterSeconds === undefined
    ? detail
    : { ...detail, audit: { retryAfterSeconds, ...audit } };
};

/** Error of the catalogue. Any other error that is thrown becomes `internal_error`. */
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

/** Returns true if the answer is a 5xx: the request itself may be correct. */
export const isServerError = (error: unknown): boolean =>
  !(error instanceof ServiceError) || catalogue[error.key].status >= 500;

const ASKED_MAX = 200;

/** Escapes what a caller asked for, for an answer and a log line. RFC 6749 §5.2 forbids quotes and backslashes. */
export const escapeRequested = (text: string): string =>
  text
    .slice(0, ASKED_MAX)
    .toWellFormed()
    .replace(/[^\w.~:/?#[\]@!$&()*+,;=%-]/gu, encodeURIComponent)
    .slice(0, ASKED_MAX);

/** Creates the error for an input that a rule rejects. `message` names the field and never repeats a secret. */
export const invalidInput = (message: string, asked?: string): ServiceError =>
  new ServiceError('system_invalid_input', {
    message,
    ...(asked === undefined ? {} : { unknownValue: asked }),
  });
