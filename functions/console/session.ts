import { equalSecrets, hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { seal, unseal } from '../../shared/domain/basis/sealing.ts';
import { CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { clearCookie, setCookie } from '../../shared/http/cookies.ts';
import type { Settings } from '../../shared/operation.ts';
import type { Using } from '../../shared/ports/uses.ts';

/**
 * The login of an operator at the console. The browser holds a secret, the table the operator's tokens, sealed under it: neither
 * is enough. The console can do no more than the tokens.
 */

export const CONSOLE_COOKIE = '__Host-console';

/** As long as a login of an operator may last at all. */
const SESSION_SECONDS = 8 * 3600;
/** Before its end, so that a call does not come too late. */
const REFRESH_BEFORE_SECONDS = 60;
const PATIENCE_MS = 8_000;
const PURPOSE = 'console-session';
const SECRET = /^[\w-]{43}$/;

interface Tokens {
  readonly accessToken: string;
  /** Epoch seconds. */
  readonly accessEndsAt: number;
  readonly refreshToken?: string | undefined;
}

export interface LivingSession {
  readonly secret: string;
  readonly accessToken: string;
}

interface TokenAnswer {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
}

/** Undefined where the token endpoint refuses. Throws when it does not answer. */
async function tokensFor(
  { issuer }: Settings,
  grant: Readonly<Record<string, string>>,
  now: number,
): Promise<Tokens | undefined> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    body: new URLSearchParams({ client_id: CONSOLE_CLIENT_ID, ...grant }),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error('the token endpoint does not answer');
  const { access_token, expires_in = 0, refresh_token } = (await answer.json()) as TokenAnswer;
  if (!answer.ok || access_token === undefined) return undefined;
  return { accessToken: access_token, accessEndsAt: now + expires_in, refreshToken: refresh_token };
}

/** Exchanges a code for tokens and keeps them. Returns the cookie; undefined for a code that is not good. */
export async function beginSession(
  ports: Using<'consoleSessions.put'>,
  settings: Settings,
  code: { readonly code: string; readonly code_verifier: string; readonly redirect_uri: string },
  now: number,
): Promise<string | undefined> {
  const tokens = await tokensFor(settings, { grant_type: 'authorization_code', ...code }, now);
  if (!tokens) return undefined;
  const secret = newSecret();
  const sealed = seal(secret, PURPOSE, JSON.stringify(tokens));
  await ports.consoleSessions.put({ hash: hashSecret(secret), sealed, expiresAt: now + SESSION_SECONDS });
  return setCookie(CONSOLE_COOKIE, secret, SESSION_SECONDS, 'Strict');
}

type SessionPorts = Using<'consoleSessions.find' | 'consoleSessions.keep' | 'consoleSessions.remove'>;

/**
 * The session of a cookie, with an access token that is good for a minute at least. Two tabs may refresh at once: the same
 * refresh token gets the same answer for ten seconds. Undefined when the operator has to log in.
 */
export async function findSession(
  ports: SessionPorts,
  settings: Settings,
  cookies: Readonly<Record<string, string>>,
  now: number,
): Promise<LivingSession | undefined> {
  const secret = cookies[CONSOLE_COOKIE];
  if (secret === undefined || !SECRET.test(secret)) return undefined;
  const hash = hashSecret(secret);
  const session = await ports.consoleSessions.find(hash, now);
  const opened = session && unseal(secret, PURPOSE, session.sealed);
  if (opened === undefined) return undefined;
  const tokens = JSON.parse(opened) as Tokens;
  if (tokens.accessEndsAt > now + REFRESH_BEFORE_SECONDS) return { secret, accessToken: tokens.accessToken };
  const { refreshToken } = tokens;
  const renewed =
    refreshToken === undefined
      ? undefined
      : await tokensFor(settings, { grant_type: 'refresh_token', refresh_token: refreshToken }, now);
  if (!renewed) {
    await ports.consoleSessions.remove(hash);
    return undefined;
  }
  const sealed = seal(secret, PURPOSE, JSON.stringify({ refreshToken, ...renewed }));
  // Ended meanwhile: what came is forgotten.
  if (!(await ports.consoleSessions.keep({ hash, sealed }, now))) return undefined;
  return { secret, accessToken: renewed.accessToken };
}

/** Forgets the tokens, after the session of the operator has ended at the API. */
export async function endSession(
  ports: Using<'consoleSessions.remove'>,
  { baseUrl }: Settings,
  { secret, accessToken }: LivingSession,
): Promise<string> {
  await fetch(`${baseUrl}/v1/auth/logout`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch(() => undefined);
  await ports.consoleSessions.remove(hashSecret(secret));
  return clearCookie(CONSOLE_COOKIE);
}

/** Known only to pages that were served to this session. */
export const formToken = ({ secret }: LivingSession): string => hashSecret(`form\n${secret}`);

export const isOwnForm = (session: LivingSession, presented: string | undefined): boolean =>
  presented !== undefined && equalSecrets(formToken(session), presented);
