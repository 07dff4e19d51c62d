import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { AwsError, parse } from '../basis/aws-error.ts';
import { JsonFile } from '../basis/kept-file.ts';
import { keyArn } from '../basis/services.ts';
import { createKeyPair, decrypt, type EncryptionContext, readKeyId } from './kms-envelope.ts';
import {
  computeMac,
  findKeyUsage,
  getPublicKey,
  type Key,
  KeySpec,
  loadKey,
  makeKey,
  type StoredKey,
  StoredKeySchema,
  signWith,
  toKeyMetadata,
} from './kms-key.ts';

const Base64 = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64')),
);
const CreateKeyInput = v.object({
  KeySpec: v.optional(KeySpec, 'SYMMETRIC_DEFAULT'),
  KeyUsage: v.optional(v.string(), 'ENCRYPT_DECRYPT'),
  MultiRegion: v.optional(v.boolean(), false),
});
const KeyIdInput = v.object({ KeyId: v.string() });
const SignInput = v.object({
  KeyId: v.string(),
  Message: Base64,
  MessageType: v.optional(v.picklist(['RAW', 'DIGEST']), 'RAW'),
  SigningAlgorithm: v.string(),
});
const MacInput = v.object({ KeyId: v.string(), Message: Base64, MacAlgorithm: v.literal('HMAC_SHA_256') });
const Context = v.optional(v.record(v.string(), v.string()), {});
const KeyPairInput = v.object({
  KeyId: v.string(),
  KeyPairSpec: v.picklist(['RSA_2048', 'ECC_NIST_P256']),
  EncryptionContext: Context,
});
const DecryptInput = v.object({
  KeyId: v.optional(v.string()),
  CiphertextBlob: Base64,
  EncryptionContext: Context,
});

interface InitialKey extends Pick<StoredKey, 'id' | 'spec'> {
  /** Key material in Base64. If undefined, a random key is generated. */
  readonly material?: string;
}

export interface KmsOptions {
  /** Path of the file that stores the keys. If undefined, the keys are only in memory. */
  readonly file?: string;
  /** Keys that the emulator creates at its start unless they exist. */
  readonly keys?: readonly InitialKey[];
}

/** Emulator of the AWS KMS operations that the service uses, built on node:crypto. */
export class Kms {
  readonly #keys = new Map<string, Promise<Key>>();
  readonly #file: JsonFile;
  readonly #stored: StoredKey[] = [];

  private constructor(file: JsonFile) {
    this.#file = file;
  }

  /** Opens the key store. New keys are generated in the background, because RSA is slow. Calls that need a new key wait. */
  static async open(options: KmsOptions): Promise<Kms> {
    const kms = new Kms(new JsonFile(options.file));
    kms.#stored.push(...(await kms.#file.read(v.array(StoredKeySchema), [])));
    for (const key of kms.#stored) kms.#keys.set(key.id, Promise.resolve(loadKey(key)));
    for (const { id, spec, material } of options.keys ?? []) {
      // An unhandled rejection would end the process. The first call that uses the key gets the error instead.
      if (!kms.#keys.has(id)) kms.#create(id, spec, material).catch(() => undefined);
    }
    return kms;
  }

  /** Handles a call of the KMS operation `action`, whose JSON body is `input`. Throws an `AwsError` as KMS would. */
  async answer(action: string, input: unknown): Promise<object> {
    switch (action) {
      case 'CreateKey':
        return this.#createKey(parse(CreateKeyInput, input));
      case 'DescribeKey':
        return { KeyMetadata: toKeyMetadata(await this.#find(parse(KeyIdInput, input).KeyId)) };
      case 'DisableKey':
        return this.#setDisabled(parse(KeyIdInput, input).KeyId, true);
      case 'EnableKey':
        return this.#setDisabled(parse(KeyIdInput, input).KeyId, false);
      case 'GenerateDataKeyPairWithoutPlaintext': {
        const { KeyId, KeyPairSpec, EncryptionContext } = parse(KeyPairInput, input);
        const key = await this.#findEnabled(KeyId);
        return createKeyPair(key, KeyPairSpec, EncryptionContext);
      }
      case 'Decrypt': {
        const { KeyId, CiphertextBlob, EncryptionContext } = parse(DecryptInput, input);
        return this.#decrypt(KeyId ?? readKeyId(CiphertextBlob), CiphertextBlob, EncryptionContext);
      }
      case 'GetPublicKey':
        return getPublicKey(await this.#find(parse(KeyIdInput, input).KeyId));
      case 'Sign': {
        const { KeyId, ...request } = parse(SignInput, input);
        return signWith(await this.#findEnabled(KeyId), request);
      }
      case 'GenerateMac': {
        const { KeyId, Message, MacAlgorithm } = parse(MacInput, input);
        const key = await this.#findEnabled(KeyId);
        return { KeyId: keyArn(key.id), Mac: computeMac(key, Message).toString('base64'), MacAlgorithm };
      }
      default:
        throw new AwsError('UnknownOperationException', `The local KMS does not support ${action}`);
    }
  }

  async #createKey(input: v.InferOutput<typeof CreateKeyInput>): Promise<object> {
    const usage = findKeyUsage(input.KeySpec);
    if (input.KeyUsage !== usage)
      throw new AwsError('ValidationException', `KeyUsage of ${input.KeySpec} must be ${usage}`);
    const id = input.MultiRegion ? `mrk-${randomUUID().replaceAll('-', '')}` : randomUUID();
    return { KeyMetadata: toKeyMetadata(await this.#create(id, input.KeySpec)) };
  }

  async #decrypt(keyId: string, sealed: Buffer, context: EncryptionContext): Promise<object> {
    const key = await this.#findEnabled(keyId);
    const Plaintext = decrypt(key, sealed, context).toString('base64');
    return { KeyId: keyArn(key.id), Plaintext, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  }

  async #setDisabled(keyId: string, disabled: boolean): Promise<object> {
    const key = { ...(await this.#find(keyId)), disabled };
    this.#keys.set(key.id, Promise.resolve(key));
    await this.#save(key);
    return {};
  }

  #create(id: string, spec: KeySpec, material?: string): Promise<Key> {
    const created = makeKey(id, spec, material).then(async (key) => {
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

  async #findEnabled(keyId: string): Promise<Key> {
    const key = await this.#find(keyId);
    if (key.disabled) throw new AwsError('DisabledException', `${keyArn(key.id)} is disabled.`);
    return key;
  }

  #save({ id, spec, material, createdAt, disabled }: Key): Promise<void> {
    const others = this.#stored.filter((each) => each.id !== id);
    this.#stored.splice(0, this.#stored.length, ...others, { id, spec, material, createdAt, disabled });
    return this.#file.write(this.#stored);
  }
}
