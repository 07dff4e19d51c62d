import type { PublicJwk } from '../../ports/directory.ts';
import type { DeviceKey, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { DEVICE_KEYS_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { toWireDate } from '../basis/time.ts';
import { requireBelowLimit } from './credential-count.ts';
import { readDevicePublicKey } from './crypto-key.ts';

/** Stores a device's public key, created at `now` (epoch seconds). Errors: `system_invalid_input`, `too_many_credentials`. */
export async function addDeviceKey(
  ports: PortsWith<'deviceKeys.listOf' | 'deviceKeys.put'>,
  { userId, tenantId }: User,
  given: { readonly public_key: PublicJwk; readonly name: string },
  { trust, now }: { readonly trust: Trust; readonly now: number },
): Promise<DeviceKey> {
  const facts = readDevicePublicKey(given.public_key);
  const known = await ports.deviceKeys.listOf(userId);
  requireBelowLimit(known, DEVICE_KEYS_MAX);
  const key: DeviceKey = {
    keyId: newId(),
    userId,
    tenantId,
    name: given.name,
    ...facts,
    createdAt: now,
    ...trust,
  };
  if (!(await ports.deviceKeys.put(key))) throw new Error('a fresh key ID is in use');
  return key;
}

export function deviceKeyRecord({ keyId, name, algorithm, publicKey, createdAt }: DeviceKey) {
  return { key_id: keyId, name, algorithm, public_key: publicKey, created_at: toWireDate(createdAt) };
}
