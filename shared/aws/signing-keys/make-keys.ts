import {
  CreateKeyCommand,
  DisableKeyCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  GetPublicKeyCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import type { SigningKey } from '../../ports/keys.ts';
import { CALL_SETTINGS } from '../call-settings.ts';
import type { MadeKey } from './record.ts';

/**
 * Time-out in milliseconds for creating a key pair, which takes longer than signing. The call is not retried, because a second
 * key would also be billed.
 */
const MAKING_MILLISECONDS = 10_000;
const client = () =>
  new KMSClient({
    ...CALL_SETTINGS,
    maxAttempts: 1,
    requestHandler: { ...CALL_SETTINGS.requestHandler, requestTimeout: MAKING_MILLISECONDS },
  });

const SPECS = { RS256: 'RSA_2048', ES256: 'ECC_NIST_P256' } as const;

/** Reads the public key and the ARN of an existing KMS key. */
export async function readKey(keyId: string): Promise<MadeKey> {
  const { KeyId: keyArn, PublicKey: spki } = await client().send(new GetPublicKeyCommand({ KeyId: keyId }));
  if (!keyArn || !spki) throw new Error('KMS returned no public key');
  return { keyArn, spki };
}

/**
 * Creates a KMS signing key. Without the option `policy`, KMS assigns its default policy, which lets the whole account use the
 * key.
 */
export async function createKey(options: {
  readonly alg: SigningKey['alg'];
  readonly policy?: string;
  readonly tags: Readonly<Record<string, string>>;
}): Promise<MadeKey> {
  const { KeyMetadata } = await client().send(
    new CreateKeyCommand({
      KeySpec: SPECS[options.alg],
      KeyUsage: 'SIGN_VERIFY',
      MultiRegion: true,
      Description: 'Signs tokens',
      Tags: Object.entries(options.tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })),
      Policy: options.policy,
    }),
  );
  if (!KeyMetadata?.Arn) throw new Error('KMS returned no key');
  return readKey(KeyMetadata.Arn);
}

/** Creates a key pair. KMS returns the private key only encrypted with `envelopeKeyId` and bound to `context`. */
export async function createSealedKeyPair(
  envelopeKeyId: string,
  context: Readonly<Record<string, string>>,
  alg: SigningKey['alg'] = 'RS256',
): Promise<MadeKey> {
  const made = await client().send(
    new GenerateDataKeyPairWithoutPlaintextCommand({
      KeyId: envelopeKeyId,
      KeyPairSpec: SPECS[alg],
      EncryptionContext: { ...context },
    }),
  );
  const { KeyId: keyArn, PublicKey: spki, PrivateKeyCiphertextBlob: sealed } = made;
  if (!keyArn || !spki || !sealed) throw new Error('KMS returned no key pair');
  return { keyArn, spki, sealed: { ciphertext: Buffer.from(sealed).toString('base64'), context } };
}

/** Disables a key, so that it can no longer sign. The key can be enabled again. */
export async function disableKey(keyArn: string): Promise<void> {
  await client().send(new DisableKeyCommand({ KeyId: keyArn }));
}
