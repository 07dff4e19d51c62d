import { type MadeKey, signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import type { BackgroundPorts } from '../background.ts';

/**
 * Puts the key as `current` if there is no signing key at all. Where there is one, states are the business of rotations,
 * and a deployment changes nothing.
 */
export async function ensureFirstSigningKey(
  records: BackgroundPorts<'first-signing-key'>['signingKeyRecords'],
  key: () => Promise<MadeKey>,
  at: number,
): Promise<void> {
  if ((await records.list()).length > 0) return;
  await records.put(await signingKeyRecord(await key(), 'current', at));
}
