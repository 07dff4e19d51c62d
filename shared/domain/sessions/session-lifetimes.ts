import type { Application } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import {
  AAL1_ABSOLUTE_SECONDS,
  AAL2_ABSOLUTE_SECONDS,
  AAL2_IDLE_SECONDS,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../basis/limits.ts';

/** Lifetimes of a session in seconds: the idle time, and the total lifetime. */
export interface SessionLifetimes {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/**
 * Session lifetimes by authentication assurance level. When a lifetime ends, users must log in again (NIST SP 800-63B-4 §2.1.3,
 * §2.2.3).
 */
export const SESSION_PRESETS = {
  aal1: { idleSeconds: SESSION_IDLE_SECONDS, absoluteSeconds: AAL1_ABSOLUTE_SECONDS },
  aal2: { idleSeconds: AAL2_IDLE_SECONDS, absoluteSeconds: AAL2_ABSOLUTE_SECONDS },
} as const satisfies Record<string, SessionLifetimes>;

const DEFAULT: SessionLifetimes = {
  idleSeconds: SESSION_IDLE_SECONDS,
  absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
};

export type SessionSettings = {
  readonly [Name in 'sessionPreset' | 'sessionIdleSeconds' | 'sessionAbsoluteSeconds']?:
    | Application[Name]
    | undefined;
};

/** Returns an application's session lifetimes: its settings, preset or defaults. Idle time never exceeds total lifetime. */
export function sessionLifetimes(application: SessionSettings): SessionLifetimes {
  const { sessionPreset, sessionIdleSeconds, sessionAbsoluteSeconds } = application;
  const base = sessionPreset === undefined ? DEFAULT : SESSION_PRESETS[sessionPreset];
  const absoluteSeconds = sessionAbsoluteSeconds ?? base.absoluteSeconds;
  return { absoluteSeconds, idleSeconds: Math.min(sessionIdleSeconds ?? base.idleSeconds, absoluteSeconds) };
}

/** Returns the start, the idle timeout, the idle end and the absolute end of a session that starts at `at` (epoch seconds). */
export function computeSessionTimes(
  at: number,
  { idleSeconds, absoluteSeconds }: SessionLifetimes,
): Pick<Session, 'startedAt' | 'expiresAt' | 'endsAt' | 'idleSeconds'> {
  return { startedAt: at, expiresAt: at + idleSeconds, endsAt: at + absoluteSeconds, idleSeconds };
}

/** Returns the time (epoch seconds) at which a session ends if it is used at `at` and not again. */
export function idleEndAfter(session: Pick<Session, 'idleSeconds' | 'endsAt'>, at: number): number {
  return Math.min(at + session.idleSeconds, session.endsAt);
}

/**
 * Returns the time (epoch seconds) of a session's last use. The result is too early if the session's absolute end has shortened
 * its last idle time.
 */
export function computeLastUse(session: Pick<Session, 'idleSeconds' | 'startedAt' | 'expiresAt'>): number {
  return Math.max(session.expiresAt - session.idleSeconds, session.startedAt);
}

/**
 * Returns true if a valid session meets an application's current settings at `at` (epoch seconds). The session may not meet
 * them because they have become stricter, or because another application started the session (single sign-on).
 */
export function meetsSessionSettings(session: Session, application: SessionSettings, at: number): boolean {
  const { idleSeconds, absoluteSeconds } = sessionLifetimes(application);
  return at < session.startedAt + absoluteSeconds && at < computeLastUse(session) + idleSeconds;
}
