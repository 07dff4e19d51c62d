import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { newEmail } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { type Ended, otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken, storeClient } from '../../support/tools/authorized.ts';

/** Seconds until every verifier knows a new key: 300 s in the cache of a verifier and 60 s in the cache of a function. */
const SEEN_SECONDS = 300 + 60;
const FUNCTIONS_SECONDS = 61;
const DAY_SECONDS = 86_400;

interface KeyRecord {
  readonly kid: string;
  readonly alg: string;
  readonly state: string;
  readonly mode: string;
  readonly forced_because?: string;
}
interface Login {
  readonly access_token: string;
  readonly id_token: string;
}

const server = useTestServer({ rateLimits: 'off' });
let email: string;
/**
 * Key set of a backend that caches the published keys for 300 s. An unknown `kid` does not make the backend fetch the keys.
 */
let caching: JWTVerifyGetKey;

beforeAll(async () => {
  email = newEmail();
  await server.post('/v1/users', { email }, { token: await server.clientToken() });
  caching = createRemoteJWKSet(new URL(`${server.environment.base_url}/oidc/jwks`), {
    cacheMaxAge: 300_000,
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
});

const keys = (...args: string[]): Promise<Ended> => otlWith({ OTL_ENDPOINT: server.url }, ['keys', ...args]);

async function listed(...args: string[]): Promise<readonly KeyRecord[]> {
  const { code, stdout, stderr } = await keys(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { result } = JSON.parse(stdout) as { result: KeyRecord[] };
  return result.filter(({ alg }) => alg === (args.includes('ES256') ? 'ES256' : 'RS256'));
}

// Each login gets a new client token, because the key that signed an older client token may be retired.
const login = async () => tokensDirect(server, email, {}, await server.clientToken());

const readKid = (token: string) => decodeProtectedHeader(token).kid;
const verify = (token: string, set: JWTVerifyGetKey) =>
  jwtVerify(token, set, { issuer: server.environment.issuer, currentDate: new Date(Date.now()) });
const published = async () => (await server.get<JSONWebKeySet>('/oidc/jwks')).body;

/** Logs in. Verifies the access token and the ID token with the key set of the caching backend. */
async function loginThatVerifies(): Promise<Login & { readonly kid: string | undefined }> {
  const tokens = await login();
  await verify(tokens.access_token, caching);
  await verify(tokens.id_token, caching);
  expect(readKid(tokens.id_token)).toBe(readKid(tokens.access_token));
  return { ...tokens, kid: readKid(tokens.id_token) };
}

const userInfo = async (token: string) => (await server.get('/oidc/me', { token })).status;

/** Performs all steps of a rotation to a key of the given mode. Checks that each step is refused while it is too early. */
async function drill(mode: 'kms' | 'kms-envelope'): Promise<void> {
  const before = await loginThatVerifies();

  const prepared = await keys('prepare', '--mode', mode);
  expect(prepared).toMatchObject({ code: 0, stderr: expect.stringContaining('The key may sign from 20') });
  expect(await keys('prepare')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^otl: There is a next key already/),
  });
  const tooEarly = await keys('rotate');
  expect(tooEarly).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/must not sign before 20/),
  });
  expect((await loginThatVerifies()).kid).toBe(before.kid);

  await server.advanceClock(SEEN_SECONDS);
  const during = await loginThatVerifies();
  expect(during.kid).toBe(before.kid);
  const rotated = await listed('rotate');
  expect(rotated.map(({ state }) => state).toSorted()).toEqual(['current', 'previous']);
  const [next] = rotated.filter(({ state }) => state === 'current');
  expect(next).toMatchObject({ mode });
  // Until its cache expires, a container signs with the old key, which is still published.
  expect((await loginThatVerifies()).kid).toBe(before.kid);

  await server.advanceClock(FUNCTIONS_SECONDS);
  expect((await loginThatVerifies()).kid).toBe(next?.kid);
  expect(await userInfo(during.access_token)).toBe(200);

  expect(await keys('retire')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/must not leave before 20/),
  });
  // Advances to two seconds before the expiry of the last token that the old key signed.
  const end = decodeJwt(during.access_token).exp ?? 0;
  await server.advanceClock(end - 2 - Math.floor(Date.now() / 1000));
  expect(await userInfo(during.access_token)).toBe(200);
  await verify(during.id_token, caching);

  await server.advanceClock(DAY_SECONDS + SEEN_SECONDS);
  expect(await listed('retire')).toMatchObject([{ kid: before.kid, state: 'previous' }]);
  expect(await listed('list')).toMatchObject([{ kid: next?.kid, state: 'current', mode }]);
  await server.advanceClock(FUNCTIONS_SECONDS);
  const ofRsa = (await published()).keys.filter(({ kty }) => kty === 'RSA');
  expect(ofRsa.map(({ kid }) => kid)).toEqual([next?.kid, `${next?.kid}.PS256`]);
  expect((await loginThatVerifies()).kid).toBe(next?.kid);
}

describe('N093 signing key rotation while a backend caches the public keys', () => {
  test(
    'a key rotation can replace KMS keys with encrypted keys that functions decrypt',
    () => drill('kms-envelope'),
    60_000,
  );
  test('a key rotation can replace encrypted keys with KMS keys', () => drill('kms'), 60_000);
});

test('each Lambda container decrypts an encrypted signing key only once', async () => {
  await keys('prepare', '--mode', 'kms-envelope');
  await server.advanceClock(SEEN_SECONDS);
  await keys('rotate');
  await server.advanceClock(FUNCTIONS_SECONDS);
  await login();
  server.resetMetrics();
  await login();
  const calls = Object.values(server.metrics()).flatMap(({ aws_calls }) => Object.keys(aws_calls));
  expect(calls).toContain('dynamodb.UpdateItem');
  expect(calls.filter((call) => call.startsWith('kms.'))).toEqual([]);
});

test('the ES256 key and the RS256 key are rotated independently', async () => {
  const es256 = ['--algorithm', 'ES256'];
  const client = await storeClient(server, { idTokenSignedResponseAlg: 'ES256' });
  const ofClient = async () =>
    (await askToken(server, { grant_type: 'client_credentials' }, client)).body.access_token;
  const before = [readKid(await ofClient()), readKid((await login()).id_token)];

  expect((await keys('prepare', ...es256)).stderr).toContain('otl keys rotate --algorithm ES256');
  await server.advanceClock(SEEN_SECONDS);
  const [next] = (await listed('rotate', ...es256)).filter(({ state }) => state === 'current');
  await server.advanceClock(FUNCTIONS_SECONDS);
  const after = [await ofClient(), (await login()).id_token];
  for (const token of after) await verify(token, createLocalJWKSet(await published()));
  expect(after.map(readKid)).toEqual([next?.kid, before[1]]);
  expect(next?.kid).not.toBe(before[0]);
  expect(await keys('prepare', '--algorithm', 'PS256')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RS256, which also signs PS256'),
  });
});

test('a key rotation step before the end of the waiting time requires a reason', async () => {
  const [previous] = (await listed('list')).filter(({ state }) => state === 'current');
  await keys('prepare', '--mode', 'kms');
  expect(await keys('rotate', '--force', ' ')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/needs a reason/),
  });
  const [current] = (await listed('rotate', '--force', 'a drill')).filter(({ state }) => state === 'current');
  expect(current).toMatchObject({ forced_because: 'a drill' });
  // The previous key cannot be retired even with a reason, because functions sign with this key for another minute.
  expect(await keys('retire', String(previous?.kid), '--force', 'now')).toMatchObject({ code: 1 });
  await server.advanceClock(FUNCTIONS_SECONDS);
  expect(await keys('retire', String(current?.kid), '--force', 'now')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/signs: rotate first/),
  });
  await keys('retire', String(previous?.kid), '--force', 'now');
  expect((await listed('list')).map(({ kid }) => kid)).not.toContain(previous?.kid);
});

test('the next rotation step completes a key rotation that was interrupted between its two writes', async () => {
  const { signingKeyRecords } = await server.ports(['signingKeyRecords']);
  await keys('prepare');
  await server.advanceClock(SEEN_SECONDS);
  const [next] = (await signingKeyRecords.list()).filter(({ state }) => state === 'next');
  await signingKeyRecords.move(String(next?.kid), 'next', 'current', { at: Math.floor(Date.now() / 1000) });
  await server.advanceClock(FUNCTIONS_SECONDS);
  const { id_token } = await login();
  expect(readKid(id_token)).toBe(next?.kid);
  await verify(id_token, createLocalJWKSet(await published()));
  const states = Object.fromEntries((await listed('rotate')).map(({ kid, state }) => [kid, state]));
  expect(states[String(next?.kid)]).toBe('current');
  expect(Object.values(states).filter((state) => state === 'current')).toHaveLength(1);
});
