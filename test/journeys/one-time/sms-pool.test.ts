// SMS that AWS End User Messaging sends in place of SNS.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createProvenUser, newPhoneNumber } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const SMS_POOL = 'arn:aws:sms-voice:eu-central-1:000000000000:pool/pool-1';
const server = useTestServer({
  rateLimits: 'off',
  events: true,
  environment: { SMS_POOL, SMS_CONFIGURATION_SET: 'login' },
});
let token: string;
let admin: string;
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

async function createRecipient(phone = newPhoneNumber()) {
  await createProvenUser(server, { phone_number: phone });
  return phone;
}

const send = (to: string, fields: object = {}) =>
  server.post(
    '/v1/auth/otp/send',
    { channel: 'sms', identifier_type: 'phone_number', identifier: to, ...fields },
    { token },
  );
const authenticate = async (to: string, passcode: string | undefined) =>
  (
    await server.post(
      '/v1/auth/otp/authenticate',
      { identifier_type: 'phone_number', identifier: to, passcode },
      { token },
    )
  ).status;

async function readDeliveries(to: string) {
  await server.settleEvents();
  const { body } = await server.get<{ result: Record<string, string>[] }>(
    `/v1/deliveries?${new URLSearchParams({ to })}`,
    { token: admin },
  );
  return body.result;
}

type Fault = Parameters<typeof server.faults.inject>[0];

const failWith = (fault: Omit<Fault, 'service'>) =>
  server.faults.inject({ service: 'sms-voice', action: 'SendTextMessage', times: 1, ...fault });

describe('SMS by AWS End User Messaging', () => {
  test('an SMS with a passcode is sent from the phone pool with one call to AWS End User Messaging', async () => {
    const to = await createRecipient();
    await send(to);
    server.resetMetrics();
    expect((await send(to)).status).toBe(200);
    const { aws_calls: calls } = Object.values(server.metrics())[0] ?? { aws_calls: {} };
    expect(calls).toMatchObject({ 'sms-voice.SendTextMessage': 1 });
    expect(Object.keys(calls).filter((name) => name.startsWith('sns.'))).toEqual([]);
    expect((await server.messages({ to }))[0]).toMatchObject({ channel: 'sms', from: null });
    expect(await authenticate(to, await server.codeTo(to))).toBe(200);
  });

  test('a sender ID in the request replaces the phone pool as the sender of an SMS', async () => {
    const to = await createRecipient();
    expect((await send(to, { custom_sms_input: { sender_id: 'SHOP' } })).status).toBe(200);
    expect(await server.messages({ to })).toMatchObject([{ from: 'SHOP' }]);
  });

  test.each([
    ['+14254147755', 'message.delivered'],
    ['+14254147167', 'message.bounced'],
  ])(
    'the delivery report of the simulator phone number %s is published as the event %s',
    async (number, type) => {
      const to = await createRecipient(number);
      expect((await send(to)).status).toBe(200);
      // The report is stored after the response, like one that AWS sends.
      while (!(await readDeliveries(to)).some((each) => each.type === type));
    },
  );
});

describe('errors of AWS End User Messaging', () => {
  test.each([
    'ConflictException',
    'ResourceNotFoundException',
    'ServiceQuotaExceededException',
    'ValidationException',
  ])('the error %s of AWS End User Messaging is reported as a rejection by the provider', async (code) => {
    const to = await createRecipient();
    await failWith({ effect: 'error', code, status: 400 });
    expect((await send(to)).status).toBe(400);
    expect(await server.messages({ to })).toEqual([]);
    expect(await readDeliveries(to)).toMatchObject([
      { type: 'message.refused', refusal: 'provider_refused', provider_error: code },
    ]);
  });

  test('a throttled call to AWS End User Messaging is repeated, because no SMS was sent', async () => {
    const to = await createRecipient();
    await failWith({ effect: 'error', code: 'ThrottlingException', status: 400, times: 2 });
    expect((await send(to)).status).toBe(200);
    expect(await server.messages({ to })).toHaveLength(1);
  });

  test.each([
    ['loses its response', { effect: 'lost-answer' }],
    ['returns an internal error', { effect: 'error', code: 'InternalServerException', status: 500 }],
    ['does not respond in time', { effect: 'latency', latency_ms: 9000 }],
  ] as const)(
    'if the call that sends an SMS %s, the SMS is not sent again, and an earlier code stays valid',
    async (_, effect) => {
      const to = await createRecipient();
      await send(to);
      const code = await server.codeTo(to);
      await failWith(effect);
      expect((await send(to)).status).toBe(503);
      expect((await server.messages({ to })).length).toBeLessThanOrEqual(2);
      expect(await authenticate(to, code)).toBe(200);
    },
  );

  test('a missing permission for the phone pool causes an internal error that does not name the pool', async () => {
    const to = await createRecipient();
    await failWith({ effect: 'error', code: 'AccessDeniedException', status: 400 });
    const { status, body } = await send(to);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain(SMS_POOL);
    server.internalErrors.length = 0;
  });
});
