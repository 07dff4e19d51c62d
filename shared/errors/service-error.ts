import type { ErrorKey } from './catalogue.ts';

export interface ErrorDetail {
  /** Replaces the catalogue's sentence on the wire; names the field, never a secret. */
  readonly message?: string;
  /** All complaints about an input, for answers whose `message` is an array. */
  readonly messages?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** Extra response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly cause?: unknown;
}

/** An answer that the catalogue foresees. Anything else that is thrown becomes `internal_error`. */
export class ServiceError extends Error {
  readonly key: ErrorKey;
  readonly detail: ErrorDetail;

  constructor(key: ErrorKey, detail: ErrorDetail = {}) {
    super(detail.message ?? key, { cause: detail.cause });
    this.name = 'ServiceError';
    this.key = key;
    this.detail = detail;
  }
}
