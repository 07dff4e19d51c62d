import { createSealedKeyPair, readKey } from '../../shared/aws/signing-keys/make-keys.ts';
import { type MadeKey, signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent, untilKnown } from './custom-resource.ts';

/**
 * Stores the key as `current` if there is no signing key yet. Otherwise changes nothing, because rotations manage the keys'
 * states.
 */
async function ensureFirstSigningKey(
  records: BackgroundPorts<'first-signing-key'>['signingKeyRecords'],
  key: () => Promise<MadeKey>,
  at: number,
): Promise<void> {
  if ((await records.list()).length > 0) return;
  await records.put(await signingKeyRecord(await key(), 'current', at));
}

const PHYSICAL_ID = 'first-signing-key';

/**
 * Creates the handler of the custom resource `FirstSigningKey`. The property `KeyId` names the KMS key that signs or, with
 * `SealingContext`, the KMS key that encrypts the private key.
 */
export const create: CreateBackground<'first-signing-key', CustomResourceEvent> = (ports) => (event) =>
  answerCustomResource(event, PHYSICAL_ID, () => {
    const { KeyId, SealingContext } = event.ResourceProperties;
    const key = () =>
      SealingContext === undefined
        ? readKey(String(KeyId))
        : createSealedKeyPair(String(KeyId), SealingContext as Readonly<Record<string, string>>);
    return untilKnown(
      () => ensureFirstSigningKey(ports.signingKeyRecords, key, nowSeconds()),
      (error) => error instanceof Error && error.name === 'AccessDeniedException',
    );
  });
