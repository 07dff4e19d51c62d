import { findMissingStep } from '../../../shared/domain/hosted-login/sign-on.ts';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { coversRequest, formatConsentId, reduceToAllowed } from '../../../shared/domain/oauth/consent.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../../shared/flows/browser/browser-context.ts';
import type { BrowserResponse } from '../../../shared/flows/browser/browser-response.ts';
import { findSignedInUser } from '../../../shared/flows/browser/signed-in-user.ts';
import type { OperationPorts } from '../../../shared/operation.ts';
import type { User } from '../../../shared/ports/people.ts';
import type { authorize } from '../rows.ts';
import { answerBySession, type BrowserAuthorization } from './answer-by-session.ts';
import { startLogin } from './start-login.ts';

type AuthorizePorts = OperationPorts<typeof authorize>;

/** OAuth errors for `prompt=none`, by the step that the browser's session still lacks (OIDC Core §3.1.2.6). */
const PROMPT_NONE_ERRORS = {
  login: 'login_required',
  'second-factor': 'interaction_required',
  phone: 'interaction_required',
  consent: 'consent_required',
} as const;

/**
 * Limits the request from a client that needs consent to the scopes that the user has already allowed. Other clients need no
 * consent, so nothing is looked up for their requests.
 */
async function withConsent(
  ports: AuthorizePorts,
  request: AuthorizationRequest,
  user: User | undefined,
  now: number,
): Promise<{ readonly request: AuthorizationRequest; readonly isAllowed: boolean }> {
  const { consent } = request;
  if (!consent) return { request, isAllowed: true };
  const known = user && (await ports.consents.find(user.userId, consent.key, now));
  if (!coversRequest({ ...request, consent }, known)) return { request, isAllowed: false };
  const allowed = reduceToAllowed(request, known, undefined);
  return { request: { ...allowed, consentId: formatConsentId(known) }, isAllowed: true };
}

/**
 * Responds with a code if the browser's session is sufficient, otherwise starts a login. A client that is identified by its
 * metadata document also needs the user's consent.
 * @throws `request_uri_spent`, `membership_missing`, and for `prompt=none` `login_required`, `interaction_required` or
 * `consent_required` (OIDC Core §3.1.2.6)
 */
export async function answerRequest(
  ports: AuthorizePorts,
  context: BrowserContext,
  asked: BrowserAuthorization,
): Promise<BrowserResponse> {
  const signedIn = await findSignedInUser(ports, context);
  const { session, user } = signedIn;
  const { request, isAllowed } = await withConsent(ports, asked.request, user, context.now);
  const lack = findMissingStep(request, signedIn, context);
  const missing = lack ?? (isAllowed ? undefined : 'consent');
  if (missing === undefined && session)
    return answerBySession(ports, context, { ...asked, request }, session);
  if (request.prompts.includes('none')) throw new ServiceError(PROMPT_NONE_ERRORS[missing ?? 'login']);
  return startLogin(ports, context, asked, { ...signedIn, missing });
}
