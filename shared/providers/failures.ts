import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi';
import { ServiceError } from '../errors/service-error.ts';

/** Error codes of providers for a login that the user has cancelled: the code of RFC 6749 §4.1.2.1 and Apple's own codes. */
const DENIALS: readonly string[] = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
const PASSING: readonly string[] = ['server_error', 'temporarily_unavailable'];
const SERVER_ERROR = 500;
const RETRY_AFTER_SECONDS = 5;

export function providerUnavailable(cause?: unknown): ServiceError {
  return new ServiceError('provider_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/**
 * Creates the error of a failed provider login.
 * @param reason Short reason for the log, defined in this code or in a standard; never free text from a provider
 */
export function providerFailed(reason: string, cause?: unknown): ServiceError {
  const providerError = /^[A-Za-z0-9_-]{1,64}$/.test(reason) ? reason : 'unreadable';
  return new ServiceError('provider_failed', { audit: { providerError }, cause });
}

function readStatus(error: OperationProcessingError): number {
  return error.cause instanceof Response ? error.cause.status : 0;
}

/** Converts an error of the client library, the network or the provider to an error of the catalogue. */
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
