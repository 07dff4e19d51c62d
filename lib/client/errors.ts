export interface ErrorBody {
  readonly error?: string;
  readonly error_code?: string | number;
  readonly message?: string | readonly string[];
}

/** Seconds; undefined for a date, which the service does not send. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

/** An answer of the service that is no success. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `error` where an answer has the members of RFC 6749, else `error_code`: a name, or the status in digits. */
  readonly errorCode: Code;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: ErrorBody = {}) {
    super([body.message ?? `The answer was ${status}`].flat().join('; '));
    this.status = status;
    this.errorCode = String(body.error ?? body.error_code ?? status) as Code;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterOf(headers);
  }
}

/** A token or webhook that is not what it should be. Other errors of a verification say nothing about it. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
}
