// The person of a request ID, which error pages tell people to give to support.
import { beforeAll, expect, test } from '@jest/globals';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Person = Readonly<Record<string, unknown>>;

const server = useTestServer({ rateLimits: 'off', events: true });
let [token, admin] = ['', ''];
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

/** Submits a wrong code for a new user. Returns the user and the request ID of the response. */
async function failedLogin() {
  const email = newEmail();
  const { user_id: userId } = await createUser(server, { email });
  const about = { identifier_type: 'email', identifier: email };
  await server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token });
  const { headers } = await server.post(
    '/v1/auth/otp/authenticate',
    { passcode: '0000000', ...about },
    { token },
  );
  await server.settleEvents();
  return { email, userId, requestId: headers.get('x-request-id') ?? '' };
}

async function find(
  text: string,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${admin}` },
) {
  const { status, body } = await server.request<{ result: readonly Person[] }>(
    `/v1/people?beginning=${encodeURIComponent(text)}`,
    { headers },
  );
  expect(status).toBe(200);
  return body.result;
}

test('an operator can find the user of a failed login by the request ID', async () => {
  const { userId, requestId } = await failedLogin();
  expect(await find(requestId)).toMatchObject([{ user_id: userId, found_by: 'request_id' }]);
  expect(await find(requestId.slice(0, -1))).toEqual([]);
  expect(await find(requestId.toUpperCase().replaceAll('-', '_'))).toEqual([]);
});

test('an operator can find the recipient of a message that could not be sent by the request ID', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  await server.faults.inject({ service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 });
  const sending = { channel: 'email', identifier_type: 'email', identifier: email };
  const { headers } = await server.post('/v1/auth/otp/send', sending, { token });
  await server.settleEvents();
  expect(await find(headers.get('x-request-id') ?? '')).toMatchObject([{ user_id, found_by: 'request_id' }]);
});

test('an operator cannot find a user by the request ID of a successful request, which is not indexed', async () => {
  const email = newEmail();
  await createUser(server, { email });
  const sending = { channel: 'email', identifier_type: 'email', identifier: email };
  const { headers } = await server.post('/v1/auth/otp/send', sending, { token });
  await server.settleEvents();
  expect(await find(headers.get('x-request-id') ?? '')).toEqual([]);
});

test('an operator with the role viewer can find a user by request ID but does not see the address', async () => {
  const { email, userId, requestId } = await failedLogin();
  const viewer = await createOperator(server, 'viewer');
  const found = await find(requestId, viewer.headers());
  expect(found).toMatchObject([{ user_id: userId }]);
  expect(JSON.stringify(found)).not.toContain(email);
});

test('clients, and management clients of other tenants, cannot find a user by request ID', async () => {
  const { requestId } = await failedLogin();
  const other = await storeTenant(server);
  const manager = await server.clientToken(await storeManager(server, other.application.tenantId));
  for (const caller of [token, manager])
    expect(await find(requestId, { authorization: `Bearer ${caller}` })).toEqual([]);
});

test('after a user was erased, an operator cannot find the user by a request ID', async () => {
  const { userId, requestId } = await failedLogin();
  expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
  await server.settleEvents();
  expect(await find(requestId)).toEqual([]);
  expect(await dumpTable('people')).not.toContain(requestId);
});
