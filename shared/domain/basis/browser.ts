import { createHmac } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { LOGIN_COOKIES_MAX } from './limits.ts';
import { equalSecrets, hashSecret, newSecret } from './random.ts';

/**
 * The two cookies of a browser. One identifies the browser: it binds logins in progress and their forms, and names the device.
 * The other holds a login with one tenant: session and secret.
 */

export const BROWSER_COOKIE = '__Host-browser';
/** The language that was chosen on a page. */
export const LANGUAGE_COOKIE = '__Host-language';

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export type Cookies = Readonly<Record<string, string>>;

export interface Browser {
  readonly secret: string;
  /** The stored hash. */
  readonly hash: string;
  /** The browser has no cookie yet: the answer must set it. */
  readonly isNew: boolean;
}

/** The browser of a request; without a well-formed cookie a new one. */
export function readBrowser(cookies: Cookies): Browser {
  const given = cookies[BROWSER_COOKIE];
  const known = given !== undefined && SECRET.test(given);
  const secret = known ? given : newSecret();
  return { secret, hash: hashSecret(secret), isNew: !known };
}

/**
 * Requires the browser that began the login: an attacker could open their login's address in a victim's browser (login
 * CSRF). Errors: `login_not_found`, `login_elsewhere`.
 */
export function requireSameBrowser<T extends { readonly browserHash?: string }>(
  login: T | undefined,
  browser: Browser,
): T {
  if (!login) throw new ServiceError('login_not_found');
  if (!equalSecrets(login.browserHash ?? '', browser.hash)) throw new ServiceError('login_elsewhere');
  return login;
}

/**
 * The CSRF token of a login's forms, known only to pages served to this browser for this login. Needed beside SameSite, and
 * instead of `Origin`, which is `null` under `no-referrer`.
 */
export function csrfToken(browser: Browser, loginId: string): string {
  return createHmac('sha256', browser.secret).update(`csrf\n${loginId}`).digest('base64url');
}

export function isOwnForm(browser: Browser, loginId: string, presented: string | undefined): boolean {
  return !browser.isNew && presented !== undefined && equalSecrets(csrfToken(browser, loginId), presented);
}

/** Tenants share the host, so each has its own cookie. */
export function loginCookieName(tenantId: string): `__Host-${string}` {
  return `__Host-login-${tenantId}`;
}

const LOGIN_COOKIE = new RegExp(`^${loginCookieName('(.+)')}$`);

/** The tenants that the login cookies of a browser name: a few, because anyone can invent cookies and each costs a look-up. */
export const tenantsIn = (cookies: Cookies): readonly string[] =>
  Object.keys(cookies)
    .flatMap((name) => LOGIN_COOKIE.exec(name)?.[1] ?? [])
    .slice(0, LOGIN_COOKIES_MAX);

export function loginCookieValue(sessionId: string, secret: string): string {
  return `${sessionId}.${secret}`;
}

/** A session, and the hash of the secret that a browser holds it by. */
export interface HeldSession {
  readonly sessionId: string;
  readonly browserHash: string;
}

/** What the login cookie of a browser names. */
export function heldSession(
  { tenantId }: Pick<Tenant, 'tenantId'>,
  cookies: Cookies,
): HeldSession | undefined {
  const value = cookies[loginCookieName(tenantId)] ?? '';
  const separator = value.lastIndexOf('.');
  const [sessionId, secret] = [value.slice(0, separator), value.slice(separator + 1)];
  return separator >= 0 && SECRET.test(secret) ? { sessionId, browserHash: hashSecret(secret) } : undefined;
}

/** The session as its browser may use it, if it lives at `now` (epoch seconds) and no other secret has come since. */
export async function findHeldSession(
  ports: Using<'sessions.find'>,
  held: HeldSession | undefined,
  now: number,
): Promise<Session | undefined> {
  const session = held && (await ports.sessions.find(held.sessionId, now));
  if (session?.browserHash === undefined || !equalSecrets(held?.browserHash ?? '', session.browserHash))
    return undefined;
  return { ...session, methods: session.browserMethods ?? session.methods };
}

/** The session of this browser with the tenant, if it lives at `now` (epoch seconds). The caller checks its user. */
export async function findBrowserSession(
  ports: Using<'sessions.find'>,
  tenant: Pick<Tenant, 'tenantId'>,
  cookies: Cookies,
  now: number,
): Promise<Session | undefined> {
  const session = await findHeldSession(ports, heldSession(tenant, cookies), now);
  return session?.tenantId === tenant.tenantId ? session : undefined;
}
