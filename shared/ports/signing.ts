// Requests for a signature. Each can be used once, expires soon, and is stored under the hash of its secret.

/** Texts that a user approves, by key. */
export type ApprovedTexts = Readonly<Record<string, string>>;

/** Approved data in tokens: the texts, or an object with the texts and the type of the transaction. */
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
  /** Challenge before hashing, if the user approves data: random bytes and the approval data (approval-challenge.ts). */
  readonly rawChallenge?: string;
  readonly approvalData?: ApprovalData;
  /** ID of the passkey's owner. Set only in a registration, if the user is known. */
  readonly userId?: string;
  /** User name, encrypted with a key derived from the WebAuthn session's ID. Set only in a registration. */
  readonly userName?: string;
  /** Random user handle of the passkey, for a registration that began before the user was known. */
  readonly userHandle?: string;
  /** True for a conditional create. The browser does not ask the user, so user presence and verification are not checked. */
  readonly isSilent?: boolean;
  /** Hashes of the WebAuthn session's ID joined with each identifier that the user name may mean. Empty without a user name. */
  readonly identifierHashes: readonly string[];
  /** Hash of the hosted login to which the challenge belongs. The challenge is valid only in that login. */
  readonly loginHash?: string;
  readonly expiresAt: number;
}

export interface WebauthnChallenges {
  /** Stores the challenge of a login. The challenge contains no user ID. */
  put(challenge: Omit<WebauthnChallenge, 'userId' | 'userName' | 'userHandle' | 'isSilent'>): Promise<void>;
  /** Stores the challenge of a registration. It names the user whose passkey will be created. */
  putRegistration(challenge: WebauthnChallenge): Promise<void>;
  /** Finds a challenge. Returns undefined if it is unknown, consumed or has expired at `at`. */
  find(hash: string, at: number): Promise<WebauthnChallenge | undefined>;
  /** Consumes the challenge. Exactly one of several concurrent callers gets true. Returns false after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the challenge if this holder (a random token) consumed it. A delayed `consume` of the holder then fails. */
  undoConsume(hash: string, holder: string): Promise<void>;
}

/** Approval that a user's device key is asked to sign. */
export interface Approval {
  /** SHA-256 of the approval's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** ID of the device key that must sign. If undefined, any device key of the user may sign. */
  readonly keyId?: string;
  readonly challenge: string;
  readonly approvalData: ApprovalData;
  readonly expiresAt: number;
}

export interface Approvals {
  put(approval: Approval): Promise<void>;
  /** Finds an approval. Returns undefined if it is unknown, consumed or has expired at `at`. */
  find(hash: string, at: number): Promise<Approval | undefined>;
  /** Consumes the approval. Exactly one of several concurrent callers gets true. Returns false after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the approval if this holder (a random token) consumed it. A delayed `consume` of the holder then fails. */
  undoConsume(hash: string, holder: string): Promise<void>;
}

/** Binding of a browser session to a key of the user's device (Device Bound Session Credentials, W3C draft). */
export interface DeviceBinding {
  /** Secret of 256 bits that authenticates the challenges and bound cookies of the session. No browser ever gets it. */
  readonly secret: string;
  /** Public key of the device: SPKI in base64url. Undefined until the browser has registered its key. */
  readonly key?: string;
  /** Number of accepted proofs by the key. Each challenge contains this number, so that it can be used only once. */
  readonly proofs: number;
  /** Time of the last accepted proof or, before the first proof, of the login, in epoch seconds. */
  readonly provenAt: number;
}

/** Part of a session that binds it to a device. */
export interface BoundToDevice {
  /** Device binding of the session. Undefined if binding was not offered at the login. The session then cannot be bound. */
  readonly binding?: DeviceBinding;
}

type BindingChange<Field extends keyof DeviceBinding> = { readonly at: number } & Required<
  Pick<DeviceBinding, Field | 'key'>
>;

/** Device bindings of sessions. Methods return true to one of several concurrent callers, and false for an ended session. */
export interface SessionBindings {
  /** Stores the device's key in a session that has no key yet, and whose binding has the given secret. */
  bind(sessionId: string, registration: BindingChange<'secret'>): Promise<boolean>;
  /** Counts a proof by the session's key. `proofs` is the number of earlier proofs. */
  countProof(sessionId: string, proof: BindingChange<'proofs'>): Promise<boolean>;
}
