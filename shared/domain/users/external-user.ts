import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Identifier, Passkey, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { externalIdentifier, findHolderId, findOwner, readIdentifier } from '../identifiers/identifier.ts';
import { type PasskeyStorage, storePasskey } from '../passkeys/passkey-storage.ts';
import { userHandle } from '../passkeys/relying-party.ts';
import { vouchedAt } from '../trust/binding.ts';
import { FIRST, unproven } from '../trust/generations.ts';
import { blankUser, type NewUserPorts, putUser } from './create-user.ts';
import { requireActive } from './user-status.ts';

/** Users that a client authenticates itself, and knows by an ID of its own. */

export interface ExternalUser {
  readonly externalUserId: string;
  /** Unproven, as the client spells it. */
  readonly email?: string;
}

/** Undefined without an external ID. Errors: `system_invalid_input`. */
export function readExternalUser(given: {
  readonly external_user_id?: string | undefined;
  readonly user_email?: string | undefined;
}): ExternalUser | undefined {
  const { external_user_id: externalUserId, user_email } = given;
  const email = user_email === undefined ? undefined : normaliseEmail(user_email);
  if (user_email !== undefined && !email) throw invalidInput('user_email: is not an email address');
  return externalUserId === undefined
    ? undefined
    : omitUndefined<ExternalUser>({ externalUserId, email: email?.display });
}

/** Errors: `system_invalid_input`. */
export function requireExternalUser(given: ExternalUser | undefined): ExternalUser {
  if (!given) throw invalidInput('external_user_id: is required');
  return given;
}

/** An ID that the client gives beside its user. Errors: `system_invalid_input` when the user has another one. */
export function requireSameExternalId({ externalUserId }: User, given: string | undefined): void {
  if (given !== undefined && externalUserId !== undefined && externalUserId !== given)
    throw invalidInput('external_user_id: is not that of the user');
}

interface Place {
  readonly tenant: Tenant;
  readonly application: Application;
}

type FindPorts = Using<'identifiers' | 'users.find'>;

async function findBy(ports: FindPorts, tenant: Tenant, identifier: Identifier): Promise<User | undefined> {
  const userId = await findHolderId(ports, tenant, identifier);
  return userId === undefined ? undefined : findOwner(ports, tenant, identifier, userId);
}

/**
 * The user with the external ID. An address leads to no user: it is what the person claims.
 * Errors: `identifier_taken` when the address is another user's, `user_not_active`.
 */
export async function findExternalUser(
  ports: FindPorts,
  tenant: Tenant,
  { externalUserId, email }: ExternalUser,
): Promise<User | undefined> {
  const known = await findBy(ports, tenant, externalIdentifier(externalUserId));
  if (known) return requireActive(known);
  const holder =
    email === undefined ? undefined : await findBy(ports, tenant, readIdentifier('email', email));
  // Another request has made the user between the two look-ups.
  if (holder?.externalUserId === externalUserId) return requireActive(holder);
  if (holder) throw new ServiceError('identifier_taken', { message: 'user_email: belongs to another user' });
  return undefined;
}

/**
 * Makes the user, or finds the one that another request has just made. The address is unproven: what it can do follows from
 * its first proof. Errors: `identifier_taken`.
 */
async function createExternalUser(
  ports: FindPorts & NewUserPorts,
  { tenant, application }: Place,
  wanted: ExternalUser & { readonly userId: string },
  at: number,
): Promise<{ readonly user: User; readonly isCreated: boolean }> {
  const { userId, externalUserId, email } = wanted;
  const { applicationId: scope } = application;
  const user = omitUndefined<User>({
    ...blankUser(tenant, userId, at, { applications: [scope], generations: unproven }),
    externalUserId,
    email:
      email === undefined
        ? undefined
        : { value: email, standing: 'claimed', scope, generation: FIRST, since: at },
  });
  try {
    return { user: await putUser(ports, user, [externalIdentifier(externalUserId)]), isCreated: true };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'identifier_taken') throw error;
    const made = await findExternalUser(ports, tenant, wanted);
    if (!made) throw error;
    return { user: made, isCreated: false };
  }
}

/**
 * Makes the user of a new passkey and stores both. The user comes first: after a crash a repeat finds it.
 * Errors: `passkey_taken`, `passkey_invalid`, `identifier_taken`.
 */
export async function storeWithNewUser(
  ports: FindPorts & NewUserPorts & PasskeyStorage & Using<'passkeys.findOwner'>,
  place: Place,
  passkey: Passkey,
  wanted: ExternalUser,
  at: number,
): Promise<{ readonly user: User; readonly isCreated: boolean }> {
  const { userId, credentialId } = passkey;
  if ((await ports.passkeys.findOwner(credentialId)) !== undefined) throw new ServiceError('passkey_taken');
  const { tenant, application } = place;
  const made = await createExternalUser(ports, place, { ...wanted, userId }, at);
  const { user, isCreated } = made;
  // Its authenticator keeps the handle that it was made with.
  const handle = passkey.userHandle ?? userHandle(tenant, userId);
  const moved = { userId: user.userId, userHandle: handle, ...vouchedAt(user, application, at) };
  await storePasskey(ports, application, isCreated ? passkey : { ...passkey, ...moved });
  return made;
}
