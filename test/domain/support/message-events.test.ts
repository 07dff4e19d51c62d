import { expect, test } from '@jest/globals';
import { readSecurityEvents } from '../../../functions/events/security-event.ts';
import { MESSAGES_KEPT_SECONDS, SENT_SMS_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { describeNextStep } from '../../../shared/domain/support/event-words.ts';
import { addMessageEvent } from '../../../shared/domain/support/message-events.ts';

test.each([
  ['message.sent', { sent: 'sms', message_id: 'm' }, true],
  ['message.sent', { sent: 'email', message_id: 'm' }, false],
  ['message.sent', { sent: 'sms' }, false],
  ['message.refused', { sent: 'sms', message_id: 'm' }, false],
] as const)(
  'the message ID is stored for delivery reports only if an SMS was sent (event %s with %j, stored: %s)',
  async (type, detail, isText) => {
    const calls: unknown[] = [];
    const noting =
      (name: string) =>
      async (...given: unknown[]) =>
        void calls.push([name, ...given]);
    const timeline = { addMessage: noting('message'), rememberText: noting('text') };
    const event = { eventId: 'e', type, time: '2026-11-28T03:04:05.678Z', detail };
    const at = Date.parse('2026-11-28T03:04:05Z') / 1000;
    await addMessageEvent({ timeline } as never, { userId: 'user' }, event);
    expect(calls).toEqual([
      ...(isText ? [['text', 'm', { userId: 'user' }, at + SENT_SMS_KEPT_SECONDS]] : []),
      ['message', 'user', event, at + MESSAGES_KEPT_SECONDS],
    ]);
  },
);

test.each([
  ['message.sent', {}, undefined],
  ['message.delivered', {}, undefined],
  ['message.delayed', {}, 'Wait: the server of the recipient takes it later, or it comes back.'],
  ['message.bounced', {}, 'Try again later: the mailbox is full, or its server is down.'],
  ['message.complained', {}, 'Make sure that the person wants our mail, and set the same address again.'],
  ['message.refused', { refusal: 'test_user' }, 'Read the code of the test user by API.'],
])('after the event %s with %j, support staff get the advice: %s', (type, detail, advice) => {
  const event = { event_id: 'e', type, time: '2026-11-28T03:04:05.678Z', ...detail };
  expect(describeNextStep(event)).toBe(advice);
});

test('the event of a rejected message states when the message may be sent again', () => {
  const line = {
    ...{ audit: ['message.refused'], time: '2026-11-28T03:04:05.678Z', request_id: 'r', event: 'sendOtp' },
    ...{ refusal: 'recipient_limit', retry_after_seconds: 60 },
  };
  expect(readSecurityEvents([{ line }] as never)).toEqual([
    {
      ...{ id: 'r/message.refused', type: 'message.refused', time: line.time, operation: 'sendOtp' },
      ...{ request_id: 'r', refusal: 'recipient_limit', until: '2026-11-28T03:05:06.000Z' },
    },
  ]);
});
