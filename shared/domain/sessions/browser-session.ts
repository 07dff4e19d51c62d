import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import type { HeldSession } from '../basis/browser.ts';
import { LOGIN_TRANSACTION_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret, newSessionId } from '../basis/random.ts';
import { isHalfLogin, lastUses, usesToNote } from '../credentials/mfa.ts';
import { beginningAt, idleEndAfter, type SessionSettings, sessionLifetimes } from './session-lifetimes.ts';

/** Sessions that a browser holds by its login cookie. */

export interface BrowserSession {
  readonly session: Session;
  /** Goes into the cookie; its hash is stored. */
  readonly secret: string;
}

/**
 * The second factor has as much time as a login on the hosted page. An attacker's code may have begun the session: it must be
 * gone when the owner of the browser logs in another day.
 */
function endOfPatience(session: Session, idleEnd: number, at: number): number {
  return isHalfLogin(session) ? Math.min(idleEnd, at + LOGIN_TRANSACTION_SECONDS) : idleEnd;
}

/** Makes a session that begins `at` (epoch seconds). ID and secret are new, against session fixation. Stores nothing. */
export function newBrowserSession(
  login: Pick<
    Session,
    'userId' | 'tenantId' | 'applicationId' | 'clientId' | 'methods' | 'awaitsSecondFactor' | 'generation'
  >,
  application: SessionSettings,
  at: number,
  device: Device = {},
): BrowserSession {
  const secret = newSecret();
  const session: Session = {
    sessionId: newSessionId(login.userId),
    ...login,
    ...device,
    ...beginningAt(at, sessionLifetimes(application)),
    browserHash: hashSecret(secret),
    families: [],
  };
  return { session: { ...session, expiresAt: endOfPatience(session, session.expiresAt, at) }, secret };
}

/**
 * Stores a new session of a browser, in the place of the one that it held before: from now on the former cookie, or a copy of
 * it, opens nothing (ASVS 7.2.4). The refresh tokens of the former session go on.
 */
export async function startInBrowser(
  ports: Using<'sessions.start' | 'sessions.releaseBrowser'>,
  session: Session,
  former: HeldSession | undefined,
): Promise<void> {
  const [started] = await awaitAll(
    ports.sessions.start(session),
    former ? ports.sessions.releaseBrowser(former.sessionId, former.browserHash) : Promise.resolve(),
  );
  if (!started) throw new Error('a fresh session ID is in use');
}

/**
 * Adds factors to the session that a browser holds, and replaces its secret by `secret`: a copy of the former cookie must not
 * gain by them (ASVS 7.2.4). False when the session has ended, or its secret was replaced, since it was read.
 */
export async function addMethods(
  ports: Using<'sessions.join'>,
  session: Session,
  { uses, secret, at }: { readonly uses: readonly MethodUse[]; readonly secret: string; readonly at: number },
): Promise<boolean> {
  const { sessionId, browserHash: formerHash } = session;
  if (formerHash === undefined) return false;
  const methods = usesToNote(session.methods, uses);
  const all = lastUses(...session.methods, ...methods);
  const expiresAt = endOfPatience({ ...session, methods: all }, idleEndAfter(session, at), at);
  const browser = { formerHash, nextHash: hashSecret(secret), methods: all };
  return ports.sessions.join(sessionId, { at, expiresAt, methods, browser, dropFamilies: [] });
}
