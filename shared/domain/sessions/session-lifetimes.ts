import type { Application } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import {
  AAL1_ABSOLUTE_SECONDS,
  AAL2_ABSOLUTE_SECONDS,
  AAL2_IDLE_SECONDS,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../basis/limits.ts';

/** How long a session lives, in seconds: without being used, and in all. */
export interface SessionLifetimes {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** NIST SP 800-63B-4 §2.1.3 and §2.2.3: the time to a new authentication, by authentication assurance level. */
export const SESSION_PRESETS = {
  aal1: { idleSeconds: SESSION_IDLE_SECONDS, absoluteSeconds: AAL1_ABSOLUTE_SECONDS },
  aal2: { idleSeconds: AAL2_IDLE_SECONDS, absoluteSeconds: AAL2_ABSOLUTE_SECONDS },
} as const satisfies Record<string, SessionLifetimes>;

const DEFAULT: SessionLifetimes = {
  idleSeconds: SESSION_IDLE_SECONDS,
  absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
};

/** The session settings of an application. */
export type SessionSettings = {
  readonly [Name in 'sessionPreset' | 'sessionIdleSeconds' | 'sessionAbsoluteSeconds']?:
    | Application[Name]
    | undefined;
};

/** The application's settings, else its preset, else the service's. The idle time is at most the absolute one. */
export function sessionLifetimes(application: SessionSettings): SessionLifetimes {
  const { sessionPreset, sessionIdleSeconds, sessionAbsoluteSeconds } = application;
  const base = sessionPreset === undefined ? DEFAULT : SESSION_PRESETS[sessionPreset];
  const absoluteSeconds = sessionAbsoluteSeconds ?? base.absoluteSeconds;
  return { absoluteSeconds, idleSeconds: Math.min(sessionIdleSeconds ?? base.idleSeconds, absoluteSeconds) };
}

/** The times of a session that begins at `at`. */
export function beginningAt(
  at: number,
  { idleSeconds, absoluteSeconds }: SessionLifetimes,
): Pick<Session, 'startedAt' | 'expiresAt' | 'endsAt' | 'idleSeconds'> {
  return { startedAt: at, expiresAt: at + idleSeconds, endsAt: at + absoluteSeconds, idleSeconds };
}

/** The idle end of a session that is used at `at`. */
export function idleEndAfter(session: Pick<Session, 'idleSeconds' | 'endsAt'>, at: number): number {
  return Math.min(at + session.idleSeconds, session.endsAt);
}

/** When a session was used last, or a little before where its end in all is near. */
export function lastUseOf(session: Pick<Session, 'idleSeconds' | 'startedAt' | 'expiresAt'>): number {
  return Math.max(session.expiresAt - session.idleSeconds, session.startedAt);
}

/**
 * Whether a living session satisfies an application as it is set now: its settings may have become stricter since, or the
 * session may have begun at another application (single sign-on).
 */
export function isFreshFor(session: Session, application: SessionSettings, at: number): boolean {
  const { idleSeconds, absoluteSeconds } = sessionLifetimes(application);
  return at < session.startedAt + absoluteSeconds && at < lastUseOf(session) + idleSeconds;
}
