import type { Passkey } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { toWireDate } from '../basis/time.ts';

/** Returns a passkey as the API shows it. */
export function passkeyRecord(passkey: Passkey) {
  const record = {
    credential_id: passkey.credentialId,
    name: passkey.name,
    rp_id: passkey.rpId,
    aaguid: passkey.aaguid,
    transports: [...passkey.transports],
    backup_eligible: passkey.backupEligible ?? false,
    backed_up: passkey.backedUp,
    created_at: toWireDate(passkey.createdAt),
    last_used_at: passkey.lastUsedAt === undefined ? undefined : toWireDate(passkey.lastUsedAt),
  };
  return omitUndefined<typeof record>(record);
}
