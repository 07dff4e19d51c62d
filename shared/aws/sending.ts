import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import type { SendReceipt } from '../ports/delivery.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/**
 * Settings of clients that send messages. The SDK does not retry: after a lost response, a retry would send a second code and
 * invalidate the first. Each call opens its own connection, because reusing a connection that the provider has closed fails
 * like a lost response.
 */
export const SENDING_SETTINGS = {
  ...CALL_SETTINGS,
  maxAttempts: 1,
  requestHandler: {
    ...CALL_SETTINGS.requestHandler,
    httpAgent: { keepAlive: false },
    httpsAgent: { keepAlive: false },
  },
};

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
const RETRY_AFTER_SECONDS = 2;

const THROTTLED = new Set([
  'Throttling',
  'ThrottlingException',
  'Throttled',
  'ThrottledException',
  'TooManyRequestsException',
]);
/** Network errors after which the message was certainly not sent, because no connection was made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Network errors after which the provider may have accepted the message: the connection broke or the response was late. */
const INTERRUPTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'TimeoutError',
  'RequestTimeout',
  'ECONNABORTED',
]);

/**
 * Sends a message. Retries only if the provider cannot have accepted it: after throttling or without a connection. `refusals`
 * lists provider errors caused by the caller's content or configuration; other errors become `internal_error`.
 */
export async function sendOnce<T>(send: () => Promise<T>, refusals: ReadonlySet<string>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const marks = errorNames(error);
      const nothingAccepted = marks.some((mark) => THROTTLED.has(mark) || UNREACHED.has(mark));
      if (!nothingAccepted || attempt === ATTEMPTS) throw toServiceError(error, marks, refusals);
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

export const accepted = ({
  MessageId: messageId,
}: {
  readonly MessageId?: string | undefined;
}): SendReceipt => (messageId === undefined ? {} : { messageId });

function toServiceError(error: unknown, marks: readonly string[], refusals: ReadonlySet<string>): unknown {
  const sendingFault = (refusal: 'provider_refused' | 'provider_unreachable') => ({
    cause: error,
    audit: { refusal, providerError: marks[0] ?? '' },
  });
  if (marks.some((mark) => refusals.has(mark)))
    return new ServiceError('external_provider_configuration_error', sendingFault('provider_refused'));
  const status = readStatus(error);
  const isRefused = marks.some((mark) => THROTTLED.has(mark) || UNREACHED.has(mark));
  const mayArrive = !isRefused && (marks.some((mark) => INTERRUPTED.has(mark)) || status >= 500);
  if (isRefused || mayArrive)
    return new ServiceError('service_unavailable', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      mayArrive,
      ...sendingFault('provider_unreachable'),
    });
  // The deployment is misconfigured or the response is unknown. Support staff see the provider's error code, but the caller
  // does not.
  return status === 0 ? error : new ServiceError('internal_error', sendingFault('provider_refused'));
}

/** Returns the names by which an error is recognised: the name of the AWS error and the code of the network error. */
function errorNames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [error.name, ...code];
}

function readStatus(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 0;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: number };
  return httpStatusCode ?? 0;
}
