import { beforeAll, describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { createClient } from '../../../shared/domain/management/clients.ts';
import { createTenant } from '../../../shared/domain/management/tenants.ts';
import { newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Json = Record<string, unknown>;
interface Answer {
  readonly result: Json & { readonly user_id: string };
}

const server = useTestServer({ rateLimits: 'off' });
let token: string;
beforeAll(async () => {
  token = await server.clientToken();
});

const create = (fields: Json, as = token) => server.post<Answer>('/v1/users', fields, { token: as });
const show = (userId: string, as = token) => server.get<Answer>(`/v1/users/${userId}`, { token: as });
const change = (userId: string, fields: Json, as = token) =>
  server.put<Answer>(`/v1/users/${userId}`, fields, { token: as });
const erase = (userId: string, as = token) => server.delete(`/v1/users/${userId}`, { token: as });

/** Returns the token of a management client of another tenant. */
async function strangerToken(): Promise<string> {
  const ports = await server.ports(['tenantRecords', 'clientRecords']);
  const tenant = await createTenant(ports, { name: 'Another' }, nowSeconds());
  const { client, secret } = await createClient(ports, { tenant }, { name: 'Admin' }, nowSeconds());
  return server.clientToken({ clientId: client.clientId, clientSecret: String(secret) });
}

describe('API operations for users', () => {
  test('a user can be created, found by every identifier, changed and erased through the API', async () => {
    const email = newEmail('Ann');
    const phone = newPhoneNumber();
    const username = `ann-${email}`;
    const created = await create({
      email,
      phone_number: phone,
      username,
      external_user_id: 'crm-1',
      custom_identifiers: [{ type: 'card', value: email }],
      name: { first_name: 'Ann', last_name: 'Lee' },
      picture: 'https://example.com/ann.png',
      language: 'en',
      groups: ['staff'],
      custom_app_data: { plan: { name: 'pro' } },
      unknown_field: 1,
    });
    expect(created.status).toBe(201);
    const { result } = created.body;
    expect(result).toEqual({
      user_id: expect.stringMatching(/^[a-z0-9]{25}$/),
      status: 'Pending',
      roles: [],
      email: { value: email, email_verified: false },
      phone_number: { value: phone, phone_number_verified: false },
      username,
      external_user_id: 'crm-1',
      custom_identifiers: [{ type: 'card', value: email }],
      name: { first_name: 'Ann', last_name: 'Lee' },
      picture: 'https://example.com/ann.png',
      language: 'en',
      groups: ['staff'],
      custom_app_data: { plan: { name: 'pro' } },
      identities: [],
      applications: [server.environment.app_id],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: result.created_at,
    });

    for (const path of [
      `/v1/users/${result.user_id}`,
      `/v1/users/email/${encodeURIComponent(email.toUpperCase())}`,
      `/v1/users/phone-number/${encodeURIComponent(phone)}`,
      `/v1/users/phone-number/${phone}`,
      `/v1/users/username/${encodeURIComponent(username.toUpperCase())}`,
    ]) {
      const found = await server.get<Answer>(path, { token });
      expect([found.status, found.body.result]).toEqual([200, result]);
    }

    const changed = await change(result.user_id, { email: newEmail(), username: null, groups: null });
    expect(changed.status).toBe(200);
    expect(changed.body.result).toMatchObject({ groups: [], name: { first_name: 'Ann' } });
    expect(changed.body.result).not.toHaveProperty('username');
    expect((await show(result.user_id)).body.result).toEqual(changed.body.result);

    expect(await erase(result.user_id)).toMatchObject({ status: 204, body: undefined });
    expect(await show(result.user_id)).toMatchObject({
      status: 404,
      body: { message: 'User not found', error_code: 404 },
    });
    expect((await erase(result.user_id)).status).toBe(404);
  });

  test('creating a user with an identifier that is in use returns 409', async () => {
    const email = newEmail('bob');
    await create({ email });
    const taken = { message: 'email: belongs to another user', error_code: 409 };
    expect(await create({ email: email.toUpperCase() })).toMatchObject({ status: 409, body: taken });
    const other = await create({ username: email });
    expect(await change(other.body.result.user_id, { email })).toMatchObject({ status: 409, body: taken });
  });

  test('if a user cannot be created, none of the identifiers stays reserved', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await create({ email: newEmail(), phone_number });
    expect((await create({ email, phone_number })).status).toBe(409);
    expect((await create({ email })).status).toBe(201);
  });

  test('an identifier is reserved for as long as its user has it', async () => {
    const email = newEmail();
    await create({ email });
    // By now, a reservation without a user would have been released.
    await server.advanceClock(3600);
    token = await server.clientToken();
    expect((await create({ email })).status).toBe(409);
  });

  test.each([
    [{}, 'body: one of email, phone_number and username is required'],
    [{ username: 'x', picture: 'javascript:alert(1)' }, /^picture: /],
    [{ username: 'x', groups: Array(101).fill('g') }, /^groups: /],
    [{ username: 'x'.repeat(129) }, 'username: must have at most 128 characters'],
    [
      { username: 'x', custom_identifiers: [{ type: 'email', value: 'a@b.c' }] },
      /^custom_identifiers\.0\.type: /,
    ],
    [
      { username: 'x', custom_identifiers: [{ type: '1card', value: '1' }] },
      /^custom_identifiers\.0\.type: /,
    ],
  ])('creating a user with %j returns 400', async (fields, message) => {
    const answer = await create(fields as Json);
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message), error_code: 400 },
    });
  });

  test('a user can be disabled and enabled again', async () => {
    const { user_id: userId } = (await create({ email: newEmail() })).body.result;
    expect((await change(userId, { status: 'Disabled' })).body.result.status).toBe('Disabled');
    expect((await change(userId, { status: 'Active' })).body.result.status).toBe('Active');
    expect(await change(userId, { status: 'Pending' })).toMatchObject({ status: 400 });
  });

  test('the API lists users in pages, oldest first', async () => {
    const stranger = await strangerToken();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.push((await create({ email: newEmail() }, stranger)).body.result.user_id);

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '2', ...(cursor === undefined ? {} : { cursor }) });
      const page = await server.get<{ result: Answer['result'][]; next_cursor?: string }>(
        `/v1/users?${query}`,
        {
          token: stranger,
        },
      );
      expect(page.status).toBe(200);
      expect(page.body.result.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.result.map((user) => user.user_id));
      cursor = page.body.next_cursor;
    } while (cursor !== undefined);
    expect(new Set(seen)).toEqual(new Set(made));
    expect(seen).toHaveLength(5);
  });

  test.each(['0', '101', 'x'])('listing users with the limit %s returns 400', async (limit) => {
    const message = expect.stringMatching(/^limit: /);
    const answer = await server.get(`/v1/users?limit=${limit}`, { token });
    expect(answer).toMatchObject({ status: 400, body: { error_code: 400, message } });
  });

  test('a user search returns pages that contain only matching users', async () => {
    const stranger = await strangerToken();
    await server.post('/v1/applications', { name: 'Shop' }, { token: stranger });
    const make = (fields: Json) => create(fields, stranger);
    const staff = { groups: ['staff'] };
    const ids = [];
    for (const fields of [
      { email: 'ann@example.com', ...staff },
      { username: 'bob' },
      { email: 'joANNa@example.com' },
      { username: 'eve', name: { first_name: 'Ann' }, external_user_id: 'crm-1', ...staff },
    ])
      ids.push((await make(fields)).body.result.user_id);
    await change(String(ids[3]), { status: 'Disabled' }, stranger);
    const found = async (query: string) => {
      const { body } = await server.get<{ result: Answer['result'][]; next_cursor?: string }>(
        `/v1/users?${query}`,
        { token: stranger },
      );
      return { ids: body.result.map((user) => user.user_id), next: body.next_cursor };
    };
    expect((await found('q=ann')).ids.toSorted()).toEqual([ids[0], ids[2], ids[3]].toSorted());
    expect((await found('q=ann&group=staff&status=Pending')).ids).toEqual([ids[0]]);
    expect((await found('status=Disabled')).ids).toEqual([ids[3]]);
    expect((await found('external_user_id=crm-1')).ids).toEqual([ids[3]]);
    expect(await found('q=unknown')).toEqual({ ids: [], next: undefined });
    const first = await found('q=ann&limit=2');
    const second = await found(`q=ann&limit=2&cursor=${first.next}`);
    expect([...first.ids, ...second.ids].toSorted()).toEqual([ids[0], ids[2], ids[3]].toSorted());
    expect(second.next).toBeUndefined();
    expect((await server.get('/v1/users?status=Gone', { token: stranger })).status).toBe(400);
  });

  test('the export of a user contains all data except secrets', async () => {
    const email = newEmail();
    const { result } = (await create({ email, groups: ['staff'] })).body;
    const { organizationId } = await storeMember(server, { userId: result.user_id, roles: ['buyer'] });
    const login = await tokensDirect(server, email, {
      device_id: 'phone',
      client_attributes: { user_agent: 'Shop/1.0', ip_address: '203.0.113.9' },
    });
    const { timeline } = await server.ports(['timeline']);
    const event = { eventId: 'e1', userId: result.user_id, type: 'login.succeeded' };
    const time = '2026-01-02T03:04:05.006Z';
    await timeline.add({ ...event, time, detail: { method: 'otp' } }, 4_000_000_000);
    const path = `/v1/users/${result.user_id}/export`;
    const answer = await server.get<{ result: Json }>(path, { token });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        result: {
          user: { ...(await show(result.user_id)).body.result, roles: [] },
          memberships: [{ org_id: organizationId, user_id: result.user_id, roles: ['buyer'] }],
          passkeys: [],
          device_keys: [],
          sessions: [
            {
              session_id: login.session_id,
              app_id: server.environment.app_id,
              methods: [{ method: 'otp', at: expect.any(String) }],
              device_id: 'phone',
              user_agent: 'Shop/1.0',
              ip_address: '203.0.113.9',
            },
          ],
          timeline: expect.arrayContaining([{ time, type: 'login.succeeded', method: 'otp' }]),
        },
      },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/hash|secret/i);
    expect((await server.get(path, { token: await strangerToken() })).status).toBe(404);
  });
});
