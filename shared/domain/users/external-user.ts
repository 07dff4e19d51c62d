import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Passkey, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { readEmail, requireMailable } from '../identifiers/email-address.ts';
import { externalIdAt } from '../identifiers/external-ids.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { externalIdentifier, hasIdentifier, readIdentifier } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { type PasskeyStorage, storePasskey } from '../passkeys/passkey-storage.ts';
import { userHandle } from '../passkeys/relying-party.ts';
import { createVouchedTrust } from '../trust/binding.ts';
import { FIRST_GENERATION, UNPROVEN_GENERATIONS } from '../trust/generations.ts';
import { buildBlankUser, type NewUserPorts, putUser } from './create-user.ts';
import { requireActive } from './user-status.ts';

// Users who are authenticated by a client itself and identified by the client's own IDs.

/** Data that a client reports about its user. The email address is unverified and keeps the client's spelling. */
export interface ReportedUser {
  readonly externalUserId?: string;
  readonly email?: string;
}

export interface ExternalUser extends ReportedUser {
  readonly externalUserId: string;
}

/** Reads the data that a client reports about its user. Errors: `system_invalid_input`. */
export function readReportedUser(given: {
  readonly external_user_id?: string | undefined;
  readonly user_email?: string | undefined;
}): ReportedUser {
  const { external_user_id: externalUserId, user_email } = given;
  const email = user_email === undefined ? undefined : readEmail(user_email);
  if (user_email !== undefined && !email) throw invalidInput('user_email: is not an email address');
  return omitUndefined<ReportedUser>({ externalUserId, email: email?.display });
}

export const isExternal = (said: ReportedUser): said is ExternalUser => said.externalUserId !== undefined;

/** Rejects data about a user in which the client has not reported an external ID. Errors: `system_invalid_input`. */
export function requireExternalUser(said: ReportedUser): ExternalUser {
  if (!isExternal(said)) throw invalidInput('external_user_id: is required');
  return said;
}

interface UserLocation {
  readonly tenant: Tenant;
  readonly application: Application;
}

type FindPorts = PortsWith<'identifiers' | 'users.find'>;

const findByExternalId = (ports: FindPorts, { tenant, application }: UserLocation, value: string) =>
  findUserByIdentifier(
    ports,
    tenant,
    externalIdentifier({ applicationId: application.applicationId, value }),
  );

const taken = (message: string) => new ServiceError('identifier_taken', { message });

/**
 * Rejects an email address that is not the user's, because another person could otherwise get the user's passkey. A former
 * verified address is accepted while no other user has it, because the client may not know of the change yet.
 */
async function requireOwnEmail(
  ports: FindPorts,
  tenant: Tenant,
  user: User,
  email: string | undefined,
): Promise<void> {
  if (email === undefined) return;
  const identifier = readIdentifier('email', email);
  if (hasIdentifier(user, identifier)) return;
  const isFormer = user.formerEmails.includes(identifierHash(tenant, identifier));
  if (!isFormer || (await findUserByIdentifier(ports, tenant, identifier)))
    throw taken('user_email: is not an address of the user');
}

/**
 * Rejects reported data that contradicts the user whom the client has named. Errors: `identifier_taken` if an external ID or
 * email address belongs to another user, `system_invalid_input` if the external ID differs from the user's.
 */
export async function requireConsistentReport(
  ports: FindPorts,
  place: UserLocation,
  user: User,
  { externalUserId, email }: ReportedUser,
): Promise<void> {
  const own = externalIdAt(user, place.application);
  if (externalUserId !== undefined && own !== externalUserId) {
    if (await findByExternalId(ports, place, externalUserId))
      throw taken('external_user_id: belongs to another user');
    if (own !== undefined) throw invalidInput('external_user_id: does not match the user');
  }
  await requireOwnEmail(ports, place.tenant, user, email);
}

/**
 * Finds the user with the external ID. The email address never identifies a user, because it is unverified. Errors:
 * `identifier_taken` if the address does not belong to that user, `user_not_active`, `system_invalid_input` if a new user's
 * address cannot receive email.
 */
export async function findExternalUser(
  ports: FindPorts,
  place: UserLocation,
  { externalUserId, email }: ExternalUser,
): Promise<User | undefined> {
  const { tenant, application } = place;
  const known = await findByExternalId(ports, place, externalUserId);
  if (known) {
    await requireOwnEmail(ports, tenant, known, email);
    return requireActive(known);
  }
  const holder =
    email === undefined
      ? undefined
      : await findUserByIdentifier(ports, tenant, readIdentifier('email', email));
  // Another request has created the user between the two lookups.
  if (holder && externalIdAt(holder, application) === externalUserId) return requireActive(holder);
  if (holder) throw taken('user_email: belongs to another user');
  if (email !== undefined) requireMailable('user_email', email);
  return undefined;
}

/**
 * Creates the user, or finds the user that a concurrent request has just created. The email address is unverified: its first
 * proof determines what the address can do. Errors: `identifier_taken`.
 */
async function createExternalUser(
  ports: FindPorts & NewUserPorts,
  place: UserLocation,
  wanted: ExternalUser & { readonly userId: string },
  at: number,
): Promise<{ readonly user: User; readonly isCreated: boolean }> {
  const { userId, externalUserId, email } = wanted;
  const { tenant } = place;
  const { applicationId: scope } = place.application;
  const externalId = { applicationId: scope, value: externalUserId };
  const user = omitUndefined<User>({
    ...buildBlankUser(tenant, userId, at, { applications: [scope], generations: UNPROVEN_GENERATIONS }),
    externalIds: [externalId],
    email:
      email === undefined
        ? undefined
        : { value: email, standing: 'claimed', scope, generation: FIRST_GENERATION, since: at },
  });
  try {
    return { user: await putUser(ports, user, [externalIdentifier(externalId)]), isCreated: true };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'identifier_taken') throw error;
    const made = await findExternalUser(ports, place, wanted);
    if (!made) throw error;
    return { user: made, isCreated: false };
  }
}

/**
 * Creates the user of a new passkey and stores both. The user is stored first, so that a retry after a crash finds the user.
 * Errors: `passkey_taken`, `passkey_invalid`, `identifier_taken`.
 */
export async function storeWithNewUser(
  ports: FindPorts & NewUserPorts & PasskeyStorage & PortsWith<'passkeys.findOwner'>,
  place: UserLocation,
  { passkey, wanted }: { readonly passkey: Passkey; readonly wanted: ExternalUser },
  at: number,
): Promise<{ readonly user: User; readonly isCreated: boolean }> {
  const { userId, credentialId } = passkey;
  if ((await ports.passkeys.findOwner(credentialId)) !== undefined) throw new ServiceError('passkey_taken');
  const { tenant, application } = place;
  const made = await createExternalUser(ports, place, { ...wanted, userId }, at);
  const { user, isCreated } = made;
  // The authenticator has already stored a user handle, so the new user gets this handle.
  const handle = passkey.userHandle ?? userHandle(tenant, userId);
  const moved = { userId: user.userId, userHandle: handle, ...createVouchedTrust(user, application, at) };
  await storePasskey(ports, application, isCreated ? passkey : { ...passkey, ...moved });
  return made;
}
