import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { newSecret } from '../../../shared/domain/basis/random.ts';
import { computeChallenge, dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  askToken,
  demoClient,
  demoManager,
  exchange,
  expectGrantError,
  expectOAuthError,
  introspect,
  storeClient,
  storeNewCode,
} from '../../support/tools/authorized.ts';

const VERIFICATION = 'https://verify.example.com/';
const server = useTestServer({ environment: { IDENTITY_VERIFICATION_RESOURCE: VERIFICATION } });

describe('N020 error responses of the token endpoint (RFC 6749 §5.2)', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a missing grant type', {}, 'invalid_request'],
    ['an empty grant type', { grant_type: '' }, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'magic' }, 'unsupported_grant_type'],
    [
      'N012 the password grant',
      { grant_type: 'password', username: 'a', password: 'b' },
      'unsupported_grant_type',
    ],
    ['a missing authorization code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['an empty authorization code', { grant_type: 'authorization_code', code: '' }, 'invalid_request'],
    [
      'an unknown authorization code',
      { grant_type: 'authorization_code', code: newSecret() },
      'invalid_grant',
    ],
    ['a missing refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'a.b.c.d' }, 'invalid_grant'],
    [
      'an unknown resource',
      { grant_type: 'client_credentials', resource: 'https://x.example' },
      'invalid_target',
    ],
    ['an unknown scope', { grant_type: 'client_credentials', scope: 'moon:land' }, 'invalid_scope'],
  ])('the token endpoint returns the error code of RFC 6749 for %s', async (_title, fields, error) => {
    expectOAuthError(await askToken(server, fields), 400, error);
  });

  test('the token endpoint accepts the identity-verification URI as resource only if it matches exactly', async () => {
    const { status, body } = await askToken(server, {
      grant_type: 'client_credentials',
      resource: VERIFICATION,
    });
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token).aud).toBe(VERIFICATION);
    const other = { grant_type: 'client_credentials', resource: `${VERIFICATION}x` };
    expectOAuthError(await askToken(server, other), 400, 'invalid_target');
  });

  test('a management client cannot obtain user tokens', async () => {
    const code = await storeNewCode(server);
    expectOAuthError(await exchange(server, code, {}, demoManager(server)), 400, 'unauthorized_client');
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const fields = { grant_type: 'client_credentials', client_id: clientId };
    expectOAuthError(await server.form('/oidc/token', fields), 400, 'unauthorized_client');
  });

  test('a client that fails to authenticate gets a 401 response', async () => {
    const code = await storeNewCode(server);
    const wrong = { ...demoClient(server), clientSecret: 'wrong' };
    const answer = await exchange(server, code, {}, wrong);
    expectOAuthError(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await exchange(server, code)).status).toBe(200);
  });
});

test('N020 a parameter with an empty value is treated as missing (RFC 6749 §3.2)', async () => {
  const empty = { resource: '', scope: '', code_verifier: '', client_assertion: '' };
  expect((await exchange(server, await storeNewCode(server), empty)).status).toBe(200);
  expect((await askToken(server, { grant_type: 'client_credentials', ...empty })).status).toBe(200);
});

describe('DPoP at the token endpoint', () => {
  const htu = () => `${server.environment.issuer}/token`;
  const prove = (key = newKey(), more: object = {}) => ({
    dpop: dpopProof(key, { htm: 'POST', htu: htu(), iat: Math.floor(Date.now() / 1000), ...more }),
  });
  const thumbprint = (key: ReturnType<typeof newKey>) => {
    const { crv, kty, x, y } = key.jwk;
    return computeChallenge(JSON.stringify({ crv, kty, x, y }));
  };

  test("N054 a user token requested with a DPoP proof is bound to the proof's key", async () => {
    const key = newKey();
    const { status, body } = await exchange(server, await storeNewCode(server), {}, undefined, prove(key));
    expect({ status, type: body.token_type }).toEqual({ status: 200, type: 'DPoP' });
    const { payload } = await verifyToken(server, body.access_token, server.environment.issuer);
    expect(payload.cnf).toEqual({ jkt: thumbprint(key) });
    for (const token of [body.access_token, body.refresh_token])
      expect(await introspect(server, token)).toMatchObject({ cnf: { jkt: thumbprint(key) } });
  });

  test("a client token requested with a DPoP proof is bound to the proof's key", async () => {
    const key = newKey();
    const answer = await askToken(server, { grant_type: 'client_credentials' }, undefined, prove(key));
    expect(answer.body.token_type).toBe('DPoP');
    expect(await introspect(server, answer.body.access_token)).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: thumbprint(key) },
    });
  });

  test('N058 an authorization code bound to a DPoP key can be exchanged only with that key', async () => {
    const key = newKey();
    const code = await storeNewCode(server, { dpopJkt: thumbprint(key) });
    expectGrantError(await exchange(server, code));
    expectGrantError(await exchange(server, code, {}, undefined, prove()));
    expect((await exchange(server, code, {}, undefined, prove(key))).status).toBe(200);
  });

  test('N059 a client that requires DPoP gets no tokens without a DPoP proof', async () => {
    const client = await storeClient(server, { dpopBound: true });
    const code = await storeNewCode(server, { clientId: client.clientId });
    expectOAuthError(await exchange(server, code, {}, client), 400, 'invalid_request');
    expect((await exchange(server, code, {}, client, prove())).body.token_type).toBe('DPoP');
    const own = { grant_type: 'client_credentials' };
    expectOAuthError(await askToken(server, own, client), 400, 'invalid_request');
  });

  test('N052 a DPoP proof is accepted only once', async () => {
    const proof = prove();
    expect((await exchange(server, await storeNewCode(server), {}, undefined, proof)).status).toBe(200);
    const code = await storeNewCode(server);
    expectOAuthError(await exchange(server, code, {}, undefined, proof), 400, 'invalid_dpop_proof');
    const elsewhere = prove(newKey(), { htu: `${htu()}/elsewhere` });
    expectOAuthError(await exchange(server, code, {}, undefined, elsewhere), 400, 'invalid_dpop_proof');
    expect((await exchange(server, code)).status).toBe(200);
  });
});
