/** What a person lets a client by document do. Its tokens end with it. */
export interface Consent {
  readonly userId: string;
  /** SHA-256 of application, client, redirect URI and resource, base64url: one consent for the four. */
  readonly key: string;
  /** Random. One that has ended and is given again is another. */
  readonly mark: string;
  /** Random, another one each time that more or less is allowed. */
  readonly givenBy: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** The client may get a refresh token. */
  readonly staysConnected: boolean;
  readonly givenAt: number;
  /** When a token was last issued for it. */
  readonly usedAt?: number;
  readonly expiresAt: number;
}

/** A consent, as tokens name it. */
export type ConsentName = Pick<Consent, 'key' | 'mark'>;

/** Every verb tells nothing of a consent that has ended or expired at `at` (epoch seconds). */
export interface Consents {
  find(userId: string, key: string, at: number): Promise<Consent | undefined>;
  /**
   * Stores a consent in place of `seen`, the one that was read, or of none. False when another was given or ended meanwhile: of
   * many callers exactly one gets true.
   */
  give(consent: Consent, seen: Consent | undefined, at: number): Promise<boolean>;
  /** Notes a token of it; undefined when it has ended, also where it was given again since. */
  use(userId: string, name: ConsentName, at: number): Promise<Consent | undefined>;
  listOf(userId: string, at: number): Promise<readonly Consent[]>;
  /** False when there is none. */
  end(userId: string, key: string): Promise<boolean>;
}
