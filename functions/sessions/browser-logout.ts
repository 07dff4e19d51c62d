import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import {
  type Browser,
  csrfToken,
  findBrowserSession,
  loginCookieName,
  readBrowser,
} from '../../shared/domain/basis/browser.ts';
import { checkState } from '../../shared/domain/basis/echoed-state.ts';
import { LOGOUT_TENANTS_MAX } from '../../shared/domain/basis/limits.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type BrowserAnswer, browserCookies } from '../../shared/flows/browser/browser-answer.ts';
import { brandOf } from '../../shared/flows/browser/browser-context.ts';
import { clearCookie } from '../../shared/http/cookies.ts';
import type { InputOf } from '../../shared/operation.ts';
import type { Application, Client, Tenant } from '../../shared/ports/directory.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { type Language, negotiateLanguage } from '../../shared/templates/language.ts';
import { confirmLogoutPage } from '../../shared/templates/pages/confirm-logout-page.ts';
import { loggedOutPage } from '../../shared/templates/pages/logged-out-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import type { VerifiedIdToken } from '../../shared/tokens/verify.ts';
import type { logoutPage as operation } from './rows.ts';

/** Parameters of a logout, and what the ID token says that came with them. */
export interface LogoutRequest {
  readonly query: InputOf<typeof operation>['query'];
  readonly hint?: VerifiedIdToken | undefined;
}

interface BrowserRequest {
  readonly cookies: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A logout that a browser was sent for (OpenID Connect RP-Initiated Logout 1.0 §2). */
export interface BrowserLogout {
  readonly browser: Browser;
  readonly language: Language;
  readonly brand: Brand;
  /** The tenants at which the browser's login is to end. */
  readonly tenants: readonly Tenant[];
  /** What the browser is logged in with there, as far as it lives. */
  readonly sessions: readonly Session[];
  /** Nobody needs to be asked: an ID token tells that the login is the one that is meant, or there is none. */
  readonly isMeant: boolean;
  /** Where the browser is led to in the end; absent: to a page of ours. */
  readonly leadsTo: string | undefined;
  /** The parameters that count, once more. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

interface Asking {
  readonly client: Client;
  readonly application: Application;
  readonly hint: VerifiedIdToken | undefined;
}

/** The client that asks, by its own word or by the ID token that it was given. Errors: `system_invalid_input`. */
async function askingClient(
  ports: Using<'clients' | 'applications'>,
  { query, hint }: LogoutRequest,
): Promise<Asking | undefined> {
  const clientId = query.client_id ?? hint?.clientId;
  if (clientId === undefined) return undefined;
  if (hint && hint.clientId !== clientId)
    throw new ServiceError('system_invalid_input', { message: 'client_id: is not that of id_token_hint' });
  const client = await ports.clients.find(clientId);
  const application =
    client?.applicationId === undefined ? undefined : await ports.applications.find(client.applicationId);
  if (!client || !application)
    throw new ServiceError('system_invalid_input', { message: 'client_id: is unknown' });
  return { client, application, hint: hint?.tenantId === client.tenantId ? hint : undefined };
}

/** Character for character one of the application's own (§3); checked before anything ends. Errors: `redirect_uri_not_allowed`. */
function destination({ query }: LogoutRequest, asking: Asking | undefined): string | undefined {
  const { post_logout_redirect_uri: uri, state } = query;
  if (uri === undefined) return undefined;
  if (!asking?.application.postLogoutRedirectUris?.includes(uri))
    throw new ServiceError('redirect_uri_not_allowed', {
      message: 'post_logout_redirect_uri: is not one that the application of the client allows',
    });
  checkState(state);
  return withParameters(uri, { state });
}

const COOKIE = new RegExp(`^${loginCookieName('(.+)')}$`);

/**
 * The tenant of the client that asks; if nobody says who asks, every tenant at which this browser is logged in, of as many
 * as a person may have: a cookie is a name that anybody can invent, and each is looked up.
 */
async function tenantsOf(
  ports: Using<'tenants'>,
  asking: Asking | undefined,
  { cookies }: BrowserRequest,
): Promise<readonly Tenant[]> {
  const ids = asking
    ? [asking.client.tenantId]
    : Object.keys(cookies)
        .flatMap((name) => COOKIE.exec(name)?.[1] ?? [])
        .slice(0, LOGOUT_TENANTS_MAX);
  const found = await Promise.all(ids.map((id) => ports.tenants.find(id)));
  return found.filter((tenant) => tenant !== undefined);
}

/** What is asked for. Errors: `system_invalid_input`, `redirect_uri_not_allowed`; told directly, nobody is redirected. */
export async function readLogout(
  ports: Using<'clients' | 'applications' | 'tenants' | 'sessions.find'>,
  asked: LogoutRequest,
  request: BrowserRequest,
): Promise<BrowserLogout> {
  const browser = readBrowser(request.cookies);
  const { query } = asked;
  const asking = await askingClient(ports, asked);
  const leadsTo = destination(asked, asking);
  const tenants = await tenantsOf(ports, asking, request);
  const found = await Promise.all(
    tenants.map((tenant) => findBrowserSession(ports, tenant, request.cookies)),
  );
  const sessions = found.filter((session) => session !== undefined);
  return {
    browser,
    language: negotiateLanguage({
      uiLocales: query.ui_locales,
      acceptLanguage: request.headers['accept-language'],
    }),
    brand: asking ? brandOf(asking.application) : { name: tenants.map(({ name }) => name).join(', ') },
    tenants,
    sessions,
    isMeant: sessions.every(({ userId }) => userId === asking?.hint?.userId),
    leadsTo,
    parameters: {
      client_id: asking?.client.clientId,
      post_logout_redirect_uri: query.post_logout_redirect_uri,
      state: query.state,
      ui_locales: query.ui_locales,
    },
  };
}

/** What the form's proof is bound to; a browser has one logout at a time. */
export const LOGOUT_FORM = 'logout';

/** Asks the person; the parameters come back in the address that the form goes to. */
export function askPage({ browser, language, brand, leadsTo, parameters }: BrowserLogout): BrowserAnswer {
  const action = withParameters('/oidc/session/end', parameters);
  return {
    html: confirmLogoutPage({ language, brand, action, csrf: csrfToken(browser, LOGOUT_FORM) }),
    headers: formPageHeaders({ brand, leadsTo: leadsTo === undefined ? [] : [leadsTo] }),
    cookies: browserCookies({ browser }),
  };
}

/** Ends what the browser is logged in with, refresh tokens and all, and leads it on. */
export async function finishLogout(
  ports: Using<'sessions.end'>,
  logout: BrowserLogout,
): Promise<BrowserAnswer> {
  const { sessions, tenants, leadsTo, language, brand } = logout;
  await awaitAll(...sessions.map(({ sessionId }) => ports.sessions.end(sessionId, nowSeconds())));
  const cookies = tenants.map(({ tenantId }) => clearCookie(loginCookieName(tenantId)));
  if (leadsTo !== undefined) return { redirect: leadsTo, cookies };
  return { html: loggedOutPage({ language, brand }), headers: textPageHeaders(brand), cookies };
}
