import { type CatalogueEntry, catalogue } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { addParameters } from '../basis/redirect-uri.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** Destination of an authorization response. Only responses of the authorization endpoint contain `iss` (RFC 9207 §2). */
export type ResponseTarget = Pick<AuthorizationRequest, 'origin' | 'redirectUri' | 'responseMode' | 'state'>;

export interface AuthorizationResponse {
  readonly target: ResponseTarget;
  readonly parameters: Readonly<Record<string, string>>;
}

export function buildCodeResponse(
  target: ResponseTarget,
  code: string,
  issuer: string,
): AuthorizationResponse {
  return answer(target, { code }, issuer);
}

/**
 * Returns the OAuth error code for an error of the service. An authorization response cannot contain `invalid_grant`, so
 * `access_denied` replaces it.
 */
function toOAuthError({ oauth }: CatalogueEntry): string | undefined {
  return oauth === 'invalid_grant' ? 'access_denied' : oauth;
}

/**
 * Builds the error response for the client's redirect URI (RFC 6749 §4.1.2.1). Rethrows an error without an OAuth code: it is a
 * failure of the service and must be logged as one.
 */
export function buildErrorResponse(
  target: ResponseTarget,
  error: unknown,
  issuer: string,
): AuthorizationResponse {
  if (!(error instanceof ServiceError)) throw error;
  const entry: CatalogueEntry = catalogue[error.key];
  const oauth = toOAuthError(entry);
  if (oauth === undefined) throw error;
  return answer(target, { error: oauth, error_description: error.detail.message ?? entry.message }, issuer);
}

function answer(
  target: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): AuthorizationResponse {
  const state = target.state === undefined ? {} : { state: target.state };
  const iss = target.origin === 'oidc' ? { iss: issuer } : {};
  return { target, parameters: { ...parameters, ...state, ...iss } };
}

export function buildRedirectUrl({ target, parameters }: AuthorizationResponse): string {
  return addParameters(target.redirectUri, parameters);
}
