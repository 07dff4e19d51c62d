/** Consent of a user to a client with a metadata document. If the consent ends, the client's tokens are no longer valid. */
export interface Consent {
  readonly userId: string;
  /** SHA-256 of application, client, redirect URI and resource, base64url. There is one consent for each combination. */
  readonly key: string;
  /** Random ID of this consent. If the user gives the consent again after it has ended, the new consent has another ID. */
  readonly mark: string;
  /** Random value that changes with each change of the consent, so that concurrent changes are detected. */
  readonly revision: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** True if the client may get a refresh token. */
  readonly staysConnected: boolean;
  readonly grantedAt: number;
  /** Time of the last token issued under the consent, in epoch seconds. */
  readonly usedAt?: number;
  readonly expiresAt: number;
}

/** Reference to a user's consent, as tokens contain it. */
export type ConsentName = Pick<Consent, 'key' | 'mark'>;

/** Consents of users. Every method ignores consents that have ended or expired at `at` (epoch seconds). */
export interface Consents {
  find(userId: string, key: string, at: number): Promise<Consent | undefined>;
  /**
   * Stores a consent in place of `seen`, the consent that the caller has read. If `seen` is undefined, no consent may exist
   * yet. Returns false if the stored consent has changed since then, so that exactly one of several concurrent callers gets
   * true.
   */
  grant(consent: Consent, seen: Consent | undefined, at: number): Promise<boolean>;
  /** Records that a token is issued under a consent. Returns undefined if the consent has ended or was replaced. */
  use(userId: string, name: ConsentName, at: number): Promise<Consent | undefined>;
  listOf(userId: string, at: number): Promise<readonly Consent[]>;
  /** Ends a consent. Returns false if it does not exist. */
  end(userId: string, key: string): Promise<boolean>;
}
