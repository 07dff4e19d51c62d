// Roles: an application defines the permissions of each role. Clients and users have roles. Changes take effect in a minute.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeClaims } from '../../support/fixtures/hosted-login.ts';
import { made, madeApplication, madeClient, type WireClient } from '../../support/fixtures/managed.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { type TokenResponse, tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken } from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });
let admin: { readonly token: string };
beforeAll(async () => {
  admin = { token: await server.adminToken() };
});

const wait = () => server.advanceClock(61);
const ROLES = [
  { name: 'support', permissions: ['users:read', '[appId]:execute'] },
  { name: 'buyer', permissions: ['orders:create', 'orders:read'] },
];

const requestScope = async ({ client_id: clientId, client_secret: clientSecret }: WireClient) =>
  (await askToken(server, { grant_type: 'client_credentials' }, { clientId, clientSecret })).body;

async function applicationWithRoles() {
  const appId = await madeApplication(server, { roles: ROLES, login_preferences: { direct: {} } });
  return { appId, path: `/v1/applications/${appId}` };
}

describe('roles that an application defines', () => {
  test('the roles of an application must have unique names', async () => {
    const { appId, path } = await applicationWithRoles();
    const shown = await server.get<{ result: object }>(path, admin);
    expect(shown.body.result).toHaveProperty('roles', [
      { name: 'support', permissions: ['users:read', `${appId}:execute`] },
      { name: 'buyer', permissions: ['orders:create', 'orders:read'] },
    ]);
    const twice = { roles: [...ROLES, { name: 'buyer', permissions: [] }] };
    expect((await server.put(path, twice, admin)).body).toEqual({
      error_code: 400,
      message: 'roles.2.name: must be unique',
    });
    const permissions = Array.from({ length: 100 }, (_, index) => `noun${index}:read`);
    const many = Array.from({ length: 6 }, (_, index) => ({ name: `role${index}`, permissions }));
    expect((await server.put(path, { roles: many }, admin)).body).toEqual({
      error_code: 400,
      message: 'roles: must not have more than 500 permissions in all',
    });
    expect(await server.put(path, { roles: many.slice(1) }, admin)).toMatchObject({ status: 200 });
    const wrong = { roles: [{ name: 'x', permissions: ['everything'] }] };
    expect((await server.put(path, wrong, admin)).body).toMatchObject({
      message: 'roles.0.permissions.0: must be <noun>:<verb>',
    });
    const removed = await server.put<{ result: object }>(path, { roles: null }, admin);
    expect(removed.body.result).toHaveProperty('roles', []);
  });
});

describe('permissions of client roles', () => {
  test('a client can perform only operations that its roles permit', async () => {
    const { appId } = await applicationWithRoles();
    const client = await madeClient(server, { roles: ['support'] }, appId);
    expect(client).toMatchObject({ roles: ['support'] });
    const { access_token: token, scope } = await requestScope(client);
    expect(scope).toBe(`users:read ${appId}:execute`);
    expect(decodeClaims(token)).toMatchObject({
      roles: ['support'],
      permissions: ['users:read', `${appId}:execute`],
    });
    expect((await server.get('/v1/users?limit=1', { token })).status).toBe(200);
    expect((await server.post('/v1/users', { email: newEmail() }, { token })).status).toBe(403);
  });

  test('removing a permission from a role takes effect within a minute, even for existing tokens', async () => {
    const { appId, path } = await applicationWithRoles();
    const client = await madeClient(server, { permissions: ['users:delete'], roles: ['support'] }, appId);
    const { access_token: token } = await requestScope(client);
    const list = () => server.get('/v1/users?limit=1', { token });
    const remove = () => server.delete('/v1/users/unknown', { token });
    expect([(await list()).status, (await remove()).status]).toEqual([200, 404]);
    await server.put(path, { roles: [{ name: 'support', permissions: ['users:create'] }] }, admin);
    await wait();
    expect([(await list()).status, (await remove()).status]).toEqual([403, 404]);
    const create = (bearer: string) =>
      server.post('/v1/users', { email: newEmail() }, { token: bearer }).then(({ status }) => status);
    expect(await create(token)).toBe(403);
    expect(await create((await requestScope(client)).access_token)).toBe(201);

    const itself = `${path}/clients/${client.client_id}`;
    expect((await server.put(itself, { roles: [] }, admin)).body).toMatchObject({ result: { roles: [] } });
    await wait();
    expect((await remove()).status).toBe(404);
    expect((await requestScope(client)).scope).toBe('users:delete');
  });

  test('a client whose roles are null has all client permissions', async () => {
    const { appId, path } = await applicationWithRoles();
    const client = await madeClient(server, { roles: [] }, appId);
    expect((await requestScope(client)).scope).toBe('');
    const shown = await server.put<{ result: object }>(
      `${path}/clients/${client.client_id}`,
      { roles: null },
      admin,
    );
    expect(shown.body.result).not.toHaveProperty('roles');
    await wait();
    expect((await requestScope(client)).scope?.split(' ')).toContain('users:delete');
    const refused = await server.post('/v1/management-clients', { name: 'x', roles: ['support'] }, admin);
    expect(refused.body).toEqual({
      error_code: 400,
      message: 'roles: a management client already has all permissions in its tenant',
    });
  });
});

describe('permissions of user roles', () => {
  const CLAIMS = { access_token: { permissions: null, org_roles: null }, id_token: { roles: null } };

  async function logInWith(client: WireClient, email: string, orgId?: string) {
    const as = { token: (await requestScope(client)).access_token };
    return { as, tokens: await tokensDirect(server, email, { claims: CLAIMS, org_id: orgId }, as.token) };
  }

  test("the tokens of a user contain the permissions of the user's roles at the application", async () => {
    const [application, other] = [
      await applicationWithRoles(),
      await madeApplication(server, { login_preferences: { direct: {} } }),
    ];
    const email = newEmail();
    const user = await made<{ user_id: string; roles: string[] }>(
      server,
      '/v1/users',
      { email, roles: ['buyer'] },
      admin.token,
    );
    expect(user.roles).toEqual(['buyer']);
    const client = await madeClient(server, {}, application.appId);
    const { as, tokens } = await logInWith(client, email);
    expect(decodeClaims(tokens.access_token)).toMatchObject({
      roles: ['buyer'],
      permissions: ['orders:create', 'orders:read'],
    });
    expect(decodeClaims(tokens.id_token)).toMatchObject({ roles: ['buyer'] });
    const elsewhere = await logInWith(await madeClient(server, {}, other), email);
    expect(decodeClaims(elsewhere.tokens.access_token)).toMatchObject({ roles: ['buyer'], permissions: [] });

    const path = `/v1/users/${user.user_id}`;
    expect((await server.put(path, { roles: ['support'] }, admin)).status).toBe(200);
    const refreshed = await server.post<TokenResponse>(
      '/v1/auth/token/refresh',
      { refresh_token: tokens.refresh_token },
      as,
    );
    expect(decodeClaims(refreshed.body.access_token)).toMatchObject({
      roles: ['support'],
      permissions: ['users:read', `${application.appId}:execute`],
    });
  });

  test("a member's tokens contain the permissions of the member's role in the organization", async () => {
    const { appId } = await applicationWithRoles();
    const email = newEmail();
    const { user_id } = await made<{ user_id: string }>(
      server,
      '/v1/users',
      { email, roles: ['support'] },
      admin.token,
    );
    const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
    const roles = ['buyer', 'organizationAdmin'];
    await made(server, `/v1/organizations/${org_id}/members`, { user_id, roles });
    const { tokens } = await logInWith(await madeClient(server, {}, appId), email, org_id);
    expect(decodeClaims(tokens.access_token)).toMatchObject({
      org_id,
      roles,
      org_roles: roles,
      permissions: [
        ...['members:create', 'members:read', 'members:edit', 'members:delete'],
        ...['orders:create', 'orders:read'],
      ],
    });
  });

  test('a client cannot assign roles to a user', async () => {
    const token = await server.clientToken();
    const refused = {
      status: 403,
      body: { error_code: 403, message: 'roles: only an admin token can change the roles of a user' },
    };
    expect(await server.post('/v1/users', { email: newEmail(), roles: ['buyer'] }, { token })).toMatchObject(
      refused,
    );
    const { user_id } = await made<{ user_id: string }>(server, '/v1/users', { email: newEmail() }, token);
    for (const roles of [['buyer'], [], null])
      expect(await server.put(`/v1/users/${user_id}`, { roles }, { token })).toMatchObject(refused);
    const shown = await server.get<{ result: object }>(`/v1/users/${user_id}`, { token });
    expect(shown.body.result).toHaveProperty('roles', []);
  });
});
