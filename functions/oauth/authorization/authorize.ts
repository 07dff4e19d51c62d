import { isPrefetch } from '../../../shared/domain/basis/browser.ts';
import { addParameters } from '../../../shared/domain/basis/redirect-uri.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  readAuthorizationRequest,
  readRedirectUri,
  requirePushed,
  withoutEmpty,
} from '../../../shared/domain/oauth/authorization-request.ts';
import { isDocumentId } from '../../../shared/domain/oauth/client-document.ts';
import { storePushedRequest } from '../../../shared/domain/oauth/pushed-request.ts';
import { addResourceScopes } from '../../../shared/domain/oauth/resource-scopes.ts';
import { needsCommandLineConfirmation } from '../../../shared/domain/operators/operators.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { documentContext } from '../../../shared/flows/agents/document-context.ts';
import { type BrowserContext, browserContext } from '../../../shared/flows/browser/browser-context.ts';
import {
  type BrowserResponse,
  readResponseTarget,
  returnErrorToClient,
} from '../../../shared/flows/browser/browser-response.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../../shared/operation.ts';
import { fetchDocument } from '../../../shared/outbound/client-document.ts';
import { readResponseMode } from '../../../shared/tokens/request-object.ts';
import type * as rows from '../rows.ts';
import { answerRequest } from './answer-request.ts';
import { checkIdTokenHint } from './check-id-token-hint.ts';
import { type LoadedRequest, loadPushedRequest } from './load-pushed-request.ts';

type AuthorizePorts = OperationPorts<typeof rows.authorize>;

/**
 * Returns the redirect target of an error response. If the error is that request objects are not supported, the `response_mode`
 * inside the request object (`request`) still applies.
 */
function findErrorTarget(error: unknown, redirectUri: string, parameters: AuthorizationParameters) {
  const isObject = error instanceof ServiceError && error.key === 'request_not_supported';
  const mode = isObject ? readResponseMode(parameters.request ?? '') : undefined;
  return readResponseTarget(redirectUri, mode ? { ...parameters, response_mode: mode } : parameters);
}

/**
 * Requires a fresh login, which shows a page, for a request whose response goes to a program on an operator's computer. Without
 * the page, any program that can open a browser would get tokens.
 * @throws `interaction_required` for `prompt=none`
 */
function requireFreshOperatorLogin(
  context: BrowserContext,
  request: AuthorizationRequest,
): AuthorizationRequest {
  if (!needsCommandLineConfirmation(context, request)) return request;
  if (request.prompts.includes('none')) throw new ServiceError('interaction_required');
  return { ...request, maxAge: 0 };
}

async function answerTo(
  ports: AuthorizePorts,
  context: BrowserContext,
  { parameters, loginId }: LoadedRequest,
  { query, request: { cookies }, settings, audit }: OperationRequest<typeof rows.authorize>,
): Promise<BrowserResponse> {
  const redirectUri = readRedirectUri(context.application, parameters);
  try {
    requirePushed(context.client, query.request_uri);
    const asked = requireFreshOperatorLogin(context, readAuthorizationRequest(parameters, context, settings));
    const read = await addResourceScopes(ports, context, asked, parameters);
    const expected = await checkIdTokenHint(ports, context, parameters.id_token_hint);
    return await answerRequest(ports, context, {
      request: { ...read, ...expected },
      cookies,
      audit,
      pushedLoginId: loginId,
    });
  } catch (error) {
    // The first use of this request URI already gets a response, so the client must not get a second one.
    if (error instanceof ServiceError && error.key === 'request_uri_spent') throw error;
    return returnErrorToClient(error, findErrorTarget(error, redirectUri, parameters), context, audit);
  }
}

/** Handles the authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2, SPEC F). */
export const authorize: UseCase<typeof rows.authorize> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  // A HEAD request must not use up the pushed request that the following GET needs.
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const context = isDocumentId(query.client_id)
    ? await documentContext(ports, { fetchDocument, query, request, settings })
    : await browserContext(ports, { ...query, app_id: undefined }, request, settings);
  const { tenantId, applicationId, clientId } = { ...context.application, ...context.client };
  audit({ tenantId, clientId, ...(applicationId === undefined ? {} : { applicationId }) });
  const found = await loadPushedRequest(ports, context, query, audit);
  return 'refusal' in found ? found.refusal : answerTo(ports, context, found, { ...input, query });
};

/**
 * Handles the authorization endpoint by POST (OIDC Core §3.1.2.1, SPEC F). A cross-site POST carries no cookies with
 * `SameSite=Lax`. The handler therefore stores the request and redirects to a GET, with which the browser sends the cookies.
 */
export const authorizeByPost: UseCase<typeof rows.authorizeByPost> = async (input, ports) => {
  const { request, settings, audit } = input;
  const form = { ...withoutEmpty(input.form), app_id: undefined };
  const context = await browserContext(ports, form, request, settings);
  const { client_id, request_uri } = form;
  const onward = (requestUri: string) => ({
    redirect: addParameters(`${settings.issuer}/auth`, { client_id, request_uri: requestUri }),
  });
  if (request_uri !== undefined) return onward(request_uri);
  const redirectUri = readRedirectUri(context.application, form);
  try {
    // A form does not authenticate the client, so it does not count as a pushed request.
    requirePushed(context.client, undefined);
  } catch (error) {
    return returnErrorToClient(error, readResponseTarget(redirectUri, form), context, audit);
  }
  return onward((await storePushedRequest(ports, context.client, form, request.now)).requestUri);
};
