import { expect, test } from '@jest/globals';
import { readSecurityEvents } from '../../../functions/events/security-event.ts';
import { MESSAGES_KEPT_SECONDS, SENT_SMS_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
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

test.each<[object, string, object | undefined]>([
  [{ tenantId: 'acme' }, 'no_user', { tenantId: 'acme', userId: undefined }],
  [{ tenantId: 'acme' }, 'test_user', undefined],
  [{}, 'no_user', undefined],
])(
  'a rejected message is stored with its application, and as a failure of its tenant (%j, %s)',
  async (tenant, refusal, failure) => {
    const calls: unknown[] = [];
    const timeline = { addMessage: async (...call: unknown[]) => void calls.push(call) };
    const time = '2026-11-28T03:04:05.678Z';
    const event = { eventId: 'e', type: 'message.refused', time, detail: { refusal } } as const;
    const subject = { recipientHash: 'hash', applicationId: 'shop', recipient: '•••23', ...tenant };
    await addMessageEvent({ timeline } as never, subject, event);
    const detail = { recipient: '•••23', refusal, application_id: 'shop' };
    expect(calls).toEqual([['hash', { ...event, detail }, expect.any(Number), failure]]);
  },
);

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
