import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type {
  Address,
  CustomIdentifier,
  ExternalId,
  UpstreamAccount,
  User,
  Wait,
} from '../../ports/people.ts';
import type { Generations } from '../../ports/trust.ts';
import type { UserFields, UserRecord } from '../../schemas/users.ts';
import type { Field } from '../basis/change-record.ts';
import { allFields, omitUndefined } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { changedExternalIds, externalIdAt } from '../identifiers/external-ids.ts';
import { BUILT_IN_TYPES, normaliseIdentifier } from '../identifiers/identifier.ts';
import { normalisePhoneNumber } from '../identifiers/phone-number.ts';
import { formerOf } from '../trust/changes.ts';
import { added, claimed, FIRST, isCurrent, stated, TENANT, todays } from '../trust/generations.ts';
import { isVerified } from '../trust/proofs.ts';
import { readCustomAppData } from './custom-app-data.ts';

function emailRecord(
  user: User,
  address: Address,
  place: Application | undefined,
): NonNullable<UserRecord['email']> {
  const { value, undeliverable } = address;
  const verified = isVerified(user, address, place);
  if (!undeliverable) return { value, email_verified: verified };
  const { reason, since } = undeliverable;
  return { value, email_verified: verified, undeliverable: { reason, since: wireDate(since) } };
}

function phoneRecord(
  user: User,
  address: Address,
  place: Application | undefined,
): NonNullable<UserRecord['phone_number']> {
  const { value, risk } = address;
  const verified = isVerified(user, address, place);
  if (!risk) return { value, phone_number_verified: verified };
  const { signal, reason, observedAt, reportedAt } = risk;
  return {
    value,
    phone_number_verified: verified,
    risk: {
      signal,
      ...(reason === undefined ? {} : { reason }),
      observed_at: wireDate(observedAt),
      reported_at: wireDate(reportedAt),
    },
  };
}

const waitRecord = ({ since, effectiveAt, endsAt }: Wait): UserRecord['recovery'] => ({
  requested_at: wireDate(since),
  effective_at: wireDate(effectiveAt),
  ends_at: wireDate(endsAt),
});

const externalIdRecord = ({ applicationId, value }: ExternalId) => ({ application: applicationId, value });

/** A user as callers see it, at their application if they have one. */
export function userRecord(user: User, place?: Application): UserRecord {
  const { email, phoneNumber, firstName, lastName } = user;
  const name = allFields<NonNullable<UserRecord['name']>>({ first_name: firstName, last_name: lastName });
  return allFields<UserRecord>({
    user_id: user.userId,
    status: user.status,
    email: email && emailRecord(user, email, place),
    phone_number: phoneNumber && phoneRecord(user, phoneNumber, place),
    username: user.username,
    external_user_id: externalIdAt(user, place),
    external_ids: place || user.externalIds.length === 0 ? undefined : user.externalIds.map(externalIdRecord),
    custom_identifiers: user.customIdentifiers.map(({ type, value }) => ({ type, value })),
    name: Object.keys(name).length > 0 ? name : undefined,
    picture: user.picture,
    language: user.language,
    groups: [...user.groups],
    roles: [...user.roles],
    custom_app_data: user.customAppData && { ...user.customAppData },
    identities: user.identities.map(({ provider, issuer, subject }) =>
      allFields<UpstreamAccount>({ provider, issuer, subject }),
    ),
    created_at: wireDate(user.createdAt),
    updated_at: wireDate(user.updatedAt),
    last_auth: user.lastAuthAt === undefined ? undefined : wireDate(user.lastAuthAt),
    recovery: user.wait && waitRecord(user.wait),
    applications: [...user.applications],
    erasure_at: user.erasure && wireDate(user.erasure.effectiveAt),
    test: user.isTest,
  });
}

function merged<Given, Kept>(
  current: Kept | undefined,
  given: Field<Given>,
  read: (given: Given) => Kept,
): Kept | undefined {
  if (given === undefined) return current;
  return given === null ? undefined : read(given);
}

const read = <T>(given: Field<T>, as: (given: T) => T): Field<T> =>
  given === undefined || given === null ? given : as(given);

const asGiven = <T>(value: T): T => value;

/**
 * How addresses come to a user: with a new user, by a backend without a login of the person, or in a login that gave so much. An
 * operator, or a backend that may, says of an address that it is proven.
 */
export type ChangedBy =
  | { readonly how: 'made' | 'backend'; readonly scope: string }
  | ({ readonly how: 'login' } & Pick<Address, 'standing' | 'scope'>);

interface Changing {
  readonly by: ChangedBy;
  readonly at: number;
  readonly generations: Generations;
}

/** Another spelling is another address until it is proven: mailboxes may differ in case. */
function newAddress(
  value: string,
  isStated: boolean,
  back: Address | undefined,
  { by, at, generations }: Changing,
): { readonly address: Address; readonly generations: Generations } {
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  const given = { value, standing, scope: by.scope, since: at };
  // A mailbox that the user had proven, and gave up or spelled otherwise, has no new owner: by it and back its reader would shut
  // out the passkey.
  if (by.how === 'backend' && !isStated && back)
    return { address: { ...given, scope: back.scope, generation: back.generation }, generations };
  if (by.how === 'made') return { address: { ...given, generation: FIRST }, generations };
  const isOpen = isStated || by.how === 'login';
  const { generation, ...next } = (isOpen ? added : claimed)(isStated ? stated(generations) : generations);
  return { address: { ...given, generation }, generations: next };
}

/** An address that is given again is no longer undeliverable, but a number stays at risk. */
function sameAddress(
  user: User,
  current: Address,
  isStated: boolean,
  { by, at, generations }: Changing,
): { readonly address: Address; readonly generations: Generations } {
  const { undeliverable: _, ...address } = current;
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  if (standing === 'claimed') return { address, generations };
  const next = isStated ? stated(generations) : generations;
  const counts = isCurrent({ generations: next }, address);
  // One application's word takes nothing from what the tenant has seen.
  const scope = counts && address.standing === 'proven' && address.scope === TENANT ? TENANT : by.scope;
  const generation = counts ? address.generation : todays(user);
  return { address: { ...address, standing, scope, generation, since: at }, generations: next };
}

const STATED = { email: 'email_verified', phoneNumber: 'phone_number_verified' } as const;

interface Given {
  readonly attribute: keyof typeof STATED;
  readonly given: Field<string>;
  readonly isStated: boolean;
}

/** The address after a change, and the generations with it. Errors: `system_invalid_input` for what is said of none. */
function changedAddress(
  user: User,
  current: Address | undefined,
  { attribute, given, isStated }: Given,
  changing: Changing,
): { readonly address: Address | undefined; readonly generations: Generations } {
  const { generations } = changing;
  if (given === undefined && !isStated) return { address: current, generations };
  const value = given === undefined ? current?.value : (given ?? undefined);
  if (value === undefined && isStated)
    throw invalidInput(`${STATED[attribute]}: the user has no such address`);
  if (value === undefined) return { address: undefined, generations };
  return current?.value === value
    ? sameAddress(user, current, isStated, changing)
    : newAddress(value, isStated, formerOf(user, attribute, value), changing);
}

function readEmail(given: string): string {
  const email = normaliseEmail(given);
  if (!email) throw invalidInput('email: is not an email address');
  return email.display;
}

function readPhoneNumber(given: string): string {
  const phoneNumber = normalisePhoneNumber(given);
  if (phoneNumber === undefined)
    throw invalidInput('phone_number: is not an international phone number (E.164, as +12015550123)');
  return phoneNumber;
}

const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A name without the marks that turn the direction of text round: with them one name looks like another. */
export const personName = (given: string): string => given.replace(DIRECTION_MARKS, '');

/** Spaces within, controls, format characters: two usernames that look alike would be two users. */
const INVISIBLE = /[\p{C}\p{Z}]/u;

function readUsername(given: string): string {
  const username = given.trim().normalize('NFC');
  if (normaliseIdentifier('username', username) === undefined || INVISIBLE.test(username))
    throw invalidInput('username: must not be empty or contain spaces or invisible characters');
  return username;
}

function readCustomIdentifiers(given: readonly CustomIdentifier[]): readonly CustomIdentifier[] {
  const distinct = new Map<string, CustomIdentifier>();
  for (const { type, value } of given) {
    if ((BUILT_IN_TYPES as readonly string[]).includes(type))
      throw invalidInput(`custom_identifiers: ${type} is not a custom type`);
    distinct.set(`${type}\n${value}`, { type, value });
  }
  return [...distinct.values()];
}

/** Whether anything that people type, or a provider says, names the user. */
export const hasName = ({ email, phoneNumber, username, identities }: User): boolean =>
  email !== undefined || phoneNumber !== undefined || username !== undefined || identities.length > 0;

/** Made with a passkey: clients know the user by IDs of their own, and by nothing else. */
const isExternal = (user: User): boolean => user.externalIds.length > 0 && !hasName(user);

/**
 * The user with the given fields in place of the former ones; the others stay.
 * Errors: `system_invalid_input`, also when none of email, phone number and username would remain.
 */
export function userWithFields(user: User, fields: UserFields, at: number, by: ChangedBy): User {
  const name = fields.name === null ? { first_name: null, last_name: null } : fields.name;
  const { email_verified = false, phone_number_verified = false } = fields;
  const mail = changedAddress(
    user,
    user.email,
    { attribute: 'email', given: read(fields.email, readEmail), isStated: email_verified === true },
    { by, at, generations: user.generations },
  );
  const phone = changedAddress(
    user,
    user.phoneNumber,
    {
      attribute: 'phoneNumber',
      given: read(fields.phone_number, readPhoneNumber),
      isStated: phone_number_verified === true,
    },
    { by, at, generations: mail.generations },
  );
  const next = omitUndefined<User>({
    ...user,
    generations: phone.generations,
    status: fields.status ?? user.status,
    email: mail.address,
    phoneNumber: phone.address,
    username: merged(user.username, fields.username, readUsername),
    externalIds: changedExternalIds(user, fields),
    customIdentifiers: merged(user.customIdentifiers, fields.custom_identifiers, readCustomIdentifiers) ?? [],
    firstName: merged(user.firstName, name?.first_name, personName),
    lastName: merged(user.lastName, name?.last_name, personName),
    picture: merged(user.picture, fields.picture, asGiven),
    language: merged(user.language, fields.language, asGiven),
    groups: merged(user.groups, fields.groups, (given) => [...new Set(given)]) ?? [],
    roles: merged(user.roles, fields.roles, (given) => [...new Set(given)]) ?? [],
    customAppData: merged(user.customAppData, fields.custom_app_data, readCustomAppData),
    updatedAt: at,
  });
  if (!hasName(next) && !(isExternal(user) && isExternal(next)))
    throw invalidInput('body: one of email, phone_number and username is required');
  return next;
}
