import { resolveAudience } from '../../shared/domain/audience.ts';
import { codeAnswer, errorAnswer } from '../../shared/domain/authorization-answer.ts';
import { makeCode } from '../../shared/domain/authorization-code.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  readAuthorizationRequest,
  readRedirectUri,
} from '../../shared/domain/authorization-request.ts';
import { findBrowserSession } from '../../shared/domain/browser.ts';
import { newLogin } from '../../shared/domain/login-transaction.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { spendPushedRequest } from '../../shared/domain/pushed-request.ts';
import { missingFor } from '../../shared/domain/sign-on.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import { authorize as operation } from '../rows/browser.ts';
import { type BrowserAnswer, browserCookies, leadBack } from './answer.ts';
import { codeFactsOf } from './code-facts.ts';
import { type BrowserContext, browserContext } from './context.ts';
import { loginPath } from './login/show.ts';

type AuthorizePorts = PortsOf<typeof operation>;

/** The pushed parameters, or those of the query; beside a `request_uri` nothing else counts (RFC 9126 §4). */
async function parametersOf(
  ports: AuthorizePorts,
  context: BrowserContext,
  query: InputOf<typeof operation>['query'],
): Promise<AuthorizationParameters> {
  if (query.request_uri !== undefined) return spendPushedRequest(ports, query.request_uri, context);
  if (context.client.requirePushedRequests)
    throw new ServiceError('system_invalid_input', { message: 'request_uri: is required for this client' });
  return query;
}

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
): Promise<BrowserAnswer> {
  const { userId, methods, sessionId } = session;
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
): Promise<BrowserAnswer> {
  for (const resource of request.resources) await resolveAudience(ports, context, resource, context.settings);
  const { session, user } = await browserUser(ports, context, cookies);
  const missing = missingFor(request, session, user, nowSeconds());
  if (missing === undefined && session) return answerBySession(ports, context, request, session);
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

/** F. The authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). */
export const useCase: UseCase<typeof operation> = async ({ query, request, settings, audit }, ports) => {
  const context = await browserContext(ports, query.client_id, request, settings, query.ui_locales);
  const { tenantId, applicationId, clientId } = { ...context.application, ...context.client };
  audit({ tenantId, clientId, ...(applicationId === undefined ? {} : { applicationId }) });
  const parameters = await parametersOf(ports, context, query);
  const redirectUri = readRedirectUri(context.application, parameters);
  const responseMode = parameters.response_mode === 'form_post' ? 'form_post' : 'query';
  const target = {
    redirectUri,
    responseMode,
    ...(parameters.state === undefined ? {} : { state: parameters.state }),
  } as const;
  try {
    const read = readAuthorizationRequest(parameters, context, settings);
    return await answer(ports, context, read, request.cookies);
  } catch (error) {
    return leadBack(errorAnswer(target, error, settings.issuer), context);
  }
};

export const handler = lambda(operation, useCase);
