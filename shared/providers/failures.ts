import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi';
import { ServiceError } from '../errors/service-error.ts';

/** The errors for a user who cancels: RFC 6749 §4.1.2.1, and Apple's own. */
const DENIALS: readonly string[] = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
const PASSING: readonly string[] = ['server_error', 'temporarily_unavailable'];
const SERVER_ERROR = 500;
const RETRY_AFTER_SECONDS = 5;

export function providerUnavailable(cause?: unknown): ServiceError {
  return new ServiceError('provider_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** `reason` goes into the log: a word of this code or of a standard, never free text of a provider. */
export function providerFailed(reason: string, cause?: unknown): ServiceError {
  const providerError = /^[A-Za-z0-9_-]{1,64}$/.test(reason) ? reason : 'unreadable';
  return new ServiceError('provider_failed', { audit: { providerError }, cause });
}

function readStatus(error: OperationProcessingError): number {
  return error.cause instanceof Response ? error.cause.status : 0;
}

/** Turns an error of the client library, the network or the provider into an error of the catalogue. */
export function asProviderError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof AuthorizationResponseError) {
    if (DENIALS.includes(error.error)) return new ServiceError('provider_denied');
    return PASSING.includes(error.error) ? providerUnavailable(error) : providerFailed(error.error, error);
  }
  if (error instanceof ResponseBodyError)
    return error.status >= SERVER_ERROR ? providerUnavailable(error) : providerFailed(error.error, error);
  if (error instanceof OperationProcessingError)
    return readStatus(error) >= SERVER_ERROR
      ? providerUnavailable(error)
      : providerFailed(error.code ?? 'unexpected', error);
  const { code } = error as { readonly code?: unknown };
  return providerFailed(typeof code === 'string' ? code : 'unexpected', error);
}
