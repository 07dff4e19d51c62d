import { lambda } from '../../shared/aws/lambda.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import {
  type AuthorizationParameters,
  readAuthorizationRequest,
  readRedirectUri,
  withoutEmpty,
} from '../../shared/domain/oauth/authorization-request.ts';
import { spendPushedRequest } from '../../shared/domain/oauth/pushed-request.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import {
  type BrowserAnswer,
  leadBackWith,
  spentPage,
  targetOf,
} from '../../shared/flows/hosted-login/answer-browser.ts';
import { type BrowserContext, browserContext } from '../../shared/flows/hosted-login/context.ts';
import { errorPage } from '../../shared/flows/hosted-login/error-page.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import { verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { authorize as operation } from '../hosted-login/rows.ts';
import { answerRequest } from './answer-request.ts';

type AuthorizePorts = PortsOf<typeof operation>;
type Query = InputOf<typeof operation>['query'];
type Audit = InputOf<typeof operation>['audit'];

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
    return await answerRequest(ports, context, { ...read, ...expected }, cookies, audit);
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

export const handler = lambda(operation, useCase, errorPage());
