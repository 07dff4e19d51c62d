/** Session of an operator at the console. Its secret is only in the operator's cookie. */
export interface ConsoleSession {
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  /** Tokens of the operator, encrypted under the secret. */
  readonly sealed: string;
  readonly expiresAt: number;
}

export interface ConsoleSessions {
  put(session: ConsoleSession): Promise<void>;
  /** Returns undefined if the session is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<ConsoleSession | undefined>;
  /** Replaces the tokens of a session. Returns false if the session has ended, so that a refresh cannot revive it. */
  keep(session: Pick<ConsoleSession, 'hash' | 'sealed'>, at: number): Promise<boolean>;
  remove(hash: string): Promise<void>;
}
