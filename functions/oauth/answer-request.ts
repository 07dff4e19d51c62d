import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { type Cookies, loginCookieName } from '../../shared/domain/basis/browser.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import { missingFor } from '../../shared/domain/hosted-login/sign-on.ts';
import { codeAnswer } from '../../shared/domain/oauth/authorization-answer.ts';
import { makeCode } from '../../shared/domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { codeFacts, requestFacts } from '../../shared/domain/oauth/code-facts.ts';
import { requireMembership } from '../../shared/domain/organizations/membership.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { idleSecondsOf } from '../../shared/domain/sessions/session-lifetimes.ts';
import { isProvider } from '../../shared/domain/social/provider.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import {
  type BrowserAnswer,
  browserCookies,
  returnToClient,
} from '../../shared/flows/browser/browser-answer.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import { startProviderLogin } from '../../shared/flows/browser/start-provider-login.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import { setCookie } from '../../shared/http/cookies.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { authorize } from './rows.ts';

type AuthorizePorts = PortsOf<typeof authorize>;
type Audit = InputOf<typeof authorize>['audit'];

const UNANSWERED = {
  login: 'login_required',
  'second-factor': 'interaction_required',
  phone: 'interaction_required',
} as const;

/** Single sign-on: the browser's session answers, and nobody is asked anything. */
async function answerBySession(
  ports: AuthorizePorts,
  context: BrowserContext,
  request: AuthorizationRequest,
  session: Session,
  cookies: Cookies,
  audit: Audit,
): Promise<BrowserAnswer> {
  const { userId, methods, sessionId } = session;
  audit({ userId, sessionId });
  await requireMembership(ports, context.tenant.tenantId, userId, request.organizationId);
  const person = { userId, methods, joinsSession: sessionId };
  const { code, record } = makeCode(
    codeFacts(context, requestFacts(context.tenant, request), person),
    context.now,
  );
  await ports.codes.put(record);
  // The exchange moves the idle end of the session, so its cookie must not end before.
  const name = loginCookieName(context.tenant.tenantId);
  const kept = setCookie(name, cookies[name] ?? '', idleSecondsOf(session));
  return returnToClient(codeAnswer(request, code, context.settings.issuer), context, [kept]);
}

/** A code where the browser's session suffices, else a login; nobody is asked where that is not wanted. */
export async function answerRequest(
  ports: AuthorizePorts,
  context: BrowserContext,
  request: AuthorizationRequest,
  cookies: Cookies,
  audit: Audit,
): Promise<BrowserAnswer> {
  for (const resource of request.resources) await resolveAudience(ports, context, resource, context.settings);
  const { session, user } = await findSignedInUser(ports, context, cookies);
  const missing = missingFor(request, session, user, context.now);
  if (missing === undefined && session)
    return answerBySession(ports, context, request, session, cookies, audit);
  if (request.prompts.includes('none')) throw new ServiceError(UNANSWERED[missing ?? 'login']);

  // A second factor is added to what the browser has proven; everything else begins anew. So does the login of a person
  // without a phone number that can be proven: a cookie alone must not give the account a new address, which would count as
  // a factor later.
  const { phoneNumber } = user ?? {};
  const textable = phoneNumber !== undefined && phoneNumber.risk === undefined;
  const provable = missing === 'second-factor' || (missing === 'phone' && textable);
  const stepUp = provable && session && user;
  const progress = stepUp
    ? { proven: [], userId: user.userId, sessionId: session.sessionId }
    : { proven: [] };
  const { loginId, transaction } = newLogin(context, request, progress);
  const { provider } = request;
  if (isProvider(provider) && !stepUp) {
    const purpose = { login: 'hosted', loginId, direct: true } as const;
    const [redirect] = await awaitAll(
      startProviderLogin(ports, context, provider, purpose),
      ports.loginTransactions.put(transaction),
    );
    return { redirect, cookies: browserCookies(context) };
  }
  await ports.loginTransactions.put(transaction);
  const redirect = `${context.settings.browserOrigin}${loginPath(loginId)}`;
  return { redirect, cookies: browserCookies(context) };
}
