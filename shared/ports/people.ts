import type { Page, PageRequest } from './directory.ts';

/** Personal data: users, the identifiers that lead to them, what belongs to them. Never cached. */

export type UserStatus = 'Pending' | 'Active' | 'Disabled';

export interface Address {
  /** As it was given, trimmed and in NFC. */
  readonly value: string;
  readonly verified: boolean;
}

export interface CustomIdentifier {
  readonly type: string;
  readonly value: string;
}

export interface UpstreamIdentity {
  readonly provider: string;
  readonly subject: string;
}

export interface User {
  readonly userId: string;
  readonly tenantId: string;
  readonly status: UserStatus;
  readonly email?: Address;
  readonly phoneNumber?: Address;
  readonly username?: string;
  readonly externalUserId?: string;
  readonly customIdentifiers: readonly CustomIdentifier[];
  readonly firstName?: string;
  readonly lastName?: string;
  readonly picture?: string;
  readonly language?: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly customAppData?: Readonly<Record<string, unknown>>;
  readonly identities: readonly UpstreamIdentity[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastAuthAt?: number;
  /** Keys of one-time codes that 100 consecutive failures switched off; a login by another method clears them. */
  readonly passcodesOff?: readonly string[];
}

/** A normalised identifier: `type` is email, phone_number, user_id, username or a custom type. */
export interface Identifier {
  readonly type: string;
  readonly value: string;
}

export interface Users {
  find(userId: string): Promise<User | undefined>;
  /**
   * Notes a login: `lastAuthAt`, Pending → Active, `verified` of the proven address only while it still is the user's,
   * `passcodesOff` emptied when `clearPasscodesOff`. One guarded write.
   * False when the user is gone or disabled by now: whoever logged in must not get tokens.
   */
  recordLogin(login: {
    readonly userId: string;
    readonly at: number;
    readonly proven?: { readonly attribute: 'email' | 'phoneNumber'; readonly value: string };
    readonly clearPasscodesOff?: boolean;
  }): Promise<boolean>;
  /** Notes that codes under this key are off for the user, until another method clears it. */
  switchPasscodesOff(userId: string, codeKey: string): Promise<void>;
}

export interface Identifiers {
  /** The user who claimed the identifier, if any. The caller checks that the user exists and still carries it. */
  find(tenantId: string, identifier: Identifier): Promise<string | undefined>;
}

export interface IdentifierClaim {
  readonly userId: string;
  readonly claimedAt: number;
}

export interface UserRecords {
  /** Refused (false) when the user exists. */
  put(user: User): Promise<boolean>;
  find(userId: string): Promise<User | undefined>;
  /** Refused (false) when the stored user is no longer `expected` (compared by a version inside the store) or gone. */
  replace(expected: User, next: User): Promise<boolean>;
  /** False when there was no such user. Removes the user item and everything filed under the user in `people`. */
  remove(userId: string): Promise<boolean>;
  list(tenantId: string, page: PageRequest): Promise<Page<User>>;
}

/**
 * Unique identifiers without transactions: claim, then fill. Of many callers exactly one claims an identifier.
 * A crash between claim and fill leaves a claim that nobody carries; it may be replaced 60 s later.
 * Times of claims are epoch seconds with milliseconds: two claims of one user on one identifier are told apart by them.
 */
export interface IdentifierClaims {
  /**
   * `new` when nobody held the identifier, `own` when this user did (the claim's time is now `at`: whoever saw the older
   * one can no longer replace or release it); otherwise the claim that stands in the way.
   */
  claim(
    tenantId: string,
    identifier: Identifier,
    userId: string,
    at: number,
  ): Promise<'new' | 'own' | IdentifierClaim>;
  /** Replaces exactly the claim that was seen; false when it has changed meanwhile. */
  takeOver(
    tenantId: string,
    identifier: Identifier,
    seen: IdentifierClaim,
    userId: string,
    at: number,
  ): Promise<boolean>;
  /** Gives the identifier up if this user still holds it by a claim made at `claimedUpTo` or before. */
  release(tenantId: string, identifier: Identifier, userId: string, claimedUpTo: number): Promise<void>;
}

export interface Membership {
  readonly organizationId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly roles: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Memberships {
  find(userId: string, organizationId: string): Promise<Membership | undefined>;
}

export interface MembershipRecords {
  /** Refused (false) when the user is a member already. */
  put(membership: Membership): Promise<boolean>;
  find(userId: string, organizationId: string): Promise<Membership | undefined>;
  /** Refused (false) when there is no such membership. */
  replace(membership: Membership): Promise<boolean>;
  remove(userId: string, organizationId: string): Promise<boolean>;
  listOfOrganization(organizationId: string, page: PageRequest): Promise<Page<Membership>>;
}
