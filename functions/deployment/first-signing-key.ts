import { existingKey, sealedKeyPair } from '../../shared/aws/signing-keys/make-keys.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import type { CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent } from './custom-resource.ts';
import { ensureFirstSigningKey } from './ensure-signing-key.ts';

const PHYSICAL_ID = 'first-signing-key';

/**
 * The function of the custom resource `FirstSigningKey`. Its property `KeyId` names the KMS key that signs, or, with
 * `SealingContext`, the one that seals the private key.
 */
export const create: CreateBackground<'first-signing-key', CustomResourceEvent> = (ports) => (event) =>
  answerCustomResource(event, PHYSICAL_ID, () => {
    const { KeyId, SealingContext } = event.ResourceProperties;
    return ensureFirstSigningKey(
      ports.signingKeyRecords,
      () =>
        SealingContext === undefined
          ? existingKey(String(KeyId))
          : sealedKeyPair(String(KeyId), SealingContext as Readonly<Record<string, string>>),
      nowSeconds(),
    );
  });
