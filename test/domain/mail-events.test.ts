import { describe, expect, test } from '@jest/globals';
import { create, findUndeliverableAddresses, type MailEvent } from '../../functions/events/mail-events.ts';
import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { someAddress, someUser } from '../support/server/records.ts';

const AT = '2026-11-21T12:00:00.000Z';
const since = Date.parse(AT) / 1000;
const tags = { tenant: ['acme'], environment: ['eu'], 'ses:configuration-set': ['login'] };
const bounced = (bounceType: string, ...addresses: string[]): MailEvent => ({
  detail: {
    eventType: 'Bounce',
    mail: { tags },
    bounce: {
      bounceType,
      timestamp: AT,
      bouncedRecipients: addresses.map((emailAddress) => ({ emailAddress })),
    },
  },
});
const complained = (complaintFeedbackType?: string): MailEvent => ({
  detail: {
    eventType: 'Complaint',
    mail: { tags },
    complaint: {
      timestamp: AT,
      complainedRecipients: [{ emailAddress: 'ann@example.com' }],
      ...(complaintFeedbackType === undefined ? {} : { complaintFeedbackType }),
    },
  },
});

describe('N139 handling of SES events about emails', () => {
  test('a permanent bounce marks all recipients of the email as undeliverable', () => {
    expect(
      findUndeliverableAddresses(bounced('Permanent', 'ann@example.com', 'Ben <ben@example.com>')),
    ).toEqual(
      ['ann@example.com', 'ben@example.com'].map((address) => ({
        tenantId: 'acme',
        address,
        mark: { reason: 'bounce', since },
      })),
    );
  });

  test.each(['Transient', 'Undetermined'])(
    'a bounce of the type %s does not mark the recipient as undeliverable',
    (type) => {
      expect(findUndeliverableAddresses(bounced(type, 'ann@example.com'))).toEqual([]);
    },
  );

  test.each([undefined, 'abuse', 'fraud'])(
    'a complaint of the type %s marks the recipient as undeliverable',
    (type) => {
      expect(findUndeliverableAddresses(complained(type))).toMatchObject([
        { mark: { reason: 'complaint', since } },
      ]);
    },
  );

  test('a report that an email is not spam does not mark the recipient as undeliverable', () => {
    expect(findUndeliverableAddresses(complained('not-spam'))).toEqual([]);
  });

  test('SES events about successful deliveries do not mark a recipient as undeliverable', () => {
    expect(findUndeliverableAddresses({ detail: { eventType: 'Delivery', mail: { tags } } })).toEqual([]);
    const { detail } = bounced('Permanent', 'ann@example.com');
    expect(findUndeliverableAddresses({ detail: { ...detail, mail: {} } })).toEqual([]);
  });

  test.each([true, false])(
    'markUndeliverable returns the user only if their address was flagged (flagged: %s)',
    async (isMarked) => {
      const user = someUser({ email: someAddress('ann@example.com') });
      const marked: unknown[] = [];
      const ports = {
        identifiers: { find: async () => user.userId },
        users: {
          find: async () => user,
          markUndeliverable: async (...mark: unknown[]) => marked.push(mark) > 0 && isMarked,
        },
      } as never;
      const mark = { reason: 'bounce', since } as const;
      const userId = await markUndeliverable(ports, user, 'ann@example.com', mark);
      expect(userId).toBe(isMarked ? user.userId : undefined);
      expect(marked).toEqual([[user, 'ann@example.com', mark]]);
    },
  );
});

describe('outcomes of emails in the timelines of their recipients', () => {
  const mail = {
    messageId: 'm',
    timestamp: '2026-11-21T11:00:00.000Z',
    tags: { tenant: ['acme'], application: ['app'], user: ['ann'] },
  };
  const recipient = { emailAddress: 'Ann <ann@example.com>', status: '5.1.1' };
  const bounce = { bounceType: 'Transient', bounceSubType: 'MailboxFull', timestamp: AT };
  const complaint = { timestamp: AT, complainedRecipients: [recipient] };
  const masked = { recipient: 'a•••@e•••.com' };

  async function file(detail: object): Promise<readonly unknown[]> {
    const filed: unknown[] = [];
    const ports = {
      timeline: { addMessage: async (...given: unknown[]) => filed.push(given.slice(0, 2)) },
      users: { find: async () => someUser() },
      identifiers: { find: async () => undefined },
    } as never;
    await create(ports, {})({ detail: { eventType: 'Test', mail, ...detail } });
    return filed;
  }

  test.each([
    ['message.delivered', { delivery: { timestamp: AT } }, {}],
    [
      'message.delayed',
      { deliveryDelay: { timestamp: AT, delayType: 'MailboxFull' } },
      { delay: 'MailboxFull' },
    ],
    [
      'message.bounced',
      { bounce: { ...bounce, bouncedRecipients: [recipient] } },
      { bounce: 'Transient', bounce_kind: 'MailboxFull', status_code: '5.1.1', ...masked },
    ],
    [
      'message.bounced',
      { bounce: { bounceType: 'Undetermined', timestamp: AT, bouncedRecipients: [] } },
      { bounce: 'Undetermined' },
    ],
    ['message.complained', { complaint }, masked],
    [
      'message.complained',
      { complaint: { ...complaint, complaintFeedbackType: 'abuse' } },
      { complaint: 'abuse', ...masked },
    ],
  ])('the event %s is stored with its facts (%#)', async (type, detail, facts) => {
    const stored = {
      ...{ eventId: `m/${type}`, type, time: AT },
      detail: { sent: 'email', message_id: 'm', application_id: 'app', ...facts },
    };
    expect(await file(detail)).toEqual([['ann', stored]]);
  });

  test('a mail that SES refuses has the time at which it was sent', async () => {
    const [[, event] = []] = (await file({ reject: { reason: 'Bad content' } })) as unknown[][];
    expect(event).toMatchObject({
      ...{ type: 'message.refused', time: mail.timestamp },
      detail: { refusal: 'provider_refused', provider_error: 'Reject' },
    });
  });

  test('the outcome of a mail to an unknown address is stored under the hash of the address', async () => {
    const tags = { tenant: ['acme'], recipient: ['hash'] };
    expect(await file({ mail: { ...mail, tags }, delivery: { timestamp: AT } })).toMatchObject([
      ['hash', {}],
    ]);
  });

  test.each([
    ['has no known outcome', {}],
    [
      'is a report that a mail is no spam',
      { complaint: { ...complaint, complaintFeedbackType: 'not-spam' } },
    ],
    ['has no recipient', { mail: { ...mail, tags: {} }, delivery: { timestamp: AT } }],
    ['has no message ID', { mail: { ...mail, messageId: undefined }, delivery: { timestamp: AT } }],
    ['has no time', { mail: { ...mail, timestamp: undefined }, reject: { reason: 'Bad content' } }],
  ])('an SES event that %s is not stored', async (_, detail) => {
    expect(await file(detail)).toEqual([]);
  });
});
