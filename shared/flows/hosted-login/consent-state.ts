import type { OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { AuthorizationRequest, RequestedScope } from '../../domain/oauth/authorization-request.ts';
import {
  coversRequest,
  formatConsentId,
  listScopesToAsk,
  reduceToAllowed,
} from '../../domain/oauth/consent.ts';
import type { Consent } from '../../ports/consents.ts';

/** Returns the authorization request with only the scopes that the user granted, or unchanged if the user has not decided. */
export function applyConsent(
  { request, progress }: OpenLogin,
  known: Consent | undefined,
): AuthorizationRequest {
  const { consent } = request;
  if (!consent) return request;
  if (progress.answer) return reduceToAllowed(request, known, progress.answer);
  if (!coversRequest({ ...request, consent }, known)) return request;
  return { ...reduceToAllowed(request, known, undefined), consentId: formatConsentId(known) };
}

/** Returns the scopes for the consent page. Returns undefined if the user has no scopes left to decide on. */
export function listScopesToDecide(
  { request, progress }: OpenLogin,
  known: Consent | undefined,
): readonly RequestedScope[] | undefined {
  const { consent } = request;
  if (!consent || progress.answer) return undefined;
  const asked = { ...request, consent };
  return coversRequest(asked, known) ? undefined : listScopesToAsk(asked, known);
}
