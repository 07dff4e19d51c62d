import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Address, CustomIdentifier, User, UserFields } from '../../ports/people.ts';
import { snake } from '../../records/field.ts';
import { nameFields } from '../../records/profile.ts';
import { changedRecord, shownRecord } from '../../records/record.ts';
import { accountFields, externalIdFields, userFields } from '../../records/user.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { changedExternalIds, externalIdAt } from '../identifiers/external-ids.ts';
import { BUILT_IN_TYPES, normaliseIdentifier } from '../identifiers/identifier.ts';
import { personName } from '../identifiers/person-name.ts';
import { opensAtOf, supersedesAccount } from '../trust/generations.ts';
import { type ChangedBy, userWithAddresses } from '../trust/given-address.ts';
import { isVerified } from '../trust/proofs.ts';
import { readCustomAppData } from './custom-app-data.ts';

/** What the first proof of an address does, and from when on it is enough. */
function proofOf(user: User, address: Address) {
  const opensAt = opensAtOf(user, address);
  return {
    ...(opensAt !== undefined && { opens_at: wireDate(opensAt) }),
    ...(supersedesAccount(user, address) && { supersedes_account: true }),
  };
}

function emailRecord(user: User, address: Address, place: Application | undefined) {
  const { value, undeliverable } = address;
  const verified = isVerified(user, address, place);
  const shown = { value, email_verified: verified, ...proofOf(user, address) };
  if (!undeliverable) return shown;
  const { reason, since } = undeliverable;
  return { ...shown, undeliverable: { reason, since: wireDate(since) } };
}

function phoneRecord(user: User, address: Address, place: Application | undefined) {
  const { value, risk } = address;
  const verified = isVerified(user, address, place);
  const shown = { value, phone_number_verified: verified, ...proofOf(user, address) };
  if (!risk) return shown;
  const { signal, reason, observedAt, reportedAt } = risk;
  return {
    ...shown,
    risk: {
      signal,
      ...(reason === undefined ? {} : { reason }),
      observed_at: wireDate(observedAt),
      reported_at: wireDate(reportedAt),
    },
  };
}

/** A user as callers see it, at their application if they have one. */
export function userRecord(user: User, place?: Application) {
  const { email, phoneNumber, externalIds, erasure } = user;
  const name = shownRecord(nameFields, user);
  const ids = place || externalIds.length === 0 ? undefined : externalIds;
  const record = {
    ...shownRecord(userFields, user),
    email: email && emailRecord(user, email, place),
    phone_number: phoneNumber && phoneRecord(user, phoneNumber, place),
    external_user_id: externalIdAt(user, place),
    external_ids: ids?.map((each) => shownRecord(externalIdFields, each)),
    name: Object.keys(name).length > 0 ? name : undefined,
    identities: user.identities.map((each) => shownRecord(accountFields, each)),
    erasure_at: erasure && wireDate(erasure.effectiveAt),
  };
  return omitUndefined<typeof record>(record);
}

export type UserRecord = ReturnType<typeof userRecord>;

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

const noName = () => Object.fromEntries(Object.keys(nameFields).map((key) => [snake(key), null]));
const distinct = (given: readonly string[]) => [...new Set(given)];

/**
 * The user with the given fields in place of the former ones; the others stay.
 * Errors: `system_invalid_input`, also when none of email, phone number and username would remain.
 */
export function userWithFields(user: User, fields: UserFields, at: number, by: ChangedBy): User {
  const changed = changedRecord(userFields, userWithAddresses(user, fields, at, by), fields, {
    username: readUsername,
    customIdentifiers: readCustomIdentifiers,
    groups: distinct,
    roles: distinct,
    customAppData: readCustomAppData,
  });
  const next: User = {
    ...changedRecord(nameFields, changed, fields.name === null ? noName() : (fields.name ?? {}), {
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
