import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { LOGIN_TRANSACTION_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { isHalfLogin } from '../credentials/mfa.ts';
import { newSessionId } from './session.ts';
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
    'userId' | 'tenantId' | 'applicationId' | 'clientId' | 'methods' | 'awaitsSecondFactor'
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

/** Adds factors to a session. False when it has ended meanwhile. */
export function addMethods(
  ports: Using<'sessions.join'>,
  session: Session,
  methods: readonly MethodUse[],
  at: number,
): Promise<boolean> {
  const joined = { ...session, methods: [...session.methods, ...methods] };
  const expiresAt = endOfPatience(joined, idleEndAfter(session, at), at);
  return ports.sessions.join(session.sessionId, { at, expiresAt, methods, dropFamilies: [] });
}
