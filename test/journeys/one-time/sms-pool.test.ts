// SMS that AWS End User Messaging sends in place of SNS.
import { describe, expect, test } from '@jest/globals';
import { passcodes } from '../../support/providers/senders.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const SMS_POOL = 'arn:aws:sms-voice:eu-central-1:000000000000:pool/pool-1';
const server = useTestServer({
  rateLimits: 'off',
  events: true,
  environment: { SMS_POOL, SMS_CONFIGURATION_SET: 'login' },
});
const { createRecipient, send, authenticate, readDeliveries } = passcodes(server);

type Fault = Parameters<typeof server.faults.inject>[0];

const failWith = (fault: Omit<Fault, 'service'>) =>
  server.faults.inject({ service: 'sms-voice', action: 'SendTextMessage', times: 1, ...fault });

describe('SMS by AWS End User Messaging', () => {
  test('an SMS with a passcode is sent from the phone pool with one call to AWS End User Messaging', async () => {
    const { to } = await createRecipient('sms');
    await send('sms', to);
    server.resetMetrics();
    expect((await send('sms', to)).status).toBe(200);
    const { aws_calls: calls } = Object.values(server.metrics())[0] ?? { aws_calls: {} };
    expect(calls).toMatchObject({ 'sms-voice.SendTextMessage': 1 });
    expect(Object.keys(calls).filter((name) => name.startsWith('sns.'))).toEqual([]);
    expect((await server.messages({ to }))[0]).toMatchObject({ channel: 'sms', from: null });
    expect(await authenticate('sms', to, await server.codeTo(to))).toBe(200);
  });

  test('a sender ID in the request replaces the phone pool as the sender of an SMS', async () => {
    const { to } = await createRecipient('sms');
    expect((await send('sms', to, { custom_sms_input: { sender_id: 'SHOP' } })).status).toBe(200);
    expect(await server.messages({ to })).toMatchObject([{ from: 'SHOP' }]);
  });

  test.each([
    ['+14254147755', 'message.delivered'],
    ['+14254147167', 'message.bounced'],
  ])(
    'the delivery report of the simulator phone number %s is published as the event %s',
    async (number, type) => {
      const { to } = await createRecipient('sms', number);
      expect((await send('sms', to)).status).toBe(200);
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
    const { to } = await createRecipient('sms');
    await failWith({ effect: 'error', code, status: 400 });
    expect((await send('sms', to)).status).toBe(400);
    expect(await server.messages({ to })).toEqual([]);
    expect(await readDeliveries(to)).toMatchObject([
      { type: 'message.refused', refusal: 'provider_refused', provider_error: code },
    ]);
  });

  test('a throttled call to AWS End User Messaging is repeated, because no SMS was sent', async () => {
    const { to } = await createRecipient('sms');
    await failWith({ effect: 'error', code: 'ThrottlingException', status: 400, times: 2 });
    expect((await send('sms', to)).status).toBe(200);
    expect(await server.messages({ to })).toHaveLength(1);
  });

  test.each([
    ['loses its response', { effect: 'lost-answer' }],
    ['returns an internal error', { effect: 'error', code: 'InternalServerException', status: 500 }],
    ['does not respond in time', { effect: 'latency', latency_ms: 9000 }],
  ] as const)(
    'if the call that sends an SMS %s, the SMS is not sent again, and an earlier code stays valid',
    async (_, effect) => {
      const { to } = await createRecipient('sms');
      await send('sms', to);
      const code = await server.codeTo(to);
      await failWith(effect);
      expect((await send('sms', to)).status).toBe(503);
      expect((await server.messages({ to })).length).toBeLessThanOrEqual(2);
      expect(await authenticate('sms', to, code)).toBe(200);
    },
  );

  test('a missing permission for the phone pool causes an internal error that does not name the pool', async () => {
    const { to } = await createRecipient('sms');
    await failWith({ effect: 'error', code: 'AccessDeniedException', status: 400 });
    const { status, body } = await send('sms', to);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain(SMS_POOL);
    server.internalErrors.length = 0;
  });
});
