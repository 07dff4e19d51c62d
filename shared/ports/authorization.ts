// State of the redirect flows: short-lived records that contain only hashes of secrets. Each decision is one conditional write.
import type { MethodUse } from './flows.ts';
import type { ProviderName } from './providers.ts';
import type { ApprovalData } from './signing.ts';
import type { GenerationBound } from './trust.ts';

/** Authorization code and everything that its exchange needs, for all flows that issue codes. */
export interface AuthorizationCode extends GenerationBound {
  /** SHA-256 of the code, base64url. */
  readonly hash: string;
  /** Flow that issued the code: `oidc` is `/oidc/auth`, `browser` is section B of SPEC.md, `code-based` is section C. */
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
  /** ID of the user's consent, for clients that are identified by a metadata document. The tokens end with the consent. */
  readonly consentId?: string;
  /** The `claims` request parameter (OpenID Connect Core §5.5) as JSON. */
  readonly claims?: string;
  /** `requested`: ID tokens contain only the claims that `scope` and `claims` ask for. Absent: they contain all claims. */
  readonly idTokenClaims?: 'requested';
  readonly organizationId?: string;
  readonly dpopJkt?: string;
  readonly approvalData?: ApprovalData;
  /** ID of the user, or the ID that a new user will get at the exchange. */
  readonly userId: string;
  /** Identifier of the user that the exchange creates, encrypted under the code itself. */
  readonly sealedSignUp?: string;
  /** Public evidence that a passkey approved `approvalData`, encrypted under the code itself. */
  readonly sealedArtifacts?: string;
  readonly methods: readonly MethodUse[];
  readonly authTime: number;
  readonly deliveredToHash?: string;
  /** Description of the user's device from the caller, stored in the session that the exchange starts. */
  readonly userAgent?: string;
  readonly ipAddress?: string;
  /** True if two factors are required and only one was used. The code cannot be exchanged until `upgrade` clears the flag. */
  readonly requireMfa?: boolean;
  /** ID of the session that the exchange joins, or starts if `startsSession` is true. It is chosen when the code is issued. */
  readonly sessionId: string;
  readonly startsSession: boolean;
  readonly familyId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

/** User of a code and the session that its exchange starts. */
export type CodeOwner = Pick<AuthorizationCode, 'userId' | 'sessionId'>;

export interface AuthorizationCodes {
  put(code: AuthorizationCode): Promise<void>;
  find(hash: string): Promise<AuthorizationCode | undefined>;
  /** Consumes the code. Exactly one of several concurrent callers gets true; none after expiry or while `requireMfa` is set. */
  consume(hash: string, at: number, instead?: CodeOwner, holder?: string): Promise<boolean>;
  /** Restores the code if this holder (a random mark) consumed it. A delayed `consume` of the same holder is then refused. */
  giveBack(code: AuthorizationCode, holder: string): Promise<void>;
  /** Makes the consumption of a code permanent, so that no holder can give it back. Returns true if the code is consumed. */
  keepConsumed(hash: string): Promise<boolean>;
  /** Replaces methods, session and expiry and clears `requireMfa`. Exactly one of several concurrent callers gets true. */
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
  /** Uses up a code that was only a first factor. Exactly one of several concurrent callers gets true. */
  spend(hash: string, at: number): Promise<boolean>;
}

/** Validated parameters of a pushed authorization request (RFC 9126 §2.2). */
export interface PushedRequest {
  /** SHA-256 of the random part of the `request_uri`, base64url. */
  readonly hash: string;
  readonly clientId: string;
  /** Request parameters, encrypted under the random part of the `request_uri`. */
  readonly parameters: string;
  readonly expiresAt: number;
}

export interface PushedRequests {
  put(request: PushedRequest): Promise<void>;
  /**
   * Spends a pushed request for one browser. The first browser that asks gets it and may ask again until `expiresAt`, for
   * example on a reload. Another browser, a wrong client ID or a late call gets undefined and spends nothing. One conditional
   * write.
   */
  spend(
    request: Pick<PushedRequest, 'hash' | 'clientId'>,
    browserHash: string,
    at: number,
  ): Promise<PushedRequest | undefined>;
}

/** Initial state of a browser login. It proves nothing yet, because functions that anyone can call write it. */
export interface LoginTransactionStart {
  /** SHA-256 of the transaction's ID, base64url. */
  readonly hash: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie; no other browser can continue the login. Absent: no browser has opened the login yet. */
  readonly browserHash?: string;
  /** Validated authorization request, encrypted under the transaction's ID because it may contain an address. */
  readonly request: string;
  /** ID of the session that a factor will be added to, if the browser holds that session. */
  readonly joins?: string;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** Login in one browser, from its start to the authorization code. */
export interface LoginTransaction extends LoginTransactionStart {
  /** Encrypted progress: current step, methods used, and the identifier, which is also encrypted under the browser cookie. */
  readonly progress?: string;
  /** Number of times that `advance` has changed the login. */
  readonly version: number;
}

export interface LoginTransactions {
  /** Stores a new login. Returns false if its hash is already taken, by a login that the same request began or by `skip`. */
  put(start: LoginTransactionStart): Promise<boolean>;
  /** Stores a login that a client prepares for its user, with progress. The first browser to open it takes it with `bind`. */
  prepare(login: Omit<LoginTransaction, 'version' | 'browserHash' | 'joins'>): Promise<void>;
  /**
   * Assigns a prepared login to a browser. Exactly one of several concurrent browsers gets true. Never succeeds after expiry or
   * for a login that a browser began itself.
   */
  bind(
    hash: string,
    browser: Required<Pick<LoginTransactionStart, 'browserHash' | 'request' | 'expiresAt'>>,
    at: number,
  ): Promise<boolean>;
  /** Reserves the hash until `expiresAt` for a request that needs no login. Only one concurrent `put` or `skip` succeeds. */
  skip(hash: string, expiresAt: number, at: number): Promise<boolean>;
  /** Returns undefined if the login is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<LoginTransaction | undefined>;
  /** Finds where and when a login began, even if it has ended, for the browser that began it. Used only to show a page. */
  findStart(
    hash: string,
    browserHash: string,
  ): Promise<Pick<LoginTransactionStart, 'tenantId' | 'applicationId' | 'startedAt'> | undefined>;
  /** Stores progress if `version` is unchanged and the login has not expired. Exactly one concurrent caller gets true. */
  advance(transaction: LoginTransaction, progress: string, at: number): Promise<boolean>;
  /** Ends the login. Exactly one of several concurrent callers gets true and may issue the code. */
  finish(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Reopens a finished login if this holder (a random mark) finished it. A delayed `finish` of the holder is then refused. */
  reopen(transaction: LoginTransaction, holder: string): Promise<void>;
}

/** State of a login at a social provider, from the redirect of the browser to the provider's answer. */
export interface UpstreamLogin {
  /** SHA-256 of the `state` that the provider returns, base64url. */
  readonly hash: string;
  readonly provider: ProviderName;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** SHA-256 of the browser cookie. An answer that arrives in another browser is rejected (RFC 9700 §4.7). */
  readonly browserHash: string;
  /** Nonce, PKCE code verifier and purpose of the login, encrypted under the `state`. */
  readonly request: string;
  /** Answer that the provider posted (`form_post`), encrypted under `state`, until the browser returns with its cookies. */
  readonly answer?: string;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface UpstreamLogins {
  put(login: UpstreamLogin): Promise<void>;
  /** Also finds consumed and expired logins, so that the browser that began one gets a suitable message. */
  find(hash: string): Promise<UpstreamLogin | undefined>;
  /** Stores the first answer that a provider posts. Returns false for any further answer, and after consumption or expiry. */
  keepAnswer(hash: string, answer: string, at: number): Promise<boolean>;
  /** Consumes the login. Exactly one of several concurrent callers gets true. Never succeeds after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /**
   * Makes the login usable again, but only if this holder consumed it. A delayed `consume` of the same holder is refused.
   * `answer` replaces the stored answer of the provider.
   */
  giveBack(hash: string, holder: string, answer?: string): Promise<void>;
}

/** Link in a notice. It is never consumed: the record that the link changes guards the change. */
export interface NoticeLink {
  /** SHA-256 of the secret in the link, base64url. */
  readonly hash: string;
  /** User and change, encrypted under the link's secret because the link can outlive the erasure of the user. */
  readonly target: string;
  readonly expiresAt: number;
}

export interface NoticeLinks {
  put(link: NoticeLink): Promise<void>;
  /** Returns undefined if the link is unknown or has expired at `at`. */
  find(hash: string, at: number): Promise<NoticeLink | undefined>;
  /** Sets a new expiry for a link. Does nothing if the link no longer exists. */
  extend(hash: string, expiresAt: number): Promise<void>;
}

/** Single-use values that must not be replayed: `jti` of client assertions (RFC 7523) and of DPoP proofs (RFC 9449). */
export interface ReplayGuard {
  /** Returns true for the first caller and false for every other one until `expiresAt`. */
  spend(scope: string, id: string, expiresAt: number, at: number): Promise<boolean>;
}

/** Cached result of fetching a client metadata document. */
export interface CachedClientDocument {
  readonly redirectUris: readonly string[];
  readonly refreshes: boolean;
  /** Reason why the document is not accepted as a client. */
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
  /** Returns false if the last login from this browser is too long ago. */
  isKnown(userId: string, browserHash: string, at: number): Promise<boolean>;
  remember(userId: string, browserHash: string, at: number): Promise<void>;
}

/** Deleted applications whose codes may still be stored. Erasing a user must find these codes too. */
export interface FormerApplications {
  /** Remembers a deleted application until `until` (epoch seconds), when none of its data is left. */
  remember(tenantId: string, applicationId: string, until: number): Promise<void>;
  listOf(tenantId: string, at: number): Promise<readonly string[]>;
}

export interface KnownDeviceRecords {
  forgetAllOf(userId: string): Promise<void>;
}
