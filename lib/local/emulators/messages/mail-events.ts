import type { MailEvent } from '../../../../functions/events/mail-events.ts';

const SIMULATOR = /^(bounce|complaint|suppressionlist)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;

/** The events of SES for its mailbox simulator. Addresses may have labels: `bounce+a@…`. */
export function simulatedEvents(address: string, tags: ReadonlyMap<string, string>): readonly MailEvent[] {
  const mailbox = SIMULATOR.exec(address)?.[1]?.toLowerCase();
  if (mailbox === undefined) return [];
  const mail = { tags: Object.fromEntries([...tags].map(([name, value]) => [name, [value]])) };
  const timestamp = new Date().toISOString();
  const recipients = [{ emailAddress: address }];
  if (mailbox === 'complaint')
    return [
      {
        detail: { eventType: 'Complaint', mail, complaint: { timestamp, complainedRecipients: recipients } },
      },
    ];
  const bounce = { bounceType: 'Permanent', timestamp, bouncedRecipients: recipients };
  return [{ detail: { eventType: 'Bounce', mail, bounce } }];
}
