import { type CatalogueEntry, catalogue } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { withParameters } from '../basis/redirect-uri.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** Where and how an answer goes back to the caller; those of the authorization endpoint have `iss` (RFC 9207 §2). */
export type AnswerTarget = Pick<AuthorizationRequest, 'origin' | 'redirectUri' | 'responseMode' | 'state'>;

export interface AuthorizationAnswer {
  readonly target: AnswerTarget;
  readonly parameters: Readonly<Record<string, string>>;
}

export function codeAnswer(target: AnswerTarget, code: string, issuer: string): AuthorizationAnswer {
  return answer(target, { code }, issuer);
}

/** What a token endpoint would call an invalid grant is, on the way to a grant, access denied. */
function errorOf({ oauth }: CatalogueEntry): string | undefined {
  return oauth === 'invalid_grant' ? 'access_denied' : oauth;
}

/**
 * An error for the caller's redirect URI (RFC 6749 §4.1.2.1). What the catalogue does not foresee is thrown on: it is a
 * failure of ours, to be seen as one in the logs.
 */
export function errorAnswer(target: AnswerTarget, error: unknown, issuer: string): AuthorizationAnswer {
  if (!(error instanceof ServiceError)) throw error;
  const entry: CatalogueEntry = catalogue[error.key];
  const oauth = errorOf(entry);
  if (oauth === undefined) throw error;
  return answer(target, { error: oauth, error_description: error.detail.message ?? entry.message }, issuer);
}

function answer(
  target: AnswerTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): AuthorizationAnswer {
  const state = target.state === undefined ? {} : { state: target.state };
  const iss = target.origin === 'oidc' ? { iss: issuer } : {};
  return { target, parameters: { ...parameters, ...state, ...iss } };
}

export function redirectUrl({ target, parameters }: AuthorizationAnswer): string {
  return withParameters(target.redirectUri, parameters);
}
