import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import {
  type AuthorizationParameters,
  readAuthorizationRequest,
  readRedirectUri,
  withoutEmpty,
} from '../../shared/domain/oauth/authorization-request.ts';
import { keepPushedRequest, spendPushedRequest } from '../../shared/domain/oauth/pushed-request.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import {
  type BrowserAnswer,
  returnErrorToClient,
  spentPage,
  targetOf,
} from '../../shared/flows/browser/browser-answer.ts';
import { type BrowserContext, browserContext } from '../../shared/flows/browser/browser-context.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import { verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { answerRequest } from './answer-request.ts';
import type * as rows from './rows.ts';

type AuthorizePorts = PortsOf<typeof rows.authorize>;
type Query = InputOf<typeof rows.authorize>['query'];

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
  { query, request: { cookies }, settings, audit }: InputOf<typeof rows.authorize>,
): Promise<BrowserAnswer> {
  const redirectUri = readRedirectUri(context.application, parameters);
  try {
    if (context.client.requirePushedRequests && query.request_uri === undefined)
      throw invalidInput('request_uri: is required for this client');
    const read = readAuthorizationRequest(parameters, context, settings);
    const expected = await expectedUser(ports, context, parameters.id_token_hint);
    return await answerRequest(ports, context, { ...read, ...expected }, cookies, audit);
  } catch (error) {
    return returnErrorToClient(error, targetOf(redirectUri, parameters), context, audit);
  }
}

/** The pushed parameters; beside a `request_uri` nothing else counts (RFC 9126 §4), unless it is no reference of ours. */
async function parametersOf(
  ports: AuthorizePorts,
  context: BrowserContext,
  query: Query,
  { audit, request }: Pick<InputOf<typeof rows.authorize>, 'audit' | 'request'>,
): Promise<{ readonly parameters: AuthorizationParameters } | { readonly refusal: BrowserAnswer }> {
  if (query.request_uri === undefined) return { parameters: query };
  try {
    return { parameters: await spendPushedRequest(ports, query.request_uri, context, request.now) };
  } catch (error) {
    const foreign = error instanceof ServiceError && error.key === 'request_uri_not_supported';
    if (!foreign || query.redirect_uri === undefined) throw error;
    const target = targetOf(readRedirectUri(context.application, query), query);
    return { refusal: returnErrorToClient(error, target, context, audit) };
  }
}

/** F. The authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). */
export const authorize: UseCase<typeof rows.authorize> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  // A HEAD would spend the request of the GET that follows it.
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const context = await browserContext(ports, query.client_id, request, settings, query.ui_locales);
  const { tenantId, applicationId, clientId } = { ...context.application, ...context.client };
  audit({ tenantId, clientId, ...(applicationId === undefined ? {} : { applicationId }) });
  try {
    const found = await parametersOf(ports, context, query, input);
    if ('refusal' in found) return found.refusal;
    return await answerTo(ports, context, found.parameters, { ...input, query });
  } catch (error) {
    return spentPage(error, context, request, audit);
  }
};

/**
 * F. The authorization endpoint by POST (OIDC Core §3.1.2.1). A Lax cookie does not come with a cross-site POST, so the
 * request is kept and the browser led on by a GET, which brings its cookies.
 */
export const authorizeByPost: UseCase<typeof rows.authorizeByPost> = async (input, ports) => {
  const { request, settings, audit } = input;
  const form = withoutEmpty(input.form);
  const context = await browserContext(ports, form.client_id, request, settings, form.ui_locales);
  const { client_id, request_uri } = form;
  const onward = (requestUri: string) => ({
    redirect: withParameters(`${settings.issuer}/auth`, { client_id, request_uri: requestUri }),
  });
  if (request_uri !== undefined) return onward(request_uri);
  const redirectUri = readRedirectUri(context.application, form);
  // What is kept here was pushed by nobody who has proven to be the client.
  if (context.client.requirePushedRequests) {
    const missing = invalidInput('request_uri: is required for this client');
    return returnErrorToClient(missing, targetOf(redirectUri, form), context, audit);
  }
  return onward((await keepPushedRequest(ports, context.client, form, request.now)).requestUri);
};
