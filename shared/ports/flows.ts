import type { ChannelMethod, CodeChannel } from '../records/channels.ts';
import type { ApprovalData } from './signing.ts';
import type { GenerationBound } from './trust.ts';

// Short-lived state: hashes of secrets and counters, never an address. Every method that decides something is one conditional
// write on one item. Expiry is part of each condition; DynamoDB's TTL only cleans up.

/** User's device, as the backend describes it. */
export interface Device {
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

/** Key of the item that stores one passcode until the next code of its slot replaces it. See domain/one-time-code. */
export interface OneTimeCodeKey {
  readonly applicationId: string;
  /** HMAC-SHA-256 of identifier type and value under the tenant's salt, base64url. */
  readonly identifierHash: string;
  /** Hosted login, request ID or client of the code. Callers who do not know it cannot replace the code or use up its tries. */
  readonly slot: string;
}

/** Counter of consecutive wrong codes for a user, separate for each type of caller (see domain/guesses). */
export interface GuessCounter {
  /** HMAC of the user, or of an address that belongs to no user. */
  readonly userHash: string;
  readonly callerType: string;
}

/** User that a credential logs in. */
export interface CodeUser {
  /**
   * `signUp`: the exchange creates the user under this ID. `unknown`: the identifier may neither log in nor sign up, so nothing
   * is sent, no code is correct and the ID is random.
   */
  readonly kind: 'known' | 'signUp' | 'unknown';
  readonly userId: string;
}

/** Stored passcode. The fields of `Device` describe the device that requested it. */
export interface StoredCode extends Device, CodeUser, GuessCounter {
  /** State of the user. A code that was not sent is stored as `known`, so that the table does not reveal who is a user. */
  readonly kind: 'known' | 'signUp';
  /** MAC by KMS over application, identifier and passcode, base64url. */
  readonly mac: string;
  readonly clientId: string;
  readonly channel: CodeChannel;
  /** Hash of the address that the code was sent to, if it was the user's own address at that time. */
  readonly deliveredToHash?: string;
  /** Hash of the phone number that the caller named instead. It verifies nothing, but may be the user's own number. */
  readonly alternativeHash?: string;
  readonly approvalData?: ApprovalData;
  /** Group of operations that accept the code. The code is wrong at all others. */
  readonly purpose: 'one-time' | 'code-based' | 'hosted';
  /** Prefix of the phone number that got the code by SMS. */
  readonly smsPrefix?: string;
  /** Data that the operation needs when the code comes back, as JSON. */
  readonly request?: string;
  /** Number of failed tries that cause a lock: the setting of the channel when the code was sent. */
  readonly maxTries: number;
  readonly lockSeconds: number;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

/** Last passcode of a test user, for callers who may read it. It is useless to an attacker: test users have no real data. */
export interface TestCode extends OneTimeCodeKey {
  readonly userId: string;
  readonly code: string;
  /** MAC of the code in its slot, used to check that the code is still valid. */
  readonly mac: string;
  readonly channel: StoredCode['channel'];
  readonly sentAt: number;
  readonly expiresAt: number;
}

export interface TestCodes {
  /** Replaces the user's previous test code. */
  put(code: TestCode): Promise<void>;
  /** Returns undefined if the code is unknown or has expired at `at`. */
  find(userId: string, at: number): Promise<TestCode | undefined>;
  forget(userId: string): Promise<void>;
}

/** Caller who tries a passcode. Tries from other networks neither use up this caller's tries nor add to them. */
export interface CodeCaller {
  /** Hash of the caller's network. Absent: all callers who know the slot share one count. */
  readonly network?: string | undefined;
  /** Hash of the tried code under a secret that is not stored, to detect repeated digits. Absent: repeated digits count. */
  readonly tag?: string | undefined;
}

interface EarlierCodes {
  /** Earlier codes of the slot that are still accepted, because we cannot know which of the messages has arrived. */
  readonly earlier: readonly StoredCode[];
}

export type TryOutcome =
  /** Counted try. If `triesLeft` is 0, this was the last try, and the lock has begun unless the code is correct. */
  | ({ readonly counted: true; readonly triesLeft: number; readonly code: StoredCode } & EarlierCodes)
  | (EarlierCodes & {
      readonly counted: false;
      /**
       * Reason why the try was not counted. `absent`: no code was sent, or it was revoked. `spent`: consumed, or this caller
       * has no tries left. `expired`: expired, or still valid if the caller asked for expired codes only. `repeated`: the same
       * digits were already counted. `locked`: until `lockedUntil`, in epoch seconds.
       */
      readonly why: 'absent' | 'spent' | 'expired' | 'locked' | 'repeated';
      readonly lockedUntil?: number;
      readonly code?: StoredCode;
    });

/** A lock of an identifier's codes in one application. */
export interface CodeLock {
  readonly applicationId: string;
  /** Epoch seconds. */
  readonly until: number;
}

export interface OneTimeCodes {
  /** Stores a new code and returns the earlier ones that are still valid, newest first. Failed tries and locks are kept. */
  put(key: OneTimeCodeKey, code: StoredCode): Promise<readonly StoredCode[]>;
  /**
   * Counts a try as failed before the code is compared, and returns the stored codes. Writes nothing if the try is refused.
   * Under concurrency a caller gets at most `maxTries` between two locks, even if new codes are sent; a code that caused a lock
   * stays invalid for that caller. Not retried after a time-out.
   */
  countTry(
    key: OneTimeCodeKey,
    guesser: CodeCaller & { readonly at: number; readonly expired?: boolean },
  ): Promise<TryOutcome>;
  /**
   * Takes back a counted try if the code was correct and something else failed, and ends the lock that the try caused. Works
   * only while the slot's code has this MAC and is not consumed.
   */
  refundTry(key: OneTimeCodeKey, mac: string, guesser: CodeCaller): Promise<void>;
  /**
   * Consumes a correct code whose try was counted before, and clears tries and locks of all callers. Exactly one of several
   * concurrent callers gets true, and only while the slot's code has this MAC, is unconsumed and not expired.
   */
  consume(
    key: OneTimeCodeKey,
    mac: string,
    guesser: CodeCaller & { readonly at: number; readonly holder?: string },
  ): Promise<boolean>;
  /**
   * Restores the code, its tries and its locks, but only if the slot's code has this MAC and this holder (a random mark)
   * consumed it. A delayed `consume` of the same holder is then refused.
   */
  giveBack(key: OneTimeCodeKey, mac: string, holder: string, at: number): Promise<void>;
  /** Returns true if the slot's code still has this MAC, is valid and is locked for no caller. */
  isUsable(key: OneTimeCodeKey, mac: string, at: number): Promise<boolean>;
  /**
   * Replaces the slot's code by these earlier codes (newest first) if it still has this MAC and is unconsumed. Without earlier
   * codes, invalidates it. Tries and locks stay, as one count for all codes.
   */
  restore(key: OneTimeCodeKey, mac: string, codes: readonly StoredCode[]): Promise<void>;
  /** Deletes codes, tries and locks of an identifier in all applications, for an erasure or an unlock by an operator. */
  removeAllOf(identifierHash: string): Promise<void>;
  /** Lists the current locks in all slots of an identifier, in every application. */
  locksOf(identifierHash: string, at: number): Promise<readonly CodeLock[]>;
}

export interface WrongCodeCounters {
  /**
   * Counts a failure and returns the number of consecutive failures. Returns undefined and writes nothing if `max` is reached.
   * Of concurrent callers at most `max` are counted. Not retried after a time-out.
   */
  count(counter: GuessCounter, max: number, at: number): Promise<number | undefined>;
  /** Clears the counter after a correct code. Returns false and clears nothing if the counter has reached `max`. */
  clearBelow(counter: GuessCounter, max: number): Promise<boolean>;
  clear(counter: GuessCounter): Promise<void>;
  /** Returns true if any counter of the user has reached `max`. */
  areFull(person: string, max: number): Promise<boolean>;
  /** Deletes all failure counters of the user. */
  clearAllOf(person: string): Promise<void>;
}

/** Stored magic link. The fields of `Device` describe the device that requested it. */
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
  /** True if opening the link shows a "Continue" page instead of redirecting at once. */
  readonly interstitial?: boolean;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface MagicLinks {
  put(link: MagicLink): Promise<void>;
  find(hash: string): Promise<MagicLink | undefined>;
  /** Consumes the link. Exactly one of several concurrent callers gets true. Never succeeds after `expiresAt`. */
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Restores the link if this holder (a random mark) consumed it. A delayed `consume` of the same holder is then refused. */
  giveBack(link: MagicLink, holder: string): Promise<void>;
  /** Makes the link unusable. */
  revoke(hash: string): Promise<void>;
}

/** Login method. `moved` is a session of the system that the user was imported from; the user has proven nothing here. */
export type AuthenticationMethod = ChannelMethod | 'otp' | 'social' | 'webauthn' | 'moved';

/** Method with which the user has authenticated, and what it is worth. */
export interface ProvenMethod {
  readonly method: AuthenticationMethod;
  readonly at: number;
  /** Epoch seconds at which the user authenticated at the provider, from its ID token. `at` is the time of its answer. */
  readonly authTime?: number;
  /** Applications in which the method can log in: `*` for the whole tenant, otherwise the ID of one application. */
  readonly scope: string;
  /**
   * Worth of the proof. `proven`: a factor of the account. `enrolled`: a factor made in this login; it counts for two factors
   * but cannot add credentials. `verified`: logs in, but does not count for two factors. `vouched`: a client's word.
   * `quarantined`: insufficient, logs in only together with another factor.
   */
  readonly worth: 'proven' | 'enrolled' | 'verified' | 'vouched' | 'quarantined';
}

/** Proven method with its credential, which may become a factor through the rest of its login. */
export interface MethodUse extends ProvenMethod {
  /**
   * Credential: `email`, `phoneNumber`, the ID of a passkey or key, or the hash of a provider account. Empty: none was used.
   */
  readonly credential: string;
}

/** Previous refresh token with the data needed to repeat the answer of its rotation. */
export interface RotatedToken {
  readonly hash: string;
  /** Epoch seconds of the rotation, when the tokens of its answer were issued. */
  readonly rotatedAt: number;
  /** Epoch seconds at which the rotated token itself expires. */
  readonly expiresAt: number;
  /** Successor token, encrypted under the rotated token, so that only a holder of that token can read it. */
  readonly sealedSuccessor: string;
  /** `jti` of the access token that the rotation issued. */
  readonly jti: string;
  /** Scope of the answer to the rotation. Absent: the scope of the family. */
  readonly scope?: string;
  /** JWK thumbprint of the access token's DPoP key. Absent: the key of the family. */
  readonly dpopJkt?: string;
}

/** Chain of refresh tokens from one login. It is stored in its session and ends with it. */
export interface RefreshFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly currentHash: string;
  readonly scope: string;
  readonly resource?: string;
  /** ID of the user's consent, for clients that are identified by a metadata document. The tokens end with the consent. */
  readonly consentId?: string;
  readonly organizationId?: string;
  readonly claims?: string;
  /** `requested`: ID tokens contain only the claims that were asked for. Copied from the authorization code. */
  readonly idTokenClaims?: 'requested';
  readonly nonce?: string;
  /** Key that every refresh must prove (RFC 9449 §5). */
  readonly dpopJkt?: string;
  readonly authTime: number;
  /** Methods that this family's login is based on. The session may have gained factors since, from other logins. */
  readonly methods: readonly ProvenMethod[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Previous token. An honest client that lost the answer may present it again for a short time. */
  readonly previous?: RotatedToken;
  /** Epoch seconds after which no token of the family is valid: time of the first token plus `max_refresh_rotate`. */
  readonly endsAt: number;
}

export interface Session extends Device, GenerationBound {
  /** ID of the form `<userId>.<random>`, so that erasing a user finds the user's sessions. */
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** Last use of each login method, oldest first. */
  readonly methods: readonly MethodUse[];
  /** True if the session was started by the first of two factors. It is no login until the second factor joins it. */
  readonly awaitsSecondFactor?: boolean;
  readonly startedAt: number;
  /** Epoch seconds at which the idle session ends. Each issue of tokens postpones it, never past `endsAt`. */
  readonly expiresAt: number;
  /** Seconds by which a use postpones the end of the idle session: a setting of the application that started it. */
  readonly idleSeconds: number;
  readonly endsAt: number;
  /** SHA-256 of the secret in the login cookie, if a browser holds this session. */
  readonly browserHash?: string;
  /** Methods that this browser may use, if a backend has added others to `methods`. Absent: all of them. */
  readonly browserMethods?: readonly MethodUse[];
  readonly families: readonly RefreshFamily[];
  /** Clients that got tokens of the session, other than the one that started it. */
  readonly otherClientIds?: readonly string[];
}

/** Session that was ended before it expired. */
export interface EndedSession {
  readonly sessionId: string;
  readonly clientIds: readonly string[];
}

export interface Sessions {
  /** Starts a session. Returns false if the session was ended before it began, which happens when a code is used twice. */
  start(session: Session): Promise<boolean>;
  /** Returns undefined if the session is unknown, has ended or has expired at `at`. */
  find(sessionId: string, at: number): Promise<Session | undefined>;
  /**
   * Adds methods and, if given, a refresh family to a living session, postpones its idle end and removes `dropFamilies`.
   * Returns false if the session has ended, or the family was ended before it began. `browser` also replaces the browser's
   * secret if it is unchanged since it was read: exactly one of several concurrent callers gets true.
   */
  join(
    sessionId: string,
    change: {
      readonly at: number;
      readonly expiresAt: number;
      readonly methods: readonly MethodUse[];
      /** Set if the methods come from the browser that holds the session. `methods` are all that this browser may then use. */
      readonly browser?: {
        readonly formerHash: string;
        readonly nextHash: string;
        readonly methods: readonly MethodUse[];
      };
      /** Generation of the session from now on, set when a first proof in the session has started a new generation. */
      readonly generation?: number;
      /** Methods that the session's browser keeps when a backend adds others. Ignored if the browser has its own list. */
      readonly leavesBrowser?: readonly MethodUse[];
      readonly family?: RefreshFamily;
      /** Client that gets tokens, if another client started the session. It is notified when the session ends, too. */
      readonly clientId?: string;
      readonly dropFamilies: readonly string[];
    },
  ): Promise<boolean>;
  /** Detaches the session from the browser with this secret; its refresh families stay. Any other secret changes nothing. */
  releaseBrowser(sessionId: string, browserHash: string): Promise<void>;
  /**
   * Replaces the presented refresh token by its successor, while it is the family's current token and family and session live.
   * Exactly one of several concurrent callers gets true. `unusedHash` instead replaces a successor issued before, while unused.
   */
  rotate(
    sessionId: string,
    familyId: string,
    change: {
      readonly at: number;
      readonly nextHash: string;
      /** Presented token, identified by its `hash`. */
      readonly previous: RotatedToken;
      readonly unusedHash?: string;
      readonly familyExpiresAt: number;
      readonly sessionExpiresAt: number;
    },
  ): Promise<boolean>;
  /**
   * Keeps the presented refresh token, postpones its end and that of its session, and drops its predecessor. Works only while
   * it is the current token of its family and neither family nor session has ended. All concurrent callers get true.
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
  /** Ends a refresh family and returns true if it was alive. A family that does not exist yet can never begin. */
  endFamily(sessionId: string, familyId: string, at: number): Promise<boolean>;
  /** Ends a session with its refresh families and returns true if it was alive. */
  end(sessionId: string, at: number): Promise<boolean>;
  /** Ends a session like `end`. If it does not exist yet, it can never begin. Used when a code is presented twice. */
  forbid(sessionId: string, at: number): Promise<void>;
  listOf(userId: string, at: number): Promise<readonly Session[]>;
  /** Returns living sessions, and ended ones whose clients must still be notified. Deletes ended sessions above a limit. */
  review(
    userId: string,
    at: number,
  ): Promise<{ readonly living: readonly Session[]; readonly untold: readonly EndedSession[] }>;
  /** Records that the clients of an ended session were notified, and deletes their list. */
  noteTold(sessionId: string, at: number): Promise<void>;
  /** Ends all sessions of the user except the given one, and returns how many of them were alive. */
  endAllOf(userId: string, at: number, exceptSessionId?: string): Promise<number>;
  /** Reduces all sessions of the user to the mark that they cannot begin again and the clients that must be notified. */
  eraseAllOf(userId: string, at: number): Promise<void>;
}
