// Personal data: users, their identifiers and what belongs to them. Never cached.
import type { Given, Made, Shown, Stored } from '../records/field.ts';
import type { memberFields } from '../records/organization.ts';
import type { nameFields } from '../records/profile.ts';
import type {
  accountFields,
  customIdentifierFields,
  erasureFields,
  externalIdFields,
  userFields,
  waitFields,
} from '../records/user.ts';
import type { Page, PageRequest } from './directory.ts';
import type { Generations, Trust } from './trust.ts';

export interface Address extends Trust {
  /** As it was given, trimmed and in NFC. */
  readonly value: string;
  /** Nothing is sent there any more. Gone when the address is given again, or proven. */
  readonly undeliverable?: Undeliverable;
  /** Of a phone number. Nothing is texted there, and no code that was counts. Gone with the number, or when it is cleared. */
  readonly risk?: PhoneRisk;
  /** When a claimed address that an operator below admin has set logs in by itself, epoch seconds; see `isWithheld`. */
  readonly opensAt?: number;
}

export type PhoneSignal = 'sim_swap' | 'number_ported' | 'device_swap' | 'other';

/** A reported sign that another person may hold the number (NIST SP 800-63B-4 §3.1.3.3). */
export interface PhoneRisk {
  readonly signal: PhoneSignal;
  /** A code of the reporter. */
  readonly reason?: string;
  readonly observedAt: number;
  readonly reportedAt: number;
}

/** A mail came back for good, or its reader called it spam. */
export interface Undeliverable {
  readonly reason: 'bounce' | 'complaint';
  readonly since: number;
}

export interface CustomIdentifier extends Stored<typeof customIdentifierFields> {}

export interface UpstreamAccount extends Stored<typeof accountFields> {}

export interface ExternalId extends Stored<typeof externalIdFields> {}

export interface UpstreamIdentity extends UpstreamAccount, Trust {}

export interface User extends Stored<typeof userFields>, Stored<typeof nameFields> {
  readonly email?: Address;
  readonly phoneNumber?: Address;
  readonly identities: readonly UpstreamIdentity[];
  /** Who has guessed wrong since the last login, see `guesses.ts`. */
  readonly wrongGuesses?: readonly string[];
  /** What the user has given up lately: erasing forgets the codes of these too. */
  readonly formerIdentifiers?: readonly FormerIdentifier[];
  /** Changes of what logs in that can be undone or are to be told, the oldest first. */
  readonly changes: readonly Change[];
  readonly generations: Generations;
}

/** What a provider may know of a person. */
export interface Profile extends Pick<User, 'firstName' | 'lastName' | 'picture' | 'language'> {}

/** A person as a provider has logged them in. */
export interface UpstreamProfile extends Profile {
  readonly subject: string;
  readonly email?: string;
  /** The provider's word on the address. Undefined: it says nothing. */
  readonly emailVerified?: boolean;
  /** Epoch seconds at which the person authenticated at the provider: `auth_time` of its ID token. */
  readonly authTime?: number;
}

/** What a request says of addresses that a user has or gets. */
export interface AddressFields {
  readonly email?: string | null | undefined;
  readonly phone_number?: string | null | undefined;
  /** The caller has proven the address, or the number. */
  readonly email_verified?: boolean | undefined;
  readonly phone_number_verified?: boolean | undefined;
}

/** What a request says of a user; null removes. */
export interface UserFields extends Given<typeof userFields>, AddressFields {
  readonly name?: Given<typeof nameFields> | null | undefined;
  readonly external_user_id?: string | null | undefined;
  readonly external_application?: string | undefined;
  readonly status?: 'Active' | 'Disabled' | undefined;
}

export interface Wait extends Stored<typeof waitFields> {}
export interface Erasure extends Stored<typeof erasureFields> {}

/** A change of what logs in. Undoing it undoes those after it, too. */
export interface Change {
  readonly changeId: string;
  readonly changedAt: number;
  /** From then on it is forgotten. */
  readonly until: number;
  /** Which generations counted before it. */
  readonly counting: readonly number[];
  /** What undoes it: the link alone, or with another kind of before (`kind`), because it took two. `none`: it was an undo itself. */
  readonly undoneBy: 'link' | 'kind' | 'none';
  /** From then on the link alone undoes one of `kind`, because its owner has asked and waited. */
  readonly linkFrom: number;
  /** An operator below admin has made it: every address is notified. */
  readonly isByOperator?: boolean;
  readonly what: ChangedAddress | RemovedPasskey | EnrolledFactor;
}

export interface ChangedAddress {
  readonly attribute: 'email' | 'phoneNumber';
  /** Absent: there was none. */
  readonly former?: Address;
}

export interface RemovedPasskey {
  readonly attribute: 'passkey';
  readonly credentialId: string;
}

/** A second factor that a login by one has made: a passkey, or a number, whose own change follows. */
export interface EnrolledFactor {
  readonly attribute: 'factor';
  /** Of a passkey. */
  readonly credentialId?: string;
  /** Of a number: the one before, which may be the same. */
  readonly former?: Address;
}

export interface FormerIdentifier {
  /** HMAC under the tenant's salt; see domain/identifier-hash. */
  readonly hash: string;
  /** From then on nothing is kept under it. */
  readonly until: number;
}

/** A normalised identifier: `type` is email, phone_number, user_id, username or a custom type. */
export interface Identifier {
  readonly type: string;
  readonly value: string;
}

export interface ProvenAddress {
  readonly attribute: 'email' | 'phoneNumber';
  readonly value: string;
}

export interface NotedProof extends ProvenAddress {
  /** What the address is from now on; absent: as before. */
  readonly trust?: Trust | undefined;
  /** The proof shuts out what was there before. */
  readonly handover?: Generations | undefined;
}

export interface Users {
  find(userId: string): Promise<User | undefined>;
  /**
   * Notes a login: `lastAuthAt`, Pending → Active, the application, `wrongGuesses` without those given and, only while it still
   * is the user's, what the proven address is from now on. One guarded write. False when the user is gone, disabled or to be
   * erased by now, the proven number is at risk, or the generations no longer are those that were read: the login must not get
   * tokens.
   */
  recordLogin(login: {
    readonly userId: string;
    readonly at: number;
    /** The user's generations as they were read. */
    readonly generations: Generations;
    readonly proven?: NotedProof | undefined;
    /** Added, while fewer than two are noted. */
    readonly application?: string | undefined;
    readonly wrongGuesses?: readonly string[] | undefined;
  }): Promise<boolean>;
  /** Notes a proof without a login. False when the address is no longer the user's, or the generations are others by now. */
  noteProof(user: Pick<User, 'userId' | 'generations'>, proven: NotedProof): Promise<boolean>;
  /**
   * Notes that mail to the address cannot be delivered, if it still is the user's; the first note stays. False when it is
   * not.
   */
  markUndeliverable(userId: string, address: string, mark: Undeliverable): Promise<boolean>;
  /** Notes that this asker has guessed wrong, until a login. */
  noteWrongGuess(userId: string, asker: string): Promise<void>;
}

/** The exchange of a session of another system, see `moved` of the methods of a login. */
export interface Moves {
  /**
   * Notes the exchange: of many callers exactly one gets true, once for a user. False also when the user has logged in here, is
   * gone, disabled or to be erased by now, or has other generations. `holder` is a random mark.
   */
  take(user: Pick<User, 'userId' | 'generations'>, at: number, holder: string): Promise<boolean>;
  /** Takes the note of this holder back. */
  giveBack(userId: string, holder: string): Promise<void>;
}

export interface Identifiers {
  /** The user who reserved the identifier, if any. The caller checks that the user exists and still has it. */
  find(tenantId: string, identifier: Identifier): Promise<string | undefined>;
}

export interface IdentifierReservation {
  readonly userId: string;
  readonly reservedAt: number;
}

/** What a search found a user by. */
export type FoundBy =
  | 'user_id'
  | 'session_id'
  | 'email'
  | 'phone_number'
  | 'username'
  | 'external_user_id'
  | 'name';

export interface FoundUser {
  readonly user: User;
  readonly by: FoundBy;
}

export interface UserRecords {
  /** Refused (false) when the user exists. */
  put(user: User): Promise<boolean>;
  find(userId: string): Promise<User | undefined>;
  /** Refused (false) when the stored user is no longer `expected` (compared by a version inside the store) or gone. */
  replace(expected: User, next: User): Promise<boolean>;
  /** False when there was no such user. Removes the user item and everything filed under the user in `people`. */
  remove(userId: string): Promise<boolean>;
  /** A page of the tenant's users, as every list of records; see `RecordStore`. */
  list(tenantId: string, page: PageRequest, keep?: (user: User) => boolean): Promise<Page<User>>;
  /**
   * A page of the users whose email address, username, external ID or name begins so, whatever case and accents, by the alphabet.
   * One may come twice, by two of these. Eventually consistent: the caller checks that it still is what was asked for.
   */
  listByBeginning(tenantId: string, beginning: string, page: PageRequest): Promise<Page<FoundUser>>;
}

/**
 * Unique identifiers without transactions: reserve, then fill. Of many callers exactly one reserves an identifier.
 * A crash between the two leaves an orphaned reservation; it may be replaced 60 s later.
 * Times are epoch seconds with milliseconds: they tell two reservations of one identifier by one user apart.
 */
export interface IdentifierReservations {
  /**
   * `new` when the identifier was free, `own` when this user held it (the reservation's time is now `at`: a caller that saw
   * the older one can no longer replace or release it); otherwise the reservation in the way.
   */
  reserve(
    tenantId: string,
    identifier: Identifier,
    userId: string,
    at: number,
  ): Promise<'new' | 'own' | IdentifierReservation>;
  /** Replaces exactly the reservation that was seen; false when it has changed meanwhile. */
  takeOver(
    tenantId: string,
    identifier: Identifier,
    seen: IdentifierReservation,
    next: IdentifierReservation,
  ): Promise<boolean>;
  /** Gives the identifier up if this user still holds it, reserved at `reservedUpTo` or before. */
  release(tenantId: string, identifier: Identifier, userId: string, reservedUpTo: number): Promise<void>;
  /** Gives up all that the user holds, also what a crash has orphaned. Found by a list: see there. */
  releaseAllOf(userId: string): Promise<void>;
}

export interface Membership extends Stored<typeof memberFields> {}
/** A membership as operators see it. */
export interface MemberRecord extends Shown<typeof memberFields> {}
export interface NewMemberFields extends Made<typeof memberFields> {}
export interface MemberFields extends Given<typeof memberFields> {}

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
  listOfUser(userId: string): Promise<readonly Membership[]>;
}

/** A public key credential of a user (WebAuthn L3 §4), bound to the RP ID that it was made for. */
export interface Passkey extends Trust {
  /** base64url, as the authenticator gave it. */
  readonly credentialId: string;
  readonly userId: string;
  readonly tenantId: string;
  /** Where it was registered. */
  readonly applicationId: string;
  readonly rpId: string;
  /** COSE_Key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  /**
   * Whether it may ever leave its device, and whether it is backed up now (WebAuthn L3 §6.1.3). The first is undefined where the
   * system that it was imported from did not say so, until it logs in.
   */
  readonly backupEligible?: boolean;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  readonly aaguid: string;
  readonly name?: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** Of one that was begun before its user was known, base64url. Absent: that of the user. */
  readonly userHandle?: string;
}

/** Passkeys in a login. */
export interface Passkeys {
  /** The owner of a credential ID; `find` tells whether the passkey still exists. */
  findOwner(credentialId: string): Promise<string | undefined>;
  /** Not one that was removed, unless it is among the `restorable` credential IDs: so with `listOf`. */
  find(userId: string, credentialId: string, restorable?: readonly string[]): Promise<Passkey | undefined>;
  listOf(userId: string, restorable?: readonly string[]): Promise<readonly Passkey[]>;
  /**
   * Notes a login. False when the passkey is gone, or its counter did not rise, unless neither counts (WebAuthn L3 §6.1.1):
   * of many challenges with one count above zero exactly one gets true, however often it comes. Its consume decides which.
   */
  recordUse(use: {
    readonly userId: string;
    readonly credentialId: string;
    readonly signCount: number;
    readonly backupEligible: boolean;
    readonly backedUp: boolean;
    readonly at: number;
    /** Hash of the challenge that was signed. */
    readonly challenge: string;
    /** A removed passkey is taken too: its use undoes the removal. */
    readonly mayBeRemoved?: boolean;
  }): Promise<boolean>;
  /** Sets the trust of a passkey. Nothing happens when the passkey is gone. */
  settle(userId: string, credentialId: string, trust: Trust): Promise<void>;
}

/** Passkeys in registration and administration. A credential ID is one user's: reserve, then fill. */
export interface PasskeyRecords {
  listOf(userId: string): Promise<readonly Passkey[]>;
  /**
   * True when the credential ID is now this user's; of many users exactly one gets it. `heldUntil`: of a sign-up or an
   * import, which may end without a user (epoch seconds). The next call without it keeps it for this user for good.
   */
  reserve(credentialId: string, userId: string, at: number, heldUntil?: number): Promise<boolean>;
  /** Refused (false) when the user has this passkey already. */
  put(passkey: Passkey): Promise<boolean>;
  /** The passkey with its new name; undefined when there is none. */
  rename(userId: string, credentialId: string, name: string): Promise<Passkey | undefined>;
  /** Removes a passkey, which can be restored until `until` (epoch seconds). False when there is none. */
  remove(userId: string, credentialId: string, until: number): Promise<boolean>;
  /** Forgets all of a user, those that were removed, too. */
  forgetAllOf(userId: string): Promise<void>;
  /** Undoes `remove`. Nothing happens when the passkey is gone for good. */
  restore(userId: string, credentialId: string): Promise<void>;
}

/** Who holds what a new user would be known by, for imports. */
export interface Holders {
  /**
   * The users who have reserved the identifiers, and then the credential IDs, in their order; undefined: none. Strongly consistent,
   * in one call for each hundred. The caller checks that a user exists and still has it.
   */
  find(
    tenantId: string,
    identifiers: readonly Identifier[],
    credentialIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
}

/** A public key of an application on a user's device, which signs approvals. */
export interface DeviceKey extends Trust {
  readonly keyId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly algorithm: 'ecdsa' | 'rsa-pss';
  /** DER SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string;
  readonly createdAt: number;
}

export interface DeviceKeys {
  /** Refused (false) when a key of that ID exists. */
  put(key: DeviceKey): Promise<boolean>;
  find(userId: string, keyId: string): Promise<DeviceKey | undefined>;
  listOf(userId: string): Promise<readonly DeviceKey[]>;
  /** False when there was no such key. */
  remove(userId: string, keyId: string): Promise<boolean>;
  /** Sets the trust of a device key. Nothing happens when the key is gone. */
  settle(userId: string, keyId: string, trust: Trust): Promise<void>;
}
