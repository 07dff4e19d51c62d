import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/**
 * The SDK would repeat a send whose answer was lost, and a person would get two codes of which one is void: so it repeats
 * nothing here. Each call opens a connection of its own, because a kept one that the provider closed while the container
 * slept fails in a way that cannot be told from a lost answer.
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

const THROTTLED = new Set(['Throttling', 'ThrottlingException', 'Throttled', 'ThrottledException']);
/** The connection was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The connection broke, or no answer came in time: the provider may have accepted. */
const INTERRUPTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'TimeoutError',
  'RequestTimeout',
  'ECONNABORTED',
]);

/**
 * Sends, again only when nothing can have been accepted: refused for being too fast, or never reached. `refusals` names
 * the provider's errors that the caller's content or configuration causes; any other error is ours and stays as it is.
 */
export async function sendOnce<T>(send: () => Promise<T>, refusals: ReadonlySet<string>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const marks = marksOf(error);
      const nothingAccepted = marks.some((mark) => THROTTLED.has(mark) || UNREACHED.has(mark));
      if (!nothingAccepted || attempt === ATTEMPTS) throw translated(error, marks, refusals);
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

function translated(error: unknown, marks: readonly string[], refusals: ReadonlySet<string>): unknown {
  if (marks.some((mark) => refusals.has(mark)))
    return new ServiceError('external_provider_configuration_error', { cause: error });
  const passing = marks.some((mark) => THROTTLED.has(mark) || UNREACHED.has(mark) || INTERRUPTED.has(mark));
  if (passing || statusOf(error) >= 500)
    return new ServiceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  return error;
}

/** An error of AWS is told by its name, one of the network by its code. */
function marksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [error.name, ...code];
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 0;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: number };
  return httpStatusCode ?? 0;
}
