import type { OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { AskedScope, AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { allowedBy, consentIdOf, isRemembered, scopesToAsk } from '../../domain/oauth/consent.ts';
import type { Consent } from '../../ports/consents.ts';

/** Returns the request, narrowed to what the person has allowed its client. Before they decide, returns it unchanged. */
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

/** Returns the scopes that the consent page asks for, or undefined if nothing is left to decide. */
export function openScopes(
  { request, progress }: OpenLogin,
  known: Consent | undefined,
): readonly AskedScope[] | undefined {
  const { consent } = request;
  if (!consent || progress.answer) return undefined;
  const asked = { ...request, consent };
  return isRemembered(asked, known) ? undefined : scopesToAsk(asked, known);
}
