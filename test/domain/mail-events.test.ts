import { describe, expect, test } from '@jest/globals';
import { findUndeliverableAddresses, type MailEvent } from '../../functions/events/mail-events.ts';
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
