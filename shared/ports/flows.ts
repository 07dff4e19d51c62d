import type { ChannelMethod, CodeChannel } from '../records/channels.ts';
import type { ApprovalData, BoundToDevice, SessionBindings } from './signing.ts';
import type { GenerationBound } from './trust.ts';

// Short-lived state: hashes of secrets and counters, never an address. Every method that decides something is one conditional
// write on one item. The condition includes the expiry; DynamoDB's TTL only deletes old items.

/** User's device, as the backend describes it. */
export interface Device {
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

/** Key of a stored passcode. A new passcode in the same slot replaces it; see domain/credentials/one-time-code.ts. */
export interface OneTimeCodeKey {
  readonly applicationId: string;
  /** HMAC-SHA-256 of identifier type and value with the tenant's salt as the key, base64url. */
  readonly identifierHash: string;
  /** Login, `request_id` or client that the code was sent for. Only requests with the same slot can replace or try the code. */
  readonly slot: string;
}

/** Key of a counter of a user's consecutive wrong codes, one per type of caller (domain/credentials/guesses.ts). */
export interface GuessCounter {
  /** HMAC of the user, or of an address that belongs to no user. */
  readonly userHash: string;
  readonly callerType: string;
}

/** User that a code logs in. */
export interface CodeUser {
  /**
   * State of the account. `signUp`: the exchange of the code creates the user with this ID. `unknown`: the identifier can
   * neither log in nor sign up, so the ID is random, nothing is sent and no code is accepted.
   */
  readonly kind: 'known' | 'signUp' | 'unknown';
  readonly userId: string;
}

/** Stored passcode. The fields of `Device` describe the device that requested the code. */
export interface StoredCode extends Device, CodeUser, GuessCounter {
  /** State of the user. A code that was not sent is stored as `known`, so that the table does not reveal who is a user. */
  readonly kind: 'known' | 'signUp';
  /** MAC of application, identifier and passcode, computed by KMS, base64url. */
  readonly mac: string;
  readonly clientId: string;
  readonly channel: CodeChannel;
  /** Hash of the address to which the code was sent, if it was the user's own address at that time. */
  readonly deliveredToHash?: string;
  /** Hash of the phone number that the caller chose as recipient. A correct code does not verify this number as the user's. */
  readonly alternativeHash?: string;
  readonly approvalData?: ApprovalData;
  /** Group of operations that accept the code. All other operations treat it as a wrong code. */
  readonly purpose: 'one-time' | 'code-based' | 'hosted';
  /** Prefix of the phone number to which the code was sent by SMS. */
  readonly smsPrefix?: string;
  /** Data for the operation that later receives the code, as JSON. */
  readonly request?: string;
  /** Number of failed attempts that cause a lock: the setting of the channel when the code was sent. */
  readonly maxTries: number;
  readonly lockSeconds: number;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

/** Last passcode of a test user, for callers who may read it. Test users have no real data that an attacker could get. */
export interface TestCode extends OneTimeCodeKey {
  readonly userId: string;
  readonly code: string;
  /** MAC of the test code, as stored with the code itself. It is used to check that the code is still valid. */
  readonly mac: string;
  readonly channel: StoredCode['channel'];
  readonly sentAt: number;
  readonly expiresAt: number;
}

export interface TestCodes {
  /** Replaces the user's previous test code. */
  put(code: TestCode): Promise<void>;
  /** Finds a test code. Returns undefined if it is unknown or has expired at `at`. */
  find(userId: string, at: number): Promise<TestCode | undefined>;
  forget(userId: string): Promise<void>;
}

/** Caller who tries a passcode. Attempts from other networks are counted separately. */
export interface CodeCaller {
  /** Hash of the caller's network. If undefined, all callers who know the passcode's slot share one count of attempts. */
  readonly network?: string | undefined;
  /** Keyed hash of the entered digits. The same wrong digits count as one attempt; without this hash, they count every time. */
  readonly tag?: string | undefined;
}

interface EarlierCodes {
  /** Earlier codes under the same key that are still valid, because the message with the newest code may not have arrived. */
  readonly earlier: readonly StoredCode[];
}

export type AttemptOutcome =
  /** Counted attempt. If `attemptsLeft` is 0, it was the caller's last: codes are now locked, unless this code is correct. */
  | ({ readonly counted: true; readonly attemptsLeft: number; readonly code: StoredCode } & EarlierCodes)
  | (EarlierCodes & {
      readonly counted: false;
      /**
       * Reason why the attempt was not counted. `absent`: no code was sent, or it was revoked. `spent`: the code was consumed,
       * or this caller has no attempts left. `expired`: the code has expired, or it is still valid but the caller asked for
       * expired codes only. `repeated`: the same digits were already counted. `locked`: the codes are locked until
       * `lockedUntil`, in epoch seconds.
       */
      readonly why: 'absent' | 'spent' | 'expired' | 'locked' | 'repeated';
      readonly lockedUntil?: number;
      readonly code?: StoredCode;
    });

/** Lock of an identifier's codes in one application. */
export interface CodeLock {
  readonly applicationId: string;
  /** End of the lock in epoch seconds. */
  readonly until: number;
  /** Number of wrong codes that caused the lock. */
  readonly tries: number;
}

export interface OneTimeCodes {
  /** Stores a new code. Returns the earlier codes that are still valid, newest first. Failed attempts and locks are kept. */
  put(key: OneTimeCodeKey, code: StoredCode): Promise<readonly StoredCode[]>;
  /**
   * Counts an attempt as failed before the code is compared, and returns the stored codes. Writes nothing if the attempt is
   * rejected. Even with concurrent requests and new codes, a caller gets at most `maxTries` attempts between two locks. A code
   * that caused a lock stays invalid for that caller. Does not retry after a time-out.
   */
  countAttempt(
    key: OneTimeCodeKey,
    caller: CodeCaller & { readonly at: number; readonly expired?: boolean },
  ): Promise<AttemptOutcome>;
  /**
   * Reverts a counted attempt if the code was correct but something else failed, and ends the lock that the attempt caused.
   * Works only while the code stored under `key` has this MAC and is not consumed.
   */
  refundAttempt(key: OneTimeCodeKey, mac: string, caller: CodeCaller): Promise<void>;
  /**
   * Consumes a correct code whose attempt was already counted, and clears attempts and locks of all callers. Exactly one of
   * several concurrent callers gets true, and only while the code stored under `key` has this MAC and is neither consumed nor
   * expired.
   */
  consume(
    key: OneTimeCodeKey,
    mac: string,
    caller: CodeCaller & { readonly at: number; readonly holder?: string },
  ): Promise<boolean>;
  /**
   * Restores the code, its attempts and its locks if the code stored under `key` has this MAC and this holder (a random token)
   * consumed it. A delayed `consume` by the same holder then returns false.
   */
  undoConsume(key: OneTimeCodeKey, mac: string, holder: string, at: number): Promise<void>;
  /** Returns true if the code stored under `key` still has this MAC, is valid and is not locked for any caller. */
  isUsable(key: OneTimeCodeKey, mac: string, at: number): Promise<boolean>;
  /**
   * Replaces the code stored under `key` by the given earlier codes (newest first), if it has this MAC and is not consumed. If
   * no earlier codes are given, invalidates the code. Attempts and locks stay, and all codes share one attempt count.
   */
  restore(key: OneTimeCodeKey, mac: string, codes: readonly StoredCode[]): Promise<void>;
  /** Deletes an identifier's codes, attempts and locks in all applications, for an erasure or an unlock by an operator. */
  removeAllOf(identifierHash: string): Promise<void>;
  /** Lists the current locks of an identifier in all slots of all applications. */
  locksOf(identifierHash: string, at: number): Promise<readonly CodeLock[]>;
}

export interface WrongCodeCounters {
  /**
   * Counts a failure and returns the number of consecutive failures. Returns undefined and writes nothing if `max` is already
   * reached. Of several concurrent callers, at most `max` are counted. Does not retry after a time-out.
   */
  count(counter: GuessCounter, max: number, at: number): Promise<number | undefined>;
  /** Clears the counter after a correct code. If the counter has reached `max`, returns false and does not clear it. */
  clearBelow(counter: GuessCounter, max: number): Promise<boolean>;
  clear(counter: GuessCounter): Promise<void>;
  /** Returns true if any counter of the user or address has reached `max`. */
  areFull(person: string, max: number): Promise<boolean>;
  /** Deletes all failure counters of the user or address. */
  clearAllOf(person: string): Promise<void>;
}

/** Stored magic link. The fields of `Device` describe the device that requested the link. */
export interface MagicLink extends Device {
  /** SHA-256 of the link code, base64url. */
  readonly hash: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
  readonly requestIdHash?: string;
  readonly deliveredToHash?: string;
  readonly channel: 'email' | 'direct';
  /** True if opening the link shows a "Continue" page instead of redirecting immediately. */
  readonly interstitial?: boolean;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface MagicLinks {
  put(link: MagicLink): Promise<void>;
  find(hash: string): Promise<MagicLink | undefined>;
  /** Consumes the link. Exactly one of several concurrent callers gets true. Returns false after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the link if this holder (a random token) consumed it. A delayed `consume` of the holder then returns false. */
  undoConsume(link: MagicLink, holder: string): Promise<void>;
  /** Makes the link unusable. */
  revoke(hash: string): Promise<void>;
}

/** Login method. `moved`: a client exchanged a session of the user's previous system; the user has not logged in here. */
export type AuthenticationMethod = ChannelMethod | 'otp' | 'social' | 'webauthn' | 'moved';

/** Method with which the user authenticated, with the strength of its proof. */
export interface ProvenMethod {
  readonly method: AuthenticationMethod;
  readonly at: number;
  /** Epoch seconds at which the user authenticated at the provider. `at` is the time of the provider's response. */
  readonly authTime?: number;
  /** Applications in which the method can log in: `*` for the whole tenant, otherwise the ID of one application. */
  readonly scope: string;
  /**
   * Strength of the proof. `proven`: a factor of the account. `enrolled`: a factor created in this login; it is counted as a
   * second factor but cannot add credentials. `verified`: sufficient to log in, but not counted as one of two factors.
   * `vouched`: only a client's statement. `quarantined`: insufficient, can log in only together with another factor.
   */
  readonly worth: 'proven' | 'enrolled' | 'verified' | 'vouched' | 'quarantined';
}

/** Proven method with its credential. Later steps of the login may make the credential a factor of the account. */
export interface MethodUse extends ProvenMethod {
  /** Used credential, if any: `email`, `phoneNumber`, ID of a passkey or key, or hash of an identity provider account. */
  readonly credential: string;
}

/** Previous refresh token, with the data needed to repeat the response of its rotation. */
export interface RotatedToken {
  readonly hash: string;
  /** Time of the rotation in epoch seconds, at which the tokens of its response were issued. */
  readonly rotatedAt: number;
  /** Expiry of the rotated token itself in epoch seconds. */
  readonly expiresAt: number;
  /** Successor token, encrypted with a key derived from the rotated token, so that only a holder of that token can read it. */
  readonly sealedSuccessor: string;
  /** `jti` of the access token that the rotation issued. */
  readonly jti: string;
  /** Scope of the response to the rotation. Undefined means the scope of the refresh family. */
  readonly scope?: string;
  /** JWK thumbprint of the access token's DPoP key. Undefined means the key of the refresh family. */
  readonly dpopJkt?: string;
}

/** Chain of refresh tokens (refresh family) from one login. It is stored in the login's session and ends with that session. */
export interface RefreshFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly currentHash: string;
  readonly scope: string;
  readonly resource?: string;
  /** ID of the user's consent to a client with a metadata document. If the consent ends, the tokens are no longer valid. */
  readonly consentId?: string;
  readonly organizationId?: string;
  readonly claims?: string;
  /** Set to `requested` if ID tokens contain only the requested claims. It is copied from the authorization code. */
  readonly idTokenClaims?: 'requested';
  readonly nonce?: string;
  /** Thumbprint of the key that every refresh must prove (RFC 9449 §5). */
  readonly dpopJkt?: string;
  readonly authTime: number;
  /** Methods on which this refresh family's login is based. The session may later have gained factors from other logins. */
  readonly methods: readonly ProvenMethod[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Previous refresh token. An honest client that lost the response may present it again for a short time. */
  readonly previous?: RotatedToken;
  /** Latest possible `expiresAt`, in epoch seconds: the time of the first token plus `max_refresh_rotate`. */
  readonly endsAt: number;
}

export interface Session extends Device, GenerationBound, BoundToDevice {
  /** ID of the session, in the form `<userId>.<random>`, so that erasing a user finds the user's sessions. */
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** Last use of each login method, oldest first. */
  readonly methods: readonly MethodUse[];
  /** True if the first of two factors started the session. Until the second factor joins it, the session is not a login. */
  readonly awaitsSecondFactor?: boolean;
  readonly startedAt: number;
  /** Epoch seconds at which the session ends if unused. Each issue of tokens postpones this, but never past `endsAt`. */
  readonly expiresAt: number;
  /** Idle timeout in seconds, which each use restarts. It is set by the application that started the session. */
  readonly idleSeconds: number;
  readonly endsAt: number;
  /** SHA-256 of the secret in the login cookie. Undefined if no browser holds this session. */
  readonly browserHash?: string;
  /** Proofs that the session's browser may use. Set if a backend has added other proofs. Undefined means all proofs. */
  readonly browserMethods?: readonly MethodUse[];
  readonly families: readonly RefreshFamily[];
  /** Clients that got tokens in the session, except the client that started it. */
  readonly otherClientIds?: readonly string[];
}

/** Session that was ended before it expired. */
export interface EndedSession {
  readonly sessionId: string;
  readonly clientIds: readonly string[];
}

export interface Sessions extends SessionBindings {
  /** Starts a session. Returns false if `forbid` has ended it before it started, which happens when a code is used twice. */
  start(session: Session): Promise<boolean>;
  /** Finds a session. Returns undefined if it is unknown, has ended or has expired at `at`. */
  find(sessionId: string, at: number): Promise<Session | undefined>;
  /**
   * Adds methods and, if given, a refresh family to an active session. Restarts its idle timeout and removes `dropFamilies`.
   * With `browser`, also replaces the browser's secret; exactly one of the concurrent callers that read the old secret gets
   * true. Returns false if the session has ended, or if the family was ended before it began.
   */
  join(
    sessionId: string,
    change: {
      readonly at: number;
      readonly expiresAt: number;
      readonly methods: readonly MethodUse[];
      /** Set if the new proofs came from the session's own browser, which may then use only the proofs in `methods`. */
      readonly browser?: {
        readonly formerHash: string;
        readonly nextHash: string;
        readonly methods: readonly MethodUse[];
      };
      /** New credential generation of the session, set if the user first verified an address in the session. */
      readonly generation?: number;
      /** Methods that the session's browser may still use when a backend adds others. Ignored if `browserMethods` exists. */
      readonly initialBrowserMethods?: readonly MethodUse[];
      readonly family?: RefreshFamily;
      /** Client that gets tokens, if another client started the session. This client is also notified when the session ends. */
      readonly clientId?: string;
      readonly dropFamilies: readonly string[];
    },
  ): Promise<boolean>;
  /** Detaches the session from the browser with this secret. The refresh families stay. A wrong secret changes nothing. */
  releaseBrowser(sessionId: string, browserHash: string): Promise<void>;
  /**
   * Replaces the current refresh token of an active family and session by its successor. Exactly one of several concurrent
   * callers gets true. With `unusedHash`, replaces an earlier successor that is still unused.
   */
  rotate(
    sessionId: string,
    familyId: string,
    change: {
      readonly at: number;
      readonly nextHash: string;
      /** Token that was presented, identified by its `hash`. */
      readonly previous: RotatedToken;
      readonly unusedHash?: string;
      readonly familyExpiresAt: number;
      readonly sessionExpiresAt: number;
    },
  ): Promise<boolean>;
  /**
   * Keeps the current refresh token of an active family and session. Postpones the end of the token and of the session, and
   * removes the previous token. All concurrent callers get true.
   */
  renew(
    sessionId: string,
    familyId: string,
    change: {
      readonly at: number;
      readonly presentedHash: string;
      readonly familyExpiresAt: number;
      readonly sessionExpiresAt: number;
    },
  ): Promise<boolean>;
  /** Revokes a refresh family. Returns true if it was active. A family that does not exist yet can then never start. */
  endFamily(sessionId: string, familyId: string, at: number): Promise<boolean>;
  /** Ends a session with its refresh families. Returns true if it was active. */
  end(sessionId: string, at: number): Promise<boolean>;
  /** Ends a session like `end`, even before it has started, so that it can never start. Used when a code is presented twice. */
  forbid(sessionId: string, at: number): Promise<void>;
  listOf(userId: string, at: number): Promise<readonly Session[]>;
  /** Returns the user's active sessions, and ended ones whose clients must be notified. Deletes ended ones above a limit. */
  review(
    userId: string,
    at: number,
  ): Promise<{ readonly active: readonly Session[]; readonly unnotified: readonly EndedSession[] }>;
  /** Records that the clients of an ended session were notified, and deletes the list of these clients. */
  markClientsNotified(sessionId: string, at: number): Promise<void>;
  /** Ends all sessions of the user except the given one. Returns the number of sessions that were active. */
  endAllOf(userId: string, at: number, exceptSessionId?: string): Promise<number>;
  /** Erases the user's sessions, except the data that prevents them from starting again and the list of clients to notify. */
  eraseAllOf(userId: string, at: number): Promise<void>;
}
