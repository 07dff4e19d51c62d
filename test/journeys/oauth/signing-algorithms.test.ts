import { describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { asManager, type WireClient } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  askToken,
  type ClientWithSecret,
  exchange,
  introspect,
  refresh,
  storeCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });
const { post, put } = asManager(server);
const published = async () => (await server.get<JSONWebKeySet>('/oidc/jwks')).body;

async function clientThatWants(alg: string) {
  const path = `/v1/applications/${server.environment.app_id}/clients`;
  const made = await post<WireClient>(path, { name: 'Bank', id_token_signed_response_alg: alg });
  const { client_id: clientId, client_secret: clientSecret, ...shown } = made.body.result;
  expect(shown).toMatchObject({ id_token_signed_response_alg: alg });
  return { clientId, clientSecret, path: `${path}/${clientId}` };
}

async function logIn(client: ClientWithSecret) {
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const code = await storeCode(server, userId, { clientId: client.clientId });
  return (await exchange(server, code, {}, client)).body;
}

/** Checks that `jsonwebtoken` and `jose` verify the token with the published keys, and that the token has this algorithm. */
async function expectSigned(token: string, audience: string, alg: string): Promise<void> {
  expect((await verifyToken(server, token, audience)).header.alg).toBe(alg);
  const keys = createLocalJWKSet(await published());
  const currentDate = new Date(Date.now());
  await jwtVerify(token, keys, { audience, currentDate, algorithms: [alg] });
}

describe.each(['PS256', 'ES256'])('client that selects the signing algorithm %s', (alg) => {
  test("a client's tokens are signed with the algorithm that the client has selected", async () => {
    const client = await clientThatWants(alg);
    const { issuer } = server.environment;
    const tokens = await logIn(client);
    await expectSigned(tokens.access_token, issuer, alg);
    await expectSigned(tokens.id_token, client.clientId, alg);
    const granted = await askToken(server, { grant_type: 'client_credentials' }, client);
    await expectSigned(granted.body.access_token, issuer, alg);

    const refreshed = (await refresh(server, tokens.refresh_token, {}, client)).body;
    await expectSigned(refreshed.access_token, issuer, alg);
    expect((await server.get('/oidc/me', { token: refreshed.access_token })).status).toBe(200);
    expect(await introspect(server, refreshed.access_token, client)).toMatchObject({ active: true });

    const changed = await put<WireClient>(client.path, { id_token_signed_response_alg: null });
    expect(changed.body.result).toMatchObject({ id_token_signed_response_alg: 'RS256' });
    await server.advanceClock(61);
    expect(decodeProtectedHeader((await logIn(client)).id_token).alg).toBe('RS256');
  });
});

test('N094 each algorithm in the discovery document has a key in the key set', async () => {
  const { keys } = await published();
  const { body } = await server.get<Readonly<Record<string, unknown>>>(
    '/oidc/.well-known/openid-configuration',
  );
  expect(keys.map(({ alg }) => alg)).toEqual(body.id_token_signing_alg_values_supported);
  const [rsa, pss, ec] = keys;
  expect(pss).toEqual({ ...rsa, alg: 'PS256', kid: `${rsa?.kid}.PS256` });
  expect(ec).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' });
});

test('the error for an unsupported signing algorithm lists the supported algorithms', async () => {
  const { path } = await clientThatWants('PS256');
  for (const alg of ['HS256', 'none', 'EdDSA', ''])
    expect(await put(path, { id_token_signed_response_alg: alg })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^id_token_signed_response_alg: .*RS256.*PS256.*ES256/) },
    });
});
