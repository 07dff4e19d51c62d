import { constants, createHash, generateKeyPairSync, type KeyObject, sign, webcrypto } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import {
  authenticate,
  login,
  newPerson,
  type Person,
  registerPasskey,
  type SignedTokens,
  startLogin,
  toOrigin,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { logLines } from '../../support/server/log-lines.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { type SoftwarePasskey, usePasskey } from '../../support/tools/software-authenticator.ts';
import { type Artifacts, verifiesArtifacts } from '../../support/tools/verify-artifacts.ts';

const server = useTestServer({ rateLimits: 'off' });

const payment = { amount: '120.00 €', 'payee.name': 'Zoë & Söhne', _ref: '"\\\u0007 quoted' };

const readArtifacts = (answer: TestAnswer<SignedTokens>): Artifacts => {
  expect(answer.status).toBe(200);
  return answer.body.signing_artifacts as unknown as Artifacts;
};

describe('approval of data with a passkey', () => {
  let passkey: SoftwarePasskey;
  beforeAll(async () => {
    passkey = await registerPasskey(server, await newPerson(server));
  });

  test.each([[-7], [-8], [-257]] as const)(
    'N109 WebCrypto alone can verify an approval that was signed with the COSE algorithm %d',
    async (alg) => {
      const passkey = await registerPasskey(server, await newPerson(server), { alg });
      const { body } = await startLogin(server, { approval_data: payment });
      const fields = { approval_data: payment };
      const answer = await authenticate(server, usePasskey(passkey, body, toOrigin(server)), fields);
      const artifacts = readArtifacts(answer);
      expect(artifacts).toMatchObject({
        approval_data: payment,
        credential_id: passkey.id.toString('base64url'),
        webauthn_session_id: body.webauthn_session_id,
      });
      expect(await verifiesArtifacts(artifacts)).toBe(true);
      expect(decodeJwt(answer.body.id_token).approval_data).toEqual(payment);

      const [random = '', data = ''] = String(artifacts.raw_challenge).split('.');
      expect(Buffer.from(random, 'base64url')).toHaveLength(32);
      expect(Buffer.from(data, 'base64url').toString()).toBe(
        '{"_ref":"\\"\\\\\\u0007 quoted","amount":"120.00 €","payee.name":"Zoë & Söhne"}',
      );
      const challenge = createHash('sha256').update(String(artifacts.raw_challenge)).digest('base64');
      expect(body.credential_request_options.challenge).toBe(challenge);
    },
  );

  test('a passkey login returns signing artifacts only if the login approves data', async () => {
    expect(readArtifacts(await login(server, passkey, { start: { approval_data: {} } }))).toMatchObject({
      approval_data: {},
    });
    expect((await login(server, passkey)).body).not.toHaveProperty('signing_artifacts');
  });

  test('a signature for one approval is rejected for another', async () => {
    const [small, large] = [
      (await startLogin(server, { approval_data: { amount: '1' } })).body,
      (await startLogin(server, { approval_data: { amount: '1000' } })).body,
    ];
    const swapped = usePasskey(
      passkey,
      { ...small, webauthn_session_id: large.webauthn_session_id },
      toOrigin(server),
    );
    expect(await authenticate(server, swapped)).toMatchObject({
      status: 400,
      body: { message: 'Invalid passkey' },
    });
  });

  test('approval data supplied by the browser and not by the backend does not appear in tokens', async () => {
    const chosen = { start: { approval_data: { amount: '1', role: 'admin' } } };
    const asked = { id_token: { approval_data: null }, access_token: { approval_data: null } };
    for (const fields of [{}, { claims: asked }]) {
      const answer = await login(server, passkey, { ...chosen, fields });
      expect(readArtifacts(answer)).toMatchObject(chosen.start);
      for (const jwt of [answer.body.id_token, answer.body.access_token])
        expect(decodeJwt(jwt)).not.toHaveProperty('approval_data');
    }
  });

  test('a passkey login is rejected if its signed approval data differs from the data of the backend', async () => {
    const { amount, ...others } = payment;
    const named = { approval_data: payment };
    for (const start of [{ approval_data: { ...payment, amount: '1' } }, { approval_data: others }, {}])
      expect(await login(server, passkey, { start, fields: named })).toMatchObject({
        status: 400,
        body: { message: 'Invalid passkey' },
      });
    const { body } = await startLogin(server, named);
    const result = usePasskey(passkey, body, toOrigin(server));
    const wrong = { approval_data: { ...payment, amount: '1' } };
    expect((await authenticate(server, result, wrong)).status).toBe(400);
    // The order of the fields in the approval data is irrelevant.
    const answer = await authenticate(server, result, { approval_data: { amount, ...others } });
    expect(decodeJwt(answer.body.id_token).approval_data).toEqual(payment);
    expect((await authenticate(server, result, named)).status).toBe(400);
  });

  test('malformed approval data is rejected', async () => {
    const approval_data = { 'a b': '1' };
    const refused = { status: 400, body: { message: expect.stringMatching(/^approval_data: /) } };
    expect(await authenticate(server, 'e30', { approval_data })).toMatchObject(refused);
    expect(await startLogin(server, { approval_data })).toMatchObject(refused);
  });
});

interface Device {
  readonly keyId: string;
  readonly signed: (challenge: string) => string;
}

const invalid = { status: 400, body: { message: 'Invalid approval', error_code: 400 } };

function createSigner(kind: 'EC' | 'RSA', key: KeyObject): Device['signed'] {
  const options =
    kind === 'EC'
      ? ({ key, dsaEncoding: 'ieee-p1363' } as const)
      : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return (challenge) => sign('sha256', Buffer.from(challenge), options).toString('base64url');
}

const newPair = (kind: 'EC' | 'RSA') =>
  kind === 'EC'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });

const createKey = (person: Person, publicKey: unknown, name = 'Phone') =>
  server.post<{ result: { key_id: string } }>(
    '/v1/auth/device-keys',
    { public_key: publicKey, name },
    { token: person.tokens.access_token },
  );

async function newDevice(person: Person, kind: 'EC' | 'RSA' = 'EC'): Promise<Device> {
  const { publicKey, privateKey } = newPair(kind);
  const answer = await createKey(person, publicKey.export({ format: 'jwk' }));
  expect(answer.status).toBe(201);
  return { keyId: answer.body.result.key_id, signed: createSigner(kind, privateKey) };
}

interface Started {
  readonly approval_id: string;
  readonly challenge: string;
  readonly expires_in: number;
}

async function start(person: Person, fields: object = {}): Promise<TestAnswer<Started>> {
  const json = { user_id: person.user.user_id, approval_data: payment, ...fields };
  return server.post<Started>('/v1/auth/approvals/start', json, { token: await server.clientToken() });
}

async function complete(
  { approval_id }: Started,
  keyId: string,
  signature: string,
  fields: object = {},
): Promise<TestAnswer<SignedTokens>> {
  const json = { approval_id, key_id: keyId, signature, ...fields };
  return server.post<SignedTokens>('/v1/auth/approvals/authenticate', json, {
    token: await server.clientToken(),
  });
}

describe('approval of data with a device key', () => {
  test.each([
    ['EC', { name: 'ecdsa', hash: 'sha-256', namedCurve: 'P-256' }],
    ['RSA', { name: 'rsa-pss', hash: 'sha-256', saltLength: 32 }],
  ] as const)(
    'WebCrypto alone can verify a signature by a device key of the type %s',
    async (kind, algorithm) => {
      const person = await newPerson(server);
      const device = await newDevice(person, kind);
      const started = await start(person);
      expect(started).toMatchObject({ status: 200, body: { expires_in: 300 } });
      const { challenge } = started.body;
      const answer = await complete(started.body, device.keyId, device.signed(challenge));
      const artifacts = readArtifacts(answer);
      expect(artifacts).toMatchObject({ approval_data: payment, challenge, algorithm });
      expect(await verifiesArtifacts(artifacts)).toBe(true);
      expect(await verifiesArtifacts({ ...artifacts, approval_data: { amount: '1' } })).toBe(false);
      expect(decodeJwt(answer.body.id_token)).toMatchObject({
        sub: person.user.user_id,
        amr: ['webauthn'],
        approval_data: payment,
      });
    },
  );

  test('a signature that a device creates with WebCrypto is accepted', async () => {
    const person = await newPerson(server);
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const pair = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    const jwk = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
    const { key_id: keyId } = (await createKey(person, jwk)).body.result;
    const { body } = await start(person);
    const made = await webcrypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(body.challenge));
    expect((await complete(body, keyId, Buffer.from(made).toString('base64'))).status).toBe(200);
  });

  test('only one of several identical approval signatures is accepted', async () => {
    const person = await newPerson(server);
    const device = await newDevice(person);
    const { body } = await start(person);
    const answers = await atOnce(8, () => complete(body, device.keyId, device.signed(body.challenge)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    const late = (await start(person)).body;
    await server.advanceClock(301);
    expect(await complete(late, device.keyId, device.signed(late.challenge))).toMatchObject(invalid);
  });

  test('a signature for another approval or by another device key is rejected', async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const [own, other, foreign] = [await newDevice(ann), await newDevice(ann), await newDevice(bob)];
    const [one, two] = [(await start(ann, { key_id: own.keyId })).body, (await start(ann)).body];
    const der = Buffer.alloc(70, 1).toString('base64url');
    for (const [keyId, signature] of [
      [own.keyId, own.signed(two.challenge)],
      [own.keyId, other.signed(one.challenge)],
      [other.keyId, other.signed(one.challenge)],
      [foreign.keyId, foreign.signed(one.challenge)],
      [own.keyId, der],
      [own.keyId, '%'],
      ['unknown', own.signed(one.challenge)],
    ] as const)
      expect(await complete(one, keyId, signature)).toMatchObject(invalid);
    expect((await complete(one, own.keyId, own.signed(one.challenge))).status).toBe(200);
    expect((await complete(two, other.keyId, other.signed(two.challenge))).status).toBe(200);
    const unknown = { ...one, approval_id: 'unknown' };
    expect(await complete(unknown, own.keyId, own.signed(one.challenge))).toMatchObject(invalid);
  });

  test('the log line of a login by approval contains the user ID', async () => {
    const person = await newPerson(server);
    const device = await newDevice(person);
    const { body } = await start(person);
    const lines = await logLines(async () => {
      const answer = await complete(body, device.keyId, device.signed(body.challenge));
      expect(answer.status).toBe(200);
    });
    expect(lines).toContainEqual(expect.objectContaining({ user_id: person.user.user_id }));
  });

  test('a device key added in a two-factor session is a second factor', async () => {
    const person = await newPerson(server);
    const bound = await withBothFactors(server, person, await registerPasskey(server, person));
    const device = await newDevice(bound);
    const { body } = await start(person);
    const { session_id } = await tokensBy(server, 'email', person.email);
    const answer = await complete(body, device.keyId, device.signed(body.challenge), { session_id });
    expect(decodeJwt(answer.body.id_token)).toMatchObject({ acr: 'mfa' });
  });

  test('a device key added in a one-factor session is not a second factor', async () => {
    const person = await newPerson(server);
    const device = await newDevice(person);
    const { body } = await start(person);
    const fields = { session_id: person.tokens.session_id };
    const answer = await complete(body, device.keyId, device.signed(body.challenge), fields);
    const claims = decodeJwt(answer.body.id_token);
    expect(claims.amr).toEqual(['eotp', 'webauthn']);
    expect(claims).not.toHaveProperty('acr');
  });

  test('the tokens of an approval are valid for the requested organization and resource', async () => {
    const person = await newPerson(server);
    const { organizationId: org_id } = await storeMember(server, { userId: person.user.user_id });
    const client = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), client);
    const device = await newDevice(person);
    const { body } = await start(person);
    const { body: tokens } = await complete(body, device.keyId, device.signed(body.challenge), {
      org_id,
      resource: uri,
    });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: uri, org_id });
  });

  test('only the owner of a device key can list and remove it', async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const device = await newDevice(ann);
    const token = ann.tokens.access_token;
    const path = `/v1/auth/device-keys/${device.keyId}`;
    const listed = await server.get<{ result: object[] }>('/v1/auth/device-keys', { token });
    expect(listed.body.result).toMatchObject([{ key_id: device.keyId, name: 'Phone', algorithm: 'ecdsa' }]);
    expect((await server.delete(path, { token: bob.tokens.access_token })).status).toBe(404);
    const { body } = await start(ann);
    expect((await server.delete(path, { token })).status).toBe(204);
    expect(await complete(body, device.keyId, device.signed(body.challenge))).toMatchObject(invalid);
    expect((await server.delete(path, { token })).status).toBe(404);
    expect(await start(ann, { key_id: device.keyId })).toMatchObject({ status: 404 });
  });

  test.each([
    [
      'a private key',
      () => newPair('EC').privateKey.export({ format: 'jwk' }),
      /^public_key: holds a private key/,
    ],
    [
      'an RSA key of only 1024 bits',
      () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
      /bits$/,
    ],
    [
      'on another curve than P-256',
      () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
      /EC P-256 or RSA/,
    ],
    [
      'a key for the algorithm RS256',
      () => ({ ...newPair('RSA').publicKey.export({ format: 'jwk' }), alg: 'RS256' }),
      /PS256/,
    ],
    [
      'a point that is not on the curve',
      () => ({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }),
      /not a valid public key/,
    ],
    ['a symmetric key', () => ({ kty: 'oct', k: 'AAAA' }), /^public_key: /],
    ['missing', () => ({}), /kty/],
  ])('a device key is rejected if its public key is %s', async (_title, make, message) => {
    const answer = await createKey(await newPerson(server), make());
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  test('an approval request for an unknown user or without valid data is rejected', async () => {
    const person = await newPerson(server);
    expect(await start(person, { user_id: 'unknown' })).toMatchObject({ status: 404 });
    expect(await start(person, { approval_data: { a: 1 } })).toMatchObject({ status: 400 });
    expect(await start(person, { approval_data: undefined })).toMatchObject({ status: 400 });
  });
});
