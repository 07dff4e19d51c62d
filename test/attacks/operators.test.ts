import { describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { createOperator, grantTo, type Operator, someOperator } from '../support/fixtures/operators.ts';
import { createUser, newEmail, replaceUser } from '../support/fixtures/people.ts';
import { storeMember, storeTenant } from '../support/fixtures/tenants.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { logIn } from '../support/tools/calls.ts';

const server = useTestServer({ rateLimits: 'off', events: true });

type Json = Readonly<Record<string, unknown>>;
const send = (headers: Readonly<Record<string, string>>, method: string, path: string, body?: Json) =>
  server.request<{ readonly result?: Json; readonly message?: string }>(path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const as = (operator: Operator, method: string, path: string, body?: Json) =>
  send(operator.headers(), method, path, body);

describe('calls to the operator API with tokens of other callers', () => {
  const READ = ['GET', '/v1/operators'] as const;

  test('the operator API rejects tokens of users, clients and management clients', async () => {
    const tenant = { 'otl-tenant': server.environment.tenant_id };
    for (const token of [
      (await logIn(server)).access_token,
      await server.clientToken(),
      await server.adminToken(),
    ]) {
      const headers = { ...tenant, authorization: `Bearer ${token}` };
      expect((await send(headers, ...READ)).status).toBe(403);
      expect(
        (await send(headers, 'POST', '/v1/operators', { email: newEmail(), role: 'admin' })).status,
      ).toBe(403);
    }
  });

  test('the operator API rejects the token of a person who has no active operator role in the tenant', async () => {
    const stranger = await someOperator(server);
    const elsewhere = await someOperator(server);
    await grantTo(server, elsewhere, { tenantId: 'another', role: 'admin' });
    expect((await as(stranger, ...READ)).status).toBe(403);
    expect((await as(elsewhere, ...READ)).status).toBe(403);
    for (const state of ['invited', 'enrolled'] as const) {
      const person = await someOperator(server);
      await grantTo(server, person, { role: 'admin', state });
      expect((await as(person, ...READ)).status).toBe(403);
    }
    const forged = ['', ' ', `${server.environment.tenant_id}#x`, '../demo-tenant', 'a'.repeat(2000)];
    const admin = await createOperator(server, 'admin');
    for (const name of forged)
      expect([name, (await send({ ...admin.headers(), 'otl-tenant': name }, ...READ)).status]).toEqual([
        name,
        403,
      ]);
    const { 'otl-tenant': _, ...without } = admin.headers();
    expect((await send(without, ...READ)).status).toBe(403);
  });

  test('an operator token is rejected if the operator logged in with only one factor or without a passkey', async () => {
    for (const claims of [
      { acr: undefined },
      { amr: ['eotp', 'sms', 'mfa'] },
      { app_id: server.environment.app_id },
      { tid: server.environment.tenant_id },
      { aud: 'https://api.example.com' },
    ])
      expect([403, 401]).toContain(
        (await as(await createOperator(server, 'admin', { claims }), ...READ)).status,
      );
  });

  test('changes by an operator who was disabled or has logged out are rejected', async () => {
    const [disabled, loggedOut] = [
      await createOperator(server, 'support'),
      await createOperator(server, 'support'),
    ];
    const { sessions } = await server.ports(['sessions']);
    await replaceUser(server, disabled.userId, () => ({ status: 'Disabled' }));
    await sessions.end(loggedOut.sessionId, nowSeconds());
    for (const operator of [disabled, loggedOut])
      expect((await as(operator, 'DELETE', '/v1/users/none/locks')).status).toBe(401);
  });
});

describe('operator who tries to gain additional permissions', () => {
  test('an operator cannot grant permissions that the operator does not have', async () => {
    const path = `/v1/applications/${server.environment.app_id}`;
    for (const role of ['viewer', 'support', 'developer'] as const) {
      const operator = await createOperator(server, role);
      const { user_id } = await createUser(server, { email: newEmail() });
      const tries = [
        as(operator, 'PUT', `/v1/operators/${operator.userId}`, { role: 'admin' }),
        as(operator, 'POST', `${path}/clients`, { name: 'Mine', permissions: ['users:edit'] }),
        as(operator, 'PUT', path, { roles: [{ name: 'mine', permissions: ['users:edit'] }] }),
        as(operator, 'PUT', path, { redirect_uris: ['https://evil.example/'] }),
        as(operator, 'PUT', path, { add_redirect_uris: ['https://evil.example/'] }),
        as(operator, 'PUT', path, { public_signup: true }),
        as(operator, 'PUT', `/v1/users/${user_id}`, { roles: ['admin'] }),
        as(operator, 'PUT', `/v1/users/${user_id}`, { email_verified: true }),
        as(operator, 'PUT', `/v1/users/${user_id}`, { groups: ['staff'] }),
        as(operator, 'POST', '/v1/users', { email: newEmail(), email_verified: true }),
        as(operator, 'POST', '/v1/management-clients', { name: 'Mine' }),
      ];
      expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 403));
    }
    const developer = await createOperator(server, 'developer');
    const refused = await as(developer, 'PUT', path, { name: 'New', redirect_uris: [] });
    expect(refused.body.message).toContain('redirect_uris: needs the role admin');
    expect((await as(developer, 'PUT', path, { name: 'Demo', language: 'en' })).status).toBe(200);
  });

  test('an operator needs a recent login only for settings that affect who can log in', async () => {
    const admin = await createOperator(server, 'admin', { authTime: nowSeconds() - 601 });
    const path = `/v1/applications/${server.environment.app_id}`;
    expect((await as(admin, 'PUT', path, { post_logout_redirect_uris: [] })).status).toBe(401);
    expect((await as(admin, 'PUT', path, { language: 'en' })).status).toBe(200);
  });

  test('an admin of one tenant cannot access the records of another tenant', async () => {
    const { application } = await storeTenant(server);
    const { tenantId } = application;
    const admin = await createOperator(server, 'admin');
    for (const [method, path] of [
      ['GET', `/v1/applications/${application.applicationId}`],
      ['DELETE', `/v1/applications/${application.applicationId}`],
      ['GET', `/v1/users/${admin.userId}`],
      ['DELETE', `/v1/users/${admin.userId}`],
    ] as const)
      expect([path, (await as(admin, method, path)).status]).toEqual([path, 404]);
    const elsewhere = admin.headers(tenantId);
    const invite = { email: newEmail(), role: 'admin' };
    expect((await send(elsewhere, 'POST', '/v1/operators', invite)).status).toBe(403);
  });
});

describe('users that a support operator can change', () => {
  test('a support operator cannot change users with administrative roles', async () => {
    const [support, admin] = [await createOperator(server, 'support'), await createOperator(server, 'admin')];
    const { user_id: plain } = await createUser(server, { email: newEmail() });
    const { user_id: powerful } = await createUser(server, { email: newEmail() });
    await storeMember(server, { userId: powerful, roles: ['organizationAdmin'] });
    const acts = (operator: Operator, userId: string) =>
      Promise.all([
        as(operator, 'DELETE', `/v1/users/${userId}/locks`),
        as(operator, 'DELETE', `/v1/auth/users/${userId}/sessions`),
        as(operator, 'PUT', `/v1/users/${userId}`, { status: 'Disabled' }),
      ]).then((answers) => answers.map(({ status }) => status));
    expect(await acts(support, powerful)).toEqual([403, 403, 403]);
    expect(await acts(support, plain)).toEqual([204, 204, 200]);
    expect(await acts(admin, powerful)).toEqual([204, 204, 200]);
  });
});

test.each([
  ['viewer', 'only the hosts', false],
  ['support', 'only the hosts', false],
  ['developer', 'only the hosts', false],
  ['admin', 'the paths', true],
] as const)(
  'an operator with the role %s sees %s of webhook and logout URIs',
  async (role, _shown, isShown) => {
    const [admin, operator] = [await createOperator(server, 'admin'), await createOperator(server, role)];
    const url = 'https://hooks.example.com/services/T00/secret?token=hidden';
    const client = {
      name: 'Told',
      backchannel_logout_uri: 'https://app.example.com/logout/secret?token=hidden',
    };
    const ofClients = `/v1/applications/${server.environment.app_id}/clients`;
    const webhookId = String((await as(admin, 'POST', '/v1/webhooks', { url })).body.result?.webhook_id);
    const clientId = String((await as(admin, 'POST', ofClients, client)).body.result?.client_id);
    for (const path of [
      ...['/v1/webhooks?limit=100', `/v1/webhooks/${webhookId}`],
      ...[`${ofClients}?limit=100`, `${ofClients}/${clientId}`],
    ]) {
      const answer = await as(operator, 'GET', path);
      const text = JSON.stringify(answer.body);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(text).toMatch(/https:\/\/(?:hooks|app)\.example\.com\//);
      expect([path, text.includes('secret?'), text.includes('token=hidden')]).toEqual([
        path,
        isShown,
        isShown,
      ]);
    }
  },
);

test.each([
  ['viewer', undefined],
  ['developer', undefined],
  ['support', { plan: 'gold' }],
  ['admin', { plan: 'gold' }],
] as const)(
  'an operator with the role %s sees the following custom_app_data of a user: %p',
  async (role, custom_app_data) => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email, custom_app_data: { plan: 'gold' } });
    const operator = await createOperator(server, role);
    const shown = await as(operator, 'GET', `/v1/users/${user_id}`);
    expect(shown.body.result?.custom_app_data).toEqual(custom_app_data);
    const found = await as(operator, 'GET', `/v1/people?beginning=${encodeURIComponent(email)}`);
    expect(JSON.stringify(found.body).includes('gold')).toBe(custom_app_data !== undefined);
  },
);

test('only support operators and admins see complete addresses, and all other roles see masked addresses', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, {
    email,
    phone_number: '+12015550177',
    username: email.slice(0, 9),
  });
  for (const role of ['viewer', 'developer', 'support', 'admin'] as const) {
    const operator = await createOperator(server, role);
    const isMasked = role === 'viewer' || role === 'developer';
    for (const path of [`/v1/users/${user_id}`, `/v1/users/email/${encodeURIComponent(email)}`]) {
      const text = JSON.stringify((await as(operator, 'GET', path)).body);
      expect([role, text.includes(email), text.includes('2015550177')]).toEqual([role, !isMasked, !isMasked]);
    }
    const found = async (beginning: string) =>
      JSON.stringify(
        (await as(operator, 'GET', `/v1/people?beginning=${encodeURIComponent(beginning)}`)).body,
      );
    expect([role, (await found(email)).includes(user_id), (await found(email)).includes(email)]).toEqual([
      role,
      true,
      !isMasked,
    ]);
    expect([role, (await found(email.slice(0, -2))).includes(user_id)]).toEqual([role, !isMasked]);
    const listed = (await as(operator, 'GET', '/v1/users')).status;
    expect([role, listed]).toEqual([role, isMasked ? 403 : 200]);
  }
});
