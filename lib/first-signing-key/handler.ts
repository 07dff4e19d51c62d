import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { signingKeyRecords } from '../../shared/aws/adapters.ts';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { answerCustomResource, type CustomResourceEvent } from './custom-resource.ts';
import { ensureFirstSigningKey, type KmsPublicKey } from './ensure.ts';

const PHYSICAL_ID = 'first-signing-key';

async function publicKey(keyId: string): Promise<KmsPublicKey> {
  const kms = new KMSClient(CALL_SETTINGS);
  const { KeyId: keyArn, PublicKey: spki } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  if (!keyArn || !spki) throw new Error('KMS returned no public key');
  return { keyArn, spki };
}

/** The function of the custom resource `FirstSigningKey`; its property `KeyId` names the key in KMS. */
export const handler = (event: CustomResourceEvent): Promise<void> =>
  answerCustomResource(event, PHYSICAL_ID, () =>
    ensureFirstSigningKey(
      signingKeyRecords({ env: process.env }),
      () => publicKey(String(event.ResourceProperties.KeyId)),
      nowSeconds(),
    ),
  );
