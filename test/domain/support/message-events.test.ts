import { expect, test } from '@jest/globals';
import { MESSAGES_KEPT_SECONDS, SENT_SMS_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { addMessageEvent } from '../../../shared/domain/support/message-events.ts';

test.each([
  ['message.sent', { sent: 'sms', message_id: 'm' }, true],
  ['message.sent', { sent: 'email', message_id: 'm' }, false],
  ['message.sent', { sent: 'sms' }, false],
  ['message.refused', { sent: 'sms', message_id: 'm' }, false],
] as const)(
  'checks whether the event %s with %j can be found by its SMS message ID: %s',
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
