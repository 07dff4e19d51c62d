// The attacker has a token from a login before an address of the user changed, or a token of a deleted application.
import { describe, expect, test } from '@jest/globals';
import { createUser, newEmail, newPhoneNumber, replaceUser } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  demoManager,
  exchange,
  expectDead,
  introspect,
  refresh,
  storeCode,
} from '../support/tools/authorized.ts';

const server = useTestServer();

async function loggedIn() {
  const [email, phone_number] = [newEmail(), newPhoneNumber()];
  const { user_id } = await createUser(server, { email, phone_number });
  const { body: tokens } = await exchange(server, await storeCode(server, user_id));
  return { email, user_id, tokens };
}

const change = async (userId: string, fields: object) =>
  (await server.put(`/v1/users/${userId}`, fields, { token: await server.clientToken() })).status;

const isAlive = async (token: string) => (await introspect(server, token)).active;

describe("tokens issued before a user's email address or phone number changed", () => {
  test.each([
    ['email address was replaced', () => ({ email: newEmail() })],
    ['phone number was replaced', () => ({ phone_number: newPhoneNumber() })],
    ['phone number was removed', () => ({ phone_number: null })],
  ])("tokens of earlier logins are revoked after the user's %s", async (_, fields) => {
    const { user_id, tokens } = await loggedIn();
    expect(await change(user_id, fields())).toBe(200);
    await expectDead(server, tokens);

    const { body } = await exchange(server, await storeCode(server, user_id));
    expect(await isAlive(body.access_token)).toBe(true);
  });

  test('if a request to change the address contains end_sessions: false, tokens of earlier logins stay valid', async () => {
    const { email, user_id, tokens } = await loggedIn();
    for (const fields of [
      { name: { first_name: 'Ann' }, email, username: 'ann.of.sessions' },
      { email: email.toUpperCase() },
      { email: newEmail(), end_sessions: false },
    ])
      expect(await change(user_id, fields)).toBe(200);
    expect(await isAlive(tokens.access_token)).toBe(true);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test("changing a user's address with otl revokes the tokens of earlier logins", async () => {
    const { user_id, tokens } = await loggedIn();
    const update = (...flags: string[]) =>
      otlWith({ OTL_ENDPOINT: server.url }, ['user', 'update', user_id, '--email', newEmail(), ...flags]);
    expect((await update('--end-sessions', 'false')).code).toBe(0);
    expect(await isAlive(tokens.access_token)).toBe(true);
    expect((await update()).code).toBe(0);
    await expectDead(server, tokens);
  });

  test("adding a user's first phone number does not revoke the tokens of earlier logins", async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const { body } = await exchange(server, await storeCode(server, user_id));
    expect(await change(user_id, { phone_number: newPhoneNumber() })).toBe(200);
    expect(await isAlive(body.access_token)).toBe(true);
  });
});

describe('tokens of a login whose credentials were superseded', () => {
  test('tokens are rejected once the credentials of their login are superseded', async () => {
    const { user_id, tokens } = await loggedIn();
    await replaceUser(server, user_id, ({ generations: { highest } }) => ({
      generations: { valid: [highest + 1], highest: highest + 1 },
    }));
    await expectDead(server, tokens);

    const { body } = await exchange(server, await storeCode(server, user_id));
    expect(await isAlive(body.access_token)).toBe(true);
    expect(await isAlive(body.refresh_token)).toBe(true);
  });
});

describe('use of tokens after their application was deleted', () => {
  test('user tokens of a deleted application are inactive and are rejected by every operation', async () => {
    const { application, ...client } = await storeApplication(server);
    const { user_id } = await createUser(server, { email: newEmail() });
    const place = { applicationId: application.applicationId, clientId: client.clientId };
    const code = await storeCode(server, user_id, place);
    const { body } = await exchange(server, code, {}, client);
    const own = await exchange(server, await storeCode(server, user_id));
    const reached = async (token: string) => [
      (await server.get('/oidc/me', { token })).status,
      (await server.get(`/v1/auth/users/${user_id}/sessions`, { token })).status,
    ];
    expect(await reached(body.access_token)).toEqual([200, 200]);

    const admin = await server.adminToken();
    const gone = await server.delete(`/v1/applications/${application.applicationId}`, { token: admin });
    expect(gone.status).toBe(204);
    expect(await reached(body.access_token)).toEqual([401, 401]);
    const management = demoManager(server);
    expect(await introspect(server, body.access_token, management)).toEqual({ active: false });

    expect(await reached(own.body.access_token)).toEqual([200, 200]);
    expect(await introspect(server, own.body.access_token, management)).toMatchObject({ active: true });
  });
});
