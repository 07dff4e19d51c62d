import { describe, expect, test } from '@jest/globals';
import { REFRESH_GRACE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { removeClient } from '../../../shared/domain/management/clients.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import { createUser, newEmail, replaceUser } from '../../support/fixtures/people.ts';
import { dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { storeMember, storeResource } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  exchange,
  expectFamilyEnded,
  expectGrantError,
  expectOAuthError,
  introspect,
  logIn,
  refresh,
  refreshed,
  storeClient,
  storeCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer();

const now = () => Math.floor(Date.now() / 1000);

describe('refreshing tokens at the token endpoint', () => {
  test('a token refresh returns new tokens and a new refresh token', async () => {
    const { tokens } = await logIn(server);
    const answer = await refresh(server, tokens.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: tokens.scope,
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      session_id: tokens.session_id,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.refresh_token).not.toBe(tokens.refresh_token);
    expect(answer.body.access_token).not.toBe(tokens.access_token);
    expect(await introspect(server, answer.body.access_token)).toMatchObject({ active: true });
    expect(await introspect(server, tokens.refresh_token)).toEqual({ active: false });
  });

  test('N081 a token refresh keeps auth_time, amr and nonce of the login', async () => {
    const { tokens } = await logIn(server, { nonce: 'the-nonce' });
    await server.advanceClock(1000);
    const { id_token } = await refreshed(server, tokens.refresh_token);
    const [before, after] = await Promise.all(
      [tokens.id_token, id_token].map((token) => verifyToken(server, token, server.environment.client_id)),
    );
    const { auth_time, amr, nonce, sub, iat = 0 } = before?.payload ?? {};
    expect(after?.payload).toMatchObject({ auth_time, amr, nonce, sub, new_user: false });
    expect(after?.payload.iat).toBeGreaterThanOrEqual(iat + 1000);
  });

  test("a refreshed ID token contains the user's current data", async () => {
    const { user, tokens } = await logIn(server);
    const email = newEmail();
    const change = { email, end_sessions: false };
    await server.put(`/v1/users/${user.user_id}`, change, { token: await server.clientToken() });
    const { id_token } = await refreshed(server, tokens.refresh_token);
    const { payload } = await verifyToken(server, id_token, server.environment.client_id);
    expect(payload).toMatchObject({ email, email_verified: false });
  });

  test('a client with a client token can refresh user tokens with a JSON request to /v1/auth/token/refresh', async () => {
    const { tokens } = await logIn(server);
    const token = await server.clientToken();
    const body = { refresh_token: tokens.refresh_token };
    const answer = await server.post<TokenResponse>('/v1/auth/token/refresh', body, { token });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        id_token: expect.any(String),
        refresh_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
      },
    });
    await refreshed(server, answer.body.refresh_token);
    const spent = await server.post('/v1/auth/token/refresh', body, { token });
    expect(spent).toMatchObject({ status: 400, body: { error_code: 400, message: expect.any(String) } });
  });
});

describe('refreshing tokens at /v1/auth/token/refresh', () => {
  const PATH = '/v1/auth/token/refresh';

  test('a token refresh keeps the organization and the resource of the login', async () => {
    const token = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), token);
    const user = await createUser(server, { email: newEmail() });
    const { organizationId } = await storeMember(server, { userId: user.user_id });
    const code = await storeCode(server, user.user_id, { organizationId, resources: [uri] });
    const { body } = await exchange(server, code);
    const fields = { refresh_token: body.refresh_token };
    const again = await server.post<TokenResponse>(PATH, fields, { token });
    const { payload } = await verifyToken(server, again.body.access_token, uri);
    expect(payload).toMatchObject({ aud: uri, org_id: organizationId });
  });

  test('N057 a client that requires DPoP nonces cannot refresh tokens without a nonce from the server', async () => {
    const client = await storeClient(server, { dpopNonce: true });
    const token = await server.clientToken(client);
    const key = newKey();
    const proof = (path: string, nonce?: string) => ({
      dpop: dpopProof(key, { htm: 'POST', htu: `${server.environment.base_url}${path}`, iat: now(), nonce }),
    });
    const user = await createUser(server, { email: newEmail() });
    const code = await storeCode(server, user.user_id, { clientId: client.clientId });
    const asked = await exchange(server, code, {}, client, proof('/oidc/token'));
    const first = asked.headers.get('dpop-nonce') ?? '';
    const { body } = await exchange(server, code, {}, client, proof('/oidc/token', first));
    const again = (nonce?: string) =>
      server.post(PATH, { refresh_token: body.refresh_token }, { token, headers: proof(PATH, nonce) });
    const refused = await again();
    expect(refused.status).toBe(400);
    const nonce = refused.headers.get('dpop-nonce') ?? '';
    expect(await again(nonce)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });
});

describe('N062 lifetime of a refresh token', () => {
  test('a refresh token expires after exactly fourteen days', async () => {
    const [{ tokens: late }, { tokens: kept }] = [await logIn(server), await logIn(server)];
    const [first, second] = [
      await introspect(server, late.refresh_token),
      await introspect(server, kept.refresh_token),
    ];
    for (const { exp, iat } of [first, second]) expect(Number(exp) - Number(iat)).toBe(14 * 86_400);
    // Stops two seconds before the refresh token expires, because a slow machine may need a second.
    await server.advanceClock(Number(second.exp) - 2 - now());
    await refreshed(server, kept.refresh_token);
    await server.advanceClock(2);
    expectGrantError(await refresh(server, late.refresh_token));
  });

  test('rotated refresh tokens expire max_refresh_rotate seconds after the first refresh token of the login', async () => {
    const lifetimes = { accessTokenSeconds: 60, refreshTokenSeconds: 400, maxRefreshRotateSeconds: 1000 };
    const resource = await storeResource(server, lifetimes);
    const { tokens } = await logIn(server, { resources: [resource.uri] });
    const endsAt = Number((await introspect(server, tokens.refresh_token)).iat) + 1000;
    let current = tokens;
    for (let turn = 0; turn < 3; turn += 1) {
      await server.advanceClock(300);
      current = await refreshed(server, current.refresh_token);
    }
    expect(await introspect(server, current.refresh_token)).toMatchObject({ active: true, exp: endsAt });
    await server.advanceClock(endsAt - 2 - now());
    current = await refreshed(server, current.refresh_token);
    await server.advanceClock(2);
    expectGrantError(await refresh(server, current.refresh_token));
  });
});

describe('N063 scope and resource of a token refresh', () => {
  test('a token refresh cannot request additional scopes', async () => {
    const { tokens } = await logIn(server, { scope: 'openid email offline_access' });
    for (const scope of ['openid phone', 'phone', 'openid email admin', ' '])
      expectOAuthError(await refresh(server, tokens.refresh_token, { scope }), 400, 'invalid_scope');
    const narrow = await refreshed(server, tokens.refresh_token, { scope: 'openid' });
    expect(narrow.scope).toBe('openid');
    const { payload } = await verifyToken(server, narrow.access_token, server.environment.issuer);
    expect(payload.scope).toBe('openid');
    // The narrower scope applied only to one access token. The next refresh gets the scope of the grant again.
    expect((await refreshed(server, narrow.refresh_token)).scope).toBe('openid email offline_access');
  });

  test('N043 a token refresh cannot request another resource', async () => {
    const { tokens } = await logIn(server);
    const asked = await refresh(server, tokens.refresh_token, { resource: 'https://other.example/' });
    expectOAuthError(asked, 400, 'invalid_target');
    await refreshed(server, tokens.refresh_token);
  });
});

describe('N064 client to which a refresh token belongs', () => {
  test('a refresh token is rejected if another client of the application presents the token', async () => {
    const { tokens } = await logIn(server);
    const other = await storeClient(server);
    expectGrantError(await refresh(server, tokens.refresh_token, {}, other));
    const token = await server.clientToken(other);
    const body = { refresh_token: tokens.refresh_token };
    expect((await server.post('/v1/auth/token/refresh', body, { token })).status).toBe(400);
    await refreshed(server, tokens.refresh_token);
  });

  test('a malformed refresh token and an unknown refresh token get the same error', async () => {
    for (const token of ['', 'x', '....', 'a.b.c.d', `${newId()}.${newId()}.${newId()}.${'x'.repeat(43)}`])
      expect((await refresh(server, token)).status).toBe(400);
    for (const token of ['🙂'.repeat(512), `${'a'.repeat(400)}.b.c.d`, `#.#.#.${'x'.repeat(43)}`])
      expectGrantError(await refresh(server, token));
  });
});

describe('token refresh after a logout or a change to the user or client', () => {
  test('a token refresh is rejected for a disabled user', async () => {
    const { user, tokens } = await logIn(server);
    // Disables the user only in the database, because the API operation would also end the user's sessions.
    await replaceUser(server, user.user_id, () => ({ status: 'Disabled' }));
    expectGrantError(await refresh(server, tokens.refresh_token));
    await replaceUser(server, user.user_id, () => ({ status: 'Active' }));
    await expectFamilyEnded(server, tokens.refresh_token);
  });

  test('a token refresh is rejected for a member who was removed from the organization', async () => {
    const { membershipRecords } = await server.ports(['membershipRecords']);
    const user = await createUser(server, { email: newEmail() });
    const membership = await storeMember(server, { userId: user.user_id, roles: ['organizationAdmin'] });
    const { organizationId } = membership;
    const { body } = await exchange(server, await storeCode(server, user.user_id, { organizationId }));
    const again = await refreshed(server, body.refresh_token);
    const { payload } = await verifyToken(server, again.access_token, server.environment.issuer);
    expect(payload).toMatchObject({ org_id: organizationId, roles: ['organizationAdmin'] });
    await membershipRecords.remove(user.user_id, organizationId);
    expectGrantError(await refresh(server, again.refresh_token));
    await membershipRecords.put(membership);
    await expectFamilyEnded(server, again.refresh_token);
  });

  test('a token refresh is rejected for a deleted client', async () => {
    const client = await storeClient(server);
    const { tokens } = await logIn(server, {}, client);
    await removeClient(await server.ports(['clientRecords', 'windowRecords']), client.clientId);
    const { status, body } = await refresh(server, tokens.refresh_token, {}, client);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('a logout also revokes refresh tokens that are issued at the same time', async () => {
    const { tokens } = await logIn(server);
    const [, ...answers] = await Promise.all([
      server.post('/v1/auth/logout', {}, { token: tokens.access_token }),
      ...Array.from({ length: 20 }, () => refresh(server, tokens.refresh_token)),
    ]);
    for (const { status, body } of answers)
      if (status === 200) await expectFamilyEnded(server, body.refresh_token);
    await expectFamilyEnded(server, tokens.refresh_token);
  });
});

describe('DPoP proofs in token refresh requests', () => {
  const prove = (key = newKey()) => ({
    dpop: dpopProof(key, { htm: 'POST', htu: `${server.environment.issuer}/token`, iat: now() }),
  });
  const ask = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
    server.form<TokenResponse>('/oidc/token', fields, { headers });

  async function bound(change: Partial<Client>) {
    const client = await storeClient(server, change);
    const key = newKey();
    const user = await createUser(server, { email: newEmail() });
    const code = await storeCode(server, user.user_id, { clientId: client.clientId });
    const secret = change.authMethod === 'none' ? {} : { client_secret: client.clientSecret };
    const fields = { client_id: client.clientId, ...secret };
    const grant = { ...fields, grant_type: 'authorization_code', code: code.code };
    const { body } = await ask({ ...grant, redirect_uri: code.record.redirectUri }, prove(key));
    const again = (token: string, headers: Readonly<Record<string, string>>) =>
      ask({ ...fields, grant_type: 'refresh_token', refresh_token: token }, headers);
    return { key, tokens: body, again };
  }

  test("N055 N060 a public client's refresh token is bound to its DPoP key", async () => {
    const { key, tokens, again } = await bound({ authMethod: 'none', secrets: [] });
    expectGrantError(await again(tokens.refresh_token, {}));
    expectGrantError(await again(tokens.refresh_token, prove()));
    const next = await again(tokens.refresh_token, prove(key));
    expect(next).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect(next.body.refresh_token).not.toBe(tokens.refresh_token);
  });

  test('N061 a public client can repeat a refresh with its previous token until the new token is used', async () => {
    const { key, tokens, again } = await bound({ authMethod: 'none', secrets: [] });
    const lost = await again(tokens.refresh_token, prove(key));
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    const next = await again(tokens.refresh_token, prove(key));
    expect(next).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expectGrantError(await again(lost.body.refresh_token, prove(key)));
    expectGrantError(await again(next.body.refresh_token, prove(key)));
  });

  test('a DPoP-bound refresh token without rotation is rejected if the proof is signed with another key', async () => {
    const { key, tokens, again } = await bound({ dpopBound: true, refreshTokenRotation: false });
    expectGrantError(await again(tokens.refresh_token, prove()));
    const { refresh_token } = tokens;
    for (const _ of [1, 2])
      expect(await again(refresh_token, prove(key))).toMatchObject({ status: 200, body: { refresh_token } });
  });

  test('a client that authenticates can change its DPoP key in a token refresh', async () => {
    const { tokens, again } = await bound({});
    expectGrantError(await again(tokens.refresh_token, {}));
    const key = newKey();
    const next = await again(tokens.refresh_token, prove(key));
    expect(next).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    const repeated = await again(tokens.refresh_token, prove(key));
    expect(repeated.body.refresh_token).toBe(next.body.refresh_token);
    // Repeating the refresh with another key is treated as theft and revokes the token family.
    expectGrantError(await again(tokens.refresh_token, prove()));
    expectGrantError(await again(next.body.refresh_token, prove(key)));
  });

  test('repeating a token refresh with the same DPoP key returns the same new refresh token', async () => {
    const { key, tokens, again } = await bound({});
    const first = await again(tokens.refresh_token, prove(key));
    const second = await again(tokens.refresh_token, prove(key));
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    // After ten seconds, the refresh can be repeated with a new key, as a backend does that lost its key in a restart.
    expect(await again(tokens.refresh_token, prove())).toMatchObject({ status: 200 });
  });
});
