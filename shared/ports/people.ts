// Personal data: users, their identifiers and what belongs to them. Never cached.
import type { AddressAttribute, AddressType } from '../records/channels.ts';
import type { CreateInput, RecordView, StoredRecord, UpdateInput } from '../records/field.ts';
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
  /** Address as it was given, trimmed and in Unicode NFC. */
  readonly value: string;
  /** Set if messages to the address cannot be delivered; none is sent then. Cleared if the address is set again or proven. */
  readonly undeliverable?: Undeliverable;
  /** Set if a risk was reported for the number: it gets no SMS and its codes are not valid, until the risk is cleared. */
  readonly risk?: PhoneRisk;
  /** Epoch seconds from which a claimed address that an operator below admin has set can log in by itself; see `isLoginDelayed`. */
  readonly opensAt?: number;
}

export type PhoneSignal = 'sim_swap' | 'number_ported' | 'device_swap' | 'other';

/** Reported sign that another person may control the number (NIST SP 800-63B-4 §3.1.3.3). */
export interface PhoneRisk {
  readonly signal: PhoneSignal;
  /** Reason code of the reporter. */
  readonly reason?: string;
  readonly observedAt: number;
  readonly reportedAt: number;
}

/** Mark of an address whose mail bounced permanently or was reported as spam. */
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
  /** Identifiers that the user has recently lost. Erasing the user also deletes the codes that were sent to them. */
  readonly formerIdentifiers?: readonly FormerIdentifier[];
  /** Credential changes that can be undone or that the user is still to be notified of, oldest first. */
  readonly changes: readonly CredentialChange[];
  readonly generations: Generations;
}

/** Profile data that a social provider may supply. */
export interface Profile extends Pick<User, 'firstName' | 'lastName' | 'picture' | 'language'> {}

/** Profile of a user as the provider returns it at login. */
export interface UpstreamProfile extends Profile {
  readonly subject: string;
  readonly email?: string;
  /** Provider's statement on whether the email address is verified. Undefined: it makes none. */
  readonly emailVerified?: boolean;
  /** Epoch seconds at which the user authenticated at the provider: `auth_time` of its ID token. */
  readonly authTime?: number;
}

/** Email address and phone number in a request that creates or changes a user. */
export interface AddressFields {
  readonly email?: string | null | undefined;
  readonly phone_number?: string | null | undefined;
  /** True if the caller has verified the email address itself. */
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

export interface PendingRecovery extends StoredRecord<typeof waitFields> {}
export interface Erasure extends StoredRecord<typeof erasureFields> {}

/** Change of a user's credentials. Undoing it also undoes all later changes. */
export interface CredentialChange {
  readonly changeId: string;
  readonly changedAt: number;
  /** Epoch seconds at which the change is forgotten and can no longer be undone. */
  readonly until: number;
  /** Generations that were valid before the change. */
  readonly validBefore: readonly number[];
  /**
   * Condition for undoing the change. `link`: the link in the notice is enough. `kind`: another factor from before the change
   * is needed, too, because the change took two factors. `none`: the change was itself an undo.
   */
  readonly undoCondition: 'link' | 'kind' | 'none';
  /** Epoch seconds from which the link is enough even for `kind`, because the owner has asked and the delay has passed. */
  readonly linkFrom: number;
  /** True if an operator below admin made the change. Every address is then notified. */
  readonly isByOperator?: boolean;
  readonly what: ChangedAddress | RemovedPasskey | EnrolledFactor;
}

export interface ChangedAddress {
  readonly attribute: AddressAttribute;
  /** Address before the change. Absent: there was none. */
  readonly former?: Address;
}

export interface RemovedPasskey {
  readonly attribute: 'passkey';
  readonly credentialId: string;
}

/** Second factor that was enrolled during a login with one factor: a passkey, or a phone number, whose own change follows. */
export interface EnrolledFactor {
  readonly attribute: 'factor';
  /** ID of the enrolled passkey. */
  readonly credentialId?: string;
  /** Phone number before the enrolment, which may be the same number. */
  readonly former?: Address;
}

export interface FormerIdentifier {
  /** HMAC of the identifier under the tenant's salt; see domain/identifier-hash. */
  readonly hash: string;
  /** Epoch seconds from which no code can be stored under this hash any more. */
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
  /** Trust of the address from now on. Absent: unchanged. */
  readonly trust?: Trust | undefined;
  /** Generations after the proof, if it supersedes the user's earlier credentials. */
  readonly newGenerations?: Generations | undefined;
}

export interface Users {
  find(userId: string): Promise<User | undefined>;
  /**
   * Records a login in one conditional write: `lastAuthAt`, Pending → Active, the application, the trust of the proven address
   * if the user still has it, and `wrongGuesses` without the given ones. Returns false if the user is gone, disabled or about
   * to be erased, the proven number is at risk or the generations have changed: the login must not get tokens.
   */
  recordLogin(login: {
    readonly userId: string;
    readonly at: number;
    /** Generations of the user when the login read them. */
    readonly generations: Generations;
    readonly proven?: RecordedProof | undefined;
    /** Application that is added to the user's record while it contains fewer than two. */
    readonly application?: string | undefined;
    readonly wrongGuesses?: readonly string[] | undefined;
  }): Promise<boolean>;
  /** Records a proof outside a login. Returns false if the user no longer has the address or the generations have changed. */
  noteProof(user: Pick<User, 'userId' | 'generations'>, proven: RecordedProof): Promise<boolean>;
  /** Marks an address as undeliverable if the user still has it; an earlier mark stays. Returns false if the user does not. */
  markUndeliverable(userId: string, address: string, mark: Undeliverable): Promise<boolean>;
  /** Records that this type of caller has entered a wrong code, until the next login. */
  noteWrongGuess(userId: string, callerType: string): Promise<void>;
}

/** Exchanges of sessions of another system for sessions here; see the login method `moved`. */
export interface SessionExchanges {
  /**
   * Records the exchange, at most once per user and for one of several concurrent callers. Returns false if the user has logged
   * in here before, is gone, disabled or about to be erased, or the generations have changed. `holder` is a random mark.
   */
  take(user: Pick<User, 'userId' | 'generations'>, at: number, holder: string): Promise<boolean>;
  /** Removes the record of the exchange if this holder wrote it. */
  giveBack(userId: string, holder: string): Promise<void>;
}

export interface Identifiers {
  /** Finds the user who reserved the identifier, if any. The caller checks that the user exists and still has it. */
  find(tenantId: string, identifier: Identifier): Promise<string | undefined>;
}

export interface IdentifierReservation {
  readonly userId: string;
  readonly reservedAt: number;
}

/** Attribute by which a search found a user. */
export type MatchedAttribute =
  | 'user_id'
  | 'session_id'
  | AddressType
  | 'username'
  | 'external_user_id'
  | 'name';

export interface FoundUser {
  readonly user: User;
  readonly by: MatchedAttribute;
}

export interface UserRecords {
  /** Stores a new user. Returns false if the user exists. */
  put(user: User): Promise<boolean>;
  find(userId: string): Promise<User | undefined>;
  /** Replaces a user. Returns false if the user is gone or has changed since `expected` was read (by an internal version). */
  replace(expected: User, next: User): Promise<boolean>;
  /** Removes the user and everything stored under the user in the table `people`. Returns false if there was no such user. */
  remove(userId: string): Promise<boolean>;
  /** Returns a page of the tenant's users, with the rules of `RecordStore.list`. */
  list(tenantId: string, page: PageRequest, keep?: (user: User) => boolean): Promise<Page<User>>;
  /**
   * Lists users whose email address, username, external ID or name begins with the text, in alphabetical order, ignoring case
   * and accents. A user with two matches appears twice. Eventually consistent: the caller checks each match.
   */
  listByBeginning(tenantId: string, beginning: string, page: PageRequest): Promise<Page<FoundUser>>;
}

/**
 * Unique identifiers without transactions: an identifier is first reserved, then written to the user. Exactly one of several
 * concurrent callers reserves it. After a crash in between, the reservation may be replaced 60 s later. Times are in epoch
 * seconds with milliseconds, to tell apart two reservations of one identifier by the same user.
 */
export interface IdentifierReservations {
  /**
   * Reserves an identifier. Returns `new` if it was free, `own` if the user had it already and its time is now `at` (callers
   * with the older time can no longer replace or release it); otherwise returns the reservation that blocks it.
   */
  reserve(
    tenantId: string,
    identifier: Identifier,
    userId: string,
    at: number,
  ): Promise<'new' | 'own' | IdentifierReservation>;
  /** Replaces the reservation `seen` by `next`. Returns false if it has changed in the meantime. */
  takeOver(
    tenantId: string,
    identifier: Identifier,
    seen: IdentifierReservation,
    next: IdentifierReservation,
  ): Promise<boolean>;
  /** Releases the identifier if this user still has it and reserved it at `reservedUpTo` or earlier. */
  release(tenantId: string, identifier: Identifier, userId: string, reservedUpTo: number): Promise<void>;
  /** Releases all identifiers of the user, including those left by a crash. Finds them in an eventually consistent list. */
  releaseAllOf(userId: string): Promise<void>;
}

export interface Membership extends StoredRecord<typeof memberFields> {}
/** Membership as operators see it. */
export interface MemberRecord extends RecordView<typeof memberFields> {}
export interface NewMemberFields extends CreateInput<typeof memberFields> {}
export interface MemberFields extends UpdateInput<typeof memberFields> {}

export interface Memberships {
  find(userId: string, organizationId: string): Promise<Membership | undefined>;
}

export interface MembershipRecords {
  /** Stores a membership. Returns false if the user is already a member. */
  put(membership: Membership): Promise<boolean>;
  find(userId: string, organizationId: string): Promise<Membership | undefined>;
  /** Replaces a membership. Returns false if it does not exist. */
  replace(membership: Membership): Promise<boolean>;
  remove(userId: string, organizationId: string): Promise<boolean>;
  listOfOrganization(organizationId: string, page: PageRequest): Promise<Page<Membership>>;
  listOfUser(userId: string): Promise<readonly Membership[]>;
}

/** Public key credential of a user (WebAuthn L3 §4), bound to the RP ID that it was created for. */
export interface Passkey extends Trust {
  /** Credential ID as the authenticator gave it, base64url. */
  readonly credentialId: string;
  readonly userId: string;
  readonly tenantId: string;
  /** ID of the application at which the passkey was registered. */
  readonly applicationId: string;
  readonly rpId: string;
  /** Public key as COSE_Key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  /** True if the passkey can be backed up (WebAuthn L3 §6.1.3). Undefined: imported without this fact and not used yet. */
  readonly backupEligible?: boolean;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  readonly aaguid: string;
  readonly name?: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** User handle, base64url, if the registration began before the user was known. Absent: the user's own handle. */
  readonly userHandle?: string;
}

/** Passkeys as logins use them. */
export interface Passkeys {
  /** Finds the owner of a credential ID. Whether the passkey still exists is answered by `find`. */
  findOwner(credentialId: string): Promise<string | undefined>;
  /** Finds a passkey. Removed ones are found only if `restorable` contains their credential ID; the same holds for `listOf`. */
  find(userId: string, credentialId: string, restorable?: readonly string[]): Promise<Passkey | undefined>;
  listOf(userId: string, restorable?: readonly string[]): Promise<readonly Passkey[]>;
  /**
   * Records a login. Returns false if the passkey is gone or its signature counter did not increase (WebAuthn L3 §6.1.1; a
   * counter that stays 0 is accepted). Of several challenges signed with the same count above 0, exactly one gets true, even
   * when repeated; consuming that challenge decides which caller may log in.
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
    /** True if a removed passkey is accepted, too: its use undoes the removal. */
    readonly mayBeRemoved?: boolean;
  }): Promise<boolean>;
  /** Sets the trust of a passkey. Does nothing if the passkey is gone. */
  settle(userId: string, credentialId: string, trust: Trust): Promise<void>;
}

/** Passkeys in registration and administration. A credential ID belongs to one user: it is first reserved, then stored. */
export interface PasskeyRecords {
  listOf(userId: string): Promise<readonly Passkey[]>;
  /**
   * Reserves a credential ID; true if it now belongs to this user. Of concurrent users exactly one gets it. `heldUntil` (epoch
   * seconds) is for sign-ups and imports, which may end without a user. The next call without it makes it permanent.
   */
  reserve(credentialId: string, userId: string, at: number, heldUntil?: number): Promise<boolean>;
  /** Stores a passkey. Returns false if the user already has it. */
  put(passkey: Passkey): Promise<boolean>;
  /** Renames a passkey and returns it, or undefined if there is none. */
  rename(userId: string, credentialId: string, name: string): Promise<Passkey | undefined>;
  /** Removes a passkey, which can be restored until `until` (epoch seconds). Returns false if there is none. */
  remove(userId: string, credentialId: string, until: number): Promise<boolean>;
  /** Deletes all passkeys of a user, including those that were removed before. */
  forgetAllOf(userId: string): Promise<void>;
  /** Undoes `remove`. Does nothing if the passkey has been deleted for good. */
  restore(userId: string, credentialId: string): Promise<void>;
}

/** Owners of the identifiers and credential IDs that an imported user would get. */
export interface ReservationOwners {
  /**
   * Finds the users who have reserved the identifiers, then those of the credential IDs, in the given order; undefined: none.
   * Strongly consistent, one call per 100 items. The caller checks that a user exists and still has the identifier.
   */
  find(
    tenantId: string,
    identifiers: readonly Identifier[],
    credentialIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
}

/** Public key of an application on a user's device. The device signs approvals with its private key. */
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
  /** Stores a device key. Returns false if a key of that ID exists. */
  put(key: DeviceKey): Promise<boolean>;
  find(userId: string, keyId: string): Promise<DeviceKey | undefined>;
  listOf(userId: string): Promise<readonly DeviceKey[]>;
  /** Removes a device key. Returns false if there is none. */
  remove(userId: string, keyId: string): Promise<boolean>;
  /** Sets the trust of a device key. Does nothing if the key is gone. */
  settle(userId: string, keyId: string, trust: Trust): Promise<void>;
}
