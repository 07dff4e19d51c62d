/** An operator's login at the console. Its secret is in the operator's cookie alone. */
export interface ConsoleSession {
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  /** The operator's tokens, sealed under the secret. */
  readonly sealed: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface ConsoleSessions {
  put(session: ConsoleSession): Promise<void>;
  /** Not when expired. */
  find(hash: string, at: number): Promise<ConsoleSession | undefined>;
  /** Keeps other tokens: only of a session that lives, so that a refresh brings back none that has been ended meanwhile. */
  keep(session: Pick<ConsoleSession, 'hash' | 'sealed'>, at: number): Promise<boolean>;
  remove(hash: string): Promise<void>;
}
