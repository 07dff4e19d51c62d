// Sender functions: Lambda functions of the operator that send emails and SMS instead of SES and SNS.
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { SenderRequest } from '../../../shared/schemas/events/deliveries.ts';
import { newPhoneNumber } from '../../support/fixtures/people.ts';
import { demoToken, managerToken } from '../../support/fixtures/tokens.ts';
import {
  passcodes,
  prepareResult,
  SENDER_ARN,
  senderEvents,
  sentByFunction,
} from '../../support/providers/senders.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true, environment: sentByFunction });
const { createRecipient, send, authenticate, readDeliveries } = passcodes(server);

describe("event that an operator's sender function receives", () => {
  test('the event for an SMS contains the code, text, language and application, but neither user ID nor tenant ID', async () => {
    const { to, userId } = await createRecipient('sms');
    const answer = await send('sms', to, { custom_sms_input: { sender_id: 'SHOP' } });
    expect(answer.status).toBe(200);
    const [event, ...more] = await senderEvents(server, to);
    expect(more).toEqual([]);
    expect(v.parse(SenderRequest, event)).toEqual(event);
    expect(event).toMatchObject({
      ...{ version: 1, channel: 'sms', to, purpose: 'login', sender_id: 'SHOP', language: 'en' },
      application: { id: server.environment.app_id },
      request_id: answer.headers.get('x-request-id'),
      callback: { url: `${server.environment.base_url}/v1/deliveries/callback` },
    });
    expect(await server.messages({ to })).toMatchObject([{ channel: 'sms', codes: [event?.code] }]);
    expect(JSON.stringify(event)).not.toContain(userId);
    expect(JSON.stringify(event)).not.toContain(server.environment.tenant_id);
    expect(await authenticate('sms', to, event?.code)).toBe(200);
  });

  test('the event for an email contains the subject, both body parts, the code and the complete MIME message', async () => {
    const { to } = await createRecipient('email');
    expect((await send('email', to)).status).toBe(200);
    const [event] = await senderEvents(server, to);
    expect(v.parse(SenderRequest, event)).toEqual(event);
    const mail = event as unknown as Record<'subject' | 'text' | 'html' | 'mime' | 'code', string>;
    expect(await server.messages({ to })).toMatchObject([{ subject: mail.subject, codes: [mail.code] }]);
    expect(mail.text).toContain(mail.code);
    expect(mail.html).toContain(mail.code);
    expect(Buffer.from(mail.mime, 'base64').toString()).toContain(`To: ${to}`);
  });

  test('the event for a magic link contains the link and no code', async () => {
    const { to } = await createRecipient('email');
    const redirect_uri = server.environment.redirect_uris[0];
    const fields = { channel: 'email', identifier_type: 'email', identifier: to, redirect_uri };
    expect(
      (await server.post('/v1/auth/link/email/send', fields, { token: await demoToken(server) })).status,
    ).toBe(200);
    const [link] = await senderEvents(server, to);
    expect(link).toMatchObject({ purpose: 'login', link: await server.linkTo(to) });
    expect(link).not.toHaveProperty('code');
  });

  test('the event for a notice contains the purpose "notice" and the ID of the request that caused the notice', async () => {
    const { to, userId } = await createRecipient('email');
    const path = `/v1/users/${userId}`;
    const change = await server.put(
      path,
      { phone_number: newPhoneNumber() },
      { token: await managerToken(server) },
    );
    expect(change.status).toBe(200);
    await server.settleEvents();
    const request_id = change.headers.get('x-request-id');
    expect(await senderEvents(server, to)).toMatchObject([{ purpose: 'notice', request_id }]);
  });

  test('sending an SMS invokes the sender function once and calls neither SES nor SNS', async () => {
    const { to } = await createRecipient('sms');
    await send('sms', to);
    server.resetMetrics();
    await send('sms', to);
    const { aws_calls: calls } = Object.values(server.metrics())[0] ?? { aws_calls: {} };
    expect(calls).toMatchObject({ 'lambda.Invoke': 1 });
    expect(Object.keys(calls).filter((name) => /^(?:sns|ses|kms)\./.test(name))).toEqual([]);
  });
});

describe("message that an operator's sender function rejects", () => {
  test.each([
    ['provider_refused', 400, 'sms'],
    ['provider_unreachable', 503, 'sms'],
    ['country', 400, 'sms'],
    ['number_at_risk', 400, 'sms'],
    ['mail_bounced', 400, 'email'],
    ['mail_complaint', 400, 'email'],
  ] as const)(
    'if a sender function rejects a message with the reason %s, the response is %i and the delivery list shows the reason',
    async (reason, status, channel) => {
      const { to } = await createRecipient(channel);
      await prepareResult(server, { outcome: 'refused', reason, provider_error: '63016' });
      expect((await send(channel, to)).status).toBe(status);
      expect(await senderEvents(server, to)).toHaveLength(1);
      expect(await readDeliveries(to)).toMatchObject([
        { type: 'message.refused', refusal: reason, provider_error: '63016' },
      ]);
    },
  );

  test.each([
    ['the code', () => '{code}'],
    ['the phone number', (to: string) => to.slice(1)],
    ['a sentence', () => 'Number is not valid'],
  ])('a provider_error that contains %s instead of an error code is not stored', async (_, choose) => {
    const { to } = await createRecipient('sms');
    const provider_error = choose(to);
    await prepareResult(server, { outcome: 'refused', reason: 'provider_refused', provider_error });
    await send('sms', to);
    expect(await readDeliveries(to)).toMatchObject([{ provider_error: 'FunctionRefused' }]);
  });
});

/** Results of a sender function that do not tell whether the message was sent. */
const unknownResults = {
  'that the outcome is unknown': ['{"outcome":"unknown"}', {}],
  'a refusal without a known reason': ['{"outcome":"refused","reason":"bored"}', {}],
  'text that is not JSON': ['<html>', {}],
  nothing: ['null', {}],
  'a JSON list': ['[{"outcome":"accepted"}]', {}],
  'a result that is too long': [JSON.stringify({ outcome: 'accepted', padding: 'x'.repeat(200_000) }), {}],
  'an exception': ['{"errorType":"Error","errorMessage":"+12025550143"}', { function_error: 'Unhandled' }],
} as const;

describe('sender function that does not report whether the message was sent', () => {
  test.each(Object.entries(unknownResults))(
    'if a sender function returns %s, the message is not sent again, and its code stays valid',
    async (_, [result, options]) => {
      const { to } = await createRecipient('sms');
      await prepareResult(server, result, options);
      expect((await send('sms', to)).status).toBe(503);
      const [event, ...more] = await senderEvents(server, to);
      expect(more).toEqual([]);
      expect(await authenticate('sms', to, event?.code)).toBe(200);
      const { message_id } = event ?? {};
      expect(await readDeliveries(to)).toContainEqual(
        expect.objectContaining({ type: 'message.refused', refusal: 'provider_unreachable', message_id }),
      );
    },
  );

  test.each([
    ['breaks the connection after the invocation', { effect: 'lost-answer' }],
    ['answers with an internal error', { effect: 'error', code: 'ServiceException', status: 500 }],
    ['does not answer in time', { effect: 'latency', latency_ms: 9000 }],
  ] as const)('a message is not sent again if Lambda %s', async (_, fault) => {
    const { to } = await createRecipient('sms');
    await send('sms', to);
    await server.faults.inject({ service: 'lambda', ...fault, times: 1 });
    const { status } = await send('sms', to);
    await server.faults.clear();
    expect(status).toBe(503);
    expect((await senderEvents(server, to)).length).toBeLessThanOrEqual(2);
    const [first] = await senderEvents(server, to);
    expect(await authenticate('sms', to, first?.code)).toBe(200);
  });

  test('a throttled invocation of a sender function is repeated', async () => {
    const { to } = await createRecipient('sms');
    await server.faults.inject({ service: 'lambda', effect: 'error', code: 'Throttling', times: 2 });
    expect((await send('sms', to)).status).toBe(200);
    expect(await senderEvents(server, to)).toHaveLength(1);
  });

  test.each(['ResourceNotFoundException', 'AccessDeniedException'])(
    'if Lambda returns %s, the response is an internal error without the ARN of the sender function',
    async (code) => {
      const { to } = await createRecipient('sms');
      await server.faults.inject({ service: 'lambda', effect: 'error', code, status: 404, times: 1 });
      const { status, body } = await send('sms', to);
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain(SENDER_ARN);
      expect(await readDeliveries(to)).toMatchObject([{ refusal: 'provider_refused', provider_error: code }]);
      server.internalErrors.length = 0;
    },
  );

  test('a notice is not sent again if the sender function did not report whether it was sent', async () => {
    const { to, userId } = await createRecipient('email');
    await prepareResult(server, { outcome: 'unknown' });
    const fields = { phone_number: newPhoneNumber() };
    expect(
      (await server.put(`/v1/users/${userId}`, fields, { token: await managerToken(server) })).status,
    ).toBe(200);
    await server.settleEvents();
    await server.advanceClock(600);
    await server.settleEvents();
    expect(await senderEvents(server, to)).toHaveLength(1);
  });
});
