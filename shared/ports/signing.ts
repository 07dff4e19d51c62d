// Requests for a signature: short-lived, single use, stored under the hash of their secret.

/** Texts that a user approves, by key. */
export type ApprovedTexts = Readonly<Record<string, string>>;

/** Content of an approval as tokens contain it: the texts, or the texts with the type of the transaction. */
export type ApprovalData = ApprovedTexts | { readonly type: string; readonly data: ApprovedTexts };

/** Challenge that we send to an authenticator (WebAuthn L3 §13.4.3). */
export interface WebauthnChallenge {
  /** SHA-256 of the WebAuthn session's ID, base64url. */
  readonly hash: string;
  readonly purpose: 'register' | 'authenticate';
  readonly tenantId: string;
  readonly applicationId: string;
  readonly rpId: string;
  /** Random challenge, base64url. */
  readonly challenge: string;
  /** Challenge before hashing, if the user approves something: random bytes and the approval data (approval-challenge.ts). */
  readonly rawChallenge?: string;
  readonly approvalData?: ApprovalData;
  /** Registration only: ID of the passkey's owner, encrypted under the session's ID, as is the user name. */
  readonly userId?: string;
  readonly userName?: string;
  /** Random user handle of the passkey, for a registration that began before its user was known. */
  readonly userHandle?: string;
  /** True for a conditional create: the browser does not ask, so user presence and verification are not tested. */
  readonly isSilent?: boolean;
  /** Login only: hashes of the session's ID with each identifier that the given name can be; empty if no name was given. */
  readonly identifierHashes: readonly string[];
  /** Hash of the login on the hosted pages that the challenge belongs to. The challenge is valid only in that login. */
  readonly loginHash?: string;
  readonly expiresAt: number;
}

export interface WebauthnChallenges {
  /** Stores the challenge of a login, which names no user. */
  put(challenge: Omit<WebauthnChallenge, 'userId' | 'userName' | 'userHandle' | 'isSilent'>): Promise<void>;
  /** Stores the challenge of a registration, which names the user whose passkey will be created. */
  putRegistration(challenge: WebauthnChallenge): Promise<void>;
  /** Returns undefined if the challenge is unknown, consumed or has expired at `at`. */
  find(hash: string, at: number): Promise<WebauthnChallenge | undefined>;
  /** Consumes the challenge. Exactly one of several concurrent callers gets true. Never succeeds after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the challenge if this holder (a random mark) consumed it. A delayed `consume` of the holder is then refused. */
  giveBack(hash: string, holder: string): Promise<void>;
}

/** Approval that a user's device key is asked to sign. */
export interface Approval {
  /** SHA-256 of the approval's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** ID of the device key that must sign. Absent: any key of the user. */
  readonly keyId?: string;
  readonly challenge: string;
  readonly approvalData: ApprovalData;
  readonly expiresAt: number;
}

export interface Approvals {
  put(approval: Approval): Promise<void>;
  /** Returns undefined if the approval is unknown, consumed or has expired at `at`. */
  find(hash: string, at: number): Promise<Approval | undefined>;
  /** Consumes the approval. Exactly one of several concurrent callers gets true. Never succeeds after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the approval if this holder (a random mark) consumed it. A delayed `consume` of the holder is then refused. */
  giveBack(hash: string, holder: string): Promise<void>;
}
