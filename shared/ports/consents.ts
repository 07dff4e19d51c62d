/** Consent of a user to a client that is identified by a metadata document. The client's tokens end with the consent. */
export interface Consent {
  readonly userId: string;
  /** SHA-256 of application, client, redirect URI and resource, base64url. There is one consent for each combination. */
  readonly key: string;
  /** Random ID of this consent. A consent that is given again after it has ended gets a new mark. */
  readonly mark: string;
  /** Random value that changes each time the user allows the client more or less. */
  readonly givenBy: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** True if the client may get a refresh token. */
  readonly staysConnected: boolean;
  readonly givenAt: number;
  /** Epoch seconds of the last token that was issued under the consent. */
  readonly usedAt?: number;
  readonly expiresAt: number;
}

/** Reference to a consent in tokens. */
export type ConsentName = Pick<Consent, 'key' | 'mark'>;

/** Consents of users. Every method ignores a consent that has ended or has expired at `at` (epoch seconds). */
export interface Consents {
  find(userId: string, key: string, at: number): Promise<Consent | undefined>;
  /**
   * Stores a consent in place of `seen`, the one that the caller read, or as the first one. Returns false if another consent
   * was given or ended in the meantime, so that exactly one of several concurrent callers gets true.
   */
  give(consent: Consent, seen: Consent | undefined, at: number): Promise<boolean>;
  /** Records that a token is issued under the consent. Returns undefined if that consent has ended or was replaced. */
  use(userId: string, name: ConsentName, at: number): Promise<Consent | undefined>;
  listOf(userId: string, at: number): Promise<readonly Consent[]>;
  /** Ends a consent. Returns false if there is none. */
  end(userId: string, key: string): Promise<boolean>;
}
