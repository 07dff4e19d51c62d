import { asBase64url } from '../../shared/domain/basis/base64.ts';
import { passkeyRecord } from '../../shared/domain/passkeys/passkey-record.ts';
import { findRelatedOrigins } from '../../shared/domain/passkeys/relying-party.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireChangeableUser } from '../../shared/tokens/binding-user.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

/** Lists the passkeys of a user. */
export const listPasskeys: UseCase<typeof rows.listPasskeys> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const { userId } = await requireReachableUser(ports, caller, path.userId, settings, request.now);
  return { json: { result: (await ports.passkeyRecords.listOf(userId)).map(passkeyRecord) } };
};

/** Names a passkey, to tell several apart. */
export const renamePasskey: UseCase<typeof rows.renamePasskey> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const { userId } = await requireReachableUser(ports, caller, path.userId, settings, request.now);
  const credentialId = asBase64url(path.credentialId);
  const renamed = credentialId && (await ports.passkeyRecords.rename(userId, credentialId, json.name));
  if (!renamed) throw new ServiceError('passkey_not_found');
  return { json: { result: passkeyRecord(renamed) } };
};

/** Removes a passkey. Its authenticator may still offer it, in vain. */
export const deletePasskey: UseCase<typeof rows.deletePasskey> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const { userId } = await requireChangeableUser(ports, caller, path.userId, settings, request.now);
  const credentialId = asBase64url(path.credentialId);
  if (!credentialId || !(await ports.passkeyRecords.remove(userId, credentialId)))
    throw new ServiceError('passkey_not_found');
  return { none: true };
};

/** WebAuthn L3 §5.11: browsers read this before a page of another host uses our RP ID. */
export const relatedOrigins: UseCase<typeof rows.relatedOrigins> = async ({ settings }, ports) => ({
  json: { origins: [...(await findRelatedOrigins(ports, settings))] },
});
