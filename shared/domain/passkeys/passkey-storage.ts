import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Passkey } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { fixRpId } from './relying-party.ts';

export type PasskeyStorage = PortsWith<'passkeyRecords.reserve' | 'passkeyRecords.put' | 'rpIds'>;

/**
 * Stores a verified passkey, and makes the RP ID of its application permanent. Errors: `passkey_taken` if the credential ID
 * belongs to another user, `passkey_invalid` if the RP ID has changed in the meantime.
 */
export async function storePasskey(
  ports: PasskeyStorage,
  application: Application,
  passkey: Passkey,
): Promise<void> {
  const { credentialId, userId, rpId, createdAt } = passkey;
  await fixRpId(ports, application, rpId);
  if (!(await ports.passkeyRecords.reserve(credentialId, userId, createdAt)))
    throw new ServiceError('passkey_taken');
  if (!(await ports.passkeyRecords.put(passkey))) throw new ServiceError('passkey_taken');
}

/**
 * Stores a verified passkey during a login. If the passkey cannot be stored, returns false and the login continues, because the
 * user has also verified an address.
 */
export async function storePasskeyIfFree(
  ports: PasskeyStorage,
  application: Application,
  passkey: Passkey,
): Promise<boolean> {
  try {
    await storePasskey(ports, application, passkey);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || !/^passkey_(?:taken|invalid)$/.test(error.key)) throw error;
    return false;
  }
}
