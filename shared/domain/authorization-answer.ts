import { type CatalogueEntry, catalogue, type ErrorKey } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { withParameters } from './redirect-uri.ts';

/** Where and how an answer goes back to the caller, with `iss` in every one (RFC 9207 §2). */
export type AnswerTarget = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>;

export interface AuthorizationAnswer {
  readonly target: AnswerTarget;
  readonly parameters: Readonly<Record<string, string>>;
}

export function codeAnswer(target: AnswerTarget, code: string, issuer: string): AuthorizationAnswer {
  return answer(target, { code }, issuer);
}

/** What a token endpoint would call an invalid grant is, on the way to a grant, access denied. */
const REFUSALS: readonly ErrorKey[] = ['membership_missing', 'user_not_active', 'public_signup_off'];

/**
 * An error for the caller's redirect URI (RFC 6749 §4.1.2.1). What is no answer of the catalogue is thrown on: it is a
 * failure of ours, and the caller must not take it for a refusal.
 */
export function errorAnswer(target: AnswerTarget, error: unknown, issuer: string): AuthorizationAnswer {
  if (!(error instanceof ServiceError)) throw error;
  const { status, message, ...entry }: CatalogueEntry = catalogue[error.key];
  const oauth = REFUSALS.includes(error.key) ? 'access_denied' : entry.oauth;
  if (status >= 500 || oauth === undefined) throw error;
  return answer(target, { error: oauth, error_description: error.detail.message ?? message }, issuer);
}

function answer(
  target: AnswerTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): AuthorizationAnswer {
  const state = target.state === undefined ? {} : { state: target.state };
  return { target, parameters: { ...parameters, ...state, iss: issuer } };
}

export function redirectUrl({ target, parameters }: AuthorizationAnswer): string {
  return withParameters(target.redirectUri, parameters);
}
