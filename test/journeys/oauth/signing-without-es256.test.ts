import { expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { asManager } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { encode } from '../../support/fixtures/proofs.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { exchange, storeClient, storeCode } from '../../support/tools/authorized.ts';

/** Environment in which ES256 is disabled. An ES256 key still exists, and clients may have selected ES256 earlier. */
const server = useTestServer({ rateLimits: 'off', environment: { ES256: '' } });
const { put, post } = asManager(server);

test('after ES256 is disabled, clients that selected it get tokens signed with PS256, and earlier tokens stay valid', async () => {
  const client = await storeClient(server, { idTokenSignedResponseAlg: 'ES256' });
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const code = await storeCode(server, userId, { clientId: client.clientId });
  const { access_token: token } = (await exchange(server, code, {}, client)).body;
  expect((await verifyToken(server, token, server.environment.issuer)).header.alg).toBe('PS256');

  const { keys } = (await server.get<JSONWebKeySet>('/oidc/jwks')).body;
  const { kid } = keys.find(({ alg }) => alg === 'ES256') ?? {};
  const { signer, signingKeyRecords } = await server.ports(['signer', 'signingKeyRecords']);
  const record = (await signingKeyRecords.list()).find((each) => each.kid === kid);
  if (!record) throw new Error('the key is not published');
  const header = { ...decodeProtectedHeader(token), alg: 'ES256', kid };
  const input = `${encode(header)}.${encode(decodeJwt(token))}`;
  const signature = await signer.sign(record, 'ES256', Buffer.from(input));
  const earlier = `${input}.${Buffer.from(signature).toString('base64url')}`;
  expect((await server.get('/oidc/me', { token: earlier })).status).toBe(200);
});

test('a client cannot select ES256 if the environment has disabled ES256', async () => {
  const { body } = await server.get<Readonly<Record<string, unknown>>>(
    '/oidc/.well-known/openid-configuration',
  );
  expect(body.id_token_signing_alg_values_supported).toEqual(['RS256', 'PS256']);
  const choice = { name: 'Bank', id_token_signed_response_alg: 'ES256' };
  const ofApplication = `/v1/applications/${server.environment.app_id}/clients`;
  const { clientId } = await storeClient(server);
  for (const answer of [
    await post(ofApplication, choice),
    await put(`${ofApplication}/${clientId}`, choice),
    await post('/v1/management-clients', choice),
    await put(`/v1/management-clients/${server.environment.management.client_id}`, choice),
  ])
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message:
          'id_token_signed_response_alg: ES256 is not enabled in this environment, only RS256 and PS256 are on',
      },
    });
  const before = await storeClient(server, { idTokenSignedResponseAlg: 'ES256' });
  expect((await put(`${ofApplication}/${before.clientId}`, choice)).status).toBe(200);
});
