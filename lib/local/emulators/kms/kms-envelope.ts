import { createCipheriv, createDecipheriv, createPublicKey, randomBytes } from 'node:crypto';
import { AwsError } from '../basis/aws-error.ts';
import { keyArn } from '../basis/services.ts';
import { type Key, makeKey } from './kms-key.ts';

export type EncryptionContext = Readonly<Record<string, string>>;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const ID_LENGTH_BYTES = 1;

/** Serializes the encryption context in a fixed order. The result is the additional authenticated data of a ciphertext. */
const toAuthenticatedData = (context: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).toSorted()));

function requireSymmetricKey(key: Key): Buffer {
  if (key.spec === 'SYMMETRIC_DEFAULT') return Buffer.from(key.material, 'base64');
  throw new AwsError('InvalidKeyUsageException', `${keyArn(key.id)} key usage is not ENCRYPT_DECRYPT`);
}

/** Encrypts data with a symmetric key. The ciphertext contains the ID of the key, as in KMS, so that Decrypt finds the key. */
function seal(key: Key, plaintext: Buffer, context: EncryptionContext): Buffer {
  const material = requireSymmetricKey(key);
  const [id, iv] = [Buffer.from(key.id), randomBytes(IV_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', material, iv).setAAD(toAuthenticatedData(context));
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(id.length), id, iv, cipher.getAuthTag(), encrypted]);
}

export function readKeyId(sealed: Buffer): string {
  return sealed.subarray(ID_LENGTH_BYTES, ID_LENGTH_BYTES + (sealed[0] ?? 0)).toString();
}

export function decrypt(key: Key, sealed: Buffer, context: EncryptionContext): Buffer {
  const material = requireSymmetricKey(key);
  const rest = sealed.subarray(ID_LENGTH_BYTES + (sealed[0] ?? 0));
  try {
    if (readKeyId(sealed) !== key.id) throw new Error('another key');
    const decipher = createDecipheriv('aes-256-gcm', material, rest.subarray(0, IV_BYTES))
      .setAAD(toAuthenticatedData(context))
      .setAuthTag(rest.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(rest.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new AwsError('InvalidCiphertextException', '');
  }
}

/** Creates a key pair whose private key is encrypted with a symmetric key (`GenerateDataKeyPairWithoutPlaintext`). */
export async function createKeyPair(
  key: Key,
  spec: 'RSA_2048' | 'ECC_NIST_P256',
  context: EncryptionContext,
): Promise<object> {
  requireSymmetricKey(key);
  const { material, privateKey } = await makeKey('', spec);
  if (privateKey === undefined) throw new Error(`${spec} has no private key`);
  const sealed = seal(key, Buffer.from(material, 'base64'), context);
  return {
    KeyId: keyArn(key.id),
    KeyPairSpec: spec,
    PrivateKeyCiphertextBlob: sealed.toString('base64'),
    PublicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}
