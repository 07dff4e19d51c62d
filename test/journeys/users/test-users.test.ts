// Test users, whose codes can be read through the API by tests of a deployed environment, and their restrictions.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as adapters from '../../../shared/aws/adapters.ts';
import { createPorts } from '../../../shared/aws/create-ports.ts';
import { type ClientOfLogin, leftTo, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { made } from '../../support/fixtures/managed.ts';
import { newEmail, useUpTries } from '../../support/fixtures/people.ts';
import { storeApplication, storeMember, storeTenant } from '../../support/fixtures/tenants.ts';
import type { TokenResponse } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { otlWith } from '../../support/server/otl.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const { server, login } = useHostedLogin();

type Fields = Readonly<Record<string, unknown>>;

const METHODS = { link: {}, email: {}, sms: {}, direct: {} };
const PERMISSIONS = [
  'auth:execute',
  'users:create',
  'users:edit',
  'users:read',
  'users:delete',
  'users:test',
];

let shop: ClientOfLogin;
/** Client of the application of `shop`, without the permission `users:test`. */
let plain: ClientOfLogin;
/** Client of an application that does not allow test users. */
let closed: ClientOfLogin;
/** Client of another application of the same tenant, which allows test users as well. */
let side: ClientOfLogin;
/** Client of an application in another tenant, which allows test users as well. */
let foreign: ClientOfLogin;

beforeAll(async () => {
  const open = { testIdentities: true, loginPreferences: METHODS };
  const stored = await storeApplication(server, open, { permissions: PERMISSIONS });
  shop = stored;
  const { tenantId, applicationId } = stored.application;
  const permissions = PERMISSIONS.filter((name) => name !== 'users:test');
  plain = await storeClient(server, { tenantId, applicationId, permissions });
  closed = await storeApplication(server, { loginPreferences: METHODS }, { permissions: PERMISSIONS });
  side = await storeApplication(server, open, { permissions: PERMISSIONS });
  foreign = await storeTenant(server, open);
});

let count = 0;
const reserved = () => {
  count += 1;
  return {
    email: `anne+${count}@example.com`,
    phone_number: `+1212555${String(100 + count).padStart(4, '0')}`,
  };
};

const token = (client: ClientOfLogin) => server.clientToken(client);
const post = async <Body = Fields>(client: ClientOfLogin, path: string, json: Fields) =>
  server.post<Body>(path, json, { token: await token(client) });
const make = async (fields: Fields = reserved()) =>
  made<{ user_id: string; email: { value: string } }>(
    ...[server, '/v1/users', { ...fields, test: true }, await token(shop)],
  );
const read = async (client: ClientOfLogin, userId: string) =>
  server.get<{ result: { code: string; channel: string } }>(`/v1/users/${userId}/test-code`, {
    token: await token(client),
  });
const readCode = async (userId: string) => (await read(shop, userId)).body.result.code;
const byId = (userId: string) => ({ identifier_type: 'user_id', identifier: userId });

async function logIn(userId: string, client = shop) {
  await post(client, '/v1/auth/otp/send', { ...byId(userId), channel: 'email' });
  const passcode = (await read(client, userId)).body.result?.code ?? '000000';
  return post<TokenResponse>(client, '/v1/auth/otp/authenticate', { ...byId(userId), passcode });
}

describe('login by a test user', () => {
  test('a test user can log in with a code that a client reads through the API', async () => {
    const { user_id: userId, ...record } = await make();
    expect(record).toMatchObject({ test: true, roles: [], groups: [] });
    const { status, body } = await logIn(userId);
    expect(status).toBe(200);
    for (const jwt of [body.access_token, body.id_token])
      expect(decodeJwt(jwt)).toMatchObject({ test: true });
    const refreshed = await server.form<TokenResponse>('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token ?? '',
      client_id: shop.clientId,
      client_secret: shop.clientSecret,
    });
    expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ test: true });
    expect(await server.messages({ to: record.email.value })).toEqual([]);
  });

  test('no messages are sent to a test user', async () => {
    const fields = reserved();
    const { user_id: userId } = await make(fields);
    const real = newEmail();
    for (const [path, json, channel] of [
      ['/v1/auth/otp/send', { ...byId(userId), channel: 'sms' }, 'sms'],
      ['/v1/auth/otp/send', { ...byId(userId), channel: 'email', custom_email: real }, 'email'],
      ['/v1/auth/otp/send', { ...byId(userId), channel: 'sms', custom_phone_number: '+12025550199' }, 'sms'],
      ['/v1/auth/otp/email', { email: fields.email, redirect_uri: login.redirectUri }, 'email'],
      [
        '/v1/auth/otp/sms',
        { phone_number: fields.phone_number, redirect_uri: login.redirectUri, create_new_user: false },
        'sms',
      ],
    ] as const) {
      expect([path, (await post(shop, path, json)).status]).toEqual([path, 200]);
      expect((await read(shop, userId)).body.result).toMatchObject({ channel });
    }
    const links = [
      ['/v1/auth/link/email/send', { ...byId(userId), redirect_uri: login.redirectUri }],
      ['/v1/auth/links/email', { email: fields.email, redirect_uri: login.redirectUri }],
    ] as const;
    for (const [path, json] of links) {
      const { status, body } = await post(shop, path, json);
      expect([path, status, String(body.message)]).toEqual([
        ...[path, 400, 'A test user gets no mail: use a passcode'],
      ]);
    }
    for (const to of [fields.email, fields.phone_number, real, '+12025550199'])
      expect(await server.messages({ to })).toEqual([]);
  });

  test('a test user can log in on the hosted pages', async () => {
    const { email } = reserved();
    const { user_id: userId } = await make({ email });
    const client = { client_id: shop.clientId };
    const page = await login.toCode(login.browser(), email, client);
    const target = leftTo(await page.submit({ passcode: await readCode(userId) }));
    const { body } = await login.exchange(target, {}, shop);
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: userId, test: true });
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('the codes of a test user are locked after too many wrong codes', async () => {
    const { user_id: userId } = await make();
    await post(shop, '/v1/auth/otp/send', { ...byId(userId), channel: 'email' });
    const passcode = await readCode(userId);
    const attempt = (given: string) =>
      post(shop, '/v1/auth/otp/authenticate', { ...byId(userId), passcode: given });
    for (const { status } of await useUpTries(attempt)) expect(status).toBe(400);
    expect((await attempt(passcode)).status).toBe(403);
    expect((await read(shop, userId)).status).toBe(404);
  });

  test("a test user's code can no longer be read after its use", async () => {
    const { user_id: userId, email } = await make();
    const readStatus = async () => (await read(shop, userId)).status;
    expect((await logIn(userId)).status).toBe(200);
    expect(await readStatus()).toBe(404);

    const page = await login.toCode(login.browser(), email.value, { client_id: shop.clientId });
    leftTo(await page.submit({ passcode: await readCode(userId) }));
    expect(await readStatus()).toBe(404);

    await post(shop, '/v1/auth/otp/send', { ...byId(userId), channel: 'email' });
    expect(await readStatus()).toBe(200);
    const token = await server.adminToken();
    expect((await server.delete(`/v1/users/${userId}/locks`, { token })).status).toBe(204);
    expect(await readStatus()).toBe(404);
  });
});

describe('permissions and environments that allow test users', () => {
  test('the test-user setting has no effect if the environment does not allow test users', async () => {
    const app = await storeApplication(server, { testIdentities: true });
    const { applicationId } = app.application;
    const seenIn = async (env: NodeJS.ProcessEnv) =>
      (await createPorts(['applications'], adapters, env).applications.find(applicationId))?.testIdentities;
    expect(await seenIn({ ...process.env, TEST_IDENTITIES: undefined })).toBe(false);
    expect(await seenIn(process.env)).toBe(true);
  });

  test('a client needs the permission users:test to create a test user', async () => {
    for (const client of [plain, closed]) {
      const answer = await post(client, '/v1/users', { ...reserved(), test: true });
      expect(answer.status).toBe(403);
    }
    const admin = { token: await server.adminToken() };
    expect((await server.post('/v1/users', { ...reserved(), test: true }, admin)).status).toBe(403);
    const { email } = reserved();
    const otl = await otlWith({ OTL_ENDPOINT: server.url }, ['user', 'create', '--email', email, '--json']);
    expect(JSON.parse(otl.stdout)).not.toHaveProperty('test');
  });

  test("a client needs the permission users:test to read a test user's code", async () => {
    const { user_id: userId } = await make();
    await post(shop, '/v1/auth/otp/send', { ...byId(userId), channel: 'email' });
    expect((await read(shop, userId)).status).toBe(200);
    expect((await read(plain, userId)).status).toBe(403);
    for (const client of [closed, side]) expect((await read(client, userId)).status).toBe(404);
    expect([403, 404]).toContain((await read(foreign, userId)).status);
    await server.advanceClock(301);
    expect((await read(shop, userId)).status).toBe(404);
  });

  test('a client cannot read the code of an ordinary user', async () => {
    const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', reserved());
    await post(shop, '/v1/auth/otp/send', { ...byId(userId), channel: 'direct' });
    expect((await read(shop, userId)).status).toBe(404);
    expect((await logIn(userId)).body).not.toHaveProperty('access_token');
  });

  test('a test user can log in only to its own application', async () => {
    const { user_id: userId, email } = await make();
    const direct = await post<{ code: string }>(closed, '/v1/auth/otp/send', {
      ...byId(userId),
      channel: 'direct',
    });
    const refused = await post(closed, '/v1/auth/otp/authenticate', {
      ...byId(userId),
      passcode: direct.body.code,
    });
    expect([refused.status, refused.body.error_code]).toEqual([403, 'user_not_active']);
    const hosted = await login.toCode(login.browser(), email.value, { client_id: closed.clientId });
    expect(hosted.html).toContain('passcode');
    expect(await server.messages({ to: email.value })).toEqual([]);
    expect((await read(shop, userId)).status).toBe(404);

    const app = await storeApplication(
      ...([
        server,
        { testIdentities: true, loginPreferences: METHODS },
        { permissions: PERMISSIONS },
      ] as const),
    );
    const { body } = await logIn(userId, app);
    const path = `/v1/applications/${app.application.applicationId}`;
    await server.put(path, { test_identities: false }, { token: await server.adminToken() });
    await server.advanceClock(61);
    const refreshed = await server.form('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token ?? '',
      client_id: app.clientId,
      client_secret: app.clientSecret,
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('restrictions on test users', () => {
  test('a test user cannot get a role, group, organization or real address', async () => {
    const { user_id: userId } = await make();
    const admin = { token: await server.adminToken() };
    const path = `/v1/users/${userId}`;
    for (const change of [
      { roles: ['finance-admin'] },
      { groups: ['staff'] },
      { external_user_id: 'crm-1' },
      { custom_identifiers: [{ type: 'card', value: '1' }] },
      { custom_app_data: { plan: 'gold' } },
      { email: newEmail() },
      { email: 'anne@example.com' },
      { email: 'anne+1@example.org.evil.test.com' },
      { phone_number: '+12125551234' },
      { phone_number: '+491711234567' },
    ]) {
      const { status } = await server.put(path, change, admin);
      expect([change, status]).toEqual([change, 400]);
      const created = await post(shop, '/v1/users', { ...reserved(), ...change, test: true });
      expect([change, created.status >= 400]).toEqual([change, true]);
    }
    const { organizationId } = await storeMember(server, {});
    const member = { user_id: userId };
    const joined = await server.post(`/v1/organizations/${organizationId}/members`, member, admin);
    expect(joined.status).toBe(400);
    const roles = await otlWith({ OTL_ENDPOINT: server.url }, ['user', 'update', userId, '--role', 'admin']);
    expect(roles.code).toBe(1);
  });

  test('an ordinary user cannot be turned into a test user, or a test user into an ordinary user', async () => {
    const admin = { token: await server.adminToken() };
    const { user_id: userId } = await make();
    const { user_id: real } = await made<{ user_id: string }>(server, '/v1/users', reserved());
    await server.put(`/v1/users/${userId}`, { test: false, language: 'de' }, admin);
    await server.put(`/v1/users/${real}`, { test: true, language: 'de' }, admin);
    const shown = async (id: string) =>
      (await server.get<{ result: Fields }>(`/v1/users/${id}`, admin)).body.result;
    expect(await shown(userId)).toMatchObject({ test: true, language: 'de' });
    expect(await shown(real)).not.toHaveProperty('test');
  });

  test("erasing a test user deletes the user's codes", async () => {
    const { user_id: userId } = await make();
    await post(shop, '/v1/auth/otp/send', { ...byId(userId), channel: 'email' });
    expect(await dumpTable('flows')).toContain(`test-code#${userId}`);
    await server.delete(`/v1/users/${userId}`, { token: await token(shop) });
    expect(await dumpTable('flows')).not.toContain(`test-code#${userId}`);
  });
});
