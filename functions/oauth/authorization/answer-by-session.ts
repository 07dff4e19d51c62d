import { awaitAll } from '../../../shared/domain/basis/await-all.ts';
import { buildLoginCookieName, type Cookies } from '../../../shared/domain/basis/browser.ts';
import { skipLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { freshFactors } from '../../../shared/domain/hosted-login/sign-on.ts';
import { buildCodeResponse } from '../../../shared/domain/oauth/authorization-answer.ts';
import { createAuthorizationCode } from '../../../shared/domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { buildLoginFacts } from '../../../shared/domain/oauth/code-facts.ts';
import { requireMembership } from '../../../shared/domain/organizations/membership.ts';
import type { BrowserContext } from '../../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, returnToClient } from '../../../shared/flows/browser/browser-response.ts';
import { setCookie } from '../../../shared/http/cookies.ts';
import type { OperationPorts, OperationRequest } from '../../../shared/operation.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { authorize } from '../rows.ts';

type AuthorizePorts = OperationPorts<typeof authorize>;

/** Authorization request from a browser, with its cookies. */
export interface BrowserAuthorization {
  readonly request: AuthorizationRequest;
  readonly cookies: Cookies;
  readonly audit: OperationRequest<typeof authorize>['audit'];
  /**
   * ID of the login that a pushed request may start; undefined if the request was not pushed. A pushed request can be used only
   * once, for either a code or a login.
   */
  readonly pushedLoginId: string | undefined;
}

/**
 * Responds with a code from the browser's session (single sign-on).
 * @throws `membership_missing`, `request_uri_spent`
 */
export async function answerBySession(
  ports: AuthorizePorts,
  context: BrowserContext,
  { request, cookies, audit, pushedLoginId }: BrowserAuthorization,
  session: Session,
): Promise<BrowserResponse> {
  const { userId, sessionId, generation } = session;
  const methods = freshFactors(request, session, context.now);
  audit({ userId, sessionId });
  await requireMembership(ports, context.tenant.tenantId, userId, request.organizationId);
  const person = { userId, methods, joinsSession: sessionId, generation };
  const { code, record } = createAuthorizationCode(buildLoginFacts(context, request, person), context.now);
  await awaitAll(
    ports.codes.put(record),
    pushedLoginId === undefined ? Promise.resolve() : skipLogin(ports, pushedLoginId, context.now),
  );
  // The code's exchange extends the idle time of the session, so the cookie must not expire earlier.
  const name = buildLoginCookieName(context.tenant.tenantId);
  const kept = setCookie(name, cookies[name] ?? '', session.idleSeconds);
  const answer = buildCodeResponse(request, code, context.settings.issuer);
  return returnToClient(answer, context, { cookies: [kept] });
}
