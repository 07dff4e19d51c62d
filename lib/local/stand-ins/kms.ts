import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateEncrypt,
  randomBytes,
  randomUUID,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { readFileIfThere, writeFileAtomically } from './atomic-file.ts';
import { AwsError } from './aws-error.ts';
import { ecdsaOfDigest } from './ecdsa.ts';
import { keyArn } from './services.ts';

const generate = promisify(generateKeyPair);

const KeySpec = v.picklist(['RSA_2048', 'ECC_NIST_P256', 'HMAC_256']);
export type KeySpec = v.InferOutput<typeof KeySpec>;

const StoredKeySchema = v.object({
  id: v.string(),
  spec: KeySpec,
  /** PKCS #8 DER of a private key, or the bytes of an HMAC key; base64. */
  material: v.string(),
  createdAt: v.number(),
});
type StoredKey = v.InferOutput<typeof StoredKeySchema>;

interface Key extends StoredKey {
  readonly privateKey?: KeyObject;
}

const Base64 = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64')),
);
const CreateKeyInput = v.object({ KeySpec, KeyUsage: v.string() });
const KeyIdInput = v.object({ KeyId: v.string() });
const SignInput = v.object({
  KeyId: v.string(),
  Message: Base64,
  MessageType: v.optional(v.picklist(['RAW', 'DIGEST']), 'RAW'),
  SigningAlgorithm: v.string(),
});
const MacInput = v.object({ KeyId: v.string(), Message: Base64, MacAlgorithm: v.literal('HMAC_SHA_256') });
const VerifyMacInput = v.object({ ...MacInput.entries, Mac: Base64 });

const signingAlgorithmOf = { RSA_2048: 'RSASSA_PKCS1_V1_5_SHA_256', ECC_NIST_P256: 'ECDSA_SHA_256' } as const;
const RAW_MESSAGE_MAX_BYTES = 4096;

/** DigestInfo of SHA-256 without the digest itself, RFC 8017 §9.2 note 1. */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

export interface KmsOptions {
  /** Where the keys are kept; absent: in memory. */
  readonly file?: string;
  /** Keys that exist from the start. */
  readonly keys?: readonly { readonly id: string; readonly spec: KeySpec }[];
}

/** The part of AWS KMS that the service uses, on node:crypto. */
export class Kms {
  readonly #keys = new Map<string, Promise<Key>>();
  readonly #file: string | undefined;
  readonly #stored: StoredKey[] = [];
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Returns before the keys are made: an RSA key can take a while, and the first call that needs it waits. */
  static async open(options: KmsOptions): Promise<Kms> {
    const kms = new Kms(options.file);
    const stored = options.file === undefined ? undefined : await readFileIfThere(options.file);
    kms.#stored.push(...v.parse(v.array(StoredKeySchema), JSON.parse(stored ?? '[]')));
    for (const key of kms.#stored) kms.#keys.set(key.id, Promise.resolve(revive(key)));
    for (const { id, spec } of options.keys ?? []) {
      // Whoever needs the key waits for it and gets the error; perhaps nobody does.
      if (!kms.#keys.has(id)) kms.#create(id, spec).catch(() => undefined);
    }
    return kms;
  }

  /** @param action the name of the KMS operation; @param input its JSON body. Throws AwsError. */
  async answer(action: string, input: unknown): Promise<object> {
    switch (action) {
      case 'CreateKey':
        return this.#createKey(parse(CreateKeyInput, input));
      case 'DescribeKey':
        return { KeyMetadata: metadataOf(await this.#find(parse(KeyIdInput, input).KeyId)) };
      case 'GetPublicKey':
        return getPublicKey(await this.#find(parse(KeyIdInput, input).KeyId));
      case 'Sign': {
        const { KeyId, ...request } = parse(SignInput, input);
        return signWith(await this.#find(KeyId), request);
      }
      case 'GenerateMac': {
        const { KeyId, Message, MacAlgorithm } = parse(MacInput, input);
        const key = await this.#find(KeyId);
        return { KeyId: keyArn(key.id), Mac: macOf(key, Message).toString('base64'), MacAlgorithm };
      }
      case 'VerifyMac': {
        const { KeyId, Message, MacAlgorithm, Mac } = parse(VerifyMacInput, input);
        const key = await this.#find(KeyId);
        const expected = macOf(key, Message);
        if (Mac.length !== expected.length || !timingSafeEqual(Mac, expected))
          throw new AwsError('KMSInvalidMacException', '');
        return { KeyId: keyArn(key.id), MacValid: true, MacAlgorithm };
      }
      default:
        throw new AwsError('UnknownOperationException', `KMS has no ${action} here`);
    }
  }

  async #createKey(input: v.InferOutput<typeof CreateKeyInput>): Promise<object> {
    const usage = input.KeySpec === 'HMAC_256' ? 'GENERATE_VERIFY_MAC' : 'SIGN_VERIFY';
    if (input.KeyUsage !== usage)
      throw new AwsError('ValidationException', `KeyUsage of ${input.KeySpec} must be ${usage}`);
    return { KeyMetadata: metadataOf(await this.#create(randomUUID(), input.KeySpec)) };
  }

  #create(id: string, spec: KeySpec): Promise<Key> {
    const created = makeKey(id, spec).then(async (key) => {
      await this.#save(key);
      return key;
    });
    this.#keys.set(id, created);
    return created;
  }

  async #find(keyId: string): Promise<Key> {
    const key = this.#keys.get(keyId.slice(keyId.lastIndexOf('/') + 1));
    if (key === undefined) throw new AwsError('NotFoundException', `Key '${keyId}' does not exist`);
    return key;
  }

  #save({ id, spec, material, createdAt }: Key): Promise<void> {
    const file = this.#file;
    if (file === undefined) return Promise.resolve();
    this.#stored.push({ id, spec, material, createdAt });
    this.#writing = this.#writing.then(() => writeFileAtomically(file, JSON.stringify(this.#stored)));
    return this.#writing;
  }
}

async function makeKey(id: string, spec: KeySpec): Promise<Key> {
  const createdAt = Math.floor(Date.now() / 1000);
  if (spec === 'HMAC_256') return { id, spec, material: randomBytes(32).toString('base64'), createdAt };
  const { privateKey } =
    spec === 'RSA_2048'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const material = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { id, spec, material, createdAt, privateKey };
}

function revive(key: StoredKey): Key {
  if (key.spec === 'HMAC_256') return key;
  const der = Buffer.from(key.material, 'base64');
  return { ...key, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

function metadataOf(key: Key): object {
  return {
    KeyId: key.id,
    Arn: keyArn(key.id),
    CreationDate: key.createdAt,
    Enabled: true,
    KeyState: 'Enabled',
    KeySpec: key.spec,
    KeyUsage: key.spec === 'HMAC_256' ? 'GENERATE_VERIFY_MAC' : 'SIGN_VERIFY',
    Origin: 'AWS_KMS',
    KeyManager: 'CUSTOMER',
  };
}

function signingPartOf(key: Key): { privateKey: KeyObject; algorithm: string } {
  if (key.privateKey === undefined || key.spec === 'HMAC_256')
    throw new AwsError('InvalidKeyUsageException', `${keyArn(key.id)} key usage is GENERATE_VERIFY_MAC`);
  return { privateKey: key.privateKey, algorithm: signingAlgorithmOf[key.spec] };
}

function getPublicKey(key: Key): object {
  const { privateKey, algorithm } = signingPartOf(key);
  return {
    KeyId: keyArn(key.id),
    PublicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
    KeySpec: key.spec,
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: [algorithm],
  };
}

function signWith(key: Key, request: Omit<v.InferOutput<typeof SignInput>, 'KeyId'>): object {
  const { privateKey, algorithm } = signingPartOf(key);
  const { Message: message, MessageType: type, SigningAlgorithm } = request;
  if (SigningAlgorithm !== algorithm)
    throw new AwsError(
      'InvalidKeyUsageException',
      `Algorithm ${SigningAlgorithm} is incompatible with the key`,
    );
  if (type === 'DIGEST' && message.length !== 32)
    throw new AwsError('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}`);
  if (message.length === 0 || message.length > RAW_MESSAGE_MAX_BYTES)
    throw new AwsError('ValidationException', `Message must have 1 to ${RAW_MESSAGE_MAX_BYTES} bytes`);
  const signature =
    type === 'RAW' ? sign('sha256', message, privateKey) : signDigest(key, privateKey, message);
  return { KeyId: keyArn(key.id), Signature: signature.toString('base64'), SigningAlgorithm };
}

function signDigest(key: Key, privateKey: KeyObject, digest: Buffer): Buffer {
  if (key.spec === 'RSA_2048') {
    const padding = constants.RSA_PKCS1_PADDING;
    return privateEncrypt({ key: privateKey, padding }, Buffer.concat([SHA256_DIGEST_INFO, digest]));
  }
  return ecdsaOfDigest(Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'), digest);
}

function macOf(key: Key, message: Buffer): Buffer {
  if (key.spec !== 'HMAC_256')
    throw new AwsError('InvalidKeyUsageException', `${keyArn(key.id)} key usage is SIGN_VERIFY`);
  return createHmac('sha256', Buffer.from(key.material, 'base64')).update(message).digest();
}

function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new AwsError('ValidationException', v.summarize(result.issues));
}
