// Personal data: users, their identifiers and everything that belongs to them. It is never cached.
import type { AddressAttribute, AddressType } from '../records/channels.ts';
import type { CreateInput, RecordView, StoredRecord, UpdateInput } from '../records/field.ts';
import type { memberFields } from '../records/organization.ts';
import type { nameFields } from '../records/profile.ts';
import type {
  accountFields,
  customIdentifierFields,
  erasureFields,
  externalIdFields,
  recoveryFields,
  userFields,
} from '../records/user.ts';
import type { Page, PageRequest } from './directory.ts';
import type { Generations, Trust } from './trust.ts';

export interface Address extends Trust {
  /** Address as it was given, trimmed and in Unicode NFC. */
  readonly value: string;
  /** Reason why messages to the address fail and are not sent. Cleared if the address is set again or verified. */
  readonly undeliverable?: Undeliverable;
  /** Risk that was reported for the phone number. Until it is cleared, the number gets no SMS and its codes are not valid. */
  readonly risk?: PhoneRisk;
  /** Epoch seconds from which an unproven address set by a non-admin operator can log in; see `isLoginDelayed`. */
  readonly delayedUntil?: number;
}

export type PhoneSignal = 'sim_swap' | 'number_ported' | 'device_swap' | 'other';

/** Reported sign that another person may control the phone number (NIST SP 800-63B-4 §3.1.3.3). */
export interface PhoneRisk {
  readonly signal: PhoneSignal;
  /** Reason code that the reporter of the risk gave. */
  readonly reason?: string;
  readonly observedAt: number;
  readonly reportedAt: number;
}

/** Delivery failure of an address: its mail bounced permanently or was reported as spam. */
export interface Undeliverable {
  readonly reason: 'bounce' | 'complaint';
  readonly since: number;
}

export interface CustomIdentifier extends StoredRecord<typeof customIdentifierFields> {}
export interface UpstreamAccount extends StoredRecord<typeof accountFields> {}
export interface ExternalId extends StoredRecord<typeof externalIdFields> {}
export interface UpstreamIdentity extends UpstreamAccount, Trust {}

export interface User extends StoredRecord<typeof userFields>, StoredRecord<typeof nameFields> {
  readonly email?: Address;
  readonly phoneNumber?: Address;
  readonly identities: readonly UpstreamIdentity[];
  /** Types of callers that have entered wrong codes since the user's last login; see `guesses.ts`. */
  readonly wrongGuesses?: readonly string[];
  /** Identifiers recently removed from the user. Erasing the user also deletes the codes for these identifiers. */
  readonly formerIdentifiers?: readonly FormerIdentifier[];
  /** Credential changes that can be undone or of which the user must still be notified, oldest first. */
  readonly changes: readonly CredentialChange[];
  readonly generations: Generations;
}

/** Profile data that a social provider may supply. */
export interface Profile extends Pick<User, 'firstName' | 'lastName' | 'picture' | 'language'> {}

/** User profile as the provider returns it at login. */
export interface UpstreamProfile extends Profile {
  readonly subject: string;
  readonly email?: string;
  /** Provider's statement on whether the email address is verified. Undefined if the provider makes no statement. */
  readonly emailVerified?: boolean;
  /** Time at which the user authenticated at the provider, in epoch seconds: `auth_time` of its ID token. */
  readonly authTime?: number;
}

/** Email address and phone number in a request that creates or changes a user. */
export interface AddressFields {
  readonly email?: string | null | undefined;
  readonly phone_number?: string | null | undefined;
  /** True if the caller itself has verified the email address. */
  readonly email_verified?: boolean | undefined;
  readonly phone_number_verified?: boolean | undefined;
}

/** Fields of a request that creates or changes a user; null removes a value. */
export interface UserFields extends UpdateInput<typeof userFields>, AddressFields {
  readonly name?: UpdateInput<typeof nameFields> | null | undefined;
  readonly external_user_id?: string | null | undefined;
  readonly external_application?: string | undefined;
  readonly status?: 'Active' | 'Disabled' | undefined;
}

export interface PendingRecovery extends StoredRecord<typeof recoveryFields> {}
export interface Erasure extends StoredRecord<typeof erasureFields> {}
/** Attributes by which lists of users are built and sorted. */
export interface ListedUser extends Pick<User, 'userId' | 'tenantId' | 'createdAt'> {}

/** Change of a user's credentials. Undoing it also undoes all later changes. */
export interface CredentialChange {
  readonly changeId: string;
  readonly changedAt: number;
  /** Time from which the change is ignored and can no longer be undone, in epoch seconds. */
  readonly until: number;
  /** Credential generations that were valid before the change. Undoing the change makes them valid again. */
  readonly validBefore: readonly number[];
  /**
   * Condition for undoing the change. `link`: the link in the notice is sufficient. `kind`: another factor from before the
   * change is also required, because the change was made with two. `none`: the change is itself an undo and cannot be undone.
   */
  readonly undoCondition: 'link' | 'kind' | 'none';
  /** Epoch seconds from which the link is enough even if `undoCondition` is `kind`, because the owner has requested this. */
  readonly linkFrom: number;
  /** True if a non-admin operator made the change. In this case, all of the user's addresses are notified. */
  readonly isByOperator?: boolean;
  readonly what: ChangedAddress | RemovedPasskey | EnrolledFactor;
}

export interface ChangedAddress {
  readonly attribute: AddressAttribute;
  /** Address before the change. Undefined if there was none. */
  readonly former?: Address;
}

export interface RemovedPasskey {
  readonly attribute: 'passkey';
  readonly credentialId: string;
}

/** Second factor (passkey or phone number) enrolled in a login with one factor. A number also has a separate address change. */
export interface EnrolledFactor {
  readonly attribute: 'factor';
  /** ID of the enrolled passkey. */
  readonly credentialId?: string;
  /** Phone number before the enrolment. It may be the number that was enrolled. */
  readonly former?: Address;
}

export interface FormerIdentifier {
  /** HMAC of the identifier with the tenant's salt as the key; see domain/identifiers/identifier-hash.ts. */
  readonly hash: string;
  /** Time after which no code can exist under this hash any more, in epoch seconds. */
  readonly until: number;
}

/** Normalised identifier. `type` is email, phone_number, user_id, username or a custom type. */
export interface Identifier {
  readonly type: string;
  readonly value: string;
}

export interface ProvenAddress {
  readonly attribute: AddressAttribute;
  readonly value: string;
}

export interface RecordedProof extends ProvenAddress {
  /** New trust of the address. Undefined if the trust does not change. */
  readonly trust?: Trust | undefined;
  /** Credential generations after the proof. Set if the proof supersedes the user's earlier credentials. */
  readonly newGenerations?: Generations | undefined;
}

export interface Users {
  find(userId: string): Promise<User | undefined>;
  /**
   * Records a login in one conditional write. Sets `lastAuthAt`, changes Pending to Active, adds the application, stores
   * the trust level of the proven address if the user still has it, and removes the given `wrongGuesses`. Returns false, and no
   * tokens may be issued, if the user does not exist, is disabled or is about to be erased, if a risk was reported for the
   * proven phone number, or if the credential generations have changed.
   */
  recordLogin(login: {
    readonly userId: string;
    readonly at: number;
    /** Credential generations of the user, as the login read them. */
    readonly generations: Generations;
    readonly proven?: RecordedProof | undefined;
    /** Application to add to the user's record, which contains at most two. */
    readonly application?: string | undefined;
    readonly wrongGuesses?: readonly string[] | undefined;
  }): Promise<boolean>;
  /** Records a proof outside a login. Returns false if the address was removed or the credential generations have changed. */
  noteProof(user: Pick<User, 'userId' | 'generations'>, proven: RecordedProof): Promise<boolean>;
  /** Marks an address as undeliverable, unless it is marked already. Returns false if the user no longer has the address. */
  markUndeliverable(user: ListedUser, address: string, mark: Undeliverable): Promise<boolean>;
  /** Records that this type of caller has entered a wrong code. The next login clears the record. */
  noteWrongGuess(userId: string, callerType: string): Promise<void>;
}

/** Records of users who have exchanged a session of their previous system for a session here. See login method `moved`. */
export interface SessionExchanges {
  /**
   * Records the exchange, at most once per user. Returns false if the user has logged in here before, does not exist, is
   * disabled or about to be erased, or if the user's credential generations have changed. `holder` is a random token.
   */
  record(user: Pick<User, 'userId' | 'generations'>, at: number, holder: string): Promise<boolean>;
  /** Removes the record of the exchange, if this holder wrote it. */
  remove(userId: string, holder: string): Promise<void>;
}

export interface Identifiers {
  /** Finds the user who reserved the identifier. The caller checks that the user exists and still has the identifier. */
  find(tenantId: string, identifier: Identifier): Promise<string | undefined>;
}

export interface IdentifierReservation {
  readonly userId: string;
  readonly reservedAt: number;
}

/** Attribute by which a search found a user. */
export type MatchedAttribute = MatchedId | AddressType | 'username' | 'name';
type MatchedId = `${'user' | 'session' | 'request' | 'external_user'}_id`;
/** Type of the events by which users are listed. */
export type LoginFailure = 'login.failed' | 'login.locked';

export interface FoundUser {
  readonly user: User;
  readonly by: MatchedAttribute;
}

export interface UserRecords extends Pick<Users, 'find'> {
  /** Stores a new user. Returns false if the user already exists. */
  put(user: User): Promise<boolean>;
  /** Returns the users of a tenant with these IDs, at most 100, in one call. */
  findAll(tenantId: string, userIds: readonly string[]): Promise<readonly User[]>;
  /** Replaces a user. Returns false if the user does not exist or has changed since `expected` was read. */
  replace(expected: User, next: User): Promise<boolean>;
  /** Removes the user and all of the user's items in the table `people`. Returns false if the user did not exist. */
  remove(userId: string): Promise<boolean>;
  /** Lists the tenant's users that `keep` accepts. A page may be short or empty, as in `RecordStore.list`. */
  list(tenantId: string, page: PageRequest, keep?: (user: User) => boolean): Promise<Page<User>>;
  /**
   * Lists users whose email address, username, external ID or name begins with the text, in alphabetical order, ignoring case
   * and accents. A user with two matches is listed twice. The read is eventually consistent, so the caller checks each match.
   */
  listByBeginning(tenantId: string, beginning: string, page: PageRequest): Promise<Page<FoundUser>>;
  /** Lists the users with an event of this type since a time, the latest event first. Each page lists a user at most once. */
  listByEvent(tenantId: string, type: LoginFailure, since: string, page: PageRequest): Promise<Page<User>>;
  /** Lists the tenant's users with a lasting problem, the newest user first. A page may be short or empty. */
  listWithProblem(tenantId: string, page: PageRequest): Promise<Page<User>>;
}

/**
 * Reservations that make identifiers unique without transactions. A caller first reserves an identifier, then writes it to the
 * user. Exactly one of several concurrent callers gets the reservation. If a crash leaves it unused, another user may take it
 * over after 60 seconds. Times are epoch seconds with a fractional part, to distinguish repeated reservations by one user.
 */
export interface IdentifierReservations {
  /**
   * Reserves an identifier. Returns `new` if it was free. Returns `own` if the user had already reserved it: its time is then
   * `at`, and calls with the earlier time can no longer replace or release it. Otherwise returns the blocking reservation.
   */
  reserve(
    tenantId: string,
    identifier: Identifier,
    userId: string,
    at: number,
  ): Promise<'new' | 'own' | IdentifierReservation>;
  /** Replaces the reservation `seen` by `next`. Returns false if the reservation has changed in the meantime. */
  takeOver(
    tenantId: string,
    identifier: Identifier,
    seen: IdentifierReservation,
    next: IdentifierReservation,
  ): Promise<boolean>;
  /** Releases the identifier if this user still has it and reserved it at `reservedUpTo` or earlier. */
  release(tenantId: string, identifier: Identifier, userId: string, reservedUpTo: number): Promise<void>;
  /** Releases all identifiers of the user, including reservations left by a crash. The list is eventually consistent. */
  releaseAllOf(userId: string): Promise<void>;
}

export interface Membership extends StoredRecord<typeof memberFields> {}
/** Membership record as operators see it. */
export interface MemberRecord extends RecordView<typeof memberFields> {}
export interface NewMemberFields extends CreateInput<typeof memberFields> {}
export interface MemberFields extends UpdateInput<typeof memberFields> {}

export interface Memberships {
  find(userId: string, organizationId: string): Promise<Membership | undefined>;
}

export interface MembershipRecords extends Memberships {
  /** Stores a membership. Returns false if the user is already a member. */
  put(membership: Membership): Promise<boolean>;
  /** Replaces a membership. Returns false if the membership does not exist. */
  replace(membership: Membership): Promise<boolean>;
  remove(userId: string, organizationId: string): Promise<boolean>;
  listOfOrganization(organizationId: string, page: PageRequest): Promise<Page<Membership>>;
  listOfUser(userId: string): Promise<readonly Membership[]>;
}

/** Public key credential of a user (WebAuthn L3 §4). It is bound to the RP ID for which it was created. */
export interface Passkey extends Trust {
  /** Credential ID as the authenticator returned it, base64url. */
  readonly credentialId: string;
  readonly userId: string;
  readonly tenantId: string;
  /** ID of the application at which the passkey was registered. */
  readonly applicationId: string;
  readonly rpId: string;
  /** Public key as COSE_Key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  /** True if the passkey can be backed up (WebAuthn L3 §6.1.3). Undefined if it was imported and not used yet. */
  readonly backupEligible?: boolean;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  readonly aaguid: string;
  readonly name?: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** User handle, base64url, if the registration began before the user was known. By default the user's own handle. */
  readonly userHandle?: string;
}

/** Store of passkeys for logins. */
export interface Passkeys {
  /** Finds the user who owns a credential ID. The user's passkey may no longer exist; `find` checks this. */
  findOwner(credentialId: string): Promise<string | undefined>;
  /** Finds a passkey. Like `listOf`, finds a removed passkey only if `restorable` contains its ID. */
  find(userId: string, credentialId: string, restorable?: readonly string[]): Promise<Passkey | undefined>;
  listOf(userId: string, restorable?: readonly string[]): Promise<readonly Passkey[]>;
  /**
   * Records a login. Returns false if the passkey does not exist or its signature counter did not increase (WebAuthn L3 §6.1.1;
   * a counter that stays 0 is accepted). If several challenges were signed with the same counter value above 0, only one of
   * these challenges gets true, also in repeated calls. The caller that then consumes this challenge may log in.
   */
  recordUse(use: {
    readonly userId: string;
    readonly credentialId: string;
    readonly signCount: number;
    readonly backupEligible: boolean;
    readonly backedUp: boolean;
    readonly at: number;
    /** Hash of the signed challenge. */
    readonly challenge: string;
    /** True to also accept a removed passkey, whose use undoes the removal. */
    readonly mayBeRemoved?: boolean;
  }): Promise<boolean>;
  /** Sets the trust of a passkey. Does nothing if the passkey does not exist. */
  updateTrust(userId: string, credentialId: string, trust: Trust): Promise<void>;
}

/** Store of passkeys for registration and administration. A credential ID must be reserved before `put`, for one user only. */
export interface PasskeyRecords {
  listOf(userId: string): Promise<readonly Passkey[]>;
  /**
   * Reserves a credential ID. Returns true if the ID now belongs to this user. Exactly one of several concurrent users gets the
   * ID. Sign-ups and imports may end without a user, so their reservation expires at `heldUntil` (epoch seconds). The next call
   * without `heldUntil` makes the reservation permanent.
   */
  reserve(credentialId: string, userId: string, at: number, heldUntil?: number): Promise<boolean>;
  /** Stores a passkey. Returns false if the user already has a passkey with this ID. */
  put(passkey: Passkey): Promise<boolean>;
  /** Renames a passkey and returns it. Returns undefined if the passkey does not exist. */
  rename(userId: string, credentialId: string, name: string): Promise<Passkey | undefined>;
  /** Removes a passkey, which can be restored until `until` (epoch seconds). Returns false if the passkey does not exist. */
  remove(userId: string, credentialId: string, until: number): Promise<boolean>;
  /** Deletes all passkeys of a user, including those that were removed earlier. */
  forgetAllOf(userId: string): Promise<void>;
  /** Restores a removed passkey. Does nothing if the passkey was deleted permanently. */
  restore(userId: string, credentialId: string): Promise<void>;
}

/** Owners of the identifiers and credential IDs that an imported user would get. */
export interface ReservationOwners {
  /**
   * Finds the users who have reserved the identifiers, then the users who have reserved the credential IDs, in the given order.
   * Returns undefined for an unreserved value. The read is strongly consistent and needs one call per 100 items. The caller
   * checks that a user exists and still has the identifier.
   */
  find(
    tenantId: string,
    identifiers: readonly Identifier[],
    credentialIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
}

/** Public key of a key pair that an application created on a user's device. The private key signs the user's approvals. */
export interface DeviceKey extends Trust {
  readonly keyId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly algorithm: 'ecdsa' | 'rsa-pss';
  /** Public key as DER SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string;
  readonly createdAt: number;
}

export interface DeviceKeys {
  /** Stores a device key. Returns false if a key with this ID exists. */
  put(key: DeviceKey): Promise<boolean>;
  find(userId: string, keyId: string): Promise<DeviceKey | undefined>;
  listOf(userId: string): Promise<readonly DeviceKey[]>;
  /** Removes a device key. Returns false if the key does not exist. */
  remove(userId: string, keyId: string): Promise<boolean>;
  /** Sets the trust of a device key. Does nothing if the key does not exist. */
  updateTrust(userId: string, keyId: string, trust: Trust): Promise<void>;
}
