// State of the redirect flows: short-lived records that contain only hashes of secrets. Each state change that must happen only
// once is one conditional write.
import type { MethodUse } from './flows.ts';
import type { ProviderName } from './providers.ts';
import type { ApprovalData } from './signing.ts';
import type { GenerationBound } from './trust.ts';

/** Authorization code and all data that its exchange needs. All flows that issue codes use this record. */
export interface AuthorizationCode extends GenerationBound {
  /** SHA-256 of the code, base64url. */
  readonly hash: string;
  /** Flow that issued the code: `oidc` is `/oidc/auth`, `browser` is section B of SPEC.md, and `code-based` is section C. */
  readonly origin: 'oidc' | 'browser' | 'code-based';
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
  readonly codeChallenge?: string;
  /** True if the client pushed the authorization request (RFC 9126) and authenticated itself. */
  readonly provenClient?: boolean;
  readonly nonce?: string;
  readonly scope: string;
  /** True if the exchange also issues a refresh token. */
  readonly offlineAccess: boolean;
  readonly resources: readonly string[];
  /** ID of the user's consent to a client with a metadata document. If the consent ends, the tokens are no longer valid. */
  readonly consentId?: string;
  /** The `claims` request parameter (OpenID Connect Core §5.5) as JSON. */
  readonly claims?: string;
  /**
   * Set to `requested` if ID tokens contain only the claims that `scope` and `claims` request. By default, they contain all
   * claims.
   */
  readonly idTokenClaims?: 'requested';
  readonly organizationId?: string;
  readonly dpopJkt?: string;
  readonly approvalData?: ApprovalData;
  /** ID of the user, or the ID that a new user will get at the exchange. */
  readonly userId: string;
  /** Identifier of the user that the exchange creates, encrypted with a key derived from the code. */
  readonly sealedSignUp?: string;
  /**
   * Evidence that a passkey approved `approvalData`. Anyone can verify the evidence. It is encrypted with a key derived from
   * the authorization code.
   */
  readonly sealedArtifacts?: string;
  readonly methods: readonly MethodUse[];
  readonly authTime: number;
  readonly deliveredToHash?: string;
  /** User agent that the caller reported. The session that the exchange starts stores it. */
  readonly userAgent?: string;
  readonly ipAddress?: string;
  /** True if two factors are required and only one was used. The code cannot be exchanged until `upgrade` clears this flag. */
  readonly requireMfa?: boolean;
  /** ID of the session that the exchange joins, or starts if `startsSession` is true. It is chosen when the code is issued. */
  readonly sessionId: string;
  readonly startsSession: boolean;
  readonly familyId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

/** User of a code and the session that the code's exchange starts. */
export type CodeOwner = Pick<AuthorizationCode, 'userId' | 'sessionId'>;

export interface AuthorizationCodes {
  put(code: AuthorizationCode): Promise<void>;
  find(hash: string): Promise<AuthorizationCode | undefined>;
  /** Consumes the code. Exactly one concurrent caller gets true. Returns false after expiry or while `requireMfa` is set. */
  consume(hash: string, at: number, instead?: CodeOwner, holder?: string): Promise<boolean>;
  /** Restores a code that this holder (a random token) consumed. A delayed `consume` by the same holder then returns false. */
  undoConsume(code: AuthorizationCode, holder: string): Promise<void>;
  /** Makes the consumption of a code permanent, so that no holder can restore it. Returns true if the code is consumed. */
  finalizeConsumption(hash: string): Promise<boolean>;
  /** Replaces the code's methods, session and expiry, and clears `requireMfa`. Exactly one concurrent caller gets true. */
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
  /** Consumes a code that was only a first factor. Exactly one of several concurrent callers gets true. */
  spend(hash: string, at: number): Promise<boolean>;
}

/** Validated parameters of a pushed authorization request (RFC 9126 §2.2). */
export interface PushedRequest {
  /** SHA-256 of the random part of the `request_uri`, base64url. */
  readonly hash: string;
  readonly clientId: string;
  /** Request parameters, encrypted with a key derived from the random part of the `request_uri`. */
  readonly parameters: string;
  readonly expiresAt: number;
}

export interface PushedRequests {
  put(request: PushedRequest): Promise<void>;
  /**
   * Assigns a pushed request to the first browser that presents it, in one conditional write. That browser may present it again
   * until `expiresAt`, for example on a reload. Returns undefined for another browser, a wrong client ID, or after expiry.
   */
  spend(
    request: Pick<PushedRequest, 'hash' | 'clientId'>,
    browserHash: string,
    at: number,
  ): Promise<PushedRequest | undefined>;
}

/** Initial state of a browser login. Unauthenticated callers can create it, so it proves nothing about the user. */
export interface LoginTransactionStart {
  /** SHA-256 of the login transaction's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie. No other browser can continue the login. Undefined until a browser has opened the login. */
  readonly browserHash?: string;
  /** Validated authorization request, which may contain an address. Encrypted with a key derived from the transaction's ID. */
  readonly request: string;
  /** ID of the session to which the login adds a factor. Undefined if the browser has no such session. */
  readonly joins?: string;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** Login in one browser, from its start until the authorization code is issued. */
export interface LoginTransaction extends LoginTransactionStart {
  /** Encrypted progress: current step, methods used and the identifier, which is also encrypted with the browser cookie. */
  readonly progress?: string;
  /** Number of times that `advance` has changed the login. */
  readonly version: number;
}

export interface LoginTransactions {
  /** Stores a new login. Returns false if its hash is already used by another login of the same request, or by `skip`. */
  put(start: LoginTransactionStart): Promise<boolean>;
  /**
   * Stores a login that a client prepares for its user, with progress. `bind` assigns it to the browser that opens it first.
   */
  prepare(login: Omit<LoginTransaction, 'version' | 'browserHash' | 'joins'>): Promise<void>;
  /**
   * Assigns a prepared login to a browser. If several browsers call concurrently, exactly one gets true. Returns false after
   * expiry, and for a login that a browser began itself.
   */
  bind(
    hash: string,
    browser: Required<Pick<LoginTransactionStart, 'browserHash' | 'request' | 'expiresAt'>>,
    at: number,
  ): Promise<boolean>;
  /** Reserves the hash until `expiresAt` for a request that needs no login. Only one concurrent `put` or `skip` succeeds. */
  skip(hash: string, expiresAt: number, at: number): Promise<boolean>;
  /** Finds a login. Returns undefined if it is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<LoginTransaction | undefined>;
  /**
   * Finds the tenant, application and start time of this browser's login, even if the login has ended. Only used to choose a
   * page.
   */
  findStart(
    hash: string,
    browserHash: string,
  ): Promise<Pick<LoginTransactionStart, 'tenantId' | 'applicationId' | 'startedAt'> | undefined>;
  /** Stores progress if `version` is unchanged and the login has not expired. Exactly one concurrent caller gets true. */
  advance(transaction: LoginTransaction, progress: string, at: number): Promise<boolean>;
  /** Ends the login. Exactly one of several concurrent callers gets true and may issue the code. */
  finish(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Reopens a login that this holder (a random token) finished. A delayed `finish` by the same holder then returns false. */
  reopen(transaction: LoginTransaction, holder: string): Promise<void>;
}

/** State of a login at a social provider, from the redirect to the provider until the provider's response. */
export interface UpstreamLogin {
  /** SHA-256 of the `state` that the provider returns, base64url. */
  readonly hash: string;
  readonly provider: ProviderName;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie. A response that arrives in another browser is rejected (RFC 9700 §4.7). */
  readonly browserHash: string;
  /** Nonce, PKCE code verifier and purpose of the login, encrypted with a key derived from the `state`. */
  readonly request: string;
  /**
   * Response that the provider posted (`form_post`), encrypted with a key derived from the `state`. It is stored until the
   * browser returns with its cookies.
   */
  readonly answer?: string;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface UpstreamLogins {
  put(login: UpstreamLogin): Promise<void>;
  /** Finds a login at a provider, even if it is consumed or expired, so that the page can explain the error. */
  find(hash: string): Promise<UpstreamLogin | undefined>;
  /** Stores the first response that a provider posts. Returns false for further responses, and after consumption or expiry. */
  storeResponse(hash: string, answer: string, at: number): Promise<boolean>;
  /** Consumes the login. Exactly one of several concurrent callers gets true. Returns false after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /**
   * Restores the login if this holder (a random token) consumed it. A delayed `consume` by the same holder then returns false.
   * `answer` replaces the stored response of the provider.
   */
  undoConsume(hash: string, holder: string, answer?: string): Promise<void>;
}

/** Link in a notice to a user. The link is never consumed, because the record of the change allows each action only once. */
export interface NoticeLink {
  /** SHA-256 of the secret in the link, base64url. */
  readonly hash: string;
  /**
   * User and change, encrypted with a key derived from the link's secret, because the link can outlive the erasure of the user.
   */
  readonly target: string;
  readonly expiresAt: number;
}

export interface NoticeLinks {
  put(link: NoticeLink): Promise<void>;
  /** Finds a link. Returns undefined if it is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<NoticeLink | undefined>;
  /** Changes the expiry of a link. Does nothing if the link no longer exists. */
  extend(hash: string, expiresAt: number): Promise<void>;
}

/** Values that may be used only once: the `jti` of client assertions (RFC 7523) and of DPoP proofs (RFC 9449). */
export interface ReplayGuard {
  /** Consumes a value. Returns true to the first caller, and false to every other caller until `expiresAt`. */
  spend(scope: string, id: string, expiresAt: number, at: number): Promise<boolean>;
}

/** Cached result of fetching a client metadata document. */
export interface CachedClientDocument {
  readonly redirectUris: readonly string[];
  readonly refreshes: boolean;
  /** Reason why the document was rejected. Absent if the document is valid. */
  readonly refusal?: string;
  readonly expiresAt: number;
}

export interface ClientDocuments {
  /** Finds a document by the SHA-256 of its URL, base64url. Returns undefined if it is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<CachedClientDocument | undefined>;
  put(hash: string, document: CachedClientDocument): Promise<void>;
}

/** Access tokens that were revoked before they expired (RFC 7009). */
export interface RevokedTokens {
  revoke(jti: string, expiresAt: number): Promise<void>;
  isRevoked(jti: string, at: number): Promise<boolean>;
}

/** Browsers from which a user has logged in recently. Their number is limited. */
export interface KnownDevices {
  /** Returns true if the user has recently logged in from this browser. */
  isKnown(userId: string, browserHash: string, at: number): Promise<boolean>;
  remember(userId: string, browserHash: string, at: number): Promise<void>;
}

/** Deleted applications whose codes may still be stored. The erasure of a user must also delete the user's codes there. */
export interface FormerApplications {
  /** Remembers a deleted application until `until` (epoch seconds), when all of its data is gone. */
  remember(tenantId: string, applicationId: string, until: number): Promise<void>;
  listOf(tenantId: string, at: number): Promise<readonly string[]>;
}

export interface KnownDeviceRecords {
  forgetAllOf(userId: string): Promise<void>;
}
