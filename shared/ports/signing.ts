/** What waits for a signature: short-lived, single use, filed under the hash of its secret. */

/** Keys and texts that a user approves. */
export type ApprovedTexts = Readonly<Record<string, string>>;

/** What a user approves, as a token has it: the texts, or the texts and the type of the transaction. */
export type ApprovalData = ApprovedTexts | { readonly type: string; readonly data: ApprovedTexts };

/** A challenge of ours to an authenticator (WebAuthn L3 §13.4.3). */
export interface WebauthnChallenge {
  /** SHA-256 of the WebAuthn session's ID, base64url. */
  readonly hash: string;
  readonly purpose: 'register' | 'authenticate';
  readonly tenantId: string;
  readonly applicationId: string;
  readonly rpId: string;
  /** base64url. */
  readonly challenge: string;
  /** Of an approval: what the challenge is the hash of. */
  readonly rawChallenge?: string;
  readonly approvalData?: ApprovalData;
  /** Of a registration: the owner of the passkey, and the name that the authenticator shows, sealed under the session's ID. */
  readonly userId?: string;
  readonly userName?: string;
  /** Of a registration that began before its user was known: the random handle that the passkey keeps. */
  readonly userHandle?: string;
  /** Of a registration that the browser may do without asking: nobody is present or verified then (conditional create). */
  readonly isSilent?: boolean;
  /** Of a login: hashes of the session's ID with what the given name can be; none without a name. */
  readonly identifierHashes: readonly string[];
  /** Of a login on the hosted pages: its hash. The challenge counts there and nowhere else. */
  readonly loginHash?: string;
  readonly expiresAt: number;
}

export interface WebauthnChallenges {
  /** Of a login: it names no user. */
  put(challenge: Omit<WebauthnChallenge, 'userId' | 'userName' | 'userHandle' | 'isSilent'>): Promise<void>;
  /** Of a registration: it names the user whose passkey will be made. */
  putRegistration(challenge: WebauthnChallenge): Promise<void>;
  /** Undefined when unknown, consumed or expired at `at`. */
  find(hash: string, at: number): Promise<WebauthnChallenge | undefined>;
  /** Of many callers exactly one gets true; never after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Only while it is consumed by this holder (a random mark), whose consume is refused if it arrives later. */
  giveBack(hash: string, holder: string): Promise<void>;
}

/** An approval that a user's device key is asked to sign. */
export interface Approval {
  /** SHA-256 of the approval's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** Absent: any key of the user. */
  readonly keyId?: string;
  readonly challenge: string;
  readonly approvalData: ApprovalData;
  readonly expiresAt: number;
}

export interface Approvals {
  put(approval: Approval): Promise<void>;
  /** Undefined when unknown, consumed or expired at `at`. */
  find(hash: string, at: number): Promise<Approval | undefined>;
  /** Of many callers exactly one gets true; never after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Only while it is consumed by this holder (a random mark), whose consume is refused if it arrives later. */
  giveBack(hash: string, holder: string): Promise<void>;
}
