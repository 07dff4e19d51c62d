import type { Passkey } from '../../ports/people.ts';
import type { PasskeyRecord } from '../../schemas/passkeys.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';

/** A passkey on the wire. */
export function passkeyRecord(passkey: Passkey): PasskeyRecord {
  return allFields<PasskeyRecord>({
    credential_id: passkey.credentialId,
    name: passkey.name,
    rp_id: passkey.rpId,
    aaguid: passkey.aaguid,
    transports: [...passkey.transports],
    backup_eligible: passkey.backupEligible ?? false,
    backed_up: passkey.backedUp,
    created_at: wireDate(passkey.createdAt),
    last_used_at: passkey.lastUsedAt === undefined ? undefined : wireDate(passkey.lastUsedAt),
  });
}
