import { ServiceError } from '../errors/service-error.ts';

/** The last one is of global tables with strong consistency: another region writes the same item. */
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
const RETRY_AFTER_SECONDS = 1;

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** A time-out that the SDK must not repeat; it holds the error under a name that the SDK's retry does not look into. */
class OverdueAnswer extends Error {
  readonly overdue: unknown;

  constructor(overdue: unknown) {
    super('No answer in time');
    this.overdue = overdue;
  }
}

/** Time-outs of ours carry the SDK's name and no code of a broken connection. */
function isOverdue(error: unknown): boolean {
  const { name, code } = error as SdkError;
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT');
}

/** Runs inside the SDK's retry: what came too late once is not tried again. */
export async function orOverdue<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    throw isOverdue(error) ? new OverdueAnswer(error) : error;
  }
}

/** What is left after the SDK's retries and will pass becomes `service_unavailable`; a mistake of ours stays what it is. */
export function orUnavailable(error: unknown): unknown {
  if (error instanceof OverdueAnswer) return unavailable(error.overdue);
  const { name = '', code = '', $metadata } = error as SdkError;
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
