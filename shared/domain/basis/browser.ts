import { createHmac } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { boundCookieName, isOnItsDevice } from './device-binding.ts';
import { LOGIN_COOKIES_MAX } from './limits.ts';
import { areSecretsEqual, hashSecret, newSecret } from './random.ts';

// Cookies of a browser. One cookie identifies the browser: pending logins, the CSRF tokens of forms and the list of known
// browsers depend on it. For each tenant, another cookie contains the ID of the browser's session and a secret that proves the
// session.

export const BROWSER_COOKIE = '__Host-browser';
/** Name of the cookie that stores the language chosen on a hosted page. */
export const LANGUAGE_COOKIE = '__Host-language';

/** Pattern of a secret from `newSecret`: 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export type Cookies = Readonly<Record<string, string>>;

/** Browser that sent a request, identified by the secret in its cookie. */
export interface Browser {
  readonly secret: string;
  /** SHA-256 hash of the cookie's secret. Only this hash is stored. */
  readonly hash: string;
  /** True if the browser sent no valid cookie, so the response must set it. */
  readonly isNew: boolean;
}

/** Returns the browser that a request's cookie identifies. Creates a new identity if the cookie is missing or malformed. */
export function readBrowser(cookies: Cookies): Browser {
  const presented = cookies[BROWSER_COOKIE];
  const isKnown = presented !== undefined && SECRET.test(presented);
  const secret = isKnown ? presented : newSecret();
  return { secret, hash: hashSecret(secret), isNew: !isKnown };
}

/**
 * Rejects a login that another browser started. An attacker could otherwise open the URL of their own login in a victim's
 * browser (login CSRF). Errors: `login_not_found`, `login_elsewhere`.
 */
export function requireSameBrowser<T extends { readonly browserHash?: string }>(
  login: T | undefined,
  browser: Browser,
): T {
  if (!login) throw new ServiceError('login_not_found');
  if (!areSecretsEqual(login.browserHash ?? '', browser.hash)) throw new ServiceError('login_elsewhere');
  return login;
}

/**
 * Computes the CSRF token for the forms of a login. It depends on a secret of the browser, so other sites cannot know it.
 * SameSite cookies do not suffice, and the `Origin` header is `null` under the referrer policy `no-referrer`.
 */
export function computeCsrfToken(browser: Browser, loginId: string): string {
  return createHmac('sha256', browser.secret).update(`csrf\n${loginId}`).digest('base64url');
}

export function hasValidCsrfToken(browser: Browser, loginId: string, presented: string | undefined): boolean {
  return (
    !browser.isNew &&
    presented !== undefined &&
    areSecretsEqual(computeCsrfToken(browser, loginId), presented)
  );
}

/** Builds the name of the login cookie of a tenant. Tenants share the host, so each tenant needs its own cookie. */
export function buildLoginCookieName(tenantId: string): `__Host-${string}` {
  return `__Host-login-${tenantId}`;
}

const LOGIN_COOKIE_NAME = new RegExp(`^${buildLoginCookieName('(.+)')}$`);

/**
 * Lists the tenants that a browser's login cookies name. The list is limited because anyone can invent cookies and each cookie
 * costs a lookup.
 */
export const listLoginTenants = (cookies: Cookies): readonly string[] =>
  Object.keys(cookies)
    .flatMap((name) => LOGIN_COOKIE_NAME.exec(name)?.[1] ?? [])
    .slice(0, LOGIN_COOKIES_MAX);

const LOGIN_COOKIE_VALUE = /^(.+)\.([A-Za-z0-9_-]{43})$/;

export function buildLoginCookieValue(sessionId: string, secret: string): string {
  return `${sessionId}.${secret}`;
}

/** Session ID from a login cookie, with the hash of the secret in the cookie. */
export interface LoginCookie {
  readonly sessionId: string;
  readonly browserHash: string;
  /** Value of the session's bound cookie, the short-lived cookie of a device-bound session, if the browser sent one. */
  readonly boundCookie?: string | undefined;
}

/**
 * Returns the login cookie of an earlier request with the bound cookie of the current request, because the earlier bound cookie
 * may have expired. A bound cookie is the short-lived cookie of a device-bound session. If `current` belongs to another
 * session, the result has no bound cookie.
 * @param current Login cookie of the current request
 */
export function withBoundCookie<Earlier extends LoginCookie | undefined>(
  earlier: Earlier,
  current: LoginCookie | undefined,
): Earlier {
  const isSame = earlier?.sessionId === current?.sessionId;
  return earlier && { ...earlier, boundCookie: isSame ? current?.boundCookie : undefined };
}

/** Reads the login cookie of a browser for a tenant. Nothing is verified yet: the session may not exist. */
export function readLoginCookie(
  { tenantId }: Pick<Tenant, 'tenantId'>,
  cookies: Cookies,
): LoginCookie | undefined {
  const [, sessionId = '', secret] =
    LOGIN_COOKIE_VALUE.exec(cookies[buildLoginCookieName(tenantId)] ?? '') ?? [];
  if (secret === undefined) return undefined;
  return { sessionId, browserHash: hashSecret(secret), boundCookie: cookies[boundCookieName(sessionId)] };
}

/**
 * Finds the session of a login cookie if it is active at `now` (epoch seconds) and the cookie contains its current secret. A
 * session that is bound to a device also needs its bound cookie.
 */
export async function findSessionOfCookie(
  ports: PortsWith<'sessions.find'>,
  held: LoginCookie | undefined,
  now: number,
): Promise<Session | undefined> {
  const session = held && (await ports.sessions.find(held.sessionId, now));
  if (session?.browserHash === undefined || !areSecretsEqual(held?.browserHash ?? '', session.browserHash))
    return undefined;
  if (!isOnItsDevice(session, held?.boundCookie, now)) return undefined;
  return { ...session, methods: session.browserMethods ?? session.methods };
}

/**
 * Finds the browser's session with the tenant if it is active at `now` (epoch seconds). The caller must check the session's
 * user.
 */
export async function findBrowserSession(
  ports: PortsWith<'sessions.find'>,
  tenant: Pick<Tenant, 'tenantId'>,
  cookies: Cookies,
  now: number,
): Promise<Session | undefined> {
  const session = await findSessionOfCookie(ports, readLoginCookie(tenant, cookies), now);
  return session?.tenantId === tenant.tenantId ? session : undefined;
}

/** Returns true if the browser only prefetches the page (Fetch, `Sec-Purpose`). The response must then be empty. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  return /\bprefetch\b/.test(headers['sec-purpose'] ?? '');
}
