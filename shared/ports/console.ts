import type { BoundToDevice, SessionBindings } from './signing.ts';

/** Session of an operator at the console. Only the operator's cookie contains the session's secret. */
export interface ConsoleSession extends BoundToDevice {
  /** SHA-256 of the session's secret, base64url. It also identifies the session in its device binding. */
  readonly hash: string;
  /** Tokens of the operator, encrypted with a key derived from the session's secret. */
  readonly sealed: string;
  /** User ID of the operator. Undefined in sessions of earlier versions. */
  readonly userId?: string;
  readonly expiresAt: number;
}

export interface ConsoleSessions extends SessionBindings {
  put(session: ConsoleSession): Promise<void>;
  /** Finds a session. Returns undefined if it is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<ConsoleSession | undefined>;
  /** Replaces the tokens of a session. Returns false if the session has ended, so that a refresh cannot revive it. */
  keep(session: Pick<ConsoleSession, 'hash' | 'sealed'>, at: number): Promise<boolean>;
  remove(hash: string): Promise<void>;
}
