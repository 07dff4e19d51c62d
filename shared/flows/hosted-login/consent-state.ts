import type { OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { AskedScope, AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { allowedBy, consentIdOf, isRemembered, scopesToAsk } from '../../domain/oauth/consent.ts';
import type { Consent } from '../../ports/consents.ts';

/** The request with what the person has allowed its client, in this login or before; as it is while that is open. */
export function withAnswer(
  { request, progress }: OpenLogin,
  known: Consent | undefined,
): AuthorizationRequest {
  const { consent } = request;
  if (!consent) return request;
  if (progress.answer) return allowedBy(request, known, progress.answer);
  if (!isRemembered({ ...request, consent }, known)) return request;
  return { ...allowedBy(request, known, undefined), consentId: consentIdOf(known) };
}

/** What the page of a consent asks for; undefined where nothing is open. */
export function openScopes(
  { request, progress }: OpenLogin,
  known: Consent | undefined,
): readonly AskedScope[] | undefined {
  const { consent } = request;
  if (!consent || progress.answer) return undefined;
  const asked = { ...request, consent };
  return isRemembered(asked, known) ? undefined : scopesToAsk(asked, known);
}
