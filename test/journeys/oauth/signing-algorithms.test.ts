import { beforeAll, describe, expect, test } from '@jest/globals';
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

let path: string;
let client: ClientWithSecret;
beforeAll(async () => {
  path = `/v1/applications/${server.environment.app_id}/clients`;
  const { result } = (await post<WireClient>(path, { name: 'Bank', id_token_signed_response_alg: 'PS256' }))
    .body;
  client = { clientId: result.client_id, clientSecret: result.client_secret };
  path = `${path}/${client.clientId}`;
  expect(result).toMatchObject({ id_token_signed_response_alg: 'PS256' });
});

async function logIn() {
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const code = await storeCode(server, userId, { clientId: client.clientId });
  return (await exchange(server, code, {}, client)).body;
}

/** Two libraries take the token by the published keys, under this algorithm alone. */
async function expectSigned(token: string, audience: string, alg: string): Promise<void> {
  expect((await verifyToken(server, token, audience)).header.alg).toBe(alg);
  const keys = createLocalJWKSet(await published());
  const currentDate = new Date(Date.now());
  await jwtVerify(token, keys, { audience, currentDate, algorithms: [alg] });
}

describe('a client that chooses PS256', () => {
  test('has all its tokens signed so, and the service takes them', async () => {
    const { issuer } = server.environment;
    const tokens = await logIn();
    await expectSigned(tokens.access_token, issuer, 'PS256');
    await expectSigned(tokens.id_token, client.clientId, 'PS256');
    const granted = await askToken(server, { grant_type: 'client_credentials' }, client);
    await expectSigned(granted.body.access_token, issuer, 'PS256');

    const refreshed = (await refresh(server, tokens.refresh_token, {}, client)).body;
    await expectSigned(refreshed.access_token, issuer, 'PS256');
    expect((await server.get('/oidc/me', { token: refreshed.access_token })).status).toBe(200);
    expect(await introspect(server, refreshed.access_token, client)).toMatchObject({ active: true });
  });

  test('finds its key beside that of RS256, in the order of the algorithms in metadata', async () => {
    const { keys } = await published();
    const { body } = await server.get<Readonly<Record<string, unknown>>>(
      '/oidc/.well-known/openid-configuration',
    );
    expect(keys.map(({ alg }) => alg)).toEqual(body.id_token_signing_alg_values_supported);
    const [rsa, pss] = keys;
    expect(pss).toEqual({ ...rsa, alg: 'PS256', kid: `${rsa?.kid}.PS256` });
  });

  test('may not choose one that is off, and hears which are on', async () => {
    for (const alg of ['HS256', 'none', 'ES256'])
      expect(await put(path, { id_token_signed_response_alg: alg })).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^id_token_signed_response_alg: .*RS256.*PS256/) },
      });
  });

  test('goes back to RS256 with null', async () => {
    const changed = await put<WireClient>(path, { id_token_signed_response_alg: null });
    expect(changed.body.result).toMatchObject({ id_token_signed_response_alg: 'RS256' });
    await server.advanceClock(61);
    expect(decodeProtectedHeader((await logIn()).id_token).alg).toBe('RS256');
  });
});
