import { constants, createHash, createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateKeyCommand,
  type CreateKeyCommandInput,
  DecryptCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SignCommandInput,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Kms } from '../../lib/local/emulators/kms/kms.ts';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
let kms: KMSClient;
const keyIds: Record<string, string> = {};

beforeAll(async () => {
  emulators = await openEmulators({ keys: [{ id: 'fixed', spec: 'RSA_2048' }] });
  kms = new KMSClient({
    endpoint: emulators.endpoint('kms'),
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  keyIds.RS256 = await createKey('RSA_2048', 'SIGN_VERIFY');
  keyIds.PS256 = keyIds.RS256;
  keyIds.ES256 = await createKey('ECC_NIST_P256', 'SIGN_VERIFY');
  keyIds.SEAL = await createKey('SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT');
  keyIds.MAC = await createKey('HMAC_256', 'GENERATE_VERIFY_MAC');
});
afterAll(async () => {
  kms.destroy();
  await emulators.stop();
});

async function createKey(
  KeySpec: CreateKeyCommandInput['KeySpec'],
  KeyUsage: CreateKeyCommandInput['KeyUsage'],
) {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec, KeyUsage }));
  return KeyMetadata?.Arn ?? '';
}

async function readPublicKey(KeyId: string | undefined) {
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }));
  return createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
}

const algorithms = {
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
  PS256: 'RSASSA_PSS_SHA_256',
  ES256: 'ECDSA_SHA_256',
} as const;
type Algorithm = keyof typeof algorithms;

function signInput(alg: Algorithm, message: string, type: 'RAW' | 'DIGEST'): SignCommandInput {
  const bytes = Buffer.from(message);
  return {
    KeyId: keyIds[alg],
    Message: type === 'DIGEST' ? createHash('sha256').update(bytes).digest() : bytes,
    MessageType: type,
    SigningAlgorithm: algorithms[alg],
  };
}

describe.each(['RS256', 'PS256', 'ES256'] as const)('key for %s in the emulated KMS', (alg) => {
  test.each(['RAW', 'DIGEST'] as const)(
    'node:crypto accepts a signature of the emulated KMS for a message of the type %s',
    async (type) => {
      // RFC 7518 §3.5: PS256 has a salt as long as the digest.
      const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
      const publicKey = { key: await readPublicKey(keyIds[alg]), ...(alg === 'PS256' ? pss : {}) };
      for (const message of ['a', 'the longer the better', 'ä'.repeat(1000)]) {
        const { Signature, SigningAlgorithm } = await kms.send(
          new SignCommand(signInput(alg, message, type)),
        );
        expect(SigningAlgorithm).toBe(algorithms[alg]);
        expect(verify('sha256', Buffer.from(message), publicKey, Signature ?? Buffer.of())).toBe(true);
        expect(verify('sha256', Buffer.from(`${message}.`), publicKey, Signature ?? Buffer.of())).toBe(false);
      }
    },
  );
});

test('the emulated KMS returns equal MACs for equal messages and different MACs for different messages', async () => {
  const input = {
    KeyId: keyIds.MAC,
    Message: Buffer.from('otp#1#123456'),
    MacAlgorithm: 'HMAC_SHA_256',
  } as const;
  const { Mac } = await kms.send(new GenerateMacCommand(input));
  const again = await kms.send(new GenerateMacCommand(input));
  const other = await kms.send(new GenerateMacCommand({ ...input, Message: Buffer.from('otp#1#123457') }));
  expect(Mac).toHaveLength(32);
  expect(again.Mac).toEqual(Mac);
  expect(other.Mac).not.toEqual(Mac);
});

describe('data key pairs encrypted by the emulated KMS', () => {
  const EncryptionContext = { purpose: 'signing', environment: 'eu' };
  const pair = async (KeyPairSpec: 'RSA_2048' | 'ECC_NIST_P256' = 'RSA_2048') =>
    kms.send(
      new GenerateDataKeyPairWithoutPlaintextCommand({ KeyId: keyIds.SEAL, KeyPairSpec, EncryptionContext }),
    );

  test.each(['RSA_2048', 'ECC_NIST_P256'] as const)(
    'the emulated KMS decrypts a %s data key pair if the encryption context is the same',
    async (spec) => {
      const { PrivateKeyCiphertextBlob, PublicKey, ...rest } = await pair(spec);
      expect(rest).not.toHaveProperty('PrivateKeyPlaintext');
      const { Plaintext } = await kms.send(
        new DecryptCommand({
          CiphertextBlob: PrivateKeyCiphertextBlob,
          EncryptionContext: { environment: 'eu', purpose: 'signing' },
        }),
      );
      const privateKey = createPrivateKey({
        key: Buffer.from(Plaintext ?? []),
        format: 'der',
        type: 'pkcs8',
      });
      expect(createPublicKey(privateKey).export({ format: 'der', type: 'spki' })).toEqual(
        Buffer.from(PublicKey ?? []),
      );
    },
  );

  test('the emulated KMS cannot decrypt a data key pair with a different encryption context, key or ciphertext', async () => {
    const { PrivateKeyCiphertextBlob: CiphertextBlob = new Uint8Array() } = await pair();
    const open = (input: object) =>
      kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext, ...input }));
    const changed = Uint8Array.from(CiphertextBlob);
    changed[changed.length - 1] = 1 ^ (changed.at(-1) ?? 0);
    const other = await createKey('SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT');
    for (const input of [
      { EncryptionContext: { ...EncryptionContext, environment: 'us' } },
      { EncryptionContext: {} },
      { KeyId: other },
      { CiphertextBlob: changed },
    ])
      await expect(open(input)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    await expect(open({ KeyId: keyIds.RS256 })).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
  });
});

test('a disabled key of the emulated KMS cannot be used until the key is enabled', async () => {
  const KeyId = await createKey('RSA_2048', 'SIGN_VERIFY');
  await kms.send(new DisableKeyCommand({ KeyId }));
  const sign = () => kms.send(new SignCommand({ ...signInput('RS256', 'a', 'DIGEST'), KeyId }));
  await expect(sign()).rejects.toMatchObject({ name: 'DisabledException' });
  expect((await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata).toMatchObject({
    KeyState: 'Disabled',
  });
  await kms.send(new EnableKeyCommand({ KeyId }));
  expect((await sign()).Signature).toHaveLength(256);
});

test('the emulated KMS describes a key that is named by its ID or ARN', async () => {
  const byArn = await kms.send(new DescribeKeyCommand({ KeyId: keyIds.MAC }));
  expect(byArn.KeyMetadata).toMatchObject({
    KeySpec: 'HMAC_256',
    KeyUsage: 'GENERATE_VERIFY_MAC',
    Enabled: true,
  });
  const byId = await kms.send(new DescribeKeyCommand({ KeyId: 'fixed' }));
  expect(byId.KeyMetadata?.Arn).toMatch(/^arn:aws:kms:[a-z0-9-]+:\d{12}:key\/fixed$/);
});

describe('errors that the emulated KMS returns', () => {
  test.each([
    [
      'reading the public key of an unknown key',
      () => new GetPublicKeyCommand({ KeyId: 'unknown' }),
      'NotFoundException',
    ],
    [
      'signing with a MAC key',
      () => new SignCommand({ ...signInput('RS256', 'a', 'DIGEST'), KeyId: keyIds.MAC }),
      'InvalidKeyUsageException',
    ],
    [
      'signing with an algorithm that the key does not support',
      () => new SignCommand({ ...signInput('RS256', 'a', 'DIGEST'), KeyId: keyIds.ES256 }),
      'InvalidKeyUsageException',
    ],
    [
      'signing a digest of the wrong length',
      () => new SignCommand({ ...signInput('RS256', 'a', 'DIGEST'), Message: Buffer.from('short') }),
      'ValidationException',
    ],
    [
      'signing a raw message of more than 4096 bytes',
      () => new SignCommand(signInput('RS256', 'a'.repeat(4097), 'RAW')),
      'ValidationException',
    ],
    [
      'computing a MAC with a signing key',
      () =>
        new GenerateMacCommand({
          KeyId: keyIds.RS256,
          Message: Buffer.from('a'),
          MacAlgorithm: 'HMAC_SHA_256',
        }),
      'InvalidKeyUsageException',
    ],
  ])('the emulated KMS rejects %s with the same exception as AWS KMS', async (_, command, name) => {
    await expect(kms.send(command() as SignCommand)).rejects.toMatchObject({ name });
  });
});

describe('file that stores the keys of the emulated KMS', () => {
  const keys = [
    { id: 'sign', spec: 'RSA_2048' },
    { id: 'mac', spec: 'HMAC_256' },
  ] as const;
  const mac = { KeyId: 'mac', Message: 'YQ==', MacAlgorithm: 'HMAC_SHA_256' };
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'otl-kms-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('keys of the emulated KMS survive a restart, even if they were created at run time', async () => {
    const file = join(folder, 'kms.json');
    const first = await Kms.open({ file, keys });
    const publicKey = await first.answer('GetPublicKey', { KeyId: 'sign' });
    const oldMac = await first.answer('GenerateMac', mac);
    const { KeyMetadata } = (await first.answer('CreateKey', {
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
    })) as { KeyMetadata: { Arn: string } };

    const second = await Kms.open({ file, keys });
    expect(await second.answer('GetPublicKey', { KeyId: 'sign' })).toEqual(publicKey);
    expect(await second.answer('GenerateMac', mac)).toEqual(oldMac);
    expect(await second.answer('DescribeKey', { KeyId: KeyMetadata.Arn })).toMatchObject({ KeyMetadata });
  });

  test('the emulated KMS ignores an incomplete temporary key file that a crash has left behind', async () => {
    const file = join(folder, 'crashed.json');
    const first = await Kms.open({ file, keys });
    const before = await first.answer('GenerateMac', mac);
    await first.answer('GetPublicKey', { KeyId: 'sign' });
    await writeFile(`${file}.tmp`, '[{"id":"ma');
    expect(await (await Kms.open({ file, keys })).answer('GenerateMac', mac)).toEqual(before);
  });
});
