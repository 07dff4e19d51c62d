import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import {
  type Browser,
  buildLoginCookieName,
  type Cookies,
  computeCsrfToken,
  findBrowserSession,
  hasValidCsrfToken,
  listLoginTenants,
  readBrowser,
} from '../../shared/domain/basis/browser.ts';
import { LOGIN_COOKIES_MAX } from '../../shared/domain/basis/limits.ts';
import { addParameters } from '../../shared/domain/basis/redirect-uri.ts';
import {
  type BrowserContext,
  chooseLanguage,
  readPageBrand,
} from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { clearCookie } from '../../shared/http/cookies.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { Language } from '../../shared/templates/language.ts';
import { confirmLogoutPage } from '../../shared/templates/pages/confirm-logout-page.ts';
import { loggedOutPage } from '../../shared/templates/pages/logged-out-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import type { FormTarget } from '../../shared/templates/parts/form.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import type { LogoutParameters, LogoutRequest } from './logout-request.ts';

interface BrowserRequest {
  readonly cookies: Cookies;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly now: number;
}

/** Logout in one browser: the sessions that it ends, and the data for its pages. */
export interface BrowserLogout {
  readonly request: LogoutRequest;
  /** Path and query of the logout pages, which is also the `action` of their forms. */
  readonly address: string;
  readonly browser: Browser;
  readonly language: Language;
  readonly brand: Brand;
  readonly tenants: readonly Tenant[];
  /** Live sessions of this browser, at most one for each tenant. */
  readonly sessions: readonly Session[];
  /** True if the user need not confirm the logout: the ID token names the user of every session, or there is no session. */
  readonly isConfirmed: boolean;
}

/** Finds the tenant of the client or, without a client, every tenant that a cookie of this browser names. */
async function findTenants(
  ports: PortsWith<'tenants'>,
  { client }: LogoutRequest,
  cookies: Cookies,
): Promise<readonly Tenant[]> {
  const ids = client ? [client.client.tenantId] : listLoginTenants(cookies);
  const found = await Promise.all(ids.map((id) => ports.tenants.find(id)));
  return found.filter((tenant) => tenant !== undefined);
}

/**
 * Returns the names of the applications in which the sessions were used. Users know these names, but they may never have read
 * the tenant's name.
 */
async function listApplicationNames(
  ports: PortsWith<'clients' | 'applications'>,
  sessions: readonly Session[],
): Promise<readonly string[]> {
  const clientIds = sessions.flatMap(({ clientId, otherClientIds = [] }) => [clientId, ...otherClientIds]);
  if (clientIds.length > LOGIN_COOKIES_MAX) return [];
  const clients = await Promise.all(clientIds.map((id) => ports.clients.find(id)));
  const ids = new Set(clients.flatMap((client) => client?.applicationId ?? []));
  const applications = await Promise.all([...ids].map((id) => ports.applications.find(id)));
  return applications.flatMap((application) => application?.name ?? []);
}

/** Returns the URL of the logout page with the parameters of the logout request, except the ID token. */
export const logoutAddress = (
  origin: string,
  { client_id, post_logout_redirect_uri, state, ui_locales }: LogoutParameters,
) => addParameters(`${origin}/oidc/session/end`, { client_id, post_logout_redirect_uri, state, ui_locales });

/** Finds the sessions that a logout request ends in this browser, and the branding of the logout pages. */
export async function findBrowserLogout(
  ports: PortsWith<'clients' | 'applications' | 'tenants' | 'sessions.find'>,
  request: LogoutRequest,
  { cookies, headers, now }: BrowserRequest,
): Promise<BrowserLogout> {
  const { client, parameters } = request;
  const tenants = await findTenants(ports, request, cookies);
  const found = await Promise.all(tenants.map((tenant) => findBrowserSession(ports, tenant, cookies, now)));
  const sessions = found.filter((session) => session !== undefined);
  const names = client ? [] : await listApplicationNames(ports, sessions);
  const name = (names.length > 0 ? names : tenants.map((tenant) => tenant.name)).join(', ');
  const brand = client ? readPageBrand(client.application) : { name };
  const address = logoutAddress('', { ...parameters, client_id: client?.client.clientId });
  return {
    request,
    address,
    browser: readBrowser(cookies),
    language: chooseLanguage({ cookies, headers }, parameters.ui_locales),
    brand: { ...brand, languagePickerHref: address },
    tenants,
    sessions,
    isConfirmed: !request.hintIsBroken && sessions.every(({ userId }) => userId === client?.hint?.userId),
  };
}

/** Context to which the CSRF token of the logout form is bound. Constant, because a browser has one logout at a time. */
const LOGOUT_FORM = 'logout';

/** Returns a form with which other pages log the browser out of the tenant without a confirmation page. */
export const logoutForm = ({ browser, client, language }: BrowserContext): FormTarget => ({
  action: logoutAddress('', { client_id: client.clientId, ui_locales: language }),
  csrf: computeCsrfToken(browser, LOGOUT_FORM),
});

/**
 * Renders the page that asks the user to confirm the logout. The form's action contains the request's parameters without the ID
 * token.
 */
export function askForLogout({ request, address, browser, language, brand }: BrowserLogout): BrowserResponse {
  const { hintIsBroken } = request;
  return {
    html: confirmLogoutPage({
      language,
      brand,
      action: address,
      csrf: computeCsrfToken(browser, LOGOUT_FORM),
      hintIsBroken,
    }),
    headers: formPageHeaders(brand),
    cookies: browserCookies({ browser }),
  };
}

/** Returns true if a form comes from the page of `askForLogout` in this browser. */
export function isLogoutForm({ browser }: BrowserLogout, csrf: string): boolean {
  return hasValidCsrfToken(browser, LOGOUT_FORM, csrf);
}

/** Ends the sessions with their refresh tokens. Then redirects, or renders the page that confirms the logout. */
export async function finishLogout(
  ports: PortsWith<'sessions.end'>,
  { request: { redirectTo }, sessions, tenants, language, brand }: BrowserLogout,
  now: number,
): Promise<BrowserResponse> {
  await awaitAll(...sessions.map(({ sessionId }) => ports.sessions.end(sessionId, now)));
  const cookies = tenants.map(({ tenantId }) => clearCookie(buildLoginCookieName(tenantId)));
  if (redirectTo !== undefined) return { redirect: redirectTo, cookies };
  return { html: loggedOutPage({ language, brand }), headers: textPageHeaders(brand), cookies };
}
