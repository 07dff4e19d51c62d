// The record of administrative changes: who changed which record, when and why, with the values before and after.
import { beforeAll, expect, test } from '@jest/globals';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import {
  asManager,
  madeApplication,
  madeClient,
  madeMember,
  madeWebhook,
} from '../../support/fixtures/managed.ts';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Change {
  readonly type: string;
  readonly operation: string;
  readonly record_kind?: string;
  readonly record_id?: string;
  readonly user_id?: string;
  readonly operator?: string;
  readonly reason?: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before?: string;
    readonly after?: string;
  }[];
}

const server = useTestServer({ rateLimits: 'off', events: true });
const manager = asManager(server);
let token: string;
beforeAll(async () => {
  token = await server.adminToken();
});

async function changes(query: Readonly<Record<string, string>> = {}) {
  await server.settleEvents();
  const path = `/v1/changes?${new URLSearchParams(query)}`;
  const { status, body } = await server.get<{
    readonly result: readonly Change[];
    readonly next_cursor?: string;
  }>(path, { token });
  expect(status).toBe(200);
  return body;
}
const newest = async (query: Readonly<Record<string, string>> = {}) => (await changes(query)).result[0];

test('the record of an API change contains the operator, the reason and the values before and after', async () => {
  const appId = await madeApplication(server, { name: 'Before' });
  expect(await newest()).toMatchObject({
    ...{ operation: 'management/create-application', record_kind: 'application', record_id: appId },
    changes: expect.arrayContaining([{ field: 'name', after: 'Before' }]),
  });
  const { userId, token: own, headers } = await createOperator(server, 'admin');
  const json = {
    ...{ name: 'After', offer_passkeys: false, redirect_uris: ['https://shop.example.com/?key=s3cret'] },
    ...{ login_preferences: { sms: {}, email: { digits: 8 } } },
  };
  const why = { ...headers(), 'otl-reason': 'Ticket 4711' };
  const { status } = await server.put(`/v1/applications/${appId}`, json, { token: own, headers: why });
  expect(status).toBe(200);
  const change = await newest();
  expect(change).toMatchObject({
    ...{ type: 'management.changed', operator: userId, reason: 'Ticket 4711', record_id: appId },
    changes: expect.arrayContaining([
      { field: 'name', before: 'Before', after: 'After' },
      { field: 'offer_passkeys', before: 'true', after: 'false' },
      { field: 'redirect_uris', before: '[]', after: '["https://shop.example.com/?•••"]' },
      { field: 'login_preferences.sms', after: '{}' },
      { field: 'login_preferences.email.digits', after: '8' },
    ]),
  });
  expect(change?.changes.map(({ field }) => field)).not.toContain('updated_at');

  expect((await manager.remove(`/v1/applications/${appId}`)).status).toBe(204);
  expect(await newest()).toMatchObject({
    ...{ operation: 'management/delete-application', record_id: appId },
    changes: expect.arrayContaining([{ field: 'name', before: 'After' }]),
  });
});

test('the record of an API change contains no secrets and masks personal data', async () => {
  const hidden: string[] = [];
  const lines = await logLines(async () => {
    const { app_id, client_id, client_secret } = await madeClient(server);
    const rotated = await manager.post<{ readonly client_secret: string }>(
      `/v1/applications/${app_id}/clients/${client_id}/secrets`,
    );
    const ofSecret = await newest();
    expect(ofSecret).toMatchObject({ record_kind: 'client', record_id: client_id });
    expect(ofSecret?.changes.map(({ field }) => field)).toEqual(['secrets']);

    const hook = await madeWebhook(server, { url: 'https://hooks.example.com/t0psecret' });
    expect((await newest())?.changes).toContainEqual({
      field: 'url',
      after: 'https://hooks.example.com/•••',
    });
    await manager.post(`/v1/webhooks/${hook.webhook_id}/secrets`);
    expect(await newest()).toMatchObject({ record_kind: 'webhook', changes: [] });

    const [email, phone] = [newEmail('Person'), newPhoneNumber()];
    const { user_id } = await createUser(server, { email });
    const personal = {
      ...{ email: newEmail('Next'), phone_number: phone, username: 'dora.sharp.4711' },
      ...{ name: { first_name: 'Dorothea', last_name: 'Sharp' }, groups: ['buyers'] },
      custom_app_data: { diet: 'kosher' },
    };
    expect((await manager.put(`/v1/users/${user_id}`, personal)).status).toBe(200);
    const ofUser = await newest({ user_id });
    expect(ofUser).toMatchObject({ type: 'user.updated', record_kind: 'user', user_id });
    expect(ofUser?.changes).toEqual(
      expect.arrayContaining([
        {
          field: 'email.value',
          before: expect.stringMatching(/^P•••@/i),
          after: expect.stringMatching(/^N•••@/i),
        },
        { field: 'first_name', after: '•••' },
        { field: 'groups', before: '[]', after: '["buyers"]' },
      ]),
    );
    hidden.push(client_secret, rotated.body.result.client_secret, hook.secret, 't0psecret', email, phone);
    hidden.push(personal.email, personal.username, 'Dorothea', 'Sharp', 'kosher');
  });
  const told = JSON.stringify([(await changes()).result, lines]);
  expect(hidden.filter((each) => told.includes(each))).toEqual([]);
});

test('recorded changes can be listed in pages by user, operator or record type', async () => {
  const { userId, token: own, headers } = await createOperator(server, 'admin');
  const { user_id } = await createUser(server, { email: newEmail() });
  const { organizationId, userId: member } = await madeMember(server);
  const asOperator = { token: own, headers: headers() };
  for (const groups of [['a'], ['b'], ['c']])
    expect((await server.put(`/v1/users/${user_id}`, { groups }, asOperator)).status).toBe(200);
  const roles = `/v1/organizations/${organizationId}/members/${member}`;
  expect((await server.put(roles, { roles: ['buyer'] }, asOperator)).status).toBe(200);

  const kinds = async (query: Readonly<Record<string, string>>) =>
    (await changes(query)).result.map(({ record_kind }) => record_kind);
  expect(await kinds({ user_id })).toEqual(['user', 'user', 'user']);
  expect(await kinds({ operator: userId })).toEqual(['member', 'user', 'user', 'user']);
  expect(await kinds({ operator: userId, kind: 'member' })).toEqual(['member']);
  expect(await kinds({ user_id: member })).toEqual(['member', 'member']);
  const seen: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const page = await changes({ operator: userId, limit: '1', ...(cursor ? { cursor } : {}) });
    seen.push(...page.result.map((each) => each.changes[0]?.after));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toEqual(['["buyer"]', '["c"]', '["b"]', '["a"]']);
  expect((await server.get('/v1/changes?kind=nonsense', { token })).status).toBe(400);
});

test('recorded changes to a user are deleted when the user is erased', async () => {
  const { user_id } = await createUser(server, { email: newEmail() });
  await manager.put(`/v1/users/${user_id}`, { groups: ['a'] });
  expect((await changes({ user_id })).result).toHaveLength(1);
  expect((await manager.remove(`/v1/users/${user_id}`)).status).toBe(204);
  expect((await changes({ user_id })).result).toEqual([]);
  expect((await changes()).result.filter((each) => each.user_id === user_id)).toEqual([]);
});

test('the export of a user contains the changes to the user but not the operators who made them', async () => {
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const operator = await createOperator(server, 'admin');
  const why = { ...operator.headers(), 'otl-reason': 'Ticket 4712' };
  const path = `/v1/users/${userId}`;
  await server.put(path, { language: 'de' }, { token: operator.token, headers: why });
  await server.settleEvents();
  const { body } = await server.get<{ result: { changes: readonly Change[] } }>(`${path}/export`, { token });
  expect(body.result.changes).toEqual([
    {
      ...{ time: expect.stringMatching(/Z$/), type: 'user.updated', operation: 'users/update-user' },
      changes: [{ field: 'language', after: 'de' }],
    },
  ]);
  expect(JSON.stringify(body.result)).not.toContain(operator.userId);
  expect(JSON.stringify(body.result)).not.toContain('Ticket 4712');
});

test("changes that concern no tenant, such as key rotations, are listed in the operators' tenant", async () => {
  const { otl } = otlAt(server);
  expect(await otl('keys', 'prepare')).toMatchObject({ code: 0 });
  await server.settleEvents();
  expect((await otl('changes', '--tenant', OPERATORS_TENANT_ID)).stdout).toContain('keys/prepare');
  expect((await changes()).result.map(({ operation }) => operation)).not.toContain('keys/prepare');
});

test('a change by an organization admin is recorded with the values before and after', async () => {
  const boss = await createProvenUser(server, { email: newEmail() });
  const { organizationId } = await storeMember(server, {
    userId: boss.user_id,
    roles: ['organizationAdmin'],
  });
  const email = boss.email?.value ?? '';
  const { access_token: own } = await tokensDirect(server, email, { org_id: organizationId });
  const { user_id } = await createUser(server, { email: newEmail() });
  const path = `/v1/organizations/${organizationId}/members`;
  await server.post(path, { user_id, roles: ['buyer'] }, { token: own });
  await server.put(`${path}/${user_id}`, { roles: ['seller'] }, { token: own });
  const record = { record_kind: 'member', operation: 'organizations/update-member', user_id };
  expect((await changes({ user_id })).result).toContainEqual(
    expect.objectContaining({
      ...record,
      changes: [{ field: 'roles', before: '["buyer"]', after: '["seller"]' }],
    }),
  );
});
