import type { MethodUse } from './flows.ts';
import type { ProviderName } from './providers.ts';
import type { ApprovalData } from './signing.ts';
import type { Begun } from './trust.ts';

/** State of the redirect flows: short-lived, hashes of secrets alone, one guarded write per decision. */

/** What a code is exchanged for, wherever it came from. */
export interface AuthorizationCode extends Begun {
  /** SHA-256 of the code, base64url. */
  readonly hash: string;
  /** `/oidc/auth`, the redirect operations of section B, or section C. */
  readonly origin: 'oidc' | 'browser' | 'code-based';
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
  readonly codeChallenge?: string;
  /** Its client pushed the request and proved who it is. */
  readonly provenClient?: boolean;
  readonly nonce?: string;
  readonly scope: string;
  /** Whether the exchange issues a refresh token. */
  readonly offlineAccess: boolean;
  readonly resources: readonly string[];
  /** The consent that its tokens end with: of a client by document. */
  readonly consentId?: string;
  /** The claims request as JSON. */
  readonly claims?: string;
  /** The ID tokens give only what scope and claims ask for; absent: all. */
  readonly idTokenClaims?: 'requested';
  readonly organizationId?: string;
  readonly dpopJkt?: string;
  readonly approvalData?: ApprovalData;
  /** The user, or the ID that the user to be made will have. */
  readonly userId: string;
  /** The identifier of a user to be made at the exchange, sealed under the code itself. */
  readonly sealedSignUp?: string;
  /** Public proof that a passkey approved `approvalData`, sealed under the code itself. */
  readonly sealedArtifacts?: string;
  readonly methods: readonly MethodUse[];
  readonly authTime: number;
  readonly deliveredToHash?: string;
  /** Of the person's device, as the caller describes it: for the session that the exchange starts. */
  readonly userAgent?: string;
  readonly ipAddress?: string;
  /** Only one factor was used where two are needed: not exchangeable until `upgrade`. */
  readonly requireMfa?: boolean;
  /** The session that the exchange joins or, with `startsSession`, starts; chosen before. */
  readonly sessionId: string;
  readonly startsSession: boolean;
  readonly familyId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

/** The user of a code and the session that it starts. */
export type CodeOwner = Pick<AuthorizationCode, 'userId' | 'sessionId'>;

export interface AuthorizationCodes {
  put(code: AuthorizationCode): Promise<void>;
  find(hash: string): Promise<AuthorizationCode | undefined>;
  /** Of many callers exactly one gets true; never after `expiresAt`, never while `requireMfa`. */
  consume(hash: string, at: number, instead?: CodeOwner, holder?: string): Promise<boolean>;
  /**
   * Stores the code as it was: only while it is consumed by this holder (a random mark). A consume of this holder that arrives
   * later is refused.
   */
  giveBack(code: AuthorizationCode, holder: string): Promise<void>;
  /** True when the code is consumed: now for good, no holder gives it back any more. */
  keepConsumed(hash: string): Promise<boolean>;
  /**
   * The second factor was given: takes methods, session and a new expiry, clears `requireMfa`. Of many callers exactly one
   * gets true.
   */
  upgrade(
    hash: string,
    change: {
      readonly methods: readonly MethodUse[];
      readonly sessionId: string;
      readonly startsSession: boolean;
      readonly expiresAt: number;
      readonly at: number;
    },
  ): Promise<boolean>;
  /** Uses a code up that was only a first factor; of many callers exactly one gets true. */
  spend(hash: string, at: number): Promise<boolean>;
}

/** Parameters of an authorization request, validated (RFC 9126 §2.2). */
export interface PushedRequest {
  /** SHA-256 of the random part of the `request_uri`, base64url. */
  readonly hash: string;
  readonly clientId: string;
  /** Sealed under that random part. */
  readonly parameters: string;
  readonly expiresAt: number;
}

export interface PushedRequests {
  put(request: PushedRequest): Promise<void>;
  /**
   * Spends it for one browser: the first one to ask gets it, and may ask again until `expiresAt` (a reload); everybody
   * else, everybody after the expiry, and who names another client gets undefined and spends nothing. One guarded write.
   */
  spend(
    request: Pick<PushedRequest, 'hash' | 'clientId'>,
    browserHash: string,
    at: number,
  ): Promise<PushedRequest | undefined>;
}

/** A login as it begins: nothing of it proves anything, for functions that strangers call write it. */
export interface LoginStart {
  /** SHA-256 of the transaction's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie: no other browser can go on with it. Absent: none has opened it yet. */
  readonly browserHash?: string;
  /** The authorization request as validated, sealed under the transaction's ID: it may hold an address. */
  readonly request: string;
  /** The session that a factor is to be added to, if the browser holds it. */
  readonly joins?: string;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** One browser login from start to code. */
export interface LoginTransaction extends LoginStart {
  /** What the person has done so far: step, methods, the identifier sealed under the browser cookie. Sealed as well. */
  readonly progress?: string;
  /** How often it was advanced. */
  readonly version: number;
}

export interface LoginTransactions {
  /** False when its hash is taken: by the login that a request began already, or by `skip`. */
  put(start: LoginStart): Promise<boolean>;
  /** A login that a client begins for its user, with progress. The first browser that opens it gets it by `bind`. */
  prepare(login: Omit<LoginTransaction, 'version' | 'browserHash' | 'joins'>): Promise<void>;
  /** Of many browsers exactly one gets true, each time. Never after expiry, nor for a login that another browser began. */
  bind(
    hash: string,
    browser: Required<Pick<LoginStart, 'browserHash' | 'request' | 'expiresAt'>>,
    at: number,
  ): Promise<boolean>;
  /** Takes the hash until `expiresAt`, for a request that needs no login; of all callers of both exactly one gets true. */
  skip(hash: string, expiresAt: number, at: number): Promise<boolean>;
  /** Undefined when unknown or expired at `at`. */
  find(hash: string, at: number): Promise<LoginTransaction | undefined>;
  /** Where and when a login began, ended or not, for the browser that began it. Only for a page. */
  findStart(
    hash: string,
    browserHash: string,
  ): Promise<Pick<LoginStart, 'tenantId' | 'applicationId' | 'startedAt'> | undefined>;
  /** Writes progress if `version` is still the stored one; of many callers exactly one gets true. Never after expiry. */
  advance(transaction: LoginTransaction, progress: string, at: number): Promise<boolean>;
  /** Ends it; of many callers exactly one gets true: the one that may issue the code. */
  finish(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Opens it as it was: only while it is finished by this holder (a random mark), whose `finish` is refused if it arrives later. */
  reopen(transaction: LoginTransaction, holder: string): Promise<void>;
}

/** A browser that was sent to a social provider, until its answer has come. */
export interface UpstreamLogin {
  /** SHA-256 of the `state` that the provider brings back, base64url. */
  readonly hash: string;
  readonly provider: ProviderName;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie: an answer that another browser brings is no answer (RFC 9700 §4.7). */
  readonly browserHash: string;
  /** Nonce, code verifier, and what the login is for, sealed under the state. */
  readonly request: string;
  /** What the provider has posted, sealed under the state, until the browser comes for it with its cookies. */
  readonly answer?: string;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface UpstreamLogins {
  put(login: UpstreamLogin): Promise<void>;
  /** Finds consumed and expired logins too, for the message to the browser that began them. */
  find(hash: string): Promise<UpstreamLogin | undefined>;
  /** Keeps the first answer that is posted; false for every other, and after consumption or expiry. */
  keepAnswer(hash: string, answer: string, at: number): Promise<boolean>;
  /** Of many callers exactly one gets true; never after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /**
   * Lets the login be consumed again, where this holder has consumed it; a consume of this holder that arrives later is refused.
   * `answer` replaces that of the provider.
   */
  giveBack(hash: string, holder: string, answer?: string): Promise<void>;
}

/** A link in a notice. The guard of what it does is in the record that it changes, so it is never consumed. */
export interface NoticeLink {
  /** SHA-256 of the secret in the link, base64url. */
  readonly hash: string;
  /** User and change, sealed under the secret: it outlives an erasure. */
  readonly target: string;
  readonly expiresAt: number;
}

export interface NoticeLinks {
  put(link: NoticeLink): Promise<void>;
  /** Not when expired. */
  find(hash: string, at: number): Promise<NoticeLink | undefined>;
  /** Gives a link another end. Nothing happens when it is gone. */
  extend(hash: string, expiresAt: number): Promise<void>;
}

/** Secrets that count once: `jti` of client assertions (RFC 7523) and DPoP proofs (RFC 9449). */
export interface ReplayGuard {
  /** True for the first caller; false for every other until `expiresAt`. */
  spend(scope: string, id: string, expiresAt: number, at: number): Promise<boolean>;
}

/** What is known of the document of a client, until it expires. */
export interface KnownDocument {
  readonly redirectUris: readonly string[];
  readonly refreshes: boolean;
  /** Why it stands for no client. */
  readonly refusal?: string;
  readonly expiresAt: number;
}

export interface ClientDocuments {
  /** By the SHA-256 of its address, base64url. Undefined when unknown or expired at `at`. */
  find(hash: string, at: number): Promise<KnownDocument | undefined>;
  put(hash: string, document: KnownDocument): Promise<void>;
}

/** Access tokens that were revoked before their time (RFC 7009). */
export interface RevokedTokens {
  revoke(jti: string, expiresAt: number): Promise<void>;
  isRevoked(jti: string, at: number): Promise<boolean>;
}

/** Browsers from which a user has logged in lately; a bounded number of them. */
export interface KnownDevices {
  /** Not when its last login is too long ago. */
  isKnown(userId: string, browserHash: string, at: number): Promise<boolean>;
  remember(userId: string, browserHash: string, at: number): Promise<void>;
}

/** Deleted applications with codes that may still be stored: erasing a user must find these codes too. */
export interface FormerApplications {
  /** Epoch seconds from which on nothing of the application is left. */
  remember(tenantId: string, applicationId: string, until: number): Promise<void>;
  /** IDs of the deleted applications. */
  listOf(tenantId: string, at: number): Promise<readonly string[]>;
}

export interface KnownDeviceRecords {
  forgetAllOf(userId: string): Promise<void>;
}
