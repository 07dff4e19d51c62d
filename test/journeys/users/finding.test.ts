import { beforeAll, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { createClient } from '../../../shared/domain/management/clients.ts';
import { createTenant } from '../../../shared/domain/management/tenants.ts';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off' });
let token: string;
beforeAll(async () => {
  token = await server.adminToken();
});

interface Found {
  readonly result: readonly { readonly user_id: string; readonly found_by: string }[];
  readonly next_cursor?: string;
}

async function find(beginning: string, more = '', as = token): Promise<Found> {
  const path = `/v1/people?beginning=${encodeURIComponent(beginning)}${more}`;
  const { status, body } = await server.get<Found>(path, { token: as });
  expect(status).toBe(200);
  return body;
}

const foundBy = async (text: string) =>
  (await find(text)).result.map(({ user_id, found_by }) => [user_id, found_by]);

test('an operator can find a user by a full identifier and by the beginning of an address or name', async () => {
  const email = newEmail('Found');
  const phone = newPhoneNumber();
  const username = `finder.${email.split('@')[0]}`;
  const { user_id } = await createUser(server, {
    ...{ email, phone_number: phone, username, external_user_id: 'Crm 4711' },
    name: { first_name: 'Jörg', last_name: 'Qualtinger' },
  });
  const { session_id } = await tokensDirect(server, user_id);
  const ways: readonly (readonly [string, string])[] = [
    [user_id, 'user_id'],
    [session_id, 'session_id'],
    [email, 'email'],
    [email.toUpperCase(), 'email'],
    [email.slice(0, -4), 'email'],
    [phone, 'phone_number'],
    [`${phone.slice(0, 5)} ${phone.slice(5)}`, 'phone_number'],
    [username, 'username'],
    [username.slice(0, -1), 'username'],
    ['Crm 4711', 'external_user_id'],
    ['jorg', 'name'],
    ['JÖRG Q', 'name'],
    ['qualt', 'name'],
  ];
  for (const [text, by] of ways) expect([text, await foundBy(text)]).toEqual([text, [[user_id, by]]]);
  for (const text of [phone.slice(0, -1), user_id.slice(1), `x.${session_id}`, 'ualtinger', '%', ' '])
    expect([text, await foundBy(text)]).toEqual([text, []]);
});

test('an operator does not find a user by a previous name', async () => {
  const [email, next] = [newEmail('Former'), newEmail('Later')];
  const { user_id } = await createUser(server, { email, name: { first_name: 'Xaver', last_name: 'Unruh' } });
  const change = { email: next, name: { first_name: 'Xenia', last_name: 'Wolf' } };
  expect((await server.put(`/v1/users/${user_id}`, change, { token })).status).toBe(200);
  for (const text of [email, 'xaver', 'unruh']) expect(await foundBy(text)).toEqual([]);
  for (const text of [next, 'xenia', 'wolf']) expect(await foundBy(text)).toHaveLength(1);
  expect((await server.delete(`/v1/users/${user_id}`, { token })).status).toBe(204);
  for (const text of [user_id, next, 'xenia', 'wolf']) expect(await foundBy(text)).toEqual([]);
});

test('each user appears only once on the pages of a user search', async () => {
  const ids = await Promise.all(
    Array.from({ length: 7 }, async (_, n) => {
      const name = { first_name: 'Yara', last_name: `Yilmaz ${n}` };
      return (await createUser(server, { email: newEmail('yara'), name })).user_id;
    }),
  );
  const met = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await find('ya', `&limit=3${cursor ? `&cursor=${cursor}` : ''}`);
    for (const { user_id } of page.result) met.add(user_id);
    cursor = page.next_cursor;
  } while (cursor);
  expect([...met].toSorted()).toEqual(ids.toSorted());
});

test.each([
  ['viewer', 'cannot', false],
  ['developer', 'cannot', false],
  ['support', 'can', true],
  ['admin', 'can', true],
] as const)('an operator with the role %s %s search for users by prefix', async (role, _can, byBeginning) => {
  const email = newEmail('Roles');
  const { user_id } = await createUser(server, {
    email,
    external_user_id: email,
    name: { first_name: 'Ida' },
  });
  const { token: own, headers } = await createOperator(server, role);
  const as = async (text: string) => {
    const path = `/v1/people?beginning=${encodeURIComponent(text)}`;
    const { status, body } = await server.get<Found>(path, { token: own, headers: headers() });
    expect(status).toBe(200);
    return body.result.map((user) => user.user_id);
  };
  for (const text of [user_id, email]) expect(await as(text)).toEqual([user_id]);
  for (const text of ['ida', email.slice(0, -1)])
    expect((await as(text)).includes(user_id)).toBe(byBeginning);
});

test('an operator does not find users of another tenant by any identifier', async () => {
  const email = newEmail('Mine');
  const phone_number = newPhoneNumber();
  const { user_id } = await createUser(server, { email, phone_number, external_user_id: 'mine-1' });
  const { session_id } = await tokensDirect(server, user_id);
  const ports = await server.ports(['tenantRecords', 'clientRecords']);
  const tenant = await createTenant(ports, { name: 'Another' }, nowSeconds());
  const { client, secret } = await createClient(ports, { tenant }, { name: 'Admin' }, nowSeconds());
  const stranger = await server.clientToken({ clientId: client.clientId, clientSecret: String(secret) });
  for (const text of [user_id, session_id, email, phone_number, 'mine', 'm'])
    expect(await find(text, '', stranger)).toEqual({ result: [] });
});
