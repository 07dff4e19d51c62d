import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Address, CustomIdentifier, User, UserFields } from '../../ports/people.ts';
import { toSnakeCase } from '../../records/field.ts';
import { nameFields } from '../../records/profile.ts';
import { applyChanges, toRecordView } from '../../records/record.ts';
import { accountFields, externalIdFields, userFields } from '../../records/user.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { toWireDate } from '../basis/time.ts';
import { changedExternalIds, externalIdAt } from '../identifiers/external-ids.ts';
import { BUILT_IN_TYPES, normaliseIdentifier } from '../identifiers/identifier.ts';
import { personName } from '../identifiers/person-name.ts';
import { loginDelayedUntil, supersedesAccount } from '../trust/generations.ts';
import { type AddressChangeSource, applyAddressFields } from '../trust/given-address.ts';
import { isVerifiedIn } from '../trust/proofs.ts';
import { readCustomAppData } from './custom-app-data.ts';

/** Returns the API fields for the time from which an address is enough to log in, and for the effect of verifying it. */
function proofEffect(user: User, address: Address) {
  const delayedUntil = loginDelayedUntil(user, address);
  return {
    ...(delayedUntil !== undefined && { opens_at: toWireDate(delayedUntil) }),
    ...(supersedesAccount(user, address) && { supersedes_account: true }),
  };
}

function emailRecord(user: User, address: Address, place: Application | undefined) {
  const { value, undeliverable } = address;
  const verified = isVerifiedIn(user, address, place);
  const shown = { value, email_verified: verified, ...proofEffect(user, address) };
  if (!undeliverable) return shown;
  const { reason, since } = undeliverable;
  return { ...shown, undeliverable: { reason, since: toWireDate(since) } };
}

function phoneRecord(user: User, address: Address, place: Application | undefined) {
  const { value, risk } = address;
  const verified = isVerifiedIn(user, address, place);
  const shown = { value, phone_number_verified: verified, ...proofEffect(user, address) };
  if (!risk) return shown;
  const { signal, reason, observedAt, reportedAt } = risk;
  return {
    ...shown,
    risk: {
      signal,
      ...(reason === undefined ? {} : { reason }),
      observed_at: toWireDate(observedAt),
      reported_at: toWireDate(reportedAt),
    },
  };
}

/** Converts a user to its API record: as the application in `place` sees it or, without `place`, as an admin sees it. */
export function toUserRecord(user: User, place?: Application) {
  const { email, phoneNumber, externalIds, erasure } = user;
  const name = toRecordView(nameFields, user);
  const ids = place || externalIds.length === 0 ? undefined : externalIds;
  const record = {
    ...toRecordView(userFields, user),
    email: email && emailRecord(user, email, place),
    phone_number: phoneNumber && phoneRecord(user, phoneNumber, place),
    external_user_id: externalIdAt(user, place),
    external_ids: ids?.map((each) => toRecordView(externalIdFields, each)),
    name: Object.keys(name).length > 0 ? name : undefined,
    identities: user.identities.map((each) => toRecordView(accountFields, each)),
    erasure_at: erasure && toWireDate(erasure.effectiveAt),
  };
  return omitUndefined<typeof record>(record);
}

export type UserRecord = ReturnType<typeof toUserRecord>;

/** Spaces, control and format characters, which usernames must not contain. Otherwise two usernames could look alike. */
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

/** Returns true if the user has an identifier that a person enters or a provider reports. */
export const hasName = ({ email, phoneNumber, username, identities }: User): boolean =>
  email !== undefined || phoneNumber !== undefined || username !== undefined || identities.length > 0;

/** Returns true if only external IDs of clients identify the user. Such a user was created with a passkey. */
const isExternal = (user: User): boolean => user.externalIds.length > 0 && !hasName(user);

const noName = () => Object.fromEntries(Object.keys(nameFields).map((key) => [toSnakeCase(key), null]));
const distinct = (given: readonly string[]) => [...new Set(given)];

/**
 * Applies the given fields to a user and leaves the other fields unchanged. Errors: `system_invalid_input`, also if the user
 * would be left without an email address, phone number and username.
 */
export function applyUserFields(user: User, fields: UserFields, at: number, by: AddressChangeSource): User {
  const changed = applyChanges(userFields, applyAddressFields(user, fields, at, by), fields, {
    username: readUsername,
    customIdentifiers: readCustomIdentifiers,
    groups: distinct,
    roles: distinct,
    customAppData: readCustomAppData,
  });
  const next: User = {
    ...applyChanges(nameFields, changed, fields.name === null ? noName() : (fields.name ?? {}), {
      firstName: personName,
      lastName: personName,
    }),
    status: fields.status ?? user.status,
    externalIds: changedExternalIds(user, fields),
  };
  if (!hasName(next) && !(isExternal(user) && isExternal(next)))
    throw invalidInput('body: one of email, phone_number and username is required');
  return next;
}
