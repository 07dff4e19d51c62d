import { codeAnswer, errorAnswer } from '../../../shared/domain/authorization-answer.ts';
import { makeCode } from '../../../shared/domain/authorization-code.ts';
import { loginCookieName, loginCookieValue } from '../../../shared/domain/browser.ts';
import { normaliseIdentifier } from '../../../shared/domain/identifier.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '../../../shared/domain/limits.ts';
import { openAddress } from '../../../shared/domain/login-transaction.ts';
import { requireMembership } from '../../../shared/domain/membership.ts';
import { hashSecret, newSecret } from '../../../shared/domain/random.ts';
import { newSessionId } from '../../../shared/domain/session.ts';
import { sealSignUp } from '../../../shared/domain/sign-up.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { together } from '../../../shared/domain/together.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { setCookie } from '../../../shared/http/cookies.ts';
import type { MethodUse, Session } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { type BrowserAnswer, leadBack } from '../answer.ts';
import { type CodeFor, codeFactsOf } from '../code-facts.ts';
import type { LoginContext } from './context.ts';

export type FinishPorts = Pick<
  Ports,
  'loginTransactions' | 'sessions' | 'codes' | 'memberships' | 'knownDevices'
>;

/** A new session for every login, so that nobody can have prepared it (session fixation). */
function newBrowserSession(
  context: LoginContext,
  userId: string,
  methods: readonly MethodUse[],
  secret: string,
): Session {
  const at = nowSeconds();
  return {
    sessionId: newSessionId(userId),
    userId,
    tenantId: context.tenant.tenantId,
    applicationId: context.application.applicationId,
    clientId: context.client.clientId,
    methods,
    startedAt: at,
    expiresAt: at + SESSION_IDLE_SECONDS,
    endsAt: at + SESSION_ABSOLUTE_SECONDS,
    browserHash: hashSecret(secret),
    families: [],
  };
}

/** Adds the second factor to the session that the browser has already. Errors: `session_not_found`. */
async function joinSession(
  ports: FinishPorts,
  sessionId: string,
  methods: readonly MethodUse[],
): Promise<void> {
  const at = nowSeconds();
  const session = await ports.sessions.find(sessionId, at);
  const expiresAt = Math.min(at + SESSION_IDLE_SECONDS, session?.endsAt ?? at);
  const change = { at, expiresAt, methods, dropFamilies: [] };
  if (!session || !(await ports.sessions.join(sessionId, change)))
    throw new ServiceError('session_not_found');
}

function pendingSignUp({ browser, login }: LoginContext, code: string): string | undefined {
  const { sealedSignUp, proven } = login.progress;
  if (sealedSignUp === undefined) return undefined;
  const type = proven[0]?.method === 'sms' ? ('phone_number' as const) : ('email' as const);
  const address = normaliseIdentifier(type, openAddress(browser, sealedSignUp));
  if (!address) throw new Error('the address of a sign-up was proven, so it can be read');
  return sealSignUp(code, { type, value: address.value });
}

/**
 * Ends a login with a code, once: the session, the cookie that holds it, and the way back to the application.
 * Errors: `login_not_found`.
 */
export async function finishLogin(
  ports: FinishPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
): Promise<BrowserAnswer> {
  const { login, settings, tenant, browser } = context;
  const { request, progress } = login;
  const { userId } = progress;
  if (userId === undefined) throw new Error('a login without a person cannot end');
  if (!(await ports.loginTransactions.finish(login.transaction.hash, nowSeconds())))
    throw new ServiceError('login_not_found');
  try {
    await requireMembership(ports, tenant.tenantId, userId, request.organizationId);
    const secret = newSecret();
    const session = newBrowserSession(context, userId, progress.proven, secret);
    const sessionId = progress.sessionId ?? session.sessionId;
    const code = newSecret();
    const facts: CodeFor = {
      userId,
      methods: [...earlier, ...progress.proven],
      joinsSession: sessionId,
      deliveredToHash: progress.deliveredToHash,
      sealedSignUp: pendingSignUp(context, code),
    };
    const { record } = makeCode(codeFactsOf(context, request, facts), undefined, code);
    await together<unknown[]>(
      progress.sessionId === undefined
        ? ports.sessions.start(session)
        : joinSession(ports, progress.sessionId, progress.proven),
      ports.codes.put(record),
      // Of a user who is not made yet nothing may stand among people.
      facts.sealedSignUp === undefined
        ? ports.knownDevices.remember(userId, browser.hash, nowSeconds())
        : Promise.resolve(),
    );
    const cookie = setCookie(
      loginCookieName(tenant.tenantId),
      loginCookieValue(session.sessionId, secret),
      SESSION_IDLE_SECONDS,
    );
    const cookies = progress.sessionId === undefined ? [cookie] : [];
    return leadBack(codeAnswer(request, code, settings.issuer), context, cookies);
  } catch (error) {
    return leadBack(errorAnswer(request, error, settings.issuer), context);
  }
}
