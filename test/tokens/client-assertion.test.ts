import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CALLER_ALGORITHMS } from '../../shared/domain/basis/key-algorithms.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { clientRecords, clients } from '../../shared/dynamo/directory/clients.ts';
import { replayGuard } from '../../shared/dynamo/flows/replay-guard.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { Client, PublicJwk } from '../../shared/ports/directory.ts';
import { readClientAssertion } from '../../shared/tokens/client-assertion.ts';
import { authenticateClientRequest } from '../../shared/tokens/client-authentication.ts';
import { type CallerKey, encode, newKey, signed } from '../support/fixtures/proofs.ts';
import { atOnce } from '../support/server/at-once.ts';
import { someClient, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const settings = { baseUrl: 'https://login.example.com/cis', issuer: 'https://login.example.com/cis/oidc' };
const TOKEN_ENDPOINT = `${settings.issuer}/token`;
const key = newKey();

type Fields = Readonly<Record<string, unknown>>;

/** Returns the claims of a client assertion that is valid at `at` (epoch seconds). */
const claims = (clientId: string, at: number, change: Fields = {}): Fields => ({
  iss: clientId,
  sub: clientId,
  aud: settings.issuer,
  jti: crypto.randomUUID(),
  iat: at,
  exp: at + 60,
  ...change,
});

describe('N046 verifying client assertions', () => {
  const expected = { issuer: settings.issuer, endpoints: [TOKEN_ENDPOINT], now: T };
  const read = (change: Fields, header: Fields = {}, clientId?: string) =>
    readClientAssertion(
      { assertionType: ASSERTION_TYPE, assertion: signed(key, header, claims('c', T, change)), clientId },
      expected,
    );
  const refusal = (reason: RegExp) =>
    expect.objectContaining({ key: 'invalid_client', message: expect.stringMatching(reason) });

  test('the service reads the client ID and the expiry from a client assertion', () => {
    expect(read({ jti: 'one' }, { kid: 'k' }, 'c')).toMatchObject({
      clientId: 'c',
      jti: 'one',
      expiresAt: T + 120,
      algorithm: 'ES256',
      keyId: 'k',
    });
  });

  test.each<[string, Fields, RegExp]>([
    ['another issuer', { iss: 'other' }, /iss and sub/],
    ['another subject', { sub: 'other' }, /iss and sub/],
    ['no issuer', { iss: undefined }, /iss and sub/],
    ['no subject', { sub: undefined }, /iss and sub/],
    ['neither issuer nor subject', { iss: undefined, sub: undefined }, /iss and sub/],
    ['a subject that is not a string', { iss: 7, sub: 7 }, /iss and sub/],
    ['no audience', { aud: undefined }, /aud must be/],
    ['an empty audience', { aud: [] }, /aud must be/],
    ['another audience', { aud: 'https://other.example/' }, /aud must be/],
    ['an audience that only starts with the issuer', { aud: `${settings.issuer}/` }, /aud must be/],
    ['an audience that is an object', { aud: { iss: settings.issuer } }, /aud must be/],
    ['a nested list as audience', { aud: [[settings.issuer]] }, /aud must be/],
    ['no expiry', { exp: undefined }, /exp is required/],
    ['an expiry that is a string', { exp: String(T + 60) }, /exp is required/],
    ['an expiry in the past', { exp: T - 60 }, /has expired/],
    [
      'an expiry too far in the future',
      { exp: T + 361 },
      /exp is more than 300 seconds ahead \(and 60 of skew\)/,
    ],
    ['the expiry 1e300', { exp: 1e300 }, /exp is more than/],
    ['an iat in the future', { iat: T + 61 }, /iat is more than 60 seconds ahead/],
    ['an iat that is a string', { iat: 'now' }, /iat is more/],
    ['an nbf in the future', { nbf: T + 61 }, /nbf is more than 60 seconds ahead/],
    ['no jti', { jti: undefined }, /jti must be/],
    ['an empty jti', { jti: '' }, /jti must be/],
    ['a jti that is a number', { jti: 7 }, /jti must be/],
    ['a jti of 257 characters', { jti: 'j'.repeat(257) }, /jti must be/],
  ])('a client assertion with %s is rejected', (_title, change, reason) => {
    expect(() => read(change)).toThrow(refusal(reason));
  });

  test.each<[string, Fields]>([
    ['the token endpoint as audience', { aud: TOKEN_ENDPOINT }],
    ['the issuer among others', { aud: ['https://other.example/', settings.issuer] }],
    ['an expiry within the allowed clock skew', { exp: T - 59 }],
    ['the latest allowed expiry', { exp: T + 360 }],
    ['neither iat nor nbf', { iat: undefined }],
    ['an iat and nbf within the allowed clock skew', { iat: T + 60, nbf: T + 60 }],
    ['a jti of 256 characters', { jti: 'j'.repeat(256) }],
  ])('a client assertion with %s is accepted', (_title, change) => {
    expect(read(change)).toMatchObject({ clientId: 'c' });
  });

  test.each(['JWT', 'jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])(
    'a client assertion with the typ header %s is accepted',
    (typ) => {
      expect(read({}, { typ })).toMatchObject({ clientId: 'c' });
    },
  );

  test.each(['at+jwt', 'dpop+jwt', 'logout+jwt', '', 7, null, {}])(
    'a client assertion with the typ header %j is rejected',
    (typ) => {
      expect(() => read({}, { typ })).toThrow(refusal(/typ is not that of an assertion/));
    },
  );

  test.each(['none', 'HS256', 'HS512', 'RS1', 'ES256K', 'RSA-OAEP', '', 7, undefined])(
    'N047 a client assertion with the algorithm %j is rejected',
    (alg) => {
      expect(() => read({}, { alg })).toThrow(refusal(/alg must be an asymmetric signature/));
    },
  );

  test('a client assertion is rejected if its issuer differs from client_id', () => {
    expect(() => read({}, {}, 'other')).toThrow(refusal(/iss and sub/));
  });

  test.each(['', 'jwt-bearer', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'])(
    'a client assertion with client_assertion_type %j is rejected',
    (assertionType) => {
      const assertion = signed(key, {}, claims('c', T));
      const presented = { assertionType, assertion, clientId: undefined };
      expect(() => readClientAssertion(presented, expected)).toThrow(
        refusal(/^client_assertion_type: must be/),
      );
    },
  );

  test('a random string as a client assertion is rejected with invalid_client', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    process.stdout.write(`fast-check seed ${seed}\n`);
    const part = fc.oneof(fc.string(), fc.json().map(encode), fc.object().map(encode));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const presented = { assertionType: ASSERTION_TYPE, assertion: parts.join('.'), clientId: undefined };
        expect(() => readClientAssertion(presented, expected)).toThrow(ServiceError);
      }),
      { seed, numRuns: 200 },
    );
  });
});

describeStore('authentication of clients at the token endpoint and the PAR endpoint', (store) => {
  const ports = () => ({
    clients: clients(store().table('directory')),
    replays: replayGuard(store().table('flows')),
  });

  async function stored(change: Partial<Client>): Promise<Client> {
    const client = someClient(change);
    await clientRecords(store().table('directory')).put(client);
    return client;
  }
  const withKeys = (change: Partial<Client>, ...keys: PublicJwk[]) =>
    stored({ authMethod: 'private_key_jwt', secrets: [], jwks: { keys }, ...change });

  const request = async (form: Fields, path = '/oidc/token', headers = {}) => {
    const asked = {
      request: { now: nowSeconds(), path, sourceAddress: '192.0.2.1', headers },
      form,
      settings,
    };
    return (await authenticateClientRequest(ports(), asked)).client;
  };

  const assertionForm = (assertion: string): Fields => ({
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion,
  });
  const signAssertion = ({ clientId }: Client, by: CallerKey, change: Fields = {}, header: Fields = {}) =>
    assertionForm(signed(by, header, claims(clientId, nowSeconds(), change)));

  /** Expected error without a specific reason, so its message is that of the error catalogue. */
  const refused = { key: 'invalid_client', message: 'invalid_client' };

  test.each([...CALLER_ALGORITHMS])(
    'N046 a client authenticates with an assertion signed by %s',
    async (alg) => {
      const own = newKey(alg);
      const client = await withKeys({}, own.jwk);
      expect(await request(signAssertion(client, own))).toEqual(client);
    },
  );

  test('N046 a client may send its client ID together with the client assertion', async () => {
    const client = await withKeys({}, newKey().jwk, { ...key.jwk, kid: 'two' });
    const form = signAssertion(client, key, {}, { kid: 'two' });
    expect(await request({ ...form, client_id: client.clientId })).toEqual(client);
    expect(await request(signAssertion(client, key))).toEqual(client);
    await expect(request(signAssertion(client, key, {}, { kid: 'one' }))).rejects.toMatchObject(refused);
  });

  test('N047 a client assertion is rejected if its algorithm differs from that of the client key', async () => {
    const rsa = newKey('RS256');
    const client = await withKeys({}, { ...rsa.jwk, alg: 'PS256' });
    await expect(request(signAssertion(client, rsa))).rejects.toMatchObject(refused);
    expect(await request(signAssertion(client, { ...rsa, alg: 'PS256' }))).toEqual(client);
    const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const input = `${encode({ alg: 'HS256' })}.${encode(claims(client.clientId, nowSeconds()))}`;
    const mac = createHmac('sha256', pem).update(input).digest('base64url');
    await expect(request(assertionForm(`${input}.${mac}`))).rejects.toMatchObject({ key: 'invalid_client' });
  });

  test('N046 a client assertion with a forged signature is rejected', async () => {
    const client = await withKeys({}, key.jwk);
    const stranger = newKey();
    const tampered = signed(key, {}, claims(client.clientId, nowSeconds())).split('.');
    tampered[1] = encode(claims(client.clientId, nowSeconds(), { exp: nowSeconds() + 200 }));
    for (const form of [
      signAssertion(client, stranger),
      signAssertion(client, stranger, {}, { jwk: stranger.jwk }),
      assertionForm(tampered.join('.')),
      signAssertion(client, key, {}, { crit: ['b64'], b64: false }),
      signAssertion(someClient(), key),
      signAssertion(await withKeys({}), key),
    ])
      await expect(request(form)).rejects.toMatchObject(refused);
  });

  test('N046 a client can authenticate with a new key while the old client record is still cached', async () => {
    const client = await withKeys({}, newKey().jwk);
    const reading = ports();
    await reading.clients.find(client.clientId);
    const records = clientRecords(store().table('directory'));
    const seen = await records.find(client.clientId);
    if (!seen || !(await records.replace(seen, { ...seen, jwks: { keys: [key.jwk] } })))
      throw new Error('the keys were not changed');
    const form = signAssertion(client, key);
    expect(
      await authenticateClientRequest(reading, {
        request: { now: nowSeconds(), path: '/oidc/token', sourceAddress: '192.0.2.1', headers: {} },
        form,
        settings,
      }),
    ).toMatchObject({ client: { jwks: { keys: [key.jwk] } } });
  });

  test.each([
    settings.issuer,
    TOKEN_ENDPOINT,
    'https://login.example.com/oidc/token',
    `${settings.issuer}/par`,
    'https://login.example.com/oidc/par',
  ])(
    'N046 without strict_audience, a client assertion with the audience %s is accepted at /oidc/par',
    async (aud) => {
      const client = await withKeys({}, key.jwk);
      expect(await request(signAssertion(client, key, { aud }), '/oidc/par')).toEqual(client);
      const strict = await withKeys({ strictAudience: true }, key.jwk);
      const answer = request(signAssertion(strict, key, { aud }), '/oidc/par');
      if (aud === settings.issuer) expect(await answer).toEqual(strict);
      else
        await expect(answer).rejects.toMatchObject({
          key: 'invalid_client',
          message: `client_assertion: aud must be ${settings.issuer} only, as a single string`,
        });
    },
  );

  test('N046 with strict_audience, a client assertion with a list of audiences is rejected', async () => {
    const strict = await withKeys({ strictAudience: true }, key.jwk);
    for (const aud of [[settings.issuer], [settings.issuer, 'https://other.example/']])
      await expect(request(signAssertion(strict, key, { aud }))).rejects.toMatchObject({
        key: 'invalid_client',
      });
  });

  test('N046 only one of 30 concurrent requests with the same client assertion succeeds', async () => {
    const client = await withKeys({}, key.jwk);
    const form = signAssertion(client, key);
    const outcomes = await atOnce(30, () =>
      request(form).then(
        () => 'passed',
        (error: ServiceError) => `${error.key} ${error.message}`,
      ),
    );
    const lost = outcomes.filter((outcome) => outcome !== 'passed');
    expect(lost).toHaveLength(29);
    expect(new Set(lost)).toEqual(new Set(['invalid_client client_assertion: jti was used before']));
  });

  test('N046 two clients may use the same jti in their client assertions', async () => {
    const jti = unique('jti');
    const [one, other] = [await withKeys({}, key.jwk), await withKeys({}, key.jwk)];
    await expect(request(signAssertion(one, newKey(), { jti }))).rejects.toMatchObject(refused);
    expect(await request(signAssertion(one, key, { jti }))).toEqual(one);
    expect(await request(signAssertion(other, key, { jti }))).toEqual(other);
  });

  test('N022 a client can authenticate only by its configured method', async () => {
    const secrets = [{ secretId: 'one', hash: hashSecret('secret'), createdAt: T }];
    const bySecret = await stored({ secrets, jwks: { keys: [key.jwk] } });
    const byKey = await withKeys({ secrets }, key.jwk);
    const open = await stored({ authMethod: 'none', secrets, jwks: { keys: [key.jwk] } });
    const secretForm = ({ clientId }: Client) => ({ client_id: clientId, client_secret: 'secret' });
    const alone = ({ clientId }: Client) => ({ client_id: clientId });

    expect(await request(secretForm(bySecret))).toEqual(bySecret);
    expect(await request(signAssertion(byKey, key))).toEqual(byKey);
    expect(await request(alone(open))).toEqual(open);
    for (const form of [
      signAssertion(bySecret, key),
      alone(bySecret),
      secretForm(byKey),
      alone(byKey),
      secretForm(open),
      signAssertion(open, key),
    ])
      await expect(request(form)).rejects.toMatchObject(refused);
  });

  test('N023 a client can authenticate by HTTP Basic with a form-urlencoded secret', async () => {
    const secrets = [{ secretId: 'one', hash: hashSecret('se:cr%t +'), createdAt: T }];
    const client = await stored({ secrets });
    const joined = `${client.clientId}:se%3Acr%25t+%2B`;
    const authorization = `Basic ${Buffer.from(joined).toString('base64')}`;
    expect(await request({}, '/oidc/token', { authorization })).toEqual(client);
    await expect(request(signAssertion(client, key), '/oidc/token', { authorization })).rejects.toMatchObject(
      {
        key: 'system_invalid_input',
      },
    );
  });
});
