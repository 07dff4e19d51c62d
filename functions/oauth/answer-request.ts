import type { Cookies } from '../../shared/domain/basis/browser.ts';
import { missingFor } from '../../shared/domain/hosted-login/sign-on.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import { answerBySession } from './answer-by-session.ts';
import type { authorize } from './rows.ts';
import { startLogin } from './start-login.ts';

type AuthorizePorts = PortsOf<typeof authorize>;
type Audit = InputOf<typeof authorize>['audit'];

const UNANSWERED = {
  login: 'login_required',
  'second-factor': 'interaction_required',
  phone: 'interaction_required',
} as const;

/**
 * Answers with a code where the browser's session suffices, else starts a login. A pushed request has one of both, once:
 * `pushedLoginId`. Errors: `request_uri_spent`, `login_required`,
 * `interaction_required` with `prompt=none` (OIDC Core §3.1.2.6); `resource_not_found`, `membership_missing`.
 */
export async function answerRequest(
  ports: AuthorizePorts,
  context: BrowserContext,
  request: AuthorizationRequest,
  cookies: Cookies,
  audit: Audit,
  pushedLoginId: string | undefined,
): Promise<BrowserAnswer> {
  for (const resource of request.resources) await resolveAudience(ports, context, resource, context.settings);
  const signedIn = await findSignedInUser(ports, context);
  const { session, user } = signedIn;
  const missing = missingFor(request, session, user, context.application, context.now);
  if (missing === undefined && session)
    return answerBySession(ports, context, request, session, cookies, audit, pushedLoginId);
  if (request.prompts.includes('none')) throw new ServiceError(UNANSWERED[missing ?? 'login']);
  return startLogin(ports, context, request, missing, signedIn, pushedLoginId);
}
