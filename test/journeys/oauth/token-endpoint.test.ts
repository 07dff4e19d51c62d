import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId, newSecret } from '../../../shared/domain/basis/random.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { makeCode } from '../../../shared/domain/oauth/authorization-code.ts';
import type { CodeFacts } from '../../../shared/domain/oauth/code-facts.ts';
import { sealSignUp } from '../../../shared/domain/users/sign-up.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someResource } from '../../support/server/records.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  askToken,
  demoClient,
  exchange,
  introspect,
  logIn,
  refresh,
  type StoredCode,
  storeClient,
  storeCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer();

const verifierOf = (length: number) => 'abcdefghijklmnopqrstuvwxyz-._~0123456789'.repeat(4).slice(0, length);
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

async function newUser() {
  return createUser(server, { email: newEmail() });
}
async function codeOf(change: Partial<CodeFacts> = {}, lifetimeSeconds?: number): Promise<StoredCode> {
  return storeCode(server, (await newUser()).user_id, change, lifetimeSeconds);
}

function expectOAuthError(answer: TestAnswer<unknown>, status: number, error: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error, error_description: expect.any(String), message: expect.any(String), error_code: status },
  });
}
const expectGrantError = (answer: TestAnswer<unknown>) => expectOAuthError(answer, 400, 'invalid_grant');

/** Nothing that came of these tokens works any more. */
async function expectDead(tokens: { readonly access_token: string; readonly refresh_token?: string }) {
  expect(await introspect(server, tokens.access_token)).toEqual({ active: false });
  const shown = await server.get('/oidc/me', { token: tokens.access_token });
  expect(shown.status).toBe(401);
  if (tokens.refresh_token === undefined) return;
  expect(await introspect(server, tokens.refresh_token)).toEqual({ active: false });
  expectGrantError(await refresh(server, tokens.refresh_token));
}

describe('a code is exchanged', () => {
  test('for bearer tokens of its user, and nobody may keep a copy of the answer (N019)', async () => {
    const user = await newUser();
    const code = await storeCode(server, user.user_id, { nonce: 'n-0S6_WzA2Mj' });
    const answer = await exchange(server, code);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email phone offline_access',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      session_id: code.record.sessionId,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
  });

  test('without a refresh token when offline access was not granted', async () => {
    const code = await codeOf({ offlineAccess: false, scope: 'openid' });
    const { body } = await exchange(server, code);
    expect(body).toMatchObject({ scope: 'openid', id_token: expect.any(String) });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('N045 for an access token as RFC 9068 wants it', async () => {
    const code = await codeOf();
    const { body } = await exchange(server, code);
    const { issuer, client_id, tenant_id, app_id } = server.environment;
    const { header, payload } = await verifyToken(server, body.access_token, issuer);
    expect(header).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
    expect(payload).toMatchObject({
      iss: issuer,
      aud: issuer,
      sub: code.record.userId,
      client_id,
      app_id,
      tid: tenant_id,
      sid: code.record.sessionId,
      jti: expect.any(String),
      scope: 'openid email phone offline_access',
      auth_time: code.record.authTime,
      amr: ['eotp'],
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  test('N080 for an ID token with the nonce as it was given, for this client alone', async () => {
    const nonce = 'Ünïcode "nonce" \\ with spaces';
    const code = await codeOf({ nonce });
    const { body } = await exchange(server, code);
    const { header, payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(header.typ).toBe('JWT');
    expect(payload).toMatchObject({ sub: code.record.userId, nonce, aud: server.environment.client_id });
    expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(payload).not.toHaveProperty('azp');
  });

  test('N081 auth_time is the moment of the login, also minutes later', async () => {
    const authTime = Math.floor(Date.now() / 1000) - 1234;
    const code = await codeOf({ authTime, methods: [{ method: 'sms', at: authTime }] });
    const { body } = await exchange(server, code);
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ auth_time: authTime, amr: ['sms'] });
  });

  test.each(['oidc', 'browser', 'code-based'] as const)('whatever brought it: %s', async (origin) => {
    expect((await exchange(server, await codeOf({ origin }))).status).toBe(200);
  });

  test('of sections B and C without its redirect URI, but not with another one', async () => {
    const code = await codeOf({ origin: 'browser' });
    const fields = { grant_type: 'authorization_code', code: code.code };
    expectGrantError(await askToken(server, { ...fields, redirect_uri: `${code.record.redirectUri}/` }));
    expect((await askToken(server, fields)).status).toBe(200);
  });
});

describe('N010 a code is bound', () => {
  test('to its redirect URI, character for character', async () => {
    const code = await codeOf();
    const { redirectUri } = code.record;
    const others = ['/', '?', '?x=1', '#', '%20'].map((end) => `${redirectUri}${end}`);
    others.push(redirectUri.toUpperCase(), redirectUri.replace('://', '://user@'), '');
    for (const redirect_uri of others) expectGrantError(await exchange(server, code, { redirect_uri }));
    expectGrantError(await askToken(server, { grant_type: 'authorization_code', code: code.code }));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('to its client: another one of the same application cannot use it, nor use it up', async () => {
    const code = await codeOf();
    const other = await storeClient(server);
    expectGrantError(await exchange(server, code, {}, other));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('to 60 seconds', async () => {
    const [inTime, late] = [await codeOf(), await codeOf()];
    await server.advanceClock(inTime.record.expiresAt - 2 - Math.floor(Date.now() / 1000));
    expect((await exchange(server, inTime)).status).toBe(200);
    await server.advanceClock(late.record.expiresAt - Math.floor(Date.now() / 1000));
    expectGrantError(await exchange(server, late));
  });

  test('to the second factor that it waits for', async () => {
    expectGrantError(await exchange(server, await codeOf({ requireMfa: true })));
  });
});

describe('PKCE', () => {
  test('N007 takes verifiers of 43 to 128 unreserved characters', async () => {
    for (const length of [43, 128]) {
      const verifier = verifierOf(length);
      const code = await codeOf({ codeChallenge: challengeOf(verifier) });
      expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
    }
    for (const verifier of [verifierOf(42), verifierOf(129), `${verifierOf(43)}+`, `${verifierOf(42)} `]) {
      const code = await codeOf({ codeChallenge: challengeOf(verifier) });
      expectGrantError(await exchange(server, code, { code_verifier: verifier }));
    }
  });

  test('N007 refuses another verifier, and the challenge itself (plain)', async () => {
    const verifier = verifierOf(43);
    const code = await codeOf({ codeChallenge: challengeOf(verifier) });
    for (const code_verifier of [verifierOf(44), challengeOf(verifier), verifier.toUpperCase()])
      expectGrantError(await exchange(server, code, { code_verifier }));
    expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
  });

  test('N006 a code with a challenge needs the verifier, one without must not be given any', async () => {
    const challenged = await codeOf({ codeChallenge: challengeOf(verifierOf(43)) });
    expectGrantError(await exchange(server, challenged));
    const plain = await codeOf();
    expectGrantError(await exchange(server, plain, { code_verifier: verifierOf(43) }));
    expect((await exchange(server, plain)).status).toBe(200);
  });

  test('N005 is all that a public client has, and all that it needs', async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const verifier = randomBytes(48).toString('base64url');
    const code = await codeOf({ clientId, codeChallenge: challengeOf(verifier) });
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: code.code,
      redirect_uri: code.record.redirectUri,
    };
    expectGrantError(await server.form('/oidc/token', fields));
    const answer = await server.form('/oidc/token', { ...fields, code_verifier: verifier });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('N009 a code that comes twice', () => {
  test('is refused, and what the first use issued is worth nothing', async () => {
    const code = await codeOf();
    const { body: tokens } = await exchange(server, code);
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
    expectGrantError(await exchange(server, code));
    await expectDead(tokens);
    const again = await server.post(
      '/v1/auth/session/authenticate',
      { session_id: tokens.session_id },
      { token: await server.clientToken() },
    );
    expect(again).toMatchObject({ status: 400, body: { message: 'Session not found' } });
  });

  test('ends the successors of the refresh token too', async () => {
    const code = await codeOf();
    const { body: first } = await exchange(server, code);
    const { body: second } = await refresh(server, first.refresh_token);
    expectGrantError(await exchange(server, code));
    await expectDead(second);
  });

  test('is refused as long as anybody could still have it', async () => {
    const code = await codeOf();
    const { body: tokens } = await exchange(server, code);
    await server.advanceClock(3000);
    expectGrantError(await exchange(server, code));
    await expectDead(tokens);
  });

  test.each([
    ['with a refresh token', true],
    ['without one', false],
  ])('leaves the session that its tokens only joined, %s', async (_title, offlineAccess) => {
    const { user, tokens: before } = await logIn(server);
    const joined = { joinsSession: before.session_id, offlineAccess };
    const code = await storeCode(server, user.user_id, joined);
    const { body: tokens } = await exchange(server, code);
    expect(tokens.session_id).toBe(before.session_id);
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
    expectGrantError(await exchange(server, code));
    await expectDead(tokens);
    expect(await introspect(server, before.access_token)).toMatchObject({ active: true });
    expect((await refresh(server, before.refresh_token)).status).toBe(200);
  });

  test('thirty times at once: one answer at most, and nothing of it is alive', async () => {
    for (const offlineAccess of [true, false]) {
      const { user, tokens: before } = await logIn(server);
      const joining = { joinsSession: before.session_id, offlineAccess };
      for (const change of [{ offlineAccess }, joining]) {
        const code = await storeCode(server, user.user_id, change);
        const answers = await atOnce(30, () => exchange(server, code));
        const won = answers.filter(({ status }) => status === 200);
        expect(won.length).toBeLessThanOrEqual(1);
        // A machine that is too busy says so.
        for (const lost of answers) expect([200, 400, 503]).toContain(lost.status);
        for (const { body } of won) await expectDead(body);
      }
    }
  });

  test('a guess is no replay: the code of another client revokes nothing', async () => {
    const code = await codeOf();
    const { body: tokens } = await exchange(server, code);
    expectGrantError(await exchange(server, code, {}, await storeClient(server)));
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
  });
});

test('N011 codes and refresh tokens have 256 random bits', async () => {
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf()));
  for (const { code } of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(32);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(20);
  const { tokens } = await logIn(server);
  expect(Buffer.from(tokens.refresh_token.split('.').at(-1) ?? '', 'base64url')).toHaveLength(32);
});

describe('whoever may no longer log in gets no tokens', () => {
  test('a disabled user', async () => {
    const user = await newUser();
    const code = await storeCode(server, user.user_id);
    const token = await server.clientToken();
    await server.put(`/v1/users/${user.user_id}`, { status: 'Disabled' }, { token });
    expectGrantError(await exchange(server, code));
  });

  test('an erased user', async () => {
    const user = await newUser();
    const code = await storeCode(server, user.user_id);
    await server.delete(`/v1/users/${user.user_id}`, { token: await server.clientToken() });
    expectGrantError(await exchange(server, code));
  });

  test('somebody who is no member of the organization', async () => {
    expectGrantError(await exchange(server, await codeOf({ organizationId: newId() })));
  });

  test('whoever gave up the address that the code was sent to', async () => {
    const { tenants } = await server.ports(['tenants']);
    const tenant = await tenants.find(server.environment.tenant_id);
    if (!tenant) throw new Error('no tenant');
    const [old, next] = [newEmail(), newEmail()];
    const user = await createUser(server, { email: old });
    const deliveredToHash = identifierHash(tenant, { type: 'email', value: old });
    const code = await storeCode(server, user.user_id, { deliveredToHash });
    const token = await server.clientToken();
    await server.put(`/v1/users/${user.user_id}`, { email: next }, { token });
    expectGrantError(await exchange(server, code));
    await server.put(`/v1/users/${user.user_id}`, { email: old }, { token });
    expect((await exchange(server, code)).status).toBe(200);
    expect((await findUser(server, user.user_id)).email).toEqual({ value: old, email_verified: true });
  });

  test('whoever logged out of the session meanwhile', async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    await server.post('/v1/auth/logout', {}, { token: tokens.access_token });
    expectGrantError(await exchange(server, code));
  });
});

describe('N020 errors are those of RFC 6749 §5.2', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['no grant type', {}, 'invalid_request'],
    ['an empty one', { grant_type: '' }, 'invalid_request'],
    ['an unknown one', { grant_type: 'magic' }, 'unsupported_grant_type'],
    [
      'N012 the password grant',
      { grant_type: 'password', username: 'a', password: 'b' },
      'unsupported_grant_type',
    ],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['an empty code', { grant_type: 'authorization_code', code: '' }, 'invalid_request'],
    ['an unknown code', { grant_type: 'authorization_code', code: newSecret() }, 'invalid_grant'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'a.b.c.d' }, 'invalid_grant'],
    [
      'a resource of nobody',
      { grant_type: 'client_credentials', resource: 'https://x.example' },
      'invalid_target',
    ],
    ['a scope of nobody', { grant_type: 'client_credentials', scope: 'moon:land' }, 'invalid_scope'],
  ])('%s', async (_title, fields, error) => {
    expectOAuthError(await askToken(server, fields), 400, error);
  });

  test('a management client has no users, a public client no token of its own', async () => {
    const { client_id, client_secret } = server.environment.management;
    const management = { clientId: client_id, clientSecret: client_secret };
    const code = await codeOf();
    expectOAuthError(await exchange(server, code, {}, management), 400, 'unauthorized_client');
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const fields = { grant_type: 'client_credentials', client_id: clientId };
    expectOAuthError(await server.form('/oidc/token', fields), 400, 'unauthorized_client');
  });

  test('a client that does not prove who it is: 401, with a challenge where Basic was tried', async () => {
    const code = await codeOf();
    const wrong = { ...demoClient(server), clientSecret: 'wrong' };
    const answer = await exchange(server, code, {}, wrong);
    expectOAuthError(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await exchange(server, code)).status).toBe(200);
  });
});

describe('client authentication', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

  test('N021 unknown parameters are ignored, repeated ones refused', async () => {
    const code = await codeOf();
    expect((await exchange(server, code, { audience: 'x', login_hint: 'undefined' })).status).toBe(200);
    const { client_id, client_secret } = server.environment;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    body.append('scope', 'a');
    body.append('scope', 'b');
    expectOAuthError(await server.request('/oidc/token', { method: 'POST', body }), 400, 'invalid_request');
  });

  test('N020 a parameter without a value was not sent (RFC 6749 §3.2)', async () => {
    const empty = { resource: '', scope: '', code_verifier: '', client_assertion: '' };
    expect((await exchange(server, await codeOf(), empty)).status).toBe(200);
    expect((await askToken(server, { grant_type: 'client_credentials', ...empty })).status).toBe(200);
  });

  test('N022 by one method alone', async () => {
    const { client_id, client_secret } = server.environment;
    const headers = { authorization: basic(client_id, client_secret) };
    const fields = { grant_type: 'client_credentials' };
    expect((await server.form('/oidc/token', fields, { headers })).status).toBe(200);
    const both = await server.form('/oidc/token', { ...fields, client_secret }, { headers });
    expectOAuthError(both, 400, 'invalid_request');
  });

  test('N023 by Basic, both parts form-urlencoded', async () => {
    const clientId = `a client:${newId()}%+&`;
    const clientSecret = 's:e%c r+et&';
    const digest = createHash('sha256').update(clientSecret).digest('base64url');
    await storeClient(server, { clientId, secrets: [{ secretId: newId(), hash: digest, createdAt: 0 }] });
    const encode = (part: string) => encodeURIComponent(part).replaceAll('%20', '+');
    const fields = { grant_type: 'client_credentials' };
    const good = { authorization: basic(encode(clientId), encode(clientSecret)) };
    expect((await server.form('/oidc/token', fields, { headers: good })).status).toBe(200);
    const raw = { authorization: basic(clientId, clientSecret) };
    expectOAuthError(await server.form('/oidc/token', fields, { headers: raw }), 401, 'invalid_client');
  });
});

describe('resources', () => {
  async function resourceOfTenant() {
    const { resourceRecords } = await server.ports(['resourceRecords']);
    const resource = someResource({
      tenantId: server.environment.tenant_id,
      applicationId: server.environment.app_id,
    });
    await resourceRecords.put(resource);
    await resourceRecords.reserveUri(resource.tenantId, resource.uri, resource.resourceId);
    return resource;
  }

  test('N044 the access token is for the one resource that was chosen, with its lifetime', async () => {
    const [one, other] = [await resourceOfTenant(), await resourceOfTenant()];
    for (const [resource, expected] of [
      [undefined, one],
      [other.uri, other],
    ] as const) {
      const code = await codeOf({ resources: [one.uri, other.uri] });
      const { body } = await exchange(server, code, resource === undefined ? {} : { resource });
      expect(body.expires_in).toBe(expected.accessTokenSeconds);
      const { payload } = await verifyToken(server, body.access_token, expected.uri);
      expect(payload.aud).toBe(expected.uri);
    }
  });

  test('N042 N043 the request may choose among those that were authorized, and never add one', async () => {
    const [one, other] = [await resourceOfTenant(), await resourceOfTenant()];
    const code = await codeOf({ resources: [one.uri] });
    for (const resource of [other.uri, `${one.uri}#`, 'nonsense'])
      expectOAuthError(await exchange(server, code, { resource }), 400, 'invalid_target');
    expect((await exchange(server, code, { resource: one.uri })).status).toBe(200);
    const unbound = await codeOf();
    expectOAuthError(await exchange(server, unbound, { resource: one.uri }), 400, 'invalid_target');
  });
});

describe('DPoP', () => {
  const htu = () => `${server.environment.issuer}/token`;
  const prove = (key = newKey(), more: object = {}) => ({
    dpop: dpopProof(key, { htm: 'POST', htu: htu(), iat: Math.floor(Date.now() / 1000), ...more }),
  });
  const thumbprint = (key: ReturnType<typeof newKey>) => {
    const { crv, kty, x, y } = key.jwk;
    return challengeOf(JSON.stringify({ crv, kty, x, y }));
  };

  test('N054 tokens are bound to the key that was proven, and introspection tells', async () => {
    const key = newKey();
    const { status, body } = await exchange(server, await codeOf(), {}, undefined, prove(key));
    expect({ status, type: body.token_type }).toEqual({ status: 200, type: 'DPoP' });
    const { payload } = await verifyToken(server, body.access_token, server.environment.issuer);
    expect(payload.cnf).toEqual({ jkt: thumbprint(key) });
    for (const token of [body.access_token, body.refresh_token])
      expect(await introspect(server, token)).toMatchObject({ cnf: { jkt: thumbprint(key) } });
  });

  test('client tokens as well', async () => {
    const key = newKey();
    const answer = await askToken(server, { grant_type: 'client_credentials' }, undefined, prove(key));
    expect(answer.body.token_type).toBe('DPoP');
    expect(await introspect(server, answer.body.access_token)).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: thumbprint(key) },
    });
  });

  test('N058 a code that is bound to a key is exchanged with that key alone', async () => {
    const key = newKey();
    const code = await codeOf({ dpopJkt: thumbprint(key) });
    expectGrantError(await exchange(server, code));
    expectGrantError(await exchange(server, code, {}, undefined, prove()));
    expect((await exchange(server, code, {}, undefined, prove(key))).status).toBe(200);
  });

  test('N059 a client that is set so gets bound tokens or none', async () => {
    const client = await storeClient(server, { dpopBound: true });
    const code = await codeOf({ clientId: client.clientId });
    expectOAuthError(await exchange(server, code, {}, client), 400, 'invalid_request');
    expect((await exchange(server, code, {}, client, prove())).body.token_type).toBe('DPoP');
    const own = { grant_type: 'client_credentials' };
    expectOAuthError(await askToken(server, own, client), 400, 'invalid_request');
  });

  test('N057 a client that is set so needs a nonce of ours', async () => {
    const client = await storeClient(server, { dpopNonce: true });
    const key = newKey();
    const code = await codeOf({ clientId: client.clientId });
    const asked = await exchange(server, code, {}, client, prove(key));
    expectOAuthError(asked, 400, 'use_dpop_nonce');
    const nonce = asked.headers.get('dpop-nonce');
    expect(nonce).toMatch(/^[\w-]{20,}$/);
    expect((await exchange(server, code, {}, client, prove(key, { nonce }))).status).toBe(200);
  });

  test('N052 a proof counts once, and a bad one uses no code up', async () => {
    const proof = prove();
    expect((await exchange(server, await codeOf(), {}, undefined, proof)).status).toBe(200);
    const code = await codeOf();
    expectOAuthError(await exchange(server, code, {}, undefined, proof), 400, 'invalid_dpop_proof');
    const elsewhere = prove(newKey(), { htu: `${htu()}/elsewhere` });
    expectOAuthError(await exchange(server, code, {}, undefined, elsewhere), 400, 'invalid_dpop_proof');
    expect((await exchange(server, code)).status).toBe(200);
  });
});

/** A code for somebody whom nobody knows yet. */
async function pendingCode(email: string, change: Partial<CodeFacts> = {}): Promise<StoredCode> {
  const { codes } = await server.ports(['codes']);
  const code = newSecret();
  const now = Math.floor(Date.now() / 1000);
  const made = makeCode(
    {
      origin: 'code-based',
      tenantId: server.environment.tenant_id,
      applicationId: server.environment.app_id,
      clientId: server.environment.client_id,
      redirectUri: server.environment.redirect_uris[0] ?? '',
      scope: 'openid email phone offline_access',
      offlineAccess: true,
      resources: [],
      userId: newId(),
      sealedSignUp: sealSignUp(code, { type: 'email', value: email }),
      methods: [{ method: 'eotp', at: now }],
      authTime: now,
      ...change,
    },
    now,
    60,
    code,
  );
  await codes.put(made.record);
  return made;
}

describe('SPEC C "Retrieve tokens"', () => {
  const retrieve = (code: string, fields: object = {}) => {
    const { client_id, client_secret } = server.environment;
    return server.post<Readonly<Record<string, string>>>('/v1/token', {
      code,
      client_id,
      client_secret,
      ...fields,
    });
  };

  test.each(['oidc', 'browser', 'code-based'] as const)('takes codes of %s', async (origin) => {
    const { code, record } = await codeOf({ origin });
    const { status, body } = await retrieve(code);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id_token: expect.any(String),
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        is_user_created: false,
        token_type: 'Bearer',
        expires_in: 3600,
        session_id: record.sessionId,
      },
    });
    expect((await refresh(server, body.refresh_token ?? '')).status).toBe(200);
  });

  test('N006 N007 holds a code to its challenge', async () => {
    const verifier = verifierOf(43);
    const { code } = await codeOf({ codeChallenge: challengeOf(verifier) });
    expect((await retrieve(code)).status).toBe(400);
    expect((await retrieve(code, { code_verifier: verifierOf(44) })).status).toBe(400);
    expect((await retrieve(code, { code_verifier: verifier })).status).toBe(200);
  });

  test('N009 a second use, at the other door, revokes what the first one issued', async () => {
    const stored = await codeOf();
    const { body } = await retrieve(stored.code);
    expectGrantError(await exchange(server, stored));
    await expectDead(body as unknown as { access_token: string; refresh_token: string });
  });

  test('answers errors in numbers', async () => {
    const { code } = await codeOf();
    const wrong = await retrieve(code, { client_secret: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { error_code: 401, message: expect.any(String) } });
    const unknown = await retrieve(newSecret());
    expect(unknown).toMatchObject({ status: 400, body: { error_code: 400, message: expect.any(String) } });
    const { client_id, client_secret } = server.environment.management;
    expect((await retrieve(code, { client_id, client_secret })).status).toBe(400);
    expect((await retrieve(code)).status).toBe(200);
  });

  test('makes the user of a pending sign-up, address verified, and says so once', async () => {
    const { tenants } = await server.ports(['tenants']);
    const tenant = await tenants.find(server.environment.tenant_id);
    if (!tenant) throw new Error('no tenant');
    const email = newEmail();
    const deliveredToHash = identifierHash(tenant, { type: 'email', value: email });
    const { code, record } = await pendingCode(email, { deliveredToHash });
    const { status, body } = await retrieve(code);
    expect({ status, created: body.is_user_created }).toEqual({ status: 200, created: true });
    expect(await findUser(server, record.userId)).toMatchObject({
      status: 'Active',
      email: { value: email, email_verified: true },
    });
    const { payload } = await verifyToken(server, body.id_token ?? '', server.environment.client_id);
    expect(payload).toMatchObject({ sub: record.userId, email, email_verified: true, new_user: true });
  });

  test('makes nobody when somebody else has the address by now', async () => {
    const email = newEmail();
    const { code, record } = await pendingCode(email);
    await createUser(server, { email });
    expect((await retrieve(code)).status).toBe(400);
    const token = await server.clientToken();
    expect((await server.get(`/v1/users/${record.userId}`, { token })).status).toBe(404);
  });

  test('makes nobody when the application has closed its doors', async () => {
    await withApplication(server, { publicSignup: false }, async () => {
      const fresh = await pendingCode(newEmail());
      expect((await retrieve(fresh.code)).status).toBe(400);
      const token = await server.clientToken();
      expect((await server.get(`/v1/users/${fresh.record.userId}`, { token })).status).toBe(404);
    });
  });
});
