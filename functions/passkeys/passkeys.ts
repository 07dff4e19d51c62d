import { hasArea } from '../../shared/domain/basis/areas.ts';
import { toBase64url } from '../../shared/domain/basis/base64.ts';
import { FORMER_ADDRESS_SECONDS } from '../../shared/domain/basis/limits.ts';
import { passkeyRecord } from '../../shared/domain/passkeys/passkey-record.ts';
import { findRelatedOrigins } from '../../shared/domain/passkeys/shared-host.ts';
import { recordPasskeyRemoval } from '../../shared/domain/trust/changes.ts';
import { changeUser, createReplaceAttempt } from '../../shared/domain/users/change-user.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import {
  requireBindingUser,
  requireChangeableUser,
  requireNameableUser,
} from '../../shared/tokens/binding-user.ts';
import { requireOwnUser, requireReachableUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

async function list(ports: PortsWith<'passkeyRecords.listOf'>, { userId }: User) {
  return { json: { result: (await ports.passkeyRecords.listOf(userId)).map(passkeyRecord) } };
}

type Changeable = Awaited<ReturnType<typeof requireChangeableUser>>;

/**
 * Returns the ID of a passkey in base64url, or undefined if the given ID is malformed. Throws if the caller may not change this
 * passkey.
 */
function changeableId({ passkeys, guard }: Changeable, given: string): string | undefined {
  const credentialId = toBase64url(given);
  guard(passkeys.find((passkey) => passkey.credentialId === credentialId));
  return credentialId;
}

async function rename(
  ports: PortsWith<'passkeyRecords.rename'>,
  changeable: Changeable,
  given: string,
  { name }: { readonly name: string },
) {
  const { userId } = changeable.user;
  const credentialId = changeableId(changeable, given);
  const renamed = credentialId && (await ports.passkeyRecords.rename(userId, credentialId, name));
  if (!renamed) throw new ServiceError('passkey_not_found');
  return { json: { result: passkeyRecord(renamed) } };
}

/** Removes a passkey. The user can undo the removal for a few days. */
async function remove(
  ports: PortsWith<'passkeyRecords.remove' | 'userRecords.find' | 'userRecords.replace'>,
  changeable: Changeable,
  given: string,
  now: number,
) {
  const credentialId = changeableId(changeable, given);
  const { user, passkeys } = changeable;
  if (!credentialId || !passkeys.some((passkey) => passkey.credentialId === credentialId))
    throw new ServiceError('passkey_not_found');
  const { tenantId, userId } = user;
  const undoCondition = changeable.factorTypeCount > 1 ? 'kind' : 'link';
  const change = createReplaceAttempt(ports, (current) =>
    recordPasskeyRemoval(current, credentialId, undoCondition, now),
  );
  await changeUser(ports, { tenantId, userId }, change);
  await ports.passkeyRecords.remove(userId, credentialId, now + FORMER_ADDRESS_SECONDS);
  return { none: true } as const;
}

export const listPasskeys: UseCase<typeof rows.listPasskeys> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  return list(ports, await requireReachableUser(ports, { caller, settings, request }, path.userId));
};

/** Renames a passkey of a user, so that the user can tell several passkeys apart. */
export const renamePasskey: UseCase<typeof rows.renamePasskey> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireNameableUser(ports, { caller, settings, request }, path.userId);
  return rename(ports, user, path.credentialId, json);
};

/** Removes a passkey of a user. The authenticator may still offer the passkey, but a login with it fails. */
export const deletePasskey: UseCase<typeof rows.deletePasskey> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireChangeableUser(ports, { caller, settings, request }, path.userId);
  return remove(ports, user, path.credentialId, request.now);
};

export const listOwnPasskeys: UseCase<typeof rows.listOwnPasskeys> = async (
  { caller, request, settings },
  ports,
) => list(ports, await requireOwnUser(ports, caller, settings, request.now));

export const renameOwnPasskey: UseCase<typeof rows.renameOwnPasskey> = async (
  { path, json, caller, request, settings },
  ports,
) => {
  const user = await requireNameableUser(ports, { caller, settings, request }, caller.userId);
  return rename(ports, user, path.credentialId, json);
};

/** Removes a passkey of the access token's user. */
export const deleteOwnPasskey: UseCase<typeof rows.deleteOwnPasskey> = async (
  { path, caller, request, settings },
  ports,
) => {
  const user = await requireBindingUser(ports, caller, settings, request.now);
  return remove(ports, user, path.credentialId, request.now);
};

/**
 * Returns the URL of the account page, for password managers. All users get the same URL, because the page identifies the user
 * by the browser's login. Returns no URL if the account page is not deployed.
 */
export const passkeyEndpoints: UseCase<typeof rows.passkeyEndpoints> = async ({ settings }) => {
  if (!hasArea(settings, 'account')) return { json: {} };
  const page = `${settings.browserOrigin}/account?part=passkeys`;
  return { json: { enroll: page, manage: page } };
};

/** Returns the related origins, which browsers read before a page of another host uses our RP ID (WebAuthn L3 §5.11). */
export const relatedOrigins: UseCase<typeof rows.relatedOrigins> = async ({ settings }, ports) => ({
  json: { origins: [...(await findRelatedOrigins(ports, settings))] },
});
