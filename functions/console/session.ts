// Sessions of operators at the console. The browser has a secret; the table has the operator's tokens, encrypted under that
// secret. Neither is sufficient alone. The console can do only what the tokens permit.

import {
  boundCookieName,
  isOnItsDevice,
  newDeviceBinding,
} from '../../shared/domain/basis/device-binding.ts';
import { areSecretsEqual, hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { seal, unseal } from '../../shared/domain/basis/sealing.ts';
import { CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { CONSOLE_HOST, offerBinding } from '../../shared/flows/browser/device-binding-answer.ts';
import { clearCookie, setCookie } from '../../shared/http/cookies.ts';
import type { Settings } from '../../shared/operation.ts';
import type { ConsoleSession as StoredSession } from '../../shared/ports/console.ts';
import type { DeviceBinding } from '../../shared/ports/signing.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';

export const CONSOLE_COOKIE = '__Host-console';

/** Lifetime of a console session in seconds, which is the maximum duration of an operator's login. */
const SESSION_SECONDS = 8 * 3600;
/** Number of seconds before its expiry at which an access token is refreshed, so that it does not expire during a request. */
const REFRESH_BEFORE_SECONDS = 60;
const TIMEOUT_MS = 8_000;
const PURPOSE = 'console-session';
const SECRET = /^[\w-]{43}$/;

interface Tokens {
  readonly accessToken: string;
  /** Time at which the access token expires, in epoch seconds. */
  readonly accessEndsAt: number;
  readonly refreshToken: string;
}

/** A valid session of an operator: the secret in the browser's cookie, and an access token. */
export interface ConsoleSession {
  readonly secret: string;
  readonly accessToken: string;
  readonly binding?: DeviceBinding | undefined;
}

/** Successful response of the token endpoint, which always has a refresh token because of the scope `offline_access`. */
interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

/**
 * Requests tokens from the token endpoint. Returns undefined if the endpoint rejects the grant. Throws if the endpoint does not
 * respond, or responds with 429 or a server error.
 */
async function requestTokens(
  { issuer }: Settings,
  grant: Readonly<Record<string, string>>,
  now: number,
): Promise<Tokens | undefined> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: new URLSearchParams({ client_id: CONSOLE_CLIENT_ID, ...grant }),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error('the token endpoint does not answer');
  if (!answer.ok) return undefined;
  const { access_token, expires_in, refresh_token } = (await answer.json()) as TokenAnswer;
  return { accessToken: access_token, accessEndsAt: now + expires_in, refreshToken: refresh_token };
}

/**
 * Exchanges a code for tokens and stores them encrypted. Returns the session's cookies and the offer to bind the session to the
 * device, or undefined if the code is invalid.
 */
export async function beginSession(
  ports: PortsWith<'consoleSessions.put'>,
  settings: Settings,
  code: { readonly code: string; readonly code_verifier: string; readonly redirect_uri: string },
  now: number,
): Promise<ReturnType<typeof offerBinding> | undefined> {
  const tokens = await requestTokens(settings, { grant_type: 'authorization_code', ...code }, now);
  if (!tokens) return undefined;
  const secret = newSecret();
  const sealed = seal(secret, PURPOSE, JSON.stringify(tokens));
  const [, claims = ''] = tokens.accessToken.split('.');
  const { sub: userId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly sub: string };
  const bound = newDeviceBinding({ ...settings, browserOrigin: settings.consoleOrigin }, now);
  const hash = hashSecret(secret);
  await ports.consoleSessions.put({ hash, sealed, userId, expiresAt: now + SESSION_SECONDS, ...bound });
  const { headers, cookies } = offerBinding(CONSOLE_HOST, { sessionId: hash, ...bound }, now);
  return { headers, cookies: [setCookie(CONSOLE_COOKIE, secret, SESSION_SECONDS, 'Strict'), ...cookies] };
}

function openTokens(secret: string, sealed: string): Tokens | undefined {
  const opened = unseal(secret, PURPOSE, sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as Tokens);
}

const isFresh = ({ accessEndsAt }: Tokens, now: number): boolean =>
  accessEndsAt > now + REFRESH_BEFORE_SECONDS;

const renewTokens = (
  settings: Settings,
  { refreshToken }: Tokens,
  now: number,
): Promise<Tokens | undefined> =>
  requestTokens(settings, { grant_type: 'refresh_token', refresh_token: refreshToken }, now);

type SessionPorts = PortsWith<'consoleSessions.find' | 'consoleSessions.keep' | 'consoleSessions.remove'>;

/**
 * Finds the session of a cookie. Refreshes an access token that expires within a minute. Two tabs may refresh it at the same
 * time, because the token endpoint repeats its response within ten seconds. Returns undefined if the operator must log in.
 */
export async function findSession(
  ports: SessionPorts,
  settings: Settings,
  cookies: Readonly<Record<string, string>>,
  now: number,
): Promise<ConsoleSession | undefined> {
  const secret = cookies[CONSOLE_COOKIE];
  if (secret === undefined || !SECRET.test(secret)) return undefined;
  const hash = hashSecret(secret);
  const session = await ports.consoleSessions.find(hash, now);
  if (!session || !isOnItsDevice(session, cookies[boundCookieName(hash)], now)) return undefined;
  const { binding } = session;
  const tokens = openTokens(secret, session.sealed);
  if (tokens === undefined) return undefined;
  if (isFresh(tokens, now)) return { secret, accessToken: tokens.accessToken, binding };
  const renewed = await renewTokens(settings, tokens, now);
  if (!renewed) {
    await ports.consoleSessions.remove(hash);
    return undefined;
  }
  const sealed = seal(secret, PURPOSE, JSON.stringify(renewed));
  // If the session was ended meanwhile, the new tokens are discarded.
  if (!(await ports.consoleSessions.keep({ hash, sealed }, now))) return undefined;
  return { secret, accessToken: renewed.accessToken, binding };
}

/** Ends the operator's session at the API, and with it the login to the hosted pages. Errors are ignored. */
async function logOut({ baseUrl }: Settings, accessToken: string): Promise<void> {
  await fetch(`${baseUrl}/v1/auth/logout`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch(() => undefined);
}

/** Ends the operator's session at the API and deletes the console session. Returns a header that deletes the session cookie. */
export async function endSession(
  ports: PortsWith<'consoleSessions.remove'>,
  settings: Settings,
  { secret, accessToken }: ConsoleSession,
): Promise<string> {
  await logOut(settings, accessToken);
  await ports.consoleSessions.remove(hashSecret(secret));
  return clearCookie(CONSOLE_COOKIE);
}

/**
 * Deletes a console session whose cookie was copied. Also ends the operator's session at the API, because the attacker may have
 * copied the cookie of the hosted pages, which would open the console again.
 * @param copied The session, with the secret in the request's cookie. If this secret cannot decrypt the session's tokens, only
 *   the console session is deleted.
 */
export async function endCopiedSession(
  ports: PortsWith<'consoleSessions.remove'>,
  settings: Settings,
  { hash, sealed, secret }: Pick<StoredSession, 'hash' | 'sealed'> & { readonly secret: string },
  now: number,
): Promise<void> {
  await ports.consoleSessions.remove(hash);
  const tokens = openTokens(secret, sealed);
  if (tokens === undefined) return;
  const usable = isFresh(tokens, now)
    ? tokens
    : await renewTokens(settings, tokens, now).catch(() => undefined);
  if (usable) await logOut(settings, usable.accessToken);
}

/** Returns the CSRF token of a session's forms. Only pages that were served to this session contain it. */
export const computeCsrfToken = ({ secret }: ConsoleSession): string => hashSecret(`form\n${secret}`);

export const isOwnForm = (session: ConsoleSession, presented: string | undefined): boolean =>
  presented !== undefined && areSecretsEqual(computeCsrfToken(session), presented);
