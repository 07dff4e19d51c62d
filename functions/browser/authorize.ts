import { resolveAudience } from '../../shared/domain/audience.ts';
import { codeAnswer } from '../../shared/domain/authorization-answer.ts';
import { makeCode } from '../../shared/domain/authorization-code.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  readAuthorizationRequest,
  readRedirectUri,
  withoutEmpty,
} from '../../shared/domain/authorization-request.ts';
import { findBrowserSession } from '../../shared/domain/browser.ts';
import { newLogin } from '../../shared/domain/login-transaction.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { spendPushedRequest } from '../../shared/domain/pushed-request.ts';
import { missingFor } from '../../shared/domain/sign-on.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import { verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { authorize as operation } from '../rows/browser.ts';
import { type BrowserAnswer, browserCookies, leadBack, leadBackWith, spentPage, targetOf } from './answer.ts';
import { codeFactsOf } from './code-facts.ts';
import { type BrowserContext, browserContext } from './context.ts';
import { loginPath } from './login/show.ts';

type AuthorizePorts = PortsOf<typeof operation>;
type Query = InputOf<typeof operation>['query'];
type Audit = InputOf<typeof operation>['audit'];

/** Who is logged in in this browser already, if that person may log in here. */
async function browserUser(
  ports: AuthorizePorts,
  { tenant }: BrowserContext,
  cookies: Readonly<Record<string, string>>,
) {
  const session = await findBrowserSession(ports, tenant, cookies);
  const user = session && (await ports.users.find(session.userId));
  const welcome = user?.tenantId === tenant.tenantId && user.status !== 'Disabled';
  return welcome ? { session, user } : {};
}

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
  audit: Audit,
): Promise<BrowserAnswer> {
  const { userId, methods, sessionId } = session;
  audit({ userId, sessionId });
  await requireMembership(ports, context.tenant.tenantId, userId, request.organizationId);
  const { code, record } = makeCode(
    codeFactsOf(context, request, { userId, methods, joinsSession: sessionId }),
  );
  await ports.codes.put(record);
  return leadBack(codeAnswer(request, code, context.settings.issuer), context);
}

async function answer(
  ports: AuthorizePorts,
  context: BrowserContext,
  request: AuthorizationRequest,
  cookies: Readonly<Record<string, string>>,
  audit: Audit,
): Promise<BrowserAnswer> {
  for (const resource of request.resources) await resolveAudience(ports, context, resource, context.settings);
  const { session, user } = await browserUser(ports, context, cookies);
  const missing = missingFor(request, session, user, nowSeconds());
  if (missing === undefined && session) return answerBySession(ports, context, request, session, audit);
  if (request.prompts.includes('none')) throw new ServiceError(UNANSWERED[missing ?? 'login']);

  // A second factor is added to what the browser has proven; everything else begins anew.
  const stepUp = missing !== 'login' && session && user;
  const progress = stepUp
    ? { proven: [], userId: user.userId, sessionId: session.sessionId }
    : { proven: [] };
  const { loginId, transaction } = newLogin(context, context.browser, request, progress);
  await ports.loginTransactions.put(transaction);
  const redirect = `${context.settings.browserOrigin}${loginPath(loginId)}`;
  return { redirect, cookies: browserCookies(context) };
}

/** Whom a hint names, if it is an ID token of ours for a user of this tenant; any other hint is none. */
async function expectedUser(
  ports: AuthorizePorts,
  { tenant, settings }: BrowserContext,
  hint: string | undefined,
): Promise<{ readonly expectedUserId?: string }> {
  if (hint === undefined) return {};
  const named = await verifyIdTokenHint(hint, await ports.signingKeys.list(), settings.issuer);
  return named?.tenantId === tenant.tenantId ? { expectedUserId: named.userId } : {};
}

async function answerTo(
  ports: AuthorizePorts,
  context: BrowserContext,
  parameters: AuthorizationParameters,
  { query, request: { cookies }, settings, audit }: InputOf<typeof operation>,
): Promise<BrowserAnswer> {
  const redirectUri = readRedirectUri(context.application, parameters);
  try {
    if (context.client.requirePushedRequests && query.request_uri === undefined)
      throw new ServiceError('system_invalid_input', {
        message: 'request_uri: is required for this client',
      });
    const read = readAuthorizationRequest(parameters, context, settings);
    const expected = await expectedUser(ports, context, parameters.id_token_hint);
    return await answer(ports, context, { ...read, ...expected }, cookies, audit);
  } catch (error) {
    return leadBackWith(error, targetOf(redirectUri, parameters), context, audit);
  }
}

/** The pushed parameters; beside a `request_uri` nothing else counts (RFC 9126 §4), unless it is no reference of ours. */
async function parametersOf(
  ports: AuthorizePorts,
  context: BrowserContext,
  query: Query,
  audit: Audit,
): Promise<{ readonly parameters: AuthorizationParameters } | { readonly refusal: BrowserAnswer }> {
  if (query.request_uri === undefined) return { parameters: query };
  try {
    return { parameters: await spendPushedRequest(ports, query.request_uri, context) };
  } catch (error) {
    const foreign = error instanceof ServiceError && error.key === 'request_uri_not_supported';
    if (!foreign || query.redirect_uri === undefined) throw error;
    const target = targetOf(readRedirectUri(context.application, query), query);
    return { refusal: leadBackWith(error, target, context, audit) };
  }
}

/** F. The authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  // A HEAD would spend the request of the GET that follows it.
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const context = await browserContext(ports, query.client_id, request, settings, query.ui_locales);
  const { tenantId, applicationId, clientId } = { ...context.application, ...context.client };
  audit({ tenantId, clientId, ...(applicationId === undefined ? {} : { applicationId }) });
  try {
    const found = await parametersOf(ports, context, query, audit);
    if ('refusal' in found) return found.refusal;
    return await answerTo(ports, context, found.parameters, { ...input, query });
  } catch (error) {
    return spentPage(error, context, request, audit);
  }
};

export const handler = lambda(operation, useCase);
