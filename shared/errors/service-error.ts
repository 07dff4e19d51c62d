import type { AuditContext } from '../operation.ts';
import type { ErrorKey } from './catalogue.ts';
import type { Dialect } from './render.ts';

export interface ErrorDetail {
  /** Replaces the catalogue's sentence on the wire; names the field, never a secret. */
  readonly message?: string;
  /** All complaints about an input, for answers whose `message` is an array. */
  readonly messages?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** Extra response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Spells the answer otherwise than the row does: the fallback speaks for all sections. */
  readonly dialect?: Dialect;
  /** Waiting does not help: it lasts until somebody does something about it. */
  readonly isFinal?: boolean;
  /** For the log only. */
  readonly cause?: unknown;
  /** Whom it concerned, for the log only: failed logins are told by it. */
  readonly about?: AuditContext;
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
