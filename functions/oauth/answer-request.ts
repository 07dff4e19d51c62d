import { missingFor } from '../../shared/domain/hosted-login/sign-on.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import type { PortsOf } from '../../shared/operation.ts';
import { type Asked, answerBySession } from './answer-by-session.ts';
import type { authorize } from './rows.ts';
import { startLogin } from './start-login.ts';

type AuthorizePorts = PortsOf<typeof authorize>;

const UNANSWERED = {
  login: 'login_required',
  'second-factor': 'interaction_required',
  phone: 'interaction_required',
} as const;

/**
 * Answers with a code where the browser's session suffices, else starts a login. Errors: `request_uri_spent`, `login_required`,
 * `interaction_required` with `prompt=none` (OIDC Core §3.1.2.6); `membership_missing`.
 */
export async function answerRequest(
  ports: AuthorizePorts,
  context: BrowserContext,
  asked: Asked,
): Promise<BrowserAnswer> {
  const { request } = asked;
  const signedIn = await findSignedInUser(ports, context);
  const { session } = signedIn;
  const missing = missingFor(request, signedIn, context);
  if (missing === undefined && session) return answerBySession(ports, context, asked, session);
  if (request.prompts.includes('none')) throw new ServiceError(UNANSWERED[missing ?? 'login']);
  return startLogin(ports, context, asked, { ...signedIn, missing });
}
