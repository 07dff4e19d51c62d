import type { Passkey } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';

/** A passkey on the wire. */
export interface PasskeyRecord {
  readonly credential_id: string;
  readonly name?: string;
  readonly rp_id: string;
  readonly aaguid: string;
  readonly transports: string[];
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  readonly created_at: string;
  readonly last_used_at?: string;
}

export function passkeyRecord(passkey: Passkey): PasskeyRecord {
  return omitUndefined<PasskeyRecord>({
    credential_id: passkey.credentialId,
    name: passkey.name,
    rp_id: passkey.rpId,
    aaguid: passkey.aaguid,
    transports: [...passkey.transports],
    backup_eligible: passkey.backupEligible,
    backed_up: passkey.backedUp,
    created_at: wireDate(passkey.createdAt),
    last_used_at: passkey.lastUsedAt === undefined ? undefined : wireDate(passkey.lastUsedAt),
  });
}
