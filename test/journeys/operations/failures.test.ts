// List of a tenant's failed messages (`GET /v1/deliveries?status=failed`): its contents, access to it, and erasures.
import { beforeAll, expect, test } from '@jest/globals';
import type { MailEvent } from '../../../functions/events/mail-events.ts';
import { createSmsDeliveryEvent } from '../../../lib/local/emulators/messages/provider-events.ts';
import { made, madeClient } from '../../support/fixtures/managed.ts';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { loadBackground } from '../../support/server/load-function.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Event = Readonly<Record<string, string>>;
interface Page {
  readonly result: readonly Event[];
  readonly next_cursor?: string;
}

const server = useTestServer({ rateLimits: 'off', events: true });
const { otl } = otlAt(server);
let [token, admin] = ['', ''];
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

/** Creates a user and requests an email code that SES rejects. */
async function makeFailure(as = token): Promise<{ readonly email: string; readonly userId: string }> {
  const email = newEmail();
  const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', { email }, as);
  await server.faults.inject({ service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 });
  await send(email, as);
  return { email, userId };
}

const send = (identifier: string, as = token) =>
  server.post('/v1/auth/otp/send', { channel: 'email', identifier_type: 'email', identifier }, { token: as });

async function listPage(query = '', as = admin): Promise<Page> {
  await server.settleEvents();
  const { status, body } = await server.get<Page>(`/v1/deliveries?status=failed${query}`, { token: as });
  expect(status).toBe(200);
  return body;
}
const listFailures = async (query = '', as = admin) => (await listPage(query, as)).result;
const usersIn = (events: readonly Event[]) => events.map(({ user_id }) => user_id);

async function report(entry: 'mail-events' | 'sms-events', event: object): Promise<void> {
  const notes = noteForComparison();
  await notes.noting(entry, await loadBackground(entry))(event);
  notes.close();
}

const reportBounce = (messageId: string, email: string, tags: object) => {
  const timestamp = new Date().toISOString();
  const bouncedRecipients = [{ emailAddress: email, status: '5.1.1' }];
  const bounce = { bounceType: 'Permanent', bounceSubType: 'NoEmail', timestamp, bouncedRecipients };
  const detail = { eventType: 'Bounce', mail: { messageId, timestamp, tags }, bounce };
  return report('mail-events', { detail } as MailEvent);
};

const ofUser = (failures: readonly Event[], userId: string) =>
  failures.filter(({ user_id }) => user_id === userId);
const masked = expect.stringMatching('•••');

test('the list of failed messages shows operators the reason, the user and the masked address of each message', async () => {
  const { userId } = await makeFailure();
  const failures = await listFailures();
  expect(ofUser(failures, userId)).toMatchObject([
    { type: 'message.refused', refusal: 'provider_refused', recipient: masked },
  ]);
  expect(failures.filter(({ type }) => type === 'message.sent')).toEqual([]);
  expect(JSON.stringify(failures)).not.toMatch(/@example\.com|\+1\d/);
});

test('the list of failed messages contains an email that bounced', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  await reportBounce('mail-1', email, { user: [user_id], tenant: [server.environment.tenant_id] });
  expect(ofUser(await listFailures(), user_id)).toMatchObject([
    { type: 'message.bounced', sent: 'email', status_code: '5.1.1', recipient: masked },
  ]);
});

test('the list of failed messages contains an SMS that the network did not deliver', async () => {
  const phone_number = newPhoneNumber();
  const { user_id } = await createUser(server, { phone_number });
  const sms = { channel: 'sms', identifier_type: 'phone_number', identifier: phone_number };
  expect((await server.post('/v1/auth/otp/send', sms, { token })).status).toBe(200);
  await server.settleEvents();
  const { body } = await server.get<Page>(`/v1/users/${user_id}/timeline`, { token: admin });
  const text = body.result.find(({ type }) => type === 'message.sent');
  const event = createSmsDeliveryEvent(String(text?.message_id), phone_number, ['FAILURE', 'Unreachable']);
  await report('sms-events', event);
  const failed = { type: 'message.bounced', sent: 'sms', answer: 'Unreachable', recipient: masked };
  expect(ofUser(await listFailures(), user_id)).toContainEqual(expect.objectContaining(failed));
});

test('otl lists the failed messages of a tenant with their users', async () => {
  const { userId } = await makeFailure();
  await server.settleEvents();
  const { stdout, stderr } = await otl('deliveries', '--status', 'failed');
  expect([stdout, stderr]).toEqual([expect.stringContaining(userId), '']);
});

test('the list of failed messages of a tenant begins at the requested time and continues on the next page', async () => {
  const [first, second] = [await makeFailure(), await makeFailure()];
  const all = await listFailures();
  const timeOf = (userId: string) => all.find(({ user_id }) => user_id === userId)?.time ?? '';
  const since = `&since=${timeOf(second.userId)}`;
  const later = usersIn(await listFailures(since));
  expect([later.includes(first.userId), later.includes(second.userId)]).toEqual([false, true]);
  const paged: Event[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(`&limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    paged.push(...page.result);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(paged).toEqual(await listFailures());
  // A cursor from before the requested time must not return older messages.
  const { next_cursor } = await listPage('&limit=1');
  const old = Buffer.from(`2020-01-01T00:00:00.000Z#${'x'.repeat(9)}`).toString('base64url');
  expect(next_cursor).toBeDefined();
  expect(await listFailures(`${since}&cursor=${old}`)).toEqual([]);
});

test('the list of failed messages to an address does not contain messages that were sent', async () => {
  const { email } = await makeFailure();
  expect((await send(email)).status).toBe(200);
  const ofAddress = `&to=${encodeURIComponent(email)}`;
  const failures = await listFailures(ofAddress);
  expect(failures).toMatchObject([{ type: 'message.refused' }]);
  expect(await listFailures(`${ofAddress}&since=${failures[0]?.time}`)).toEqual(failures);
  expect(await listFailures(`${ofAddress}&since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
});

test.each([
  ['neither an address nor a status', '', 'to: is required'],
  ['an unknown status', '?status=sent', 'status'],
  ['a start time that is not a date', '?status=failed&since=yesterday', 'since: '],
  ['a start time with an invalid UTC offset', '?status=failed&since=2026-11-21T09:30:00%2B23', 'since: '],
  ['a forged cursor', '?status=failed&cursor=%25', 'cursor: invalid'],
])('a request for deliveries with %s is rejected', async (_title, query, message) => {
  const { status, body } = await server.get<{ message: string }>(`/v1/deliveries${query}`, { token: admin });
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
});

test("the list of failed messages never contains messages of another tenant, even with that tenant's ID or cursor", async () => {
  const { userId } = await makeFailure();
  const other = await storeTenant(server);
  const { tenantId } = other.application;
  const manager = await server.clientToken(await storeManager(server, tenantId));
  const theirs = await makeFailure(await server.clientToken(other));
  const { next_cursor: cursor } = await listPage('&limit=1');
  for (const query of ['', `&tenant_id=${server.environment.tenant_id}`, `&cursor=${cursor}`]) {
    const seen = usersIn(await listFailures(query, manager));
    expect([query, seen.includes(userId)]).toEqual([query, false]);
  }
  expect(usersIn(await listFailures('', manager))).toEqual([theirs.userId]);
  expect(usersIn(await listFailures())).not.toContain(theirs.userId);
  // An operator's request for a tenant in which the operator has no role is rejected.
  const support = await createOperator(server, 'viewer');
  const path = '/v1/deliveries?status=failed';
  const foreign = { ...support.headers(), 'otl-tenant': tenantId };
  expect((await server.request(path, { headers: foreign })).status).toBe(403);
  expect((await server.request(path, { headers: support.headers() })).status).toBe(200);
});

test('a client needs users:read to list failed messages, and gets only messages of its own application', async () => {
  const { userId } = await makeFailure();
  const path = '/v1/deliveries?status=failed';
  const clientWith = async (permissions: readonly string[]) => {
    const { client_id: clientId, client_secret: clientSecret } = await madeClient(
      server,
      { permissions },
      undefined,
      admin,
    );
    return server.clientToken({ clientId, clientSecret });
  };
  const weak = await clientWith(['auth:execute']);
  expect((await server.get(path, { token: weak })).status).toBe(403);
  const reader = await clientWith(['users:read']);
  expect(usersIn(await listFailures('', reader))).not.toContain(userId);
});

test('erasing a user also removes the user’s failed messages, even those reported after the erasure', async () => {
  const { email, userId } = await makeFailure();
  expect(usersIn(await listFailures())).toContain(userId);
  expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
  expect(usersIn(await listFailures())).not.toContain(userId);
  await reportBounce('late', email, { user: [userId], tenant: [server.environment.tenant_id] });
  expect(usersIn(await listFailures())).not.toContain(userId);
  expect(await dumpTable('people')).not.toContain(`${userId}"`);
});
