// "I never got my code": what support staff can see about sent and rejected messages and about a user's locks.
import { channel } from 'node:diagnostics_channel';
import { beforeAll, expect, test } from '@jest/globals';
import { background } from '../../../functions/background.ts';
import type { MailEvent } from '../../../functions/events/mail-events.ts';
import { simulateSmsEvents } from '../../../lib/local/emulators/messages/provider-events.ts';
import { loadBackground } from '../../../lib/local/load-function.ts';
import { PASSCODE_MAX_TRIES } from '../../../shared/domain/basis/limits.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { madeClient } from '../../support/fixtures/managed.ts';
import { createUser, newEmail, newPhoneNumber, useUpTries } from '../../support/fixtures/people.ts';
import { storeApplication, storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Event = Readonly<Record<string, string>>;
interface Timeline {
  readonly result: readonly Event[];
  readonly holds: readonly Event[];
  readonly next_cursor?: string;
  readonly user_id?: string;
}

const server = useTestServer({
  ...{ rateLimits: 'on', events: true },
  environment: { SMS_COUNTRIES: 'US,CA' },
});
const login = hostedLogin(server);
let [token, admin] = ['', ''];
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

const simulator = (mailbox: string) => `${mailbox}+${crypto.randomUUID()}@simulator.amazonses.com`;
const codes: string[] = [];
async function send(channel: string, identifier: string, more: object = {}) {
  const identifier_type = channel === 'sms' ? 'phone_number' : 'email';
  const asked = { channel, identifier_type, identifier, ...more };
  const { status } = await server.post('/v1/auth/otp/send', asked, { token });
  for (const { codes: found } of await server.messages({ to: identifier })) codes.push(...found);
  return status;
}
async function read(path: string, as = admin): Promise<Timeline> {
  await server.settleEvents();
  const { status, body } = await server.get<Timeline>(path, { token: as });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const readTimeline = (userId: string, query = '') => read(`/v1/users/${userId}/timeline${query}`);
const deliveriesTo = (to: string, as = admin) => read(`/v1/deliveries?to=${encodeURIComponent(to)}`, as);
const messages = ({ result }: Timeline) => result.filter(({ type }) => type?.startsWith('message.'));
/** Calls `probe` until it returns a value, because SES reports the outcome of an email some time after sending. */
async function until<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
  }
}

test.each(['My Shop', 'A-B', '12345'])(
  'an SMS is sent without the sender name "%s", which SNS does not support',
  async (sender_id) => {
    const phone_number = newPhoneNumber();
    await createUser(server, { phone_number });
    const redirect_uri = server.environment.redirect_uris[0];
    const sent = await server.post('/v1/auth/otp/sms', { phone_number, redirect_uri, sender_id }, { token });
    const message =
      'SMS sent, without the sender_id: it must be letters and digits, with at least one letter';
    expect(sent).toMatchObject({ status: 200, body: { message } });
    expect(await send('sms', phone_number, { custom_sms_input: { sender_id } })).toBe(200);
    expect(await server.messages({ to: phone_number })).toMatchObject([{ from: null }, { from: null }]);
    const leftOut = { type: 'message.sent', sms_sender: 'left_out' };
    expect(messages(await deliveriesTo(phone_number))).toMatchObject([leftOut, leftOut]);
  },
);

const { otl } = otlAt(server);

test('the timeline of a user shows why an email to the user bounced', async () => {
  const email = simulator('bounce');
  const { user_id } = await createUser(server, { email });
  expect(await send('email', email)).toBe(200);
  const bounced = await until(async () =>
    messages(await readTimeline(user_id)).find(({ type }) => type === 'message.bounced'),
  );
  expect(await send('email', email)).toBe(400);
  const lines = await logLines(async () => void (await readTimeline(user_id)));
  expect(lines).toContainEqual(expect.objectContaining({ event: 'users/user-timeline', user_id }));
  const { result, holds } = await readTimeline(user_id);
  const recipient = 'b•••@s•••.com';
  const byType = messages({ result, holds }).toSorted((one, other) =>
    String(one.type) < String(other.type) ? -1 : 1,
  );
  expect(byType).toMatchObject([
    { type: 'message.bounced', bounce: 'Permanent', status_code: '5.1.1' },
    { type: 'message.refused', refusal: 'mail_bounced', recipient },
    { type: 'message.sent', sent: 'email', recipient, message_id: bounced.message_id },
  ]);
  expect(holds).toEqual([{ reason: 'mail_bounced', since: expect.stringMatching(/Z$/) }]);
  const { stdout, stderr, code } = await otl('user', 'timeline', user_id);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('No mail is sent, because it bounced'),
  });
  expect(stdout).toContain(`Not sent to ${recipient}: mail to this address came back`);
  expect(stdout).toContain('Came back for good: General 5.1.1');
  expect(stdout).toContain(`Code sent by mail to ${recipient}`);
  // The list contains both the messages stored for the address and the messages stored for its user.
  const found = await deliveriesTo(email);
  expect([found.user_id, messages(found).length]).toEqual([user_id, 3]);
});

test('the timeline of a user lists messages and failed logins page by page until the user is erased', async () => {
  const email = simulator('success');
  const { user_id } = await createUser(server, { email });
  let status = await send('email', email);
  while (status === 200) status = await send('email', email);
  expect(status).toBe(429);
  const who = { identifier_type: 'email', identifier: email };
  const guess = (passcode: string) =>
    server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token });
  await useUpTries(guess, PASSCODE_MAX_TRIES + 1);
  const { result, holds } = await readTimeline(user_id);
  const kinds = new Set(messages({ result, holds }).map(({ type, refusal }) => refusal ?? type));
  expect([...kinds].toSorted()).toEqual(['message.delivered', 'message.sent', 'recipient_limit']);
  expect(holds).toEqual([
    {
      reason: 'wrong_codes',
      app_id: server.environment.app_id,
      until: expect.stringMatching(/Z$/),
      tries: PASSCODE_MAX_TRIES,
    },
  ]);
  expect(Date.parse(holds[0]?.until ?? '')).toBeGreaterThan(Date.now());
  expect(result.filter(({ type }) => type === 'login.failed').map((event) => event.result)).toContain(
    'auth_locked',
  );
  const paged: Event[] = [];
  let cursor: string | undefined;
  do {
    const page = await readTimeline(user_id, `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    paged.push(...page.result);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(paged).toEqual(result);
  // The export of the user's data contains the messages, too.
  const exported = await read(`/v1/users/${user_id}/export`);
  expect(JSON.stringify(exported)).toContain('message.delivered');

  const { timeline } = await server.ports(['timeline']);
  await server.delete(`/v1/users/${user_id}`, { token });
  const late = result.find(({ type }) => type === 'message.sent');
  const event: MailEvent = {
    detail: {
      eventType: 'Delivery',
      mail: { messageId: String(late?.message_id), tags: { user: [user_id] } },
      delivery: { timestamp: new Date().toISOString() },
    },
  };
  const notes = noteForComparison();
  await notes.noting('mail-events', await loadBackground('mail-events'))(event);
  notes.close();
  // A notice that is stored during the erasure is removed when the event `user.erased` is processed.
  await timeline.addMessage(user_id, { eventId: 'left', type: 'message.sent', time: 'now', detail: {} }, 0);
  const erased = { audit: ['user.erased'], time: new Date().toISOString(), request_id: 'late', user_id };
  channel('otl:log').publish(JSON.stringify({ event: 'users/delete-user', ...erased }));
  await server.settleEvents();
  expect(await timeline.listWithMessages(user_id, [user_id], { limit: 100 })).toEqual({ items: [] });
});

test('support staff can see whether the mobile network accepted an SMS', async () => {
  const [taken, refused] = ['+14254147755', '+14254147167'];
  const { user_id } = await createUser(server, { phone_number: taken });
  expect(await send('sms', taken)).toBe(200);
  const redirect_uri = server.environment.redirect_uris[0];
  const asked = { phone_number: refused, redirect_uri, create_new_user: true };
  expect((await server.post('/v1/auth/otp/sms', asked, { token })).status).toBe(200);
  const told = (type: string, read: () => Promise<Timeline>) =>
    until(async () => messages(await read()).find((event) => event.type === type));
  const delivered = await told('message.delivered', () => readTimeline(user_id));
  const bounced = await told('message.bounced', () => deliveriesTo(refused));
  expect(bounced).toMatchObject({
    sent: 'sms',
    answer: 'Phone carrier is currently unreachable/unavailable',
  });
  const [sent] = messages(await readTimeline(user_id)).filter(({ type }) => type === 'message.sent');
  expect(delivered).toMatchObject({ sent: 'sms', message_id: sent?.message_id, answer: expect.any(String) });
  expect((await otl('user', 'timeline', user_id)).stdout).toContain('Text taken by its network: Message has');
  expect((await otl('deliveries', '--to', refused)).stdout).toContain('Text not delivered: Phone carrier');
  expect(await dumpTable('people')).not.toContain(refused);

  // The erasure deletes the record that links the SMS to the user. Even if it still existed, a late report stores nothing.
  const { timeline } = await server.ports(['timeline']);
  const messageId = String(sent?.message_id);
  expect(await timeline.findText(messageId)).toEqual({
    userId: user_id,
    applicationId: server.environment.app_id,
    tenantId: server.environment.tenant_id,
    recipient: '••• ••• ••55',
  });
  await server.delete(`/v1/users/${user_id}`, { token });
  expect(await timeline.findText(messageId)).toBeUndefined();
  await timeline.rememberText(messageId, { userId: user_id }, 2 ** 31);
  const notes = noteForComparison();
  const handler = notes.noting('sms-events', await loadBackground('sms-events'));
  for (const late of simulateSmsEvents(messageId, taken)) await handler(late);
  notes.close();
  expect(await timeline.listMessages([user_id], { limit: 9 })).toEqual({ items: [] });
});

test("a code returned to the backend appears without an address in the user's timeline", async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  expect(await send('direct', email)).toBe(200);
  const [given] = messages(await readTimeline(user_id));
  expect([given?.sent, given?.recipient]).toEqual(['direct', undefined]);
});

test('an event that arrives during the erasure of its user stores no data about the user', async () => {
  const { fileMessageEvent } = await import('../../../shared/domain/support/message-events.ts');
  const { eraseUser } = await import('../../../shared/domain/users/erase-user.ts');
  const { people, timeline } = await erasing();
  const event = (eventId: string) =>
    ({ eventId, type: 'message.bounced', time: new Date().toISOString(), detail: {} }) as const;
  // Simulates an event that is stored just before the erasure deletes the user's record.
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  // Waits for the event of the user's creation, which could otherwise be stored during the erasure.
  await server.settleEvents();
  const remove = people.userRecords.remove;
  const userRecords = {
    ...people.userRecords,
    remove: async (id: string) => {
      await fileMessageEvent(people, { userId }, event('between'));
      return remove(id);
    },
  };
  const tenant = await people.tenants.find(server.environment.tenant_id);
  if (!tenant) throw new Error('there is no tenant');
  const { withoutTimeLimit } = await import('../../../shared/domain/jobs/job.ts');
  await eraseUser(
    { ...people, userRecords },
    { tenant, userId },
    withoutTimeLimit(Math.floor(Date.now() / 1000)),
  );
  expect(await timeline.listWithMessages(userId, [userId], { limit: 10 })).toEqual({ items: [] });
  await fileMessageEvent(people, { userId }, event('after'));
  expect(await timeline.listWithMessages(userId, [userId], { limit: 10 })).toEqual({ items: [] });
});

async function erasing() {
  const people = await server.ports([
    ...(['userRecords', 'users', 'tenants', 'identifierReservations', 'applicationRecords'] as const),
    ...(['formerApplications', 'knownDeviceRecords', 'otps', 'testCodes', 'guesses'] as const),
    ...(['sessions', 'passkeyRecords', 'windowRecords', 'timeline', 'jobs'] as const),
  ]);
  return { people, timeline: people.timeline };
}

test('support staff can find messages to an address that belongs to no user', async () => {
  const [stranger, unknown] = [newEmail('stranger'), newEmail('unknown')];
  const redirect_uri = server.environment.redirect_uris[0];
  const asked = { email: stranger, redirect_uri, create_new_user: true };
  expect((await server.post('/v1/auth/otp/email', asked, { token })).status).toBe(200);
  const number = newPhoneNumber();
  expect(await send('sms', number)).toBe(404);
  const { clientId: client_id } = await storeApplication(server);
  const page = await login.browser().open(login.address({ client_id }));
  await page.submit({ identifier: unknown, method: 'email' });
  expect(messages(await deliveriesTo(stranger))).toMatchObject([{ type: 'message.sent', sent: 'email' }]);
  expect(messages(await deliveriesTo(unknown))).toMatchObject([{ refusal: 'no_user' }]);
  expect(messages(await deliveriesTo(number))).toMatchObject([{ refusal: 'no_user' }]);
  const { stdout, stderr } = await otl('deliveries', '--to', unknown.toUpperCase());
  expect(stderr).toContain('No user has this address.');
  expect(stdout).toContain('no user has this address, and sign-up is off');
  for (const table of ['people', 'flows'] as const) {
    const dump = await dumpTable(table);
    for (const address of [stranger, unknown, number]) expect(dump).not.toContain(address);
  }
});

test("a user's timeline shows why messages to a disabled user or to a phone number at risk were rejected", async () => {
  const [email, phone_number] = [newEmail(), newPhoneNumber()];
  const { user_id } = await createUser(server, { email, phone_number });
  expect(await send('sms', phone_number)).toBe(200);
  await server.put(`/v1/users/${user_id}/phone-risk`, { signal: 'sim_swap' }, { token });
  expect(await send('sms', phone_number)).toBe(400);
  await server.put(`/v1/users/${user_id}`, { status: 'Disabled' }, { token });
  await (await login.browser().open(login.address())).submit({ identifier: email, method: 'email' });
  const before = await readTimeline(user_id);
  expect(messages(before).map(({ type, refusal }) => refusal ?? type)).toEqual([
    ...['user_disabled', 'number_at_risk', 'message.sent'],
  ]);
  expect(before.holds.map(({ reason }) => reason)).toEqual(['user_disabled', 'number_at_risk']);
  const { forward } = await import('../../../functions/events/event-forwarder.ts');
  const ports = await server.ports(background['event-forwarder'].uses);
  const published: unknown[] = [];
  const bus = { publish: async (events: readonly unknown[]) => void published.push(...events) };
  const again = {
    ...{ id: 'request/message.sent', type: 'message.sent', time: new Date().toISOString() },
    ...{ tenant_id: server.environment.tenant_id, user_id, sent: 'email', request_id: 'request' },
  };
  for (const _ of [1, 2]) await forward({ ...ports, bus }, [again], 60);
  expect(published).toEqual([]);
  expect(messages(await readTimeline(user_id))).toHaveLength(messages(before).length + 1);
});

test('other tenants and clients without the permission cannot list the messages to a user', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  await send('email', email);
  await server.settleEvents();
  const other = await storeTenant(server);
  const manager = await storeManager(server, other.application.tenantId);
  const foreign = await server.clientToken(manager);
  const side = await madeClient(server, { permissions: ['auth:execute'] }, undefined, admin);
  const weak = await server.clientToken({ clientId: side.client_id, clientSecret: side.client_secret });
  const path = `/v1/users/${user_id}/timeline`;
  expect((await server.get(path, { token: foreign })).status).toBe(404);
  expect(await read(`/v1/deliveries?to=${email}`, foreign)).toEqual({ result: [] });
  // A request for a user of another tenant gets 404 and stores no message in that user's timeline.
  const asked = { channel: 'email', identifier_type: 'user_id', identifier: user_id };
  const stranger = await server.clientToken(other);
  expect((await server.post('/v1/auth/otp/send', asked, { token: stranger })).status).toBe(404);
  for (const address of [path, `/v1/deliveries?to=${email}`])
    expect((await server.get(address, { token: weak })).status).toBe(403);
  expect(messages(await readTimeline(user_id))).toHaveLength(1);
  const dump = await dumpTable('people');
  expect(codes.length).toBeGreaterThan(3);
  for (const code of codes) expect(dump).not.toMatch(new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`));
});

test("a user's timeline shows that a login was rejected because its credential is superseded", async () => {
  const [email, phone_number] = [newEmail(), newPhoneNumber()];
  const { user_id } = await createUser(server, { email });
  await tokensBy(server, 'email', email);
  await server.put(`/v1/users/${user_id}`, { phone_number }, { token });
  await tokensBy(server, 'sms', phone_number);
  expect(await send('email', email)).toBe(200);
  const given = { identifier_type: 'email', identifier: email, passcode: await server.codeTo(email) };
  const refused = await server.post('/v1/auth/otp/authenticate', given, { token });
  expect(refused).toMatchObject({ status: 403, body: { error_code: 'additional_factor_required' } });
  await readTimeline(user_id);
  expect((await otl('user', 'timeline', user_id)).stdout).toContain('the credential is superseded');
});
