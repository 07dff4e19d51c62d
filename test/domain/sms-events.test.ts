import { gzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { create } from '../../functions/events/sms-events.ts';
import type { MessageSubject } from '../../shared/ports/delivery.ts';
import type { TimelineEvent } from '../../shared/ports/events.ts';

const NUMBER = '+4915112345678';
const MINUTE = 60_000;

const record = (messageId: unknown, status = 'SUCCESS', providerResponse: unknown = 'Accepted') => ({
  notification: { messageId, timestamp: '2026-11-21 12:00:00.500' },
  delivery: {
    destination: NUMBER,
    priceInUSD: 0.1,
    smsType: 'Transactional',
    providerResponse,
    dwellTimeMs: 1500,
  },
  status,
});

/** Builds a CloudWatch Logs event with the given records, delivered `age` milliseconds after they were logged. */
function logsEvent(records: readonly unknown[], age = 0) {
  const logEvents = records.map((each) => ({
    ...{ id: '1', timestamp: Date.now() - age },
    message: typeof each === 'string' ? each : JSON.stringify(each),
  }));
  return { awslogs: { data: gzipSync(JSON.stringify({ logEvents })).toString('base64') } };
}

/** Creates the event handler and a store with the `known` messages. Storing the event of the message `broken` fails. */
function harness(known: Readonly<Record<string, MessageSubject>>, broken?: string) {
  const filed = new Map<string, TimelineEvent & { readonly subject: string; readonly purgeAt: number }>();
  const handler = create(
    {
      users: { find: async () => ({}) as never },
      timeline: {
        findText: async (messageId) => known[messageId],
        eraseMessages: async () => undefined,
        addMessage: async (subject, event, purgeAt) => {
          if (event.detail.message_id === broken) throw new Error('no table');
          filed.set(`${subject} ${event.time} ${event.eventId}`, { ...event, subject, purgeAt });
        },
      },
    },
    {},
  );
  return { handler, events: () => [...filed.values()] };
}
const known = { one: { userId: 'ann' }, two: { recipientHash: 'hash' } };

describe('SMS delivery reports from SNS', () => {
  test('an SMS delivery report that arrives several times is recorded only once', async () => {
    const { handler, events } = harness(known);
    const batch = logsEvent([record('one'), record('two', 'FAILURE', 'No carrier'), record('one')]);
    await handler(batch);
    await handler(batch);
    const time = '2026-11-21T12:00:02.000Z';
    expect(events()).toMatchObject([
      { subject: 'ann', type: 'message.delivered', time, eventId: 'one/message.delivered' },
      { subject: 'hash', type: 'message.bounced', time },
    ]);
    expect(events().map(({ detail }) => detail)).toEqual([
      { sent: 'sms', message_id: 'one', answer: 'Accepted' },
      { sent: 'sms', message_id: 'two', answer: 'No carrier' },
    ]);
  });

  test.each([
    ['a phone number', `Number ${NUMBER} is opted out`, 'Number … is opted out'],
    ['a formatted phone number', 'to +49 (151) 123-45678', 'to …'],
    ['line breaks', 'one\r\n\u001b[31mtwo', 'one [31mtwo'],
    ['5,000 characters', 'x'.repeat(5000), 'x'.repeat(100)],
    ['an empty text', '', undefined],
    ['a value that is not a string', { a: 1 }, undefined],
  ])('an SNS delivery report with %s is sanitised before it is recorded', async (_, said, answer) => {
    const { handler, events } = harness(known);
    await handler(logsEvent([record('one', 'FAILURE', said)]));
    expect(events()[0]?.detail.answer).toBe(answer);
  });

  test('an SMS delivery report that cannot be stored does not delay other reports', async () => {
    const { handler, events } = harness(known, 'one');
    await expect(handler(logsEvent([record('one'), record('two')]))).rejects.toThrow('no table');
    expect(events()).toMatchObject([{ subject: 'hash' }]);
  });

  test('an SMS delivery report that arrives too early is stored as soon as its message is known', async () => {
    jest.useFakeTimers();
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const sends: Record<string, MessageSubject> = { one: { userId: 'ann' } };
    const { handler, events } = harness(sends);
    const handled = handler(logsEvent([record('strange'), record('late'), record('one')]));
    await jest.advanceTimersByTimeAsync(500);
    expect(events()).toMatchObject([{ subject: 'ann' }]);
    sends.late = { recipientHash: 'hash' };
    await jest.advanceTimersByTimeAsync(7000);
    await handled;
    const [line] = printed.mock.lastCall ?? [];
    printed.mockRestore();
    jest.useRealTimers();
    expect(events()).toMatchObject([{ subject: 'ann' }, { subject: 'hash' }]);
    expect(JSON.parse(String(line))).toMatchObject({ event: 'sms_events_unknown', count: 1 });
  });

  test('no unknown message is logged if the last retry finds the message of an SMS delivery report', async () => {
    jest.useFakeTimers();
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const sends: Record<string, MessageSubject> = {};
    const { handler, events } = harness(sends);
    const handled = handler(logsEvent([record('late')]));
    await jest.advanceTimersByTimeAsync(6900);
    sends.late = { userId: 'ann' };
    await jest.advanceTimersByTimeAsync(100);
    await handled;
    const lines = printed.mock.calls.map(([line]) => String(line));
    printed.mockRestore();
    jest.useRealTimers();
    expect(events()).toMatchObject([{ subject: 'ann' }]);
    expect(lines.filter((line) => line.includes('sms_events_unknown'))).toEqual([]);
  });

  test.each([undefined, -5, 'soon'])(
    'an SMS delivery report with the delivery duration %p has the time of sending',
    async (dwellTimeMs) => {
      const { handler, events } = harness(known);
      const { delivery, ...rest } = record('one');
      await handler(logsEvent([{ ...rest, delivery: { ...delivery, dwellTimeMs } }]));
      expect(events()).toMatchObject([{ time: '2026-11-21T12:00:00.500Z' }]);
    },
  );

  test('a malformed SMS delivery report is skipped', async () => {
    const { handler, events } = harness(known);
    const { notification, ...rest } = record('one');
    await handler(
      logsEvent([
        ...['CWL CONTROL MESSAGE: Checking health of destination', 'null', '[]'],
        ...[rest, record(7), record(`one ${NUMBER}`), record('one', 'OTHER')],
      ]),
    );
    expect(events()).toEqual([]);
    await handler(logsEvent([{ ...rest, notification: { ...notification, timestamp: 'soon' } }], MINUTE));
    expect(Date.now() - Date.parse(String(events()[0]?.time))).toBeLessThan(2 * MINUTE);
  });
});

describe('SMS delivery reports from AWS End User Messaging', () => {
  const status = (eventType: string, change: object = {}) => ({
    detail: {
      eventType,
      messageId: 'one',
      eventTimestamp: Date.parse('2026-11-21T12:00:02.000Z'),
      isFinal: true,
      destinationPhoneNumber: NUMBER,
      messageStatusDescription: `Message to ${NUMBER} has been accepted by phone`,
      ...change,
    },
  });

  test.each([
    ['TEXT_DELIVERED', 'message.delivered'],
    ['TEXT_SUCCESSFUL', 'message.delivered'],
    ['TEXT_CARRIER_UNREACHABLE', 'message.bounced'],
    ['TEXT_INVALID', 'message.bounced'],
    ['TEXT_PROTECT_BLOCKED', 'message.bounced'],
  ])(
    'an SMS delivery report of the type %s is recorded once as %s, without the phone number',
    async (eventType, type) => {
      const { handler, events } = harness(known);
      await handler(status(eventType));
      await handler(status(eventType));
      expect(events()).toMatchObject([
        {
          subject: 'ann',
          type,
          time: '2026-11-21T12:00:02.000Z',
          detail: { sent: 'sms', answer: 'Message to … has been accepted by phone' },
        },
      ]);
    },
  );

  test.each([
    ['is not final', status('TEXT_QUEUED')],
    ['has no known outcome', status('TEXT_UNKNOWN')],
    ['is about a voice message', status('VOICE_COMPLETED')],
    ['has no event type', status('', { eventType: undefined })],
    ['has a malformed message ID', status('TEXT_DELIVERED', { messageId: `one ${NUMBER}` })],
  ])(
    'an event from AWS End User Messaging that %s is not recorded as an SMS delivery report',
    async (_, event) => {
      const { handler, events } = harness(known);
      await handler(event);
      expect(events()).toEqual([]);
    },
  );

  test('an SMS delivery report without a valid time is stored with the time of its arrival', async () => {
    const { handler, events } = harness(known);
    await handler(status('TEXT_DELIVERED', { eventTimestamp: 'soon' }));
    expect(Date.now() - Date.parse(String(events()[0]?.time))).toBeLessThan(MINUTE);
  });
});
