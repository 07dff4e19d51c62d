import { type MadeKey, signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import type { BackgroundPorts } from '../background.ts';

/** Stores the key as `current` if there is no signing key. Otherwise changes nothing: rotations own the states of keys. */
export async function ensureFirstSigningKey(
  records: BackgroundPorts<'first-signing-key'>['signingKeyRecords'],
  key: () => Promise<MadeKey>,
  at: number,
): Promise<void> {
  if ((await records.list()).length > 0) return;
  await records.put(await signingKeyRecord(await key(), 'current', at));
}
