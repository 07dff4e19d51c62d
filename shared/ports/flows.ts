import type { ApprovalData } from './signing.ts';

/**
 * Short-lived state: hashes of secrets and counters, never an address. Every verb that decides something is one
 * guarded write on one item; expiry is in each condition, DynamoDB's TTL only sweeps.
 */

export type CodeChannel = 'email' | 'sms' | 'direct';

/** The device of the person, as the backend describes it. */
export interface Device {
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

/** Where the codes of one identifier live; see domain/one-time-code for how it is made. */
export interface OneTimeCodeKey {
  readonly applicationId: string;
  /** HMAC-SHA-256 of identifier type and value under the tenant's salt, base64url. */
  readonly identifierHash: string;
}

/** Its device is the one that asked for the code. */
/** The user that a credential logs in. */
export interface Addressee {
  /**
   * `signUp`: the exchange makes the user, under this ID. `unknown`: may neither log in nor sign up, so nothing is sent and no
   * digits are right; the ID is a fresh one.
   */
  readonly kind: 'known' | 'signUp' | 'unknown';
  readonly userId: string;
}

export interface StoredCode extends Device, Addressee {
  /** The table must not tell who is a user: a code that was not sent is kept as `known`. */
  readonly kind: 'known' | 'signUp';
  /** KMS MAC over application, identifier and passcode, base64url. */
  readonly mac: string;
  readonly clientId: string;
  readonly channel: CodeChannel;
  /** Hash of the address the code went to, when that was the user's own address at that time. */
  readonly deliveredToHash?: string;
  /** Hash of the number that the caller named in its place. It verifies nothing, but may be the user's own. */
  readonly alternativeHash?: string;
  readonly requestIdHash?: string;
  readonly approvalData?: ApprovalData;
  /** The operations that take the code; its digits are wrong at all others. Absent: the one-time operations. */
  readonly purpose?: 'one-time' | 'code-based' | 'hosted';
  /** The beginning of the number that got the code by SMS. */
  readonly smsPrefix?: string;
  /** What the operation needs again when the digits come back, as JSON. */
  readonly request?: string;
  /** Failed tries until the lock, and its length: the settings of the channel when the code was sent. */
  readonly maxTries: number;
  readonly lockSeconds: number;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface OneTimeCodeState {
  /** Consecutive failures since the last success, across codes and locks. */
  readonly failures: number;
  /** End of the last lock, perhaps past: until then everything is refused, also codes sent meanwhile. */
  readonly lockedUntil?: number;
  /**
   * The last code, perhaps expired or consumed. Absent when there is none, when it was revoked, and when the try that
   * began a lock has invalidated it.
   */
  readonly code?: StoredCode;
}

export interface CountedTry {
  /** Tries left before the lock; 0: this was the last one, and unless it succeeds the lock has begun. */
  readonly triesLeft: number;
  readonly failures: number;
  readonly code: StoredCode;
}

export interface TryGuard {
  readonly at: number;
  readonly maxFailures: number;
  /** Counts although the code has expired, and only then. */
  readonly expired?: boolean;
}

export interface OneTimeCodes {
  /**
   * Stores the code in place of the one before. Failures and a running lock stay. Tries that failed since the last success
   * or lock count against the new code, but leave it one; a code put during or after a lock has all its tries at its end.
   */
  put(key: OneTimeCodeKey, code: StoredCode): Promise<void>;
  /** Strongly consistent. */
  find(key: OneTimeCodeKey): Promise<OneTimeCodeState | undefined>;
  /**
   * Counts one try as failed, before anything is compared. Undefined, and nothing written, when there is no live code
   * (absent, consumed, invalidated, expired unless `expired`), during a lock, or when `maxFailures` is reached. However
   * many call at once, at most `maxTries` are counted between two locks. Not repeated after a time-out.
   */
  countTry(key: OneTimeCodeKey, guard: TryGuard): Promise<CountedTry | undefined>;
  /**
   * Takes one counted try back: the digits were right, the failure was elsewhere. Only while the code is `mac` and
   * unconsumed; ends the lock that this very try began.
   */
  refundTry(key: OneTimeCodeKey, mac: string): Promise<void>;
  /**
   * Of many callers exactly one gets true. Only while the code is `mac`, unconsumed and unexpired, and only after a counted
   * try; clears failures, tries and lock. The caller's own try was counted, and its digits were right.
   */
  consume(key: OneTimeCodeKey, mac: string, at: number): Promise<boolean>;
  /** Makes the code unusable if it still is `mac`; failures and lock stay. */
  revoke(key: OneTimeCodeKey, mac: string): Promise<void>;
  /** Forgets code, failures and lock: the user is gone, or the operator or another login method cleared the failures. */
  remove(key: OneTimeCodeKey): Promise<void>;
}

/** Its device is the one that asked for the link. */
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
  /** Opening shows a "Continue" page instead of redirecting at once. */
  readonly interstitial?: boolean;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly consumedAt?: number;
}

export interface MagicLinks {
  put(link: MagicLink): Promise<void>;
  find(hash: string): Promise<MagicLink | undefined>;
  /** Of many callers exactly one gets true; never after `expiresAt`. */
  consume(hash: string, at: number): Promise<boolean>;
  /** Makes the link unusable. */
  revoke(hash: string): Promise<void>;
}

export type AuthenticationMethod = 'eml' | 'eotp' | 'sms' | 'otp' | 'social' | 'webauthn';

export interface MethodUse {
  readonly method: AuthenticationMethod;
  readonly at: number;
  /** The only application where the proof counts, because its client could make it. Absent: the whole tenant. */
  readonly goodAt?: string;
  /**
   * Logs the user in, but makes no two factors with others: an address that was unproven until then, a device key that one
   * other kind has bound. The holder of the one could have brought the other (NIST SP 800-63B-4 §4.1.2.1).
   */
  readonly alone?: boolean;
}

/** What a rotation keeps to give its answer once more. */
export interface RotatedToken {
  readonly hash: string;
  readonly rotatedAt: number;
  /** The successor, sealed under the token that was presented: only who held that one can read it. */
  readonly sealedSuccessor: string;
  /** `jti`, `iat` and `exp` of the tokens that were issued with it, as JSON. */
  readonly reissue: string;
}

/** The chain of refresh tokens from one authentication; lives inside its session and dies with it. */
export interface RefreshFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly currentHash: string;
  readonly scope: string;
  readonly resource?: string;
  readonly organizationId?: string;
  readonly claims?: string;
  readonly nonce?: string;
  /** RFC 9449 §5: the key that every refresh must prove. */
  readonly dpopJkt?: string;
  readonly authTime: number;
  /** What the login of the family rests on; absent in families from before this was kept. */
  readonly methods?: readonly MethodUse[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The token before the current one: an honest client that lost the answer may present it again for a moment. */
  readonly previous?: RotatedToken;
  /** First issue + `max_refresh_rotate`: no token of the family outlives it. */
  readonly endsAt: number;
}

export interface Session extends Device {
  /** `<userId>.<random>`: erasing a user finds it. */
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  /** The last use of each method, oldest first. */
  readonly methods: readonly MethodUse[];
  /** Begun by the first of two factors: until the second one joins it is no login. */
  readonly awaitsSecondFactor?: boolean;
  readonly startedAt: number;
  /** Idle end; each token issue moves it, never past `endsAt`. */
  readonly expiresAt: number;
  /** How far a use moves the idle end: set by the application that the session began at; absent: the service's own. */
  readonly idleSeconds?: number;
  readonly endsAt: number;
  /** SHA-256 of the secret in the login cookie, where a browser holds this session. */
  readonly browserHash?: string;
  /** What that browser may use of `methods`: a backend has added the others. Absent: all. */
  readonly browserMethods?: readonly MethodUse[];
  readonly families: readonly RefreshFamily[];
}

export interface Sessions {
  /** False when the session was ended before it began: a code that came twice. */
  start(session: Session): Promise<boolean>;
  /** Undefined when unknown, ended or expired at `at`. */
  find(sessionId: string, at: number): Promise<Session | undefined>;
  /**
   * Adds methods and, if given, a family to a living session and moves its idle end; drops the families named. False when
   * the session has ended meanwhile, or the family was ended before it began. With `browser` the secret of the browser is
   * replaced as well: only while it is the one that was read, so of many callers with it exactly one gets true.
   */
  join(
    sessionId: string,
    change: {
      readonly at: number;
      readonly expiresAt: number;
      readonly methods: readonly MethodUse[];
      /** The browser that holds the session gave the methods; `methods` here is all that it may use then. */
      readonly browser?: {
        readonly formerHash: string;
        readonly nextHash: string;
        readonly methods: readonly MethodUse[];
      };
      /** A backend gave the methods: the browser that holds the session goes on with these, unless it has others already. */
      readonly leavesBrowser?: readonly MethodUse[];
      readonly family?: RefreshFamily;
      readonly dropFamilies: readonly string[];
    },
  ): Promise<boolean>;
  /** Takes the session from the browser with this secret; its refresh families go on. Nothing for any other secret. */
  releaseBrowser(sessionId: string, browserHash: string, at: number): Promise<void>;
  /**
   * Replaces the presented refresh token by its successor: only while that is the current one of its family,
   * family and session alive and before both of their ends. Of many callers exactly one gets true.
   */
  rotate(
    sessionId: string,
    familyId: string,
    change: {
      readonly at: number;
      readonly nextHash: string;
      /** Its `hash` is that of the presented token. */
      readonly previous: RotatedToken;
      readonly familyExpiresAt: number;
      readonly sessionExpiresAt: number;
    },
  ): Promise<boolean>;
  /** True when this call ended a living family. One that does not exist yet can never begin. */
  endFamily(sessionId: string, familyId: string, at: number): Promise<boolean>;
  /** True when this call ended a living session; its refresh families end with it. */
  end(sessionId: string, at: number): Promise<boolean>;
  /** Ends it like `end`; one that does not exist yet can never begin. For a code that came twice. */
  forbid(sessionId: string, at: number): Promise<void>;
  listOf(userId: string, at: number): Promise<readonly Session[]>;
  /** Ends all of them but the one that is named; returns how many were alive. */
  endAllOf(userId: string, at: number, exceptSessionId?: string): Promise<number>;
  /** Leaves of all of them, also of those long over, nothing but the mark that they cannot begin again. */
  eraseAllOf(userId: string, at: number): Promise<void>;
}
