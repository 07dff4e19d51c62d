import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi';
import { ServiceError } from '../errors/service-error.ts';

/** What providers answer when the person has gone back: by RFC 6749 §4.1.2.1, and Apple. */
const DENIALS: readonly string[] = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
const PASSING: readonly string[] = ['server_error', 'temporarily_unavailable'];
const SERVER_ERROR = 500;
const RETRY_AFTER_SECONDS = 5;

export function providerUnavailable(cause?: unknown): ServiceError {
  return new ServiceError('provider_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** `reason` goes into the log: a word of ours or of a standard, nothing that a provider may write freely. */
export function providerFailed(reason: string, cause?: unknown): ServiceError {
  const providerError = /^[A-Za-z0-9_-]{1,64}$/.test(reason) ? reason : 'unreadable';
  return new ServiceError('provider_failed', { audit: { providerError }, cause });
}

function statusOf(error: OperationProcessingError): number {
  return error.cause instanceof Response ? error.cause.status : 0;
}

/** An error of the client library, the network or the provider as the caller is told of it. */
export function asProviderError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof AuthorizationResponseError) {
    if (DENIALS.includes(error.error)) return new ServiceError('provider_denied');
    return PASSING.includes(error.error) ? providerUnavailable(error) : providerFailed(error.error, error);
  }
  if (error instanceof ResponseBodyError)
    return error.status >= SERVER_ERROR ? providerUnavailable(error) : providerFailed(error.error, error);
  if (error instanceof OperationProcessingError)
    return statusOf(error) >= SERVER_ERROR
      ? providerUnavailable(error)
      : providerFailed(error.code ?? 'unexpected', error);
  const { name = '', code } = error as { readonly name?: string; readonly code?: unknown };
  // fetch: no connection, a broken one, or no answer in time.
  if (['AbortError', 'TimeoutError'].includes(name) || (name === 'TypeError' && code === undefined))
    return providerUnavailable(error);
  return providerFailed(typeof code === 'string' ? code : 'unexpected', error);
}
