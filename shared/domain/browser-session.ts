import type { Device, MethodUse, Session, Sessions } from '../ports/flows.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from './limits.ts';
import { hashSecret, newSecret } from './random.ts';
import { newSessionId } from './session.ts';
import { nowSeconds } from './time.ts';

/** Sessions that a browser holds by its login cookie. */

export interface BrowserSession {
  readonly session: Session;
  /** Goes into the cookie; its hash is stored. */
  readonly secret: string;
}

/** A session under a new ID and a new secret, so that nobody can have prepared it; nothing is stored yet. */
export function newBrowserSession(
  login: Pick<
    Session,
    'userId' | 'tenantId' | 'applicationId' | 'clientId' | 'methods' | 'awaitsSecondFactor'
  >,
  device: Device = {},
): BrowserSession {
  const at = nowSeconds();
  const secret = newSecret();
  const session: Session = {
    sessionId: newSessionId(login.userId),
    ...login,
    ...device,
    startedAt: at,
    expiresAt: at + SESSION_IDLE_SECONDS,
    endsAt: at + SESSION_ABSOLUTE_SECONDS,
    browserHash: hashSecret(secret),
    families: [],
  };
  return { session, secret };
}

/** Adds factors to a session. False when it has ended meanwhile. */
export function addMethods(
  ports: { readonly sessions: Sessions },
  { sessionId, endsAt }: Session,
  methods: readonly MethodUse[],
): Promise<boolean> {
  const at = nowSeconds();
  const expiresAt = Math.min(at + SESSION_IDLE_SECONDS, endsAt);
  return ports.sessions.join(sessionId, { at, expiresAt, methods, dropFamilies: [] });
}
