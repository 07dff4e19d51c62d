/** JSON body of an error response, in the form of OAuth (`error`) or of the other operations (`error_code`). */
export interface ErrorBody {
  readonly error?: string;
  readonly error_code?: string | number;
  readonly message?: string | readonly string[];
}

/** Returns the seconds in `Retry-After`, or undefined if the header is absent or is a date, which the service never sends. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

/**
 * Returns the error message for a response that is not from the service but from a proxy, or from another server if `baseUrl`
 * is wrong.
 */
const describeForeignResponse = ({ status, url }: Pick<Response, 'status' | 'url'>) =>
  `${url === '' ? 'The service' : new URL(url).origin} responded with ${status} but not with the JSON of the service: check baseUrl`;

/** Error with which a call rejects if the service does not respond with success. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Error code: `error` of an OAuth response (RFC 6749 §5.2), or `error_code` of any other response, or the HTTP status. */
  readonly errorCode: Code;
  /** ID of the request in the log of the service (`X-Request-Id`). */
  readonly requestId: string | undefined;
  /** Seconds to wait before the request may be repeated, if the response has a `Retry-After` header. */
  readonly retryAfter: number | undefined;

  constructor(response: Pick<Response, 'status' | 'headers' | 'url'>, body: ErrorBody) {
    const { status, headers } = response;
    const message = [body.message ?? describeForeignResponse(response)].flat().join('; ');
    // Only this header of a 401 response says if the token is missing, invalid or expired.
    const [, reason] = /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    super(reason === undefined || reason === message ? message : `${message}: ${reason}`);
    this.status = status;
    this.errorCode = String(body.error ?? body.error_code ?? status) as Code;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = readRetryAfter(headers);
  }
}

/** Error that a verification throws if the token or webhook is invalid. Any other error means that the check was impossible. */
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

/** Throws a `TypeError` if a required option is missing or empty, or if an option is unknown, because it may be misspelled. */
export function checkOptions(
  options: object,
  required: readonly string[],
  optional: readonly string[],
): void {
  const givenOptions = Object.entries(options);
  const known = [...required, ...optional];
  const unknown = givenOptions.map(([name]) => name).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`unknown option ${unknown.join(', ')}: known are ${known.join(', ')}`);
  const missing = required.filter((name) => !givenOptions.some(([other, value]) => other === name && value));
  if (missing.length > 0) throw new TypeError(`missing option ${missing.join(', ')}`);
}
