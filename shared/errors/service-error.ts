import type { AuditFacts } from '../ports/audit.ts';
import { catalogue, type ErrorDialect, type ErrorKey } from './catalogue.ts';

export interface ErrorDetail {
  /** Message that replaces the catalogue's message. It names the invalid field and never contains a secret. */
  readonly message?: string;
  /** One message for each problem of an input, for error formats with an array of messages. */
  readonly messages?: readonly string[];
  /** Unknown redirect URI or client that was requested, escaped. JSON responses and the log contain it; pages do not. */
  readonly unknownValue?: string;
  readonly retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Error format that replaces the operation's own format. The fallback operation needs it, because it serves the unknown paths
   * of all API sections, which have different formats.
   */
  readonly dialect?: ErrorDialect;
  /** True if repeating the request cannot succeed, because only the user or an operator can resolve the error. */
  readonly isFinal?: boolean;
  /** Number of wrong codes that the caller may still enter before the code is locked. 0 means that the code is locked now. */
  readonly attemptsLeft?: number;
  /** True if the message may still arrive despite the error. */
  readonly mayArrive?: boolean;
  /** Original error, for the log only. */
  readonly cause?: unknown;
  /** Facts about a failed login, for the log only. */
  readonly audit?: AuditFacts;
}

/** Adds the seconds until a rejected message can be sent again to the log fields, so that support staff see them. */
const withWait = (detail: ErrorDetail): ErrorDetail => {
  const { audit, retryAfterSeconds } = detail;
  return audit?.refusal === undefined || retryAfterSeconds === undefined
    ? detail
    : { ...detail, audit: { retryAfterSeconds, ...audit } };
};

/** Error with a key of the error catalogue. Any other thrown error becomes `internal_error`. */
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

/** Returns true if the response has a 5xx status. The request itself may then be correct. */
export const isServerError = (error: unknown): boolean =>
  !(error instanceof ServiceError) || catalogue[error.key].status >= 500;

const ASKED_MAX = 200;

/** Escapes a requested value for a response and a log line. RFC 6749 §5.2 forbids quotes and backslashes. */
export const escapeRequested = (text: string): string =>
  text
    .slice(0, ASKED_MAX)
    .toWellFormed()
    .replace(/[^\w.~:/?#[\]@!$&()*+,;=%-]/gu, encodeURIComponent)
    .slice(0, ASKED_MAX);

/**
 * Creates the error for an input that a rule rejects.
 * @param message Names the field and never contains a secret
 * @param asked Requested value to show, such as an unknown redirect URI
 */
export const invalidInput = (message: string, asked?: string): ServiceError =>
  new ServiceError('system_invalid_input', {
    message,
    ...(asked === undefined ? {} : { unknownValue: asked }),
  });
