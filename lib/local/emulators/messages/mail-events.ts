import type { MailEvent } from '../../../../functions/events/mail-events.ts';

const SIMULATOR = /^(success|bounce|complaint|suppressionlist)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;

/** The events of SES for its mailbox simulator. Addresses may have labels: `bounce+a@…`. */
export function simulatedEvents(
  messageId: string,
  address: string,
  tags: ReadonlyMap<string, string>,
): readonly MailEvent[] {
  const mailbox = SIMULATOR.exec(address)?.[1]?.toLowerCase();
  if (mailbox === undefined) return [];
  const mail = { messageId, tags: Object.fromEntries([...tags].map(([name, value]) => [name, [value]])) };
  const timestamp = new Date().toISOString();
  const recipients = [{ emailAddress: address }];
  if (mailbox === 'success') return [{ detail: { eventType: 'Delivery', mail, delivery: { timestamp } } }];
  if (mailbox === 'complaint')
    return [
      {
        detail: { eventType: 'Complaint', mail, complaint: { timestamp, complainedRecipients: recipients } },
      },
    ];
  const bounce = {
    ...{ bounceType: 'Permanent', bounceSubType: 'General', timestamp },
    bouncedRecipients: [{ emailAddress: address, status: '5.1.1' }],
  };
  return [{ detail: { eventType: 'Bounce', mail, bounce } }];
}
