// Login to the console by authorization code and PKCE at the environment's own authorization endpoint (RFC 9700 §2.1.1).

import { areSecretsEqual, hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import {
  CONSOLE_LOGIN_COOKIE,
  CONSOLE_LOGIN_SECONDS,
  consoleLoginValue,
  readConsoleLogin,
} from '../../shared/domain/operators/console-login.ts';
import { CONSOLE_CLIENT_ID, GUARDED_SECONDS } from '../../shared/domain/operators/operators.ts';
import { clearCookie, setCookie } from '../../shared/http/cookies.ts';
import type { Settings, UseCase } from '../../shared/operation.ts';
import { type ConsolePage, forwardPage, messagePage } from './engine/page.ts';
import type * as rows from './rows.ts';
import { beginSession } from './session.ts';

/** Returns true for a path that stays on this origin. Browsers treat `//host` and `/\host` as other hosts. */
export const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/(?![/\\])[\w\-.~%/?=&+:@]*$/.test(path);

const toRedirectUri = ({ consoleOrigin }: Settings): string => `${consoleOrigin}/callback`;

/** Starts a login: stores the state, PKCE verifier and target in a cookie and redirects to the authorization endpoint. */
function start(settings: Settings, query: Readonly<Record<string, string>>) {
  const [state, verifier] = [newSecret(), newSecret()];
  const { to, fresh } = query;
  const target = isOwnPath(to) ? to : '/';
  const parameters = new URLSearchParams({
    client_id: CONSOLE_CLIENT_ID,
    response_type: 'code',
    scope: 'openid offline_access',
    acr_values: 'mfa',
    redirect_uri: toRedirectUri(settings),
    state,
    // `hashSecret` is base64url(SHA-256), as RFC 7636 §4.2 requires.
    code_challenge: hashSecret(verifier),
    code_challenge_method: 'S256',
    ...(fresh === undefined ? {} : { max_age: String(GUARDED_SECONDS / 2) }),
  });
  const value = consoleLoginValue({ state, verifier, target });
  return {
    redirect: `${settings.issuer}/auth?${parameters}`,
    // The cookie is not `Strict`: a login may end with a link in a mail, and the browser must send the cookie when the link is
    // opened.
    cookies: [setCookie(CONSOLE_LOGIN_COOKIE, value, CONSOLE_LOGIN_SECONDS)],
  };
}

/** Starts a login, or handles its callback: exchanges the code for tokens and creates a session. */
export const consoleLogin: UseCase<typeof rows.consoleLogin> = async (input, ports) => {
  const { request, settings, query = {} } = input;
  if (request.method === 'HEAD') return { none: true, status: 200 };
  if (request.path === '/console/login') return start(settings, query);
  const begun = readConsoleLogin(request.cookies[CONSOLE_LOGIN_COOKIE]);
  const { code, state = '', iss, error } = query;
  // Prevents login CSRF, which would log this browser in as the attacker with a code that the attacker obtained.
  const isOurs = begun !== undefined && areSecretsEqual(begun.state, state) && iss === settings.issuer;
  if (!isOurs || code === undefined)
    return retryPage(
      error === undefined
        ? 'This login was started in another browser, or it has expired.'
        : 'The login did not succeed.',
    );
  const redirect_uri = toRedirectUri(settings);
  const presented = { code, code_verifier: begun.verifier, redirect_uri };
  const session = await beginSession(ports, settings, presented, request.now);
  if (session === undefined) return retryPage('This login was used already, or it has expired.');
  // Responds with a page that opens the target. The browser would treat a redirect as a navigation from another site, and send
  // no `Strict` cookie with it.
  const page = forwardPage(isOwnPath(begun.target) ? begun.target : '/');
  return {
    ...{ ...page, headers: { ...page.headers, ...session.headers } },
    cookies: [...session.cookies, clearCookie(CONSOLE_LOGIN_COOKIE)],
  };
};

const retryPage = (text: string): ConsolePage =>
  messagePage({ title: 'Log in again', text, action: { href: '/login', label: 'Log in' }, status: 400 });
