import type { ApprovalData } from './signing.ts';
import type { Begun } from './trust.ts';

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

/** Where one code lives, until the next one of its slot; see domain/one-time-code for how it is made. */
export interface OneTimeCodeKey {
  readonly applicationId: string;
  /** HMAC-SHA-256 of identifier type and value under the tenant's salt, base64url. */
  readonly identifierHash: string;
  /** A hosted login, a request ID or a client: who cannot name it neither replaces the code nor uses up its tries. */
  readonly slot: string;
}

/** Wrong codes in a row are counted for a person, and apart for each kind of asker; see domain/guesses. */
export interface GuessCounter {
  /** HMAC of the user, or of an address that no user has. */
  readonly person: string;
  readonly asker: string;
}

/** The user that a credential logs in. */
export interface Addressee {
  /**
   * `signUp`: the exchange makes the user, under this ID. `unknown`: may neither log in nor sign up, so nothing is sent and no
   * digits are right; the ID is a fresh one.
   */
  readonly kind: 'known' | 'signUp' | 'unknown';
  readonly userId: string;
}

/** A passcode on its way. `Device` is the one that asked for it. */
export interface StoredCode extends Device, Addressee, GuessCounter {
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
  readonly approvalData?: ApprovalData;
  /** The operations that take the code; its digits are wrong at all others. */
  readonly purpose: 'one-time' | 'code-based' | 'hosted';
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

/** The last code of a test user, for who may read it. It is worth nothing to others: the user has nothing that is real. */
export interface TestCode extends OneTimeCodeKey {
  readonly userId: string;
  readonly code: string;
  /** The MAC of the code in its slot, which says whether the code still is one. */
  readonly mac: string;
  readonly channel: StoredCode['channel'];
  readonly sentAt: number;
  readonly expiresAt: number;
}

export interface TestCodes {
  /** Replaces the one before. */
  put(code: TestCode): Promise<void>;
  /** Not when expired. */
  find(userId: string, at: number): Promise<TestCode | undefined>;
  forget(userId: string): Promise<void>;
}

/** Who tries: tries of other networks neither help nor hurt. */
export interface Guesser {
  /** Hash of a network; absent: all who can name the slot are one. */
  readonly network?: string | undefined;
  /** What was tried, under a secret that is not stored; absent: the same digits count again. */
  readonly tag?: string | undefined;
}

interface EarlierCodes {
  /** Of the slot, beside the newest: good as well, because nobody knows which of them has arrived. */
  readonly earlier: readonly StoredCode[];
}

export type TryOutcome =
  /** `triesLeft` 0: this was the last one, and unless it succeeds the lock has begun. */
  | ({ readonly counted: true; readonly triesLeft: number; readonly code: StoredCode } & EarlierCodes)
  | (EarlierCodes & {
      readonly counted: false;
      /**
       * `absent`: never sent, or revoked. `spent`: consumed, or out of tries for this guesser. `expired`: or not, where that was
       * asked for. `repeated`: the same digits were counted. `locked`: until `lockedUntil`, in epoch seconds.
       */
      readonly why: 'absent' | 'spent' | 'expired' | 'locked' | 'repeated';
      readonly lockedUntil?: number;
      readonly code?: StoredCode;
    });

export interface OneTimeCodes {
  /**
   * Stores the code in place of those before, and returns them as far as they were good until now, the newest first. Tries and
   * locks stay: who has failed before has that much fewer tries.
   */
  put(key: OneTimeCodeKey, code: StoredCode): Promise<readonly StoredCode[]>;
  /**
   * Counts one try as failed, before anything is compared, and tells what to compare with. Nothing is written when it is
   * refused. However many try at once, a guesser has at most `maxTries` between two locks, whatever was sent meanwhile; a
   * code that began a lock stays dead for its guesser. Not repeated after a time-out.
   */
  countTry(
    key: OneTimeCodeKey,
    guesser: Guesser & { readonly at: number; readonly expired?: boolean },
  ): Promise<TryOutcome>;
  /**
   * Takes one counted try back: the digits were right, the failure was elsewhere. Only while the code is `mac` and
   * unconsumed; ends the lock that this very try began.
   */
  refundTry(key: OneTimeCodeKey, mac: string, guesser: Guesser): Promise<void>;
  /**
   * Of many callers exactly one gets true. Only while the code is `mac`, unconsumed and unexpired, and only after a counted
   * try of this guesser; clears tries and locks of all. The caller's own try was counted, and its digits were right.
   */
  consume(
    key: OneTimeCodeKey,
    mac: string,
    guesser: Guesser & { readonly at: number; readonly holder?: string },
  ): Promise<boolean>;
  /**
   * Gives the code back, with tries and locks: only while it is `mac` and consumed by this holder (a random mark). A consume of
   * this holder that arrives later is refused.
   */
  giveBack(key: OneTimeCodeKey, mac: string, holder: string, at: number): Promise<void>;
  /** Whether the code of the slot still is `mac`, alive, and locked for no guesser. */
  isUsable(key: OneTimeCodeKey, mac: string, at: number): Promise<boolean>;
  /**
   * Puts these codes, the newest first, in place of the code if it still is `mac` and unconsumed; without any makes it unusable.
   * Tries and locks stay, one count for all codes.
   */
  restore(key: OneTimeCodeKey, mac: string, codes: readonly StoredCode[]): Promise<void>;
  /** Forgets codes, tries and locks of every slot: the user is gone, or an operator unlocks. */
  removeAllOf(applicationId: string, identifierHash: string): Promise<void>;
  /** The end of the last lock that holds in any slot of the identifier; undefined when none does. */
  lockedUntil(applicationId: string, identifierHash: string, at: number): Promise<number | undefined>;
}

export interface Guesses {
  /**
   * Counts one failure in a row and returns how many there are; undefined, and nothing written, when there are `max`. Of many
   * callers at most `max` are counted. Not repeated after a time-out.
   */
  count(counter: GuessCounter, max: number, at: number): Promise<number | undefined>;
  /** After right digits. False, and nothing is cleared, when there are `max`. */
  clearBelow(counter: GuessCounter, max: number): Promise<boolean>;
  clear(counter: GuessCounter): Promise<void>;
  /** Whether any counter of the person has `max`. */
  areFull(person: string, max: number): Promise<boolean>;
  /** Forgets all counters of the person. */
  clearAllOf(person: string): Promise<void>;
}

/** A magic link on its way. `Device` is the one that asked for it. */
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
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  /** Stores the link as it was, only while this holder (a random mark) has consumed it. Its later consume is refused. */
  giveBack(link: MagicLink, holder: string): Promise<void>;
  /** Makes the link unusable. */
  revoke(hash: string): Promise<void>;
}

/** `moved`: a session of the system that the user was imported from. The person has proven nothing here. */
export type AuthenticationMethod = 'eml' | 'eotp' | 'sms' | 'otp' | 'social' | 'webauthn' | 'moved';

/** A method that has proven the person, and what that is worth. */
export interface ProvenMethod {
  readonly method: AuthenticationMethod;
  readonly at: number;
  /** Epoch seconds at which the person authenticated at a provider, by its ID token. `at` is the time of its answer. */
  readonly authTime?: number;
  /** Where it logs in: `*` for the whole tenant, or the ID of one application. */
  readonly scope: string;
  /**
   * `proven`: a kind that the account has. `enrolled`: a kind that this login has made; it makes two factors with others, and binds
   * nothing. `verified`: it logs in, and makes no two factors with others. `vouched`: the word of a client. `quarantined`: it logs
   * in only beside another.
   */
  readonly worth: 'proven' | 'enrolled' | 'verified' | 'vouched' | 'quarantined';
}

/** A proven method with the credential that gave it, which may come to count by the rest of its login. */
export interface MethodUse extends ProvenMethod {
  /** Which one: `email`, `phoneNumber`, the ID of a passkey or key, the hash of an account at a provider; empty: none. */
  readonly credential: string;
}

/** What a rotation keeps to give its answer once more. */
export interface RotatedToken {
  readonly hash: string;
  /** When the tokens of its answer were issued, too. */
  readonly rotatedAt: number;
  /** Of the token itself. */
  readonly expiresAt: number;
  /** The successor, sealed under the token that was presented: only who held that one can read it. */
  readonly sealedSuccessor: string;
  /** Of the access token of its answer. */
  readonly jti: string;
  /** Absent: that of the family. */
  readonly scope?: string;
  /** The key of the access token. Absent: that of the family. */
  readonly dpopJkt?: string;
}

/** The chain of refresh tokens from one authentication; lives inside its session and dies with it. */
export interface RefreshFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly currentHash: string;
  readonly scope: string;
  readonly resource?: string;
  /** The consent that its tokens end with: of a client by document. */
  readonly consentId?: string;
  readonly organizationId?: string;
  readonly claims?: string;
  /** What the ID tokens of the family give, as the code of its login had it. */
  readonly idTokenClaims?: 'requested';
  readonly nonce?: string;
  /** RFC 9449 §5: the key that every refresh must prove. */
  readonly dpopJkt?: string;
  readonly authTime: number;
  /** What the login of the family rests on. The session may have got factors since, which another login proved. */
  readonly methods: readonly ProvenMethod[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The token before the current one: an honest client that lost the answer may present it again for a moment. */
  readonly previous?: RotatedToken;
  /** First issue + `max_refresh_rotate`: no token of the family outlives it. */
  readonly endsAt: number;
}

export interface Session extends Device, Begun {
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
  /** How far a use moves the idle end: a setting of the application that the session began at. */
  readonly idleSeconds: number;
  readonly endsAt: number;
  /** SHA-256 of the secret in the login cookie, where a browser holds this session. */
  readonly browserHash?: string;
  /** What that browser may use of `methods`: a backend has added the others. Absent: all. */
  readonly browserMethods?: readonly MethodUse[];
  readonly families: readonly RefreshFamily[];
  /** Other clients that it has given tokens to. */
  readonly otherClientIds?: readonly string[];
}

/** Of a session that was ended before its time. */
export interface EndedSession {
  readonly sessionId: string;
  readonly clientIds: readonly string[];
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
      /** After a first proof in it: the generation that it goes on with. */
      readonly generation?: number;
      /** A backend gave the methods: the browser that holds the session goes on with these, unless it has others already. */
      readonly leavesBrowser?: readonly MethodUse[];
      readonly family?: RefreshFamily;
      /** The client that gets tokens of the session, if another began it: it is told of its end, too. */
      readonly clientId?: string;
      readonly dropFamilies: readonly string[];
    },
  ): Promise<boolean>;
  /** Takes the session from the browser with this secret; its refresh families go on. Nothing for any other secret. */
  releaseBrowser(sessionId: string, browserHash: string): Promise<void>;
  /**
   * Replaces the presented refresh token by its successor: only while that is the current one of its family,
   * family and session alive and before both of their ends. Of many callers exactly one gets true. With `unusedHash` it
   * replaces the successor that the presented token has already: only while that is still unused.
   */
  rotate(
    sessionId: string,
    familyId: string,
    change: {
      readonly at: number;
      readonly nextHash: string;
      /** The token that was presented, by its `hash`. */
      readonly previous: RotatedToken;
      readonly unusedHash?: string;
      readonly familyExpiresAt: number;
      readonly sessionExpiresAt: number;
    },
  ): Promise<boolean>;
  /**
   * Keeps the presented refresh token, moves its end and that of the session, and forgets its predecessor: only while it is
   * the current one of its family, family and session alive and before both of their ends. All of many callers get true.
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
  /** True when this call ended a living family. One that does not exist yet can never begin. */
  endFamily(sessionId: string, familyId: string, at: number): Promise<boolean>;
  /** True when this call ended a living session; its refresh families end with it. */
  end(sessionId: string, at: number): Promise<boolean>;
  /** Ends it like `end`; one that does not exist yet can never begin. For a code that came twice. */
  forbid(sessionId: string, at: number): Promise<void>;
  listOf(userId: string, at: number): Promise<readonly Session[]>;
  /**
   * Those of the user that live, and those that have ended with clients that were not told of it yet. Forgets the oldest of
   * too many that are over, for good.
   */
  review(
    userId: string,
    at: number,
  ): Promise<{ readonly living: readonly Session[]; readonly untold: readonly EndedSession[] }>;
  /** Of an ended session; what it was held by goes now. */
  noteTold(sessionId: string, at: number): Promise<void>;
  /** Ends all of them but the one that is named; returns how many were alive. */
  endAllOf(userId: string, at: number, exceptSessionId?: string): Promise<number>;
  /** Leaves of all of them nothing but the mark that they cannot begin again, and the clients that are to be told. */
  eraseAllOf(userId: string, at: number): Promise<void>;
}
