// Sessions that a browser holds by its login cookie.

import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { BoundToDevice } from '../../ports/signing.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import type { LoginCookie } from '../basis/browser.ts';
import { LOGIN_TRANSACTION_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret, newSessionId } from '../basis/random.ts';
import { isIncompleteLogin, lastUses, usesToStore } from '../credentials/mfa.ts';
import {
  computeSessionTimes,
  idleEndAfter,
  type SessionSettings,
  sessionLifetimes,
} from './session-lifetimes.ts';

/** Session of a browser, with the secret for its login cookie. */
export interface BrowserSession {
  readonly session: Session;
  /** Secret for the browser's login cookie. Only the secret's hash is stored. */
  readonly secret: string;
}

/**
 * Returns the time (epoch seconds) at which an unused session ends. A session that waits for its second factor ends as early as
 * a hosted login. An attacker's code may have started such a session in another person's browser, so it must have ended when
 * that person logs in on another day.
 */
function computeLoginIdleEnd(session: Session, idleEnd: number, at: number): number {
  return isIncompleteLogin(session) ? Math.min(idleEnd, at + LOGIN_TRANSACTION_SECONDS) : idleEnd;
}

/** Creates a session from `at` (epoch seconds) on, with a new ID and secret to prevent session fixation. Stores nothing. */
export function newBrowserSession(
  login: Pick<
    Session,
    'userId' | 'tenantId' | 'applicationId' | 'clientId' | 'methods' | 'awaitsSecondFactor' | 'generation'
  >,
  application: SessionSettings,
  at: number,
  device: Device & BoundToDevice = {},
): BrowserSession {
  const secret = newSecret();
  const session: Session = {
    sessionId: newSessionId(login.userId),
    ...login,
    ...device,
    ...computeSessionTimes(at, sessionLifetimes(application)),
    browserHash: hashSecret(secret),
    families: [],
  };
  return { session: { ...session, expiresAt: computeLoginIdleEnd(session, session.expiresAt, at) }, secret };
}

/**
 * Stores a new session of a browser, and detaches the browser's previous session. The previous cookie, and any copy of it, is
 * then invalid (ASVS 7.2.4). The refresh tokens of the previous session stay valid.
 */
export async function startInBrowser(
  ports: PortsWith<'sessions.start' | 'sessions.releaseBrowser'>,
  session: Session,
  former: LoginCookie | undefined,
): Promise<void> {
  const [started] = await awaitAll(
    ports.sessions.start(session),
    former ? ports.sessions.releaseBrowser(former.sessionId, former.browserHash) : Promise.resolve(),
  );
  if (!started) throw new Error('a fresh session ID is in use');
}

/**
 * Adds factors to a browser's session, and replaces the secret of its cookie by `secret`, so that a copy of the old cookie does
 * not get the factors (ASVS 7.2.4). Returns false if the session has ended or its secret was replaced since it was read.
 */
export async function addMethods(
  ports: PortsWith<'sessions.join'>,
  session: Session,
  { uses, secret, at }: { readonly uses: readonly MethodUse[]; readonly secret: string; readonly at: number },
): Promise<boolean> {
  const { sessionId, browserHash: formerHash } = session;
  if (formerHash === undefined) return false;
  const methods = usesToStore(session.methods, uses);
  const all = lastUses(...session.methods, ...methods);
  const expiresAt = computeLoginIdleEnd({ ...session, methods: all }, idleEndAfter(session, at), at);
  const browser = { formerHash, nextHash: hashSecret(secret), methods: all };
  return ports.sessions.join(sessionId, { at, expiresAt, methods, browser, dropFamilies: [] });
}
