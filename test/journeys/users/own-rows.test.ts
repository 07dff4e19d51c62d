// A client's lists and searches contain no data of other applications: deliveries, timelines, sessions and external IDs.
import { beforeAll, expect, test } from '@jest/globals';
import { madeClient, toCredentials } from '../../support/fixtures/managed.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Listed {
  readonly result: readonly Readonly<Record<string, string>>[];
  readonly next_cursor?: string;
}

const server = useTestServer({ rateLimits: 'off', events: true });
const redirectUri = () => server.environment.redirect_uris[0];
const tokens = {} as { main: string; side: string; admin: string };
let sideId: string;
beforeAll(async () => {
  const { application, ...client } = await storeApplication(server, { publicSignup: true });
  sideId = application.applicationId;
  tokens.main = await server.clientToken();
  tokens.side = await server.clientToken(client);
  tokens.admin = await server.adminToken();
});

async function text(phone_number: string, token: string): Promise<void> {
  const asked = { phone_number, redirect_uri: redirectUri(), create_new_user: true };
  const { status } = await server.post('/v1/auth/otp/sms', asked, { token });
  expect(status).toBe(200);
}
async function list(path: string, token: string): Promise<Listed> {
  await server.settleEvents();
  const { status, body } = await server.get<Listed>(path, { token });
  expect(status).toBe(200);
  return body;
}
const deliveries = (to: string, token: string, query = '') =>
  list(`/v1/deliveries?to=${encodeURIComponent(to)}${query}`, token);
const senders = ({ result }: Listed) => new Set(result.map(({ application_id }) => application_id));

test('a client sees messages to unknown addresses only if its own application sent them', async () => {
  const number = newPhoneNumber();
  await text(number, tokens.main);
  expect(await deliveries(number, tokens.side)).toEqual({ result: [] });
  await text(number, tokens.side);
  expect(senders(await deliveries(number, tokens.admin))).toEqual(
    new Set([server.environment.app_id, sideId]),
  );
  expect(senders(await deliveries(number, tokens.side))).toEqual(new Set([sideId]));
  expect(senders(await deliveries(number, tokens.main))).toEqual(new Set([server.environment.app_id]));
});

test("a message's delivery status is visible only to the application that sent it", async () => {
  const number = '+14254147167';
  await text(number, tokens.main);
  const outcomes = (token: string) =>
    deliveries(number, token).then(({ result }) => result.filter(({ type }) => type === 'message.bounced'));
  while ((await outcomes(tokens.admin)).length === 0);
  expect(await outcomes(tokens.main)).toHaveLength(1);
  expect(await outcomes(tokens.side)).toEqual([]);
});

test('a list of messages is filtered by application before it is divided into pages', async () => {
  const number = newPhoneNumber();
  for (const token of [tokens.main, tokens.side, tokens.side, tokens.main, tokens.side])
    await text(number, token);
  const all = (await deliveries(number, tokens.side)).result;
  const paged = [];
  let cursor = '';
  for (;;) {
    const page = await deliveries(number, tokens.side, `&limit=1${cursor}`);
    expect(page.result).toHaveLength(1);
    paged.push(...page.result);
    if (page.next_cursor === undefined) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(paged).toEqual(all);
  expect(senders({ result: all })).toEqual(new Set([sideId]));
});

test('a client sees no timeline entries of another application', async () => {
  const phone_number = newPhoneNumber();
  const { user_id } = await createUser(server, { phone_number });
  await text(phone_number, tokens.side);
  await text(phone_number, tokens.main);
  for (const path of [
    `/v1/deliveries?to=${encodeURIComponent(phone_number)}`,
    `/v1/users/${user_id}/timeline`,
  ]) {
    expect([...senders(await list(path, tokens.admin))]).toContain(sideId);
    const seen = senders(await list(path, tokens.main));
    expect([seen.has(server.environment.app_id), seen.has(sideId)]).toEqual([true, false]);
  }
  const person = { identifier_type: 'phone_number', identifier: phone_number };
  await server.post('/v1/auth/otp/send', { channel: 'sms', ...person }, { token: tokens.side });
  const given = { ...person, passcode: await server.codeTo(phone_number) };
  const login = await server.post('/v1/auth/otp/authenticate', given, { token: tokens.side });
  expect(login.status).toBe(200);
  const types = async (token: string) =>
    (await list(`/v1/users/${user_id}/timeline`, token)).result.map(({ type }) => type);
  const reader = await madeClient(server, { permissions: ['users:read'] }, server.environment.app_id);
  expect(await types(tokens.admin)).toContain('login.succeeded');
  expect(await types(await server.clientToken(toCredentials(reader)))).not.toContain('login.succeeded');
});

test('a client can list only the sessions of its application', async () => {
  const { user_id } = await createUser(server, { email: newEmail() });
  const { session_id } = await tokensDirect(server, user_id);
  const path = `/v1/auth/users/${user_id}/sessions`;
  const sessions = async (token: string) => (await server.get(path, { token })).body;
  expect(await sessions(tokens.main)).toMatchObject([{ session_id }]);
  expect(await sessions(tokens.side)).toEqual([]);
});

test('a client cannot find a user by the external ID of another application', async () => {
  const external_user_id = `crm-${newEmail()}`;
  const { user_id } = await createUser(server, { email: newEmail(), external_user_id });
  const found = async (token: string) =>
    (await list(`/v1/people?beginning=${external_user_id}`, token)).result.map((user) => user.user_id);
  expect(await found(tokens.main)).toEqual([user_id]);
  expect(await found(tokens.side)).toEqual([]);
});
