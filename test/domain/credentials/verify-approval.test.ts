import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  containsApprovalData,
  hashRawChallenge,
  newChallenge,
  newRawChallenge,
} from '../../../shared/domain/credentials/approval-challenge.ts';
import { isSignedBy } from '../../../shared/domain/credentials/crypto-key.ts';
import { verifyApproval } from '../../../shared/domain/credentials/verify-approval.ts';

type Fields = Readonly<Record<string, unknown>>;

const data = { amount: '5' };
const origin = 'https://shop.example.com';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const toText = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const toSpki = (key: KeyObject) => toText(key.export({ format: 'der', type: 'spki' }));
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

const pss = (key: KeyObject, saltLength = 32) => ({
  key,
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength,
});
const raw = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const;

/** Artifacts of an approval by a passkey, whose parts can be replaced before they are signed. */
function createPasskeyArtifacts(
  { client = {}, flags = 5, key = ec }: { client?: object; flags?: number; key?: typeof ec } = {},
  change: Fields = {},
): Fields {
  const rawChallenge = newRawChallenge(data);
  const clientData = JSON.stringify({
    ...{ type: 'webauthn.get', challenge: hashRawChallenge(rawChallenge), origin },
    ...client,
  });
  const authenticatorData = Buffer.concat([Buffer.alloc(32, 255), Buffer.from([flags]), Buffer.alloc(4)]);
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  return {
    approval_data: data,
    public_key: toSpki(key.publicKey),
    raw_challenge: rawChallenge,
    client_data_json: toText(clientData),
    authenticator_data: toText(authenticatorData),
    signature: toText(sign(key === ed ? null : 'sha256', signed, key.privateKey)),
    ...change,
  };
}

/** Artifacts of an approval by a device key. */
function createDeviceArtifacts(kind: 'ecdsa' | 'rsa-pss', change: Fields = {}): Fields {
  const challenge = newRawChallenge(data);
  const { publicKey, privateKey } = kind === 'ecdsa' ? ec : rsa;
  return {
    approval_data: data,
    public_key: toSpki(publicKey),
    challenge,
    algorithm: { name: kind, hash: 'sha-256', ...(kind === 'rsa-pss' && { saltLength: 32 }) },
    signature: toText(
      sign('sha256', Buffer.from(challenge), kind === 'ecdsa' ? raw(privateKey) : pss(privateKey)),
    ),
    ...change,
  };
}

describe('verification of signing artifacts', () => {
  const fingerprint = (key: KeyObject) => sha256(key.export({ format: 'der', type: 'spki' })).toString('hex');

  test.each([
    ['EC', ec],
    ['Ed25519', ed],
  ])('an approval with a passkey of the type %s is verified', (_, key) => {
    const verified = {
      approvalData: data,
      signedBy: 'passkey',
      origin,
      keyFingerprint: fingerprint(key.publicKey),
    };
    const artifacts = createPasskeyArtifacts({ key });
    expect(verifyApproval(artifacts)).toEqual(verified);
    expect(verifyApproval({ id_token: 'x', signing_artifacts: artifacts })).toEqual(verified);
  });

  test.each([
    ['ecdsa', ec],
    ['rsa-pss', rsa],
  ] as const)('an approval with a device key of the type %s is verified', (kind, { publicKey }) => {
    expect(verifyApproval(createDeviceArtifacts(kind))).toEqual({
      ...{ approvalData: data, signedBy: 'device key', keyFingerprint: fingerprint(publicKey) },
    });
  });

  test.each<[string, Fields]>([
    ['the user was not verified', createPasskeyArtifacts({ flags: 1 })],
    ['the user was not verified', createPasskeyArtifacts({ flags: 4 })],
    ['does not belong to an authentication', createPasskeyArtifacts({ client: { type: 'webauthn.create' } })],
    ['the challenge is not the hash', createPasskeyArtifacts({ client: { challenge: 'other' } })],
    ['raw_challenge does not carry', createPasskeyArtifacts({}, { approval_data: { amount: '6' } })],
    ['raw_challenge is missing', createPasskeyArtifacts({}, { raw_challenge: 1 })],
    ['client_data_json is not an object', createPasskeyArtifacts({}, { client_data_json: toText('[]') })],
    ['client_data_json is not JSON', createPasskeyArtifacts({}, { client_data_json: toText('{') })],
    ['the signature is wrong', createPasskeyArtifacts({}, { public_key: toSpki(ed.publicKey) })],
    ['origin is missing', createPasskeyArtifacts({ client: { origin: undefined } })],
    ['public_key is not a public key', createDeviceArtifacts('ecdsa', { public_key: 'AAAA' })],
    ['approval_data is missing', createDeviceArtifacts('ecdsa', { approval_data: { amount: 5 } })],
    ['approval_data is missing', createDeviceArtifacts('ecdsa', { approval_data: ['5'] })],
    ['approval_type is missing', createDeviceArtifacts('ecdsa', { approval_type: 5 })],
    ['challenge does not carry', createDeviceArtifacts('ecdsa', { approval_data: { amount: '6' } })],
    ['algorithm.hash must be sha-256', createDeviceArtifacts('ecdsa', { algorithm: { name: 'ecdsa' } })],
    ['the signature is wrong', createDeviceArtifacts('ecdsa', { signature: toText(Buffer.alloc(64, 1)) })],
    ['the signature is wrong', createDeviceArtifacts('rsa-pss', { signature: toText(Buffer.alloc(256, 1)) })],
    ...['ecdsa', 'rsa-pss', 'other'].map((name): [string, Fields] => [
      'the signature is wrong',
      createDeviceArtifacts(name === 'ecdsa' ? 'rsa-pss' : 'ecdsa', {
        algorithm: { name, hash: 'sha-256', saltLength: 32 },
      }),
    ]),
    [
      'the signature is wrong',
      createDeviceArtifacts('rsa-pss', { algorithm: { name: 'rsa-pss', hash: 'sha-256', saltLength: '32' } }),
    ],
  ])('signing artifacts are rejected: %s', (complaint, artifacts) => {
    expect(() => verifyApproval(artifacts)).toThrow(complaint);
  });
});

test('a raw challenge consists of exactly 32 random bytes and the approval data', () => {
  expect(Buffer.from(newChallenge(), 'base64url')).toHaveLength(32);
  const [own, other] = [{ amount: '5', name: 'Ada' }, { amount: '6' }].map((each) =>
    toText(JSON.stringify(each)),
  );
  const random = (bytes: number) => toText(Buffer.alloc(bytes, 1));
  const contains = (challenge: string) => containsApprovalData(challenge, { name: 'Ada', amount: '5' });
  expect(contains(`${random(32)}.${own}`)).toBe(true);
  for (const challenge of [
    `${random(31)}.${own}`,
    `${random(33)}.${own}`,
    `${random(32)}.${other}`,
    random(32),
  ])
    expect(contains(challenge)).toBe(false);
  expect(contains(`${random(32)}.${own}.more`)).toBe(false);
});

test('a signature is rejected without an error if it or the device key is malformed', () => {
  const publicKey = toSpki(ec.publicKey);
  const signature = sign('sha256', Buffer.from('challenge'), raw(ec.privateKey));
  const isSigned = (key: string, given: Uint8Array) =>
    isSignedBy({ algorithm: 'ecdsa', publicKey: key }, 'challenge', toText(given));
  expect(isSigned(publicKey, signature)).toBe(true);
  expect(isSigned(publicKey, Buffer.alloc(64, 1))).toBe(false);
  expect(isSigned(publicKey, signature.subarray(1))).toBe(false);
  expect(isSigned('AAAA', signature)).toBe(false);
});
