import { ENVELOPE_KEY_ID, localKeys, SIGNING_KEY_ID } from '../../lib/local/demo.ts';
import { startEmulators } from '../../lib/local/emulators/start.ts';
import { kmsOf } from '../../shared/aws/kms.ts';
import { kmsSigner } from '../../shared/aws/kms-signer.ts';
import { existingKey, sealedKeyPair } from '../../shared/aws/signing-keys/make-keys.ts';
import { SIGNING_MODES, type SigningMode } from '../../shared/aws/signing-keys/modes.ts';
import { signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import { median, rounded } from './support/statistics.ts';

export interface SigningRow {
  readonly mode: SigningMode;
  /** Of one signature, the first of which opens the key. */
  readonly first_ms: number;
  readonly median_ms: number;
}

const SIGNATURES = 300;
/** As long as the claims of an access token are. */
const MESSAGE = Buffer.alloc(900, 'a');

async function measure(mode: SigningMode): Promise<SigningRow> {
  const made =
    mode === 'kms'
      ? await existingKey(SIGNING_KEY_ID)
      : await sealedKeyPair(ENVELOPE_KEY_ID, { 'otl:purpose': 'signing' });
  const key = await signingKeyRecord(made, 'current', 0);
  const signer = kmsSigner(kmsOf({ env: {} }));
  const timed = async () => {
    const begin = performance.now();
    await signer.sign(key, key.alg, MESSAGE);
    return performance.now() - begin;
  };
  const first = await timed();
  const later: number[] = [];
  for (let count = 0; count < SIGNATURES; count += 1) later.push(await timed());
  return { mode, first_ms: rounded(first), median_ms: rounded(median(later), 2) };
}

/** One signature after the other, with a KMS on this machine: in AWS the mode `kms` waits for the network as well. */
export async function measureSigning(): Promise<SigningRow[]> {
  const emulators = await startEmulators({ keys: localKeys });
  Object.assign(process.env, emulators.environment);
  try {
    const rows: SigningRow[] = [];
    for (const mode of SIGNING_MODES) rows.push(await measure(mode));
    return rows;
  } finally {
    await emulators.stop();
  }
}
