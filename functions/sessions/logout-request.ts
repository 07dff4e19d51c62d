import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { addParameters, requireShortState } from '../../shared/domain/basis/redirect-uri.ts';
import {
  openStoredRequest,
  type StoredParameters,
  storeRequest,
} from '../../shared/domain/oauth/kept-request.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import type { OperationRequest, Settings } from '../../shared/operation.ts';
import type { Application, Client } from '../../shared/ports/directory.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { type VerifiedIdToken, verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import type { logoutPage as operation } from './rows.ts';

export type LogoutParameters = OperationRequest<typeof operation>['query'];
type Request = Pick<OperationRequest<typeof operation>['request'], 'cookies' | 'now' | 'errorPage'>;

/** Logout request from a client (OpenID Connect RP-Initiated Logout 1.0 §2). */
export interface LogoutRequest {
  readonly parameters: LogoutParameters;
  /** Client that requests the logout; undefined if neither `client_id` nor the ID token names a client. */
  readonly client: LogoutClient | undefined;
  /** True if `id_token_hint` is not an ID token of this service. The page shows this to the application's developers. */
  readonly hintIsBroken?: boolean;
  /** URL to return to; undefined if the logout ends on a page of the service. */
  readonly redirectTo: string | undefined;
}

interface LogoutClient {
  readonly client: Client;
  readonly application: Application;
  /** Verified `id_token_hint`, if it was issued to this client. */
  readonly hint: VerifiedIdToken | undefined;
}

/**
 * Purpose of stored logout parameters. A POST proves nothing about its sender, so the parameters belong to no client. The value
 * `nobody` takes the place of a client ID.
 */
const POSTED_LOGOUT = { purpose: 'logout-request', clientId: 'nobody' } as const;

/**
 * Stores posted parameters until the browser returns by GET with its `SameSite=Lax` cookies. Returns a single-use secret that
 * finds the parameters within a minute. The parameters are not put into the URL, because an ID token may be too long for a URL,
 * and URLs are logged.
 */
export function keepLogout(
  ports: PortsWith<'pushedRequests.put'>,
  parameters: StoredParameters,
  now: number,
): Promise<string> {
  return storeRequest(ports, POSTED_LOGOUT, parameters, now);
}

/**
 * Finds the client that requests the logout.
 * @throws `system_invalid_input`
 */
async function findClient(
  ports: PortsWith<'clients' | 'applications'>,
  parameters: LogoutParameters,
  { errorPage }: Pick<Request, 'errorPage'>,
  hint: VerifiedIdToken | undefined,
): Promise<LogoutClient | undefined> {
  const clientId = parameters.client_id ?? hint?.clientId;
  if (clientId === undefined) return undefined;
  if (hint && hint.clientId !== clientId) throw invalidInput('client_id: is not that of id_token_hint');
  const client = await ports.clients.find(clientId);
  const application =
    client?.applicationId === undefined ? undefined : await ports.applications.find(client.applicationId);
  if (!client || !application) throw invalidInput('client_id: is unknown');
  errorPage.application = application;
  return { client, application, hint };
}

/**
 * Checks and returns the URL to return to, before any session ends. URLs are compared character by character (OpenID Connect
 * RP-Initiated Logout 1.0 §3).
 */
function redirectTarget(
  { post_logout_redirect_uri: uri, state }: LogoutParameters,
  client: LogoutClient | undefined,
): string | undefined {
  if (uri === undefined) return undefined;
  if (!client)
    throw invalidInput('client_id: is required with post_logout_redirect_uri, unless id_token_hint is given');
  if (!client.application.postLogoutRedirectUris?.includes(uri))
    throw new ServiceError('redirect_uri_not_allowed', {
      message: 'post_logout_redirect_uri: is not one that the application of the client allows',
    });
  requireShortState(state);
  return addParameters(uri, { state });
}

/**
 * Reads and checks a logout request. Errors are shown to the user on a page, and not returned to the client.
 * @throws `system_invalid_input`, `redirect_uri_not_allowed`
 */
export async function readLogoutRequest(
  ports: PortsWith<'clients' | 'applications'>,
  parameters: LogoutParameters,
  request: Pick<Request, 'errorPage'>,
  hint?: VerifiedIdToken,
): Promise<LogoutRequest> {
  const client = await findClient(ports, parameters, request, hint);
  return { parameters, client, redirectTo: redirectTarget(parameters, client) };
}

/**
 * Reads a logout by GET and verifies its ID token. The secret `logout_request` refers to parameters that an earlier POST has
 * stored.
 * @throws the errors of `readLogoutRequest`, `request_uri_spent`, and `logout_hint_invalid` if only the invalid hint names the
 * client
 */
export async function readLogoutByGet(
  ports: PortsWith<'pushedRequests.spend' | 'signingKeys' | 'clients' | 'applications'>,
  query: LogoutParameters,
  request: Request,
  { issuer }: Pick<Settings, 'issuer'>,
): Promise<LogoutRequest> {
  const { cookies, now, errorPage } = request;
  const { logout_request: secret } = query;
  const parameters: LogoutParameters =
    secret === undefined
      ? query
      : await openStoredRequest(ports, { ...POSTED_LOGOUT, secret }, readBrowser(cookies), now);
  const { id_token_hint: token, ui_locales: uiLocales } = parameters;
  errorPage.uiLocales = uiLocales;
  const hint =
    token === undefined ? undefined : await verifyIdTokenHint(token, await ports.signingKeys.list(), issuer);
  const hintIsBroken = token !== undefined && !hint;
  if (hintIsBroken && parameters.client_id === undefined) throw new ServiceError('logout_hint_invalid');
  return { ...(await readLogoutRequest(ports, parameters, request, hint)), hintIsBroken };
}
