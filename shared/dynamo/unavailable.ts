import { ServiceError } from '../errors/service-error.ts';

/** Errors that mean throttling. The last error is a conflict of two regions in a global table with strong consistency. */
const THROTTLED = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ReplicatedWriteConflictException',
]);
const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/**
 * Errors of KMS for a key that is disabled or pending deletion. DynamoDB names them only in the message of a
 * `ValidationException`.
 */
const UNUSABLE_KEY = /\b(?:DisabledException|KMSInvalidStateException)\b/;
const RETRY_AFTER_SECONDS = 1;
/** Value of `Retry-After` in seconds if a KMS key is unusable. Retries fail until an operator has enabled the key. */
const KEY_RETRY_AFTER_SECONDS = 60;

interface SdkError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Time-out error that the SDK must not retry. The original error is in a property that the SDK's retry logic does not read. */
class OverdueAnswer extends Error {
  readonly overdue: unknown;

  constructor(overdue: unknown) {
    super('No answer in time');
    this.overdue = overdue;
  }
}

/**
 * Returns true if an error is one of our own time-outs. Such an error has the name of the SDK's time-out error, but not the
 * code of a connection error such as `ECONNRESET`.
 */
function isOverdue(error: unknown): boolean {
  const { name, code } = error as SdkError;
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT');
}

/** Runs one attempt of a call, inside the SDK's retry. After a time-out, throws an error that the SDK does not retry. */
export async function preventTimeoutRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    throw isOverdue(error) ? new OverdueAnswer(error) : error;
  }
}

/**
 * Converts failures that remain after the SDK's retries to `service_unavailable`, if they are temporary or caused by an
 * unusable KMS key. Returns other errors, such as bugs, unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof OverdueAnswer) return unavailable(error.overdue);
  const { name = '', message = '', code = '', $metadata } = error as SdkError;
  if (UNUSABLE_KEY.test(`${name} ${message}`))
    return new ServiceError('service_unavailable', {
      retryAfterSeconds: KEY_RETRY_AFTER_SECONDS,
      cause: error,
      audit: { unusableKey: true },
    });
  const status = $metadata?.httpStatusCode ?? 0;
  const passing =
    THROTTLED.has(name) ||
    UNREACHABLE.has(code) ||
    name === 'TimeoutError' ||
    status === 429 ||
    status >= 500;
  return passing ? unavailable(error) : error;
}

export function unavailable(cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
