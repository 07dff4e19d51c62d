import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateEncrypt,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { AwsError } from '../basis/aws-error.ts';
import { keyArn } from '../basis/services.ts';
import { signEcdsa } from './ecdsa.ts';
import { signPss } from './rsa-pss.ts';

const generate = promisify(generateKeyPair);

export const KeySpec = v.picklist(['RSA_2048', 'ECC_NIST_P256', 'HMAC_256', 'SYMMETRIC_DEFAULT']);
export type KeySpec = v.InferOutput<typeof KeySpec>;

export const StoredKeySchema = v.object({
  id: v.string(),
  spec: KeySpec,
  /** Key material in Base64: the PKCS #8 DER encoding of a private key, or the bytes of a symmetric key. */
  material: v.string(),
  createdAt: v.number(),
  disabled: v.optional(v.boolean(), false),
});
export type StoredKey = v.InferOutput<typeof StoredKeySchema>;

/** Key of the local KMS. `privateKey` is defined only if the key is asymmetric. */
export interface Key extends StoredKey {
  readonly privateKey?: KeyObject;
}

export interface SignRequest {
  readonly Message: Buffer;
  readonly MessageType: 'RAW' | 'DIGEST';
  readonly SigningAlgorithm: string;
}

const PSS = 'RSASSA_PSS_SHA_256';
const signingAlgorithms: Readonly<Record<'RSA_2048' | 'ECC_NIST_P256', readonly string[]>> = {
  RSA_2048: ['RSASSA_PKCS1_V1_5_SHA_256', PSS],
  ECC_NIST_P256: ['ECDSA_SHA_256'],
};
const RAW_MESSAGE_MAX_BYTES = 4096;

/** DER prefix of a DigestInfo with SHA-256, to which the digest is appended (RFC 8017 §9.2, note 1). */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

const usages = {
  RSA_2048: 'SIGN_VERIFY',
  ECC_NIST_P256: 'SIGN_VERIFY',
  HMAC_256: 'GENERATE_VERIFY_MAC',
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
} as const;
export const findKeyUsage = (spec: KeySpec): string => usages[spec];

const isSecret = (spec: KeySpec): spec is 'HMAC_256' | 'SYMMETRIC_DEFAULT' =>
  spec === 'HMAC_256' || spec === 'SYMMETRIC_DEFAULT';

/**
 * Creates a KMS key.
 * @param givenMaterial Key material in Base64. If undefined, a new random key is generated.
 */
export async function makeKey(id: string, spec: KeySpec, givenMaterial?: string): Promise<Key> {
  const made = { id, spec, createdAt: Math.floor(Date.now() / 1000), disabled: false };
  if (givenMaterial !== undefined) return loadKey({ ...made, material: givenMaterial });
  if (isSecret(spec)) return { ...made, material: randomBytes(32).toString('base64') };
  const { privateKey } =
    spec === 'RSA_2048'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const material = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { ...made, material, privateKey };
}

export function loadKey(key: StoredKey): Key {
  if (isSecret(key.spec)) return key;
  const der = Buffer.from(key.material, 'base64');
  return { ...key, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

export function toKeyMetadata(key: Key): object {
  return {
    KeyId: key.id,
    Arn: keyArn(key.id),
    CreationDate: key.createdAt,
    Enabled: !key.disabled,
    KeyState: key.disabled ? 'Disabled' : 'Enabled',
    KeySpec: key.spec,
    KeyUsage: findKeyUsage(key.spec),
    Origin: 'AWS_KMS',
    KeyManager: 'CUSTOMER',
  };
}

function requireSigningKey(key: Key): { privateKey: KeyObject; algorithms: readonly string[] } {
  if (key.privateKey === undefined || isSecret(key.spec))
    throw new AwsError(
      'InvalidKeyUsageException',
      `${keyArn(key.id)} key usage is ${findKeyUsage(key.spec)}`,
    );
  return { privateKey: key.privateKey, algorithms: signingAlgorithms[key.spec] };
}

export function getPublicKey(key: Key): object {
  const { privateKey, algorithms } = requireSigningKey(key);
  return {
    KeyId: keyArn(key.id),
    PublicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
    KeySpec: key.spec,
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: algorithms,
  };
}

export function signWith(key: Key, request: SignRequest): object {
  const { privateKey, algorithms } = requireSigningKey(key);
  const { Message: message, MessageType: type, SigningAlgorithm } = request;
  if (!algorithms.includes(SigningAlgorithm))
    throw new AwsError(
      'InvalidKeyUsageException',
      `Algorithm ${SigningAlgorithm} is incompatible with the key`,
    );
  if (type === 'DIGEST' && message.length !== 32)
    throw new AwsError('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}`);
  if (message.length === 0 || message.length > RAW_MESSAGE_MAX_BYTES)
    throw new AwsError('ValidationException', `Message must have 1 to ${RAW_MESSAGE_MAX_BYTES} bytes`);
  const digest = type === 'RAW' ? createHash('sha256').update(message).digest() : message;
  const signature =
    SigningAlgorithm === PSS ? signPss(privateKey, digest) : signDigest(key, privateKey, digest);
  return { KeyId: keyArn(key.id), Signature: signature.toString('base64'), SigningAlgorithm };
}

function signDigest(key: Key, privateKey: KeyObject, digest: Buffer): Buffer {
  if (key.spec === 'RSA_2048') {
    const padding = constants.RSA_PKCS1_PADDING;
    return privateEncrypt({ key: privateKey, padding }, Buffer.concat([SHA256_DIGEST_INFO, digest]));
  }
  return signEcdsa(Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'), digest);
}

export function computeMac(key: Key, message: Buffer): Buffer {
  if (key.spec !== 'HMAC_256')
    throw new AwsError(
      'InvalidKeyUsageException',
      `${keyArn(key.id)} key usage is ${findKeyUsage(key.spec)}`,
    );
  return createHmac('sha256', Buffer.from(key.material, 'base64')).update(message).digest();
}
