// Delivery reports by sender functions (Lambda functions that send messages), and attacks on the tokens of these reports.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SENT_SMS_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { createProvenUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import {
  prepareResult,
  type SenderEvent,
  senderEvents,
  sentByFunction,
} from '../../support/providers/senders.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true, environment: sentByFunction });
let token: string;
let admin: string;
const signIn = async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
};
beforeAll(signIn);

const send = (to: string) =>
  server.post(
    '/v1/auth/otp/send',
    to.startsWith('+')
      ? { channel: 'sms', identifier_type: 'phone_number', identifier: to }
      : { channel: 'email', identifier_type: 'email', identifier: to },
    { token },
  );

/** Sends a code to a new user. Returns the event with which the sender function was invoked. */
async function sendToNewUser(to: string): Promise<SenderEvent & { readonly userId: string }> {
  const person = to.startsWith('+') ? { phone_number: to } : { email: to };
  const user = await createProvenUser(server, person);
  await send(to);
  const [event] = await senderEvents(server, to);
  if (!event) throw new Error('the function was not invoked');
  return { ...event, userId: user.user_id };
}

const report = (fields: object) => server.post('/v1/deliveries/callback', fields);

async function readDeliveries(to: string) {
  await server.settleEvents();
  const query = new URLSearchParams({ to });
  const { body } = await server.get<{ result: Record<string, string>[] }>(`/v1/deliveries?${query}`, {
    token: admin,
  });
  return body.result.filter(({ type }) => type !== 'message.sent');
}

describe("delivery reports from an operator's sender function", () => {
  test.each([
    ['delivered', 'message.delivered', {}],
    ['delayed', 'message.delayed', { delay: 'Phone is off' }],
    ['failed', 'message.bounced', { answer: 'Phone is off' }],
  ] as const)(
    'a delivery report about an SMS with the status %s is stored as the event %s',
    async (status, type, fields) => {
      const { to, callback, message_id } = await sendToNewUser(newPhoneNumber());
      expect((await report({ token: callback.token, status, answer: 'Phone is off' })).status).toBe(204);
      expect(await readDeliveries(to)).toMatchObject([{ type, message_id, ...fields }]);
    },
  );

  test.each([
    ['bounced', 'message.bounced'],
    ['complained', 'message.complained'],
  ] as const)(
    'after a delivery report with the status %s, no more emails are sent to the address',
    async (status, type) => {
      const { to, callback } = await sendToNewUser(newEmail());
      expect((await report({ token: callback.token, status })).status).toBe(204);
      expect(await readDeliveries(to)).toMatchObject([{ type }]);
      expect((await send(to)).status).toBe(400);
      expect(await senderEvents(server, to)).toHaveLength(1);
    },
  );

  test('after a delivery report with the status failed, emails are still sent to the address', async () => {
    const { to, callback } = await sendToNewUser(newEmail());
    await report({ token: callback.token, status: 'failed' });
    expect(await readDeliveries(to)).toMatchObject([{ type: 'message.bounced', bounce: 'Transient' }]);
    expect((await send(to)).status).toBe(200);
  });

  test('a delivery report is stored even if the sender function could not say whether the message was sent', async () => {
    const to = newPhoneNumber();
    await createProvenUser(server, { phone_number: to });
    await prepareResult(server, { outcome: 'unknown' });
    expect((await send(to)).status).toBe(503);
    const [event] = await senderEvents(server, to);
    expect((await report({ token: event?.callback.token, status: 'delivered' })).status).toBe(204);
    const { message_id } = event ?? {};
    expect(await readDeliveries(to)).toMatchObject([
      { type: 'message.delivered', message_id },
      { type: 'message.refused', refusal: 'provider_unreachable', message_id },
    ]);
  });

  test('phone numbers in the text of a delivery report are removed before the report is stored', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    await report({ token: callback.token, status: 'failed', answer: `No route to ${to}` });
    expect(await readDeliveries(to)).toMatchObject([{ answer: 'No route to …' }]);
  });

  test('a delivery report about a message to an erased user is not stored', async () => {
    const { to, callback, userId } = await sendToNewUser(newPhoneNumber());
    await server.settleEvents();
    await server.delete(`/v1/users/${userId}`, { token: admin });
    expect((await report({ token: callback.token, status: 'delivered' })).status).toBe(204);
    expect(await readDeliveries(to)).toEqual([]);
    const { timeline } = await server.ports(['timeline.listMessages']);
    expect((await timeline.listMessages([userId], { limit: 10 })).items).toEqual([]);
  });
});

describe('attacks on delivery report tokens', () => {
  test('ten concurrent delivery reports with the same token are stored as one event', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    const answers = await atOnce(10, () => report({ token: callback.token, status: 'delivered' }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    expect(await readDeliveries(to)).toHaveLength(1);
  });

  test('a delivery report repeated an hour later is not stored again', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    await report({ token: callback.token, status: 'delivered' });
    await server.advanceClock(3600);
    await signIn();
    expect((await report({ token: callback.token, status: 'delivered' })).status).toBe(204);
    expect(await readDeliveries(to)).toHaveLength(1);
  });

  test('a delivery report that could not be stored can be repeated three seconds later', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    const body = { token: callback.token, status: 'delivered' };
    const action = 'PutItem';
    // The first write marks the report as received, and the second write, which fails, stores the event.
    const fault = { service: 'dynamodb', action, operation: 'reportDelivery', effect: 'error' } as const;
    await server.faults.inject({ ...fault, code: 'Throttling', skip: 1 });
    expect((await report(body)).status).toBe(503);
    await server.faults.clear();
    await server.advanceClock(3);
    expect((await report(body)).status).toBe(204);
    expect(await readDeliveries(to)).toHaveLength(1);
  });

  test('a delivery report with an expired token is rejected', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    await server.advanceClock(SENT_SMS_KEPT_SECONDS);
    await signIn();
    const answer = await report({ token: callback.token, status: 'delivered' });
    expect(answer).toMatchObject({ status: 400 });
    expect(JSON.stringify(answer.body)).not.toContain(callback.token);
    expect(await readDeliveries(to)).toEqual([]);
  });

  test('a delivery report with a forged or altered token is rejected', async () => {
    const { callback, to } = await sendToNewUser(newPhoneNumber());
    const [day = '', sealed = ''] = callback.token.split('.');
    const forged = Buffer.from(JSON.stringify({ messageId: 'x', sent: 'sms', to })).toString('base64url');
    const flipped = Buffer.from(sealed, 'base64url');
    flipped.writeUInt8((flipped.at(20) ?? 0) ^ 1, 20);
    for (const altered of [
      `${day}.${forged}`,
      `${day}.${flipped.toString('base64url')}`,
      `2020-01-01.${sealed}`,
      `${day.slice(0, -2)}99.${sealed}`,
      sealed,
      `${day}.`,
      'x'.repeat(2000),
    ])
      expect((await report({ token: altered, status: 'delivered' })).status).toBe(400);
    expect(await readDeliveries(to)).toEqual([]);
  });

  test('a delivery report applies only to the message of its token, whatever message or user the report names', async () => {
    const [mine, victim] = [await sendToNewUser(newEmail()), await sendToNewUser(newEmail())];
    const { to, message_id, userId } = victim;
    const named = { to, message_id, user_id: userId, tenant_id: server.environment.tenant_id };
    await report({ ...named, token: mine.callback.token, status: 'bounced' });
    expect(await readDeliveries(to)).toEqual([]);
    expect(await findUser(server, userId)).not.toHaveProperty('email.undeliverable');
    expect(await readDeliveries(mine.to)).toHaveLength(1);
  });

  test('a delivery report about a bounced SMS does not flag the phone number as undeliverable', async () => {
    const { to, callback } = await sendToNewUser(newPhoneNumber());
    expect((await report({ token: callback.token, status: 'bounced' })).status).toBe(204);
    expect((await send(to)).status).toBe(200);
  });

  test('a delivery report with a forged token of another day causes no AWS call', async () => {
    server.resetMetrics();
    await report({ token: `2020-02-02.${'a'.repeat(300)}`, status: 'delivered' });
    expect(Object.values(server.metrics()).flatMap(({ aws_calls }) => Object.keys(aws_calls))).toEqual([]);
  });

  test.each([
    ['an unknown status', { status: 'lost' }],
    ['no token', { token: undefined }],
    ['an answer of more than 200 characters', { answer: 'x'.repeat(201) }],
  ])('a delivery report with %s is rejected', async (_, fields) => {
    const { callback } = await sendToNewUser(newPhoneNumber());
    expect((await report({ token: callback.token, status: 'delivered', ...fields })).status).toBe(400);
  });
});
