import type { ResponseTarget } from '../../shared/domain/oauth/authorization-answer.ts';
import { type CatalogueEntry, catalogue } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, returnErrorToClient } from '../../shared/flows/browser/browser-response.ts';
import type { AuditContext } from '../../shared/operation.ts';

/**
 * Returns true if an error is a temporary fault of the service. A retry with the same provider response can still log the user
 * in.
 */
export const isBusy = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.key === 'service_unavailable';

/**
 * Converts a service error to an OAuth error that the client may see. A service error without an OAuth code becomes
 * `access_denied`. Rethrows errors of other types.
 */
export function toOAuthError(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) throw error;
  const { oauth, message }: CatalogueEntry = catalogue[error.key];
  if (oauth !== undefined) return error;
  return new ServiceError('access_denied', { ...error.detail, message: error.detail.message ?? message });
}

/** Redirects the browser to the client with an OAuth error. The log entry keeps the key of the original error. */
export function returnProviderError(
  target: ResponseTarget,
  error: unknown,
  context: BrowserContext,
  audit: (context: AuditContext) => void,
): BrowserResponse {
  const answer = returnErrorToClient(toOAuthError(error), target, context, audit);
  if (error instanceof ServiceError) audit({ result: error.key });
  return answer;
}
