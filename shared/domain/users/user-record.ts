import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Address, CustomIdentifier, Recovery, UpstreamIdentity, User } from '../../ports/people.ts';
import type { UserFields, UserRecord } from '../../schemas/users.ts';
import type { Field } from '../basis/change-record.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { BUILT_IN_TYPES, normaliseIdentifier } from '../identifiers/identifier.ts';
import { normalisePhoneNumber } from '../identifiers/phone-number.ts';
import { rememberProven, withFormerLimits } from '../identifiers/proven-before.ts';
import { awakeAs, isProven } from '../identifiers/sleep.ts';
import { readCustomAppData } from './custom-app-data.ts';

type Place = Pick<Application, 'applicationId'>;

function emailRecord(
  user: User,
  address: Address,
  place: Place | undefined,
): NonNullable<UserRecord['email']> {
  const { value, undeliverable } = address;
  const verified = isProven(user, address, place);
  if (!undeliverable) return { value, email_verified: verified };
  const { reason, since } = undeliverable;
  return { value, email_verified: verified, undeliverable: { reason, since: wireDate(since) } };
}

function phoneRecord(
  user: User,
  address: Address,
  place: Place | undefined,
): NonNullable<UserRecord['phone_number']> {
  const { value, risk } = address;
  const verified = isProven(user, address, place);
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

const recoveryRecord = ({ requestedAt, effectiveAt, endsAt }: Recovery): UserRecord['recovery'] => ({
  requested_at: wireDate(requestedAt),
  effective_at: wireDate(effectiveAt),
  ends_at: wireDate(endsAt),
});

/** A user as callers see it, at their application if they have one. */
export function userRecord(user: User, place?: Place): UserRecord {
  const { email, phoneNumber, firstName, lastName } = user;
  const name = allFields<NonNullable<UserRecord['name']>>({ first_name: firstName, last_name: lastName });
  return allFields<UserRecord>({
    user_id: user.userId,
    status: user.status,
    email: email && emailRecord(user, email, place),
    phone_number: phoneNumber && phoneRecord(user, phoneNumber, place),
    username: user.username,
    external_user_id: user.externalUserId,
    custom_identifiers: user.customIdentifiers.map(({ type, value }) => ({ type, value })),
    name: Object.keys(name).length > 0 ? name : undefined,
    picture: user.picture,
    language: user.language,
    groups: [...user.groups],
    roles: [...user.roles],
    custom_app_data: user.customAppData && { ...user.customAppData },
    identities: user.identities.map(({ provider, issuer, subject }) =>
      allFields<Omit<UpstreamIdentity, 'secondAt' | 'wokenAt'>>({ provider, issuer, subject }),
    ),
    created_at: wireDate(user.createdAt),
    updated_at: wireDate(user.updatedAt),
    last_auth: user.lastAuthAt === undefined ? undefined : wireDate(user.lastAuthAt),
    recovery: user.recovery && recoveryRecord(user.recovery),
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

const asGiven = <T>(value: T): T => value;

/**
 * Another spelling is another address until it is proven: mailboxes may differ in case. An address that is given again is no
 * longer undeliverable, but a number stays at risk.
 */
function addressOf(current: Address | undefined, value: string, asleepBefore: number | undefined): Address {
  if (current?.value !== value) return { value, verified: false, ...awakeAs(asleepBefore) };
  const { undeliverable: _, ...kept } = current;
  return kept;
}

/** The address after the caller has said that it is proven. Errors: `system_invalid_input` without one. */
function stated(
  { asleepBefore }: User,
  fields: UserFields,
  field: 'email_verified' | 'phone_number_verified',
  address: Address | undefined,
): Address | undefined {
  if (!fields[field]) return address;
  if (!address) throw invalidInput(`${field}: the user has no such address`);
  const { secondAt: _, provenAt: __, ...given } = address;
  return { ...given, verified: true, ...awakeAs(asleepBefore) };
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

/** Made with a passkey: a client knows the user by an ID of its own, and by nothing else. */
const isExternal = (user: User): boolean => user.externalUserId !== undefined && !hasName(user);

/**
 * The user with the given fields in place of the former ones; the others stay. A changed address is unverified.
 * Errors: `system_invalid_input`, also when none of email, phone number and username would remain.
 */
export function userWithFields(user: User, fields: UserFields, at: number): User {
  const name = fields.name === null ? { first_name: null, last_name: null } : fields.name;
  const { userId, tenantId, identities, createdAt, lastAuthAt, wrongGuesses } = user;
  const { formerIdentifiers, formerAddresses, leavingPasskeys, recovery, erasure } = user;
  const { asleepBefore, disputedAt, isTest } = user;
  const email = merged(user.email, fields.email, (given) =>
    addressOf(user.email, readEmail(given), asleepBefore),
  );
  const phoneNumber = merged(user.phoneNumber, fields.phone_number, (given) =>
    addressOf(user.phoneNumber, readPhoneNumber(given), asleepBefore),
  );
  const next = allFields<User>({
    userId,
    tenantId,
    identities,
    createdAt,
    lastAuthAt,
    wrongGuesses,
    formerIdentifiers,
    formerAddresses,
    leavingPasskeys,
    recovery,
    erasure,
    asleepBefore,
    disputedAt,
    isTest,
    undone: user.undone,
    status: fields.status ?? user.status,
    email: stated(user, fields, 'email_verified', email),
    phoneNumber: stated(user, fields, 'phone_number_verified', phoneNumber),
    provenBefore: rememberProven(user, { ...(email && { email }), ...(phoneNumber && { phoneNumber }) }, at),
    username: merged(user.username, fields.username, readUsername),
    externalUserId: merged(user.externalUserId, fields.external_user_id, asGiven),
    customIdentifiers: merged(user.customIdentifiers, fields.custom_identifiers, readCustomIdentifiers) ?? [],
    firstName: merged(user.firstName, name?.first_name, asGiven),
    lastName: merged(user.lastName, name?.last_name, asGiven),
    picture: merged(user.picture, fields.picture, asGiven),
    language: merged(user.language, fields.language, asGiven),
    groups: merged(user.groups, fields.groups, (given) => [...new Set(given)]) ?? [],
    roles: merged(user.roles, fields.roles, (given) => [...new Set(given)]) ?? [],
    customAppData: merged(user.customAppData, fields.custom_app_data, readCustomAppData),
    updatedAt: at,
  });
  if (!hasName(next) && !(isExternal(user) && isExternal(next)))
    throw invalidInput('body: one of email, phone_number and username is required');
  return withFormerLimits(next);
}
