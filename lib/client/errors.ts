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

/** What stands before the service, or in its place, answers in its own way. */
const strange = ({ status, url }: Pick<Response, 'status' | 'url'>) =>
  `${url === '' ? 'The service' : new URL(url).origin} answered ${status} without the JSON of the service: check baseUrl`;

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

  constructor(response: Pick<Response, 'status' | 'headers' | 'url'>, body: ErrorBody) {
    const { status, headers } = response;
    const told = [body.message ?? strange(response)].flat().join('; ');
    // Which of them it is: no token, a bad one, one that has expired.
    const [, reason] = /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    super(reason === undefined || reason === told ? told : `${told}: ${reason}`);
    this.status = status;
    this.errorCode = String(body.error ?? body.error_code ?? status) as Code;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterOf(headers);
  }
}

/** A token or webhook that is not what it should be. Other errors of a verification say nothing about it. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly reason: 'missing' | 'expired' | 'invalid';

  constructor(
    message: string,
    options: ErrorOptions & { readonly reason?: VerificationError['reason'] } = {},
  ) {
    super(message, options);
    this.reason = options.reason ?? 'invalid';
  }
}

/** Errors: `TypeError`, for an option that lacks or is empty, and for one that is unknown: mistyped it would do nothing. */
export function checkOptions(
  options: object,
  required: readonly string[],
  optional: readonly string[],
): void {
  const given = Object.entries(options);
  const known = [...required, ...optional];
  const unknown = given.map(([name]) => name).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`unknown option ${unknown.join(', ')}: there are ${known.join(', ')}`);
  const missing = required.filter((name) => !given.some(([other, value]) => other === name && value));
  if (missing.length > 0) throw new TypeError(`missing option ${missing.join(', ')}`);
}
