import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { storeApplication, storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  type ClientWithSecret,
  demoClient,
  demoManager,
  exchange,
  introspect,
  logIn,
  refresh,
  storeClient,
  storeCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer();

type Fields = Readonly<Record<string, string>>;

const toSecretFields = ({ clientId, clientSecret }: ClientWithSecret): Fields => ({
  client_id: clientId,
  client_secret: clientSecret,
});
const ask = (path: string, fields: Fields) => server.form<string | Record<string, unknown>>(path, fields);
const revoke = (token: string, client = demoClient(server), more: Fields = {}) =>
  ask('/oidc/token/revocation', { ...toSecretFields(client), token, ...more });
const inspect = (token: string, client = demoClient(server), more: Fields = {}) =>
  ask('/oidc/token/introspection', { ...toSecretFields(client), token, ...more });
const isActive = async (token: string, client?: ClientWithSecret) =>
  (await introspect(server, token, client)).active;

function expectError(answer: TestAnswer<unknown>, status: number, error: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { error } });
}

/** Creates a client of another application of the tenant, and a client of another tenant. */
async function strangers() {
  return { neighbour: await storeApplication(server), foreigner: await storeTenant(server) };
}

const management = () => demoManager(server);

describe('introspecting tokens', () => {
  test('introspection returns the claims of an active access token', async () => {
    const { user, tokens } = await logIn(server);
    const { status, headers, body } = await inspect(tokens.access_token);
    const { issuer, client_id, tenant_id } = server.environment;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        active: true,
        iss: issuer,
        sub: user.user_id,
        aud: issuer,
        client_id,
        scope: 'openid email phone offline_access',
        token_type: 'Bearer',
        iat: expect.any(Number),
        exp: expect.any(Number),
        jti: expect.any(String),
        tid: tenant_id,
        sid: tokens.session_id,
        auth_time: expect.any(Number),
        amr: ['eotp'],
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('introspection accepts refresh tokens and client tokens', async () => {
    const { user, tokens } = await logIn(server);
    expect(await introspect(server, tokens.refresh_token)).toMatchObject({
      active: true,
      sub: user.user_id,
      client_id: server.environment.client_id,
      sid: tokens.session_id,
      exp: expect.any(Number),
    });
    const { client_id, issuer } = server.environment;
    expect(await introspect(server, await server.clientToken())).toMatchObject({
      active: true,
      sub: client_id,
      client_id,
      aud: issuer,
      scope: expect.stringContaining('auth:execute'),
    });
  });

  test('N068 introspection returns only active: false for an invalid token', async () => {
    const { tokens } = await logIn(server);
    const gone = await logIn(server);
    await server.post('/v1/auth/logout', {}, { token: gone.tokens.access_token });
    const { neighbour, foreigner } = await strangers();
    const [header, payload, signature] = tokens.access_token.split('.');
    const cases: readonly (readonly [string, ClientWithSecret?])[] = [
      ['nonsense'],
      ['a.b.c'],
      ['a.b.c.d'],
      ['🙂'],
      [`${header}.${payload}.${signature?.slice(0, -4)}AAAA`],
      [`${header}.${payload}.`],
      [tokens.id_token],
      [[...tokens.refresh_token.split('.').slice(0, 3), 'x'.repeat(43)].join('.')],
      [`${newId()}.${newId()}.${newId()}.${'x'.repeat(43)}`],
      [gone.tokens.access_token],
      [gone.tokens.refresh_token],
      [tokens.access_token, neighbour],
      [tokens.refresh_token, neighbour],
      [tokens.access_token, foreigner],
      [tokens.refresh_token, foreigner],
      [await server.clientToken(), foreigner],
      [tokens.refresh_token, await storeClient(server)],
      [tokens.refresh_token, management()],
    ];
    for (const [token, client = demoClient(server)] of cases) {
      const response = await fetch(`${server.environment.issuer}/token/introspection`, {
        method: 'POST',
        body: new URLSearchParams({ ...toSecretFields(client), token }),
      });
      expect([response.status, await response.text()]).toEqual([200, '{"active":false}']);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await isActive(tokens.access_token)).toBe(true);
  });

  test("all clients of an application can introspect the application's tokens", async () => {
    const { tokens } = await logIn(server);
    expect(await isActive(tokens.access_token, await storeClient(server))).toBe(true);
    expect(await isActive(tokens.access_token, management())).toBe(true);
    expect(await isActive(await server.clientToken(), management())).toBe(true);
    const { tenantId } = (await storeTenant(server)).application;
    expect(await isActive(tokens.access_token, await storeManager(server, tenantId))).toBe(false);
  });

  test('introspection ignores a wrong token_type_hint', async () => {
    const { tokens } = await logIn(server);
    for (const token_type_hint of ['access_token', 'refresh_token', 'something', ''])
      for (const token of [tokens.access_token, tokens.refresh_token])
        expect((await inspect(token, demoClient(server), { token_type_hint })).body).toMatchObject({
          active: true,
        });
  });

  test('introspection returns active: false for expired tokens and tokens of deleted clients', async () => {
    const { tokens } = await logIn(server);
    const client = await storeClient(server);
    const other = await logIn(server, {}, client);
    const own = await server.clientToken(client);
    const { clientRecords } = await server.ports(['clientRecords']);
    await clientRecords.remove(client.clientId);
    await server.advanceClock(61);
    expect(await isActive(other.tokens.access_token)).toBe(false);
    expect(await isActive(own)).toBe(false);
    const { exp } = await introspect(server, tokens.access_token);
    await server.advanceClock(Number(exp) - 2 - Math.floor(Date.now() / 1000));
    expect(await isActive(tokens.access_token)).toBe(true);
    await server.advanceClock(2);
    expect(await isActive(tokens.access_token)).toBe(false);
    expect(await isActive(tokens.refresh_token)).toBe(true);
  });

  test.each<[string, () => Fields]>([
    ['no client', () => ({})],
    ['a wrong secret', () => ({ ...toSecretFields(demoClient(server)), client_secret: 'wrong' })],
    ['an unknown client', () => ({ client_id: 'unknown', client_secret: 'x' })],
  ])('N068 an introspection request with %s is rejected', async (_title, credentials) => {
    const { tokens } = await logIn(server);
    const answer = await ask('/oidc/token/introspection', { ...credentials(), token: tokens.access_token });
    expectError(answer, 401, 'invalid_client');
  });

  test('N068 a public client cannot use introspection', async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const { tokens } = await logIn(server);
    const fields = { client_id: clientId, token: tokens.access_token };
    expectError(await ask('/oidc/token/introspection', fields), 401, 'invalid_client');
  });

  test('N069 the number of introspection calls is limited per client', async () => {
    await withApplication(server, { rateLimits: { callsPerMinute: 5 } }, async () => {
      const client = await storeClient(server);
      const answers: TestAnswer<unknown>[] = [];
      for (let n = 0; n < 8; n += 1) answers.push(await inspect('guess', client));
      const limited = answers.at(-1);
      expect(answers[0]?.status).toBe(200);
      expect(limited).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
      expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited?.headers.get('cache-control')).toBe('no-store');
    });
  });
});

describe('revoking tokens', () => {
  test('N066 revoking a refresh token also revokes its successors and access tokens', async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    const { body: other } = await exchange(server, code);
    const { body: next } = await refresh(server, tokens.refresh_token);
    const answer = await revoke(next.refresh_token);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const token of [tokens.access_token, next.access_token, next.refresh_token])
      expect(await isActive(token)).toBe(false);
    expect((await refresh(server, next.refresh_token)).status).toBe(400);
    expect((await server.get('/oidc/me', { token: next.access_token })).status).toBe(401);
    expect(await isActive(other.access_token)).toBe(true);
    expect((await refresh(server, other.refresh_token)).status).toBe(200);
  });

  test('revoking a rotated refresh token also revokes its successors', async () => {
    const { tokens } = await logIn(server);
    const { body: next } = await refresh(server, tokens.refresh_token);
    expect((await revoke(tokens.refresh_token)).status).toBe(200);
    expect(await isActive(next.refresh_token)).toBe(false);
  });

  test('revoking an access token revokes no other token', async () => {
    const { tokens } = await logIn(server);
    const { body: next } = await refresh(server, tokens.refresh_token);
    expect((await revoke(next.access_token)).status).toBe(200);
    expect(await isActive(next.access_token)).toBe(false);
    expect((await server.get('/oidc/me', { token: next.access_token })).status).toBe(401);
    expect(await isActive(tokens.access_token)).toBe(true);
    expect((await refresh(server, next.refresh_token)).status).toBe(200);
  });

  test('introspection returns active: false for a revoked client token', async () => {
    const [one, other] = [await server.clientToken(), await server.clientToken()];
    expect((await revoke(one)).status).toBe(200);
    expect(await isActive(one)).toBe(false);
    expect(await isActive(other)).toBe(true);
  });

  test('N065 revoking an unknown token or an already revoked token returns 200', async () => {
    const { tokens } = await logIn(server);
    for (let turn = 0; turn < 2; turn += 1) expect((await revoke(tokens.refresh_token)).status).toBe(200);
    for (const token of ['nonsense', 'a.b.c', 'a.b.c.d', '🙂', tokens.refresh_token.slice(0, -1)])
      expect([(await revoke(token)).status, (await revoke(token)).body]).toEqual([200, {}]);
  });

  test("N065 a client cannot revoke another client's token", async () => {
    const { tokens } = await logIn(server);
    const own = await server.clientToken();
    const { neighbour, foreigner } = await strangers();
    for (const client of [neighbour, foreigner, await storeClient(server), management()])
      for (const token of [tokens.refresh_token, tokens.access_token, own])
        expect([(await revoke(token, client)).status, await isActive(token)]).toEqual([200, true]);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test('N067 an ID token cannot be revoked', async () => {
    const { tokens } = await logIn(server);
    expectError(await revoke(tokens.id_token), 400, 'unsupported_token_type');
  });

  test('N065 a revocation request without client authentication is rejected', async () => {
    const { tokens } = await logIn(server);
    const { refresh_token: token } = tokens;
    expectError(await ask('/oidc/token/revocation', { token }), 401, 'invalid_client');
    const wrong = { ...demoClient(server), clientSecret: 'wrong' };
    expectError(await revoke(token, wrong), 401, 'invalid_client');
    expectError(
      await ask('/oidc/token/revocation', toSecretFields(demoClient(server))),
      400,
      'invalid_request',
    );
    expect(await isActive(token)).toBe(true);
  });

  test('N067 a revocation that cannot be stored returns 503 with Retry-After', async () => {
    const { tokens } = await logIn(server);
    await server.faults.inject({ service: 'dynamodb', effect: 'error', code: 'Throttling' });
    const busy = await revoke(tokens.refresh_token);
    await server.faults.clear();
    expectError(busy, 503, 'temporarily_unavailable');
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await revoke(tokens.refresh_token)).status).toBe(200);
    expect(await isActive(tokens.access_token)).toBe(false);
  });

  test('a public client can revoke its own tokens', async () => {
    const isPublic: Partial<Client> = { authMethod: 'none', secrets: [] };
    const { clientId } = await storeClient(server, isPublic);
    const user = (await logIn(server)).user;
    const code = await storeCode(server, user.user_id, { clientId });
    const { body } = await server.form<{ access_token: string; refresh_token: string }>('/oidc/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: code.code,
      redirect_uri: code.record.redirectUri,
    });
    const token = body.refresh_token;
    const answer = await ask('/oidc/token/revocation', { client_id: clientId, token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await isActive(body.access_token)).toBe(false);
  });
});
