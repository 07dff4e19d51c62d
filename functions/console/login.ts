import { equalSecrets, hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
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

/** Login by authorization code and PKCE at the environment's own authorization endpoint (RFC 9700 §2.1.1). */

/** A path of this origin. `//host` and `/\host` are other hosts to a browser. */
export const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/(?![/\\])[\w\-.~%/?=&+:@]*$/.test(path);

const redirectUriOf = ({ consoleOrigin }: Settings): string => `${consoleOrigin}/callback`;

function start(settings: Settings, query: Readonly<Record<string, string>>) {
  const [state, verifier] = [newSecret(), newSecret()];
  const { to, fresh } = query;
  const target = isOwnPath(to) ? to : '/';
  const parameters = new URLSearchParams({
    client_id: CONSOLE_CLIENT_ID,
    response_type: 'code',
    scope: 'openid offline_access',
    acr_values: 'mfa',
    redirect_uri: redirectUriOf(settings),
    state,
    // RFC 7636 §4.2: the hash of a secret is the same in both places.
    code_challenge: hashSecret(verifier),
    code_challenge_method: 'S256',
    ...(fresh === undefined ? {} : { max_age: String(GUARDED_SECONDS / 2) }),
  });
  const value = consoleLoginValue({ state, verifier, target });
  return {
    redirect: `${settings.issuer}/auth?${parameters}`,
    // Not `Strict`: the login may have come from a link in a mail, and this cookie has to come back from it.
    cookies: [setCookie(CONSOLE_LOGIN_COOKIE, value, CONSOLE_LOGIN_SECONDS)],
  };
}

/** Leads to the login, and takes the code that it comes back with. */
export const consoleLogin: UseCase<typeof rows.consoleLogin> = async (input, ports) => {
  const { request, settings, query = {} } = input;
  if (request.method === 'HEAD') return { none: true, status: 200 };
  if (request.path === '/console/login') return start(settings, query);
  const begun = readConsoleLogin(request.cookies[CONSOLE_LOGIN_COOKIE]);
  const { code, state = '', iss, error } = query;
  // A code that another browser got would log this one in as somebody else.
  const isOurs = begun !== undefined && equalSecrets(begun.state, state) && iss === settings.issuer;
  if (!isOurs || code === undefined)
    return again(
      error === undefined ? 'This login was begun elsewhere, or is over.' : 'The login did not succeed.',
    );
  const redirect_uri = redirectUriOf(settings);
  const presented = { code, code_verifier: begun.verifier, redirect_uri };
  const cookie = await beginSession(ports, settings, presented, request.now);
  if (cookie === undefined) return again('The login was used already, or took too long.');
  // A redirect would still be the navigation of another site, which brings no `Strict` cookie along.
  return {
    ...forwardPage(isOwnPath(begun.target) ? begun.target : '/'),
    cookies: [cookie, clearCookie(CONSOLE_LOGIN_COOKIE)],
  };
};

const again = (text: string): ConsolePage =>
  messagePage({ title: 'Log in again', text, action: { href: '/login', label: 'Log in' }, status: 400 });
