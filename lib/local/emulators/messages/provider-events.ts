import { gzipSync } from 'node:zlib';
import type { LogsEvent } from '../../../../functions/events/logs-event.ts';
import type { MailEvent } from '../../../../functions/events/mail-events.ts';

/** What a provider tells later, and the function that hears it. */
export type ProviderEvent =
  | { readonly entry: 'mail-events'; readonly event: MailEvent }
  | { readonly entry: 'sms-events'; readonly event: LogsEvent };

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
    bounceType: 'Permanent',
    bounceSubType: 'General',
    timestamp,
    bouncedRecipients: [{ emailAddress: address, status: '5.1.1' }],
  };
  return [{ detail: { eventType: 'Bounce', mail, bounce } }];
}

/** Numbers of AWS to try texts with ("Simulator phone numbers" of End User Messaging), and what their network says. */
const TEXT_SIMULATOR: Readonly<Record<string, readonly [status: string, providerResponse: string]>> = {
  '+14254147755': ['SUCCESS', 'Message has been accepted by phone carrier'],
  '+14254147167': ['FAILURE', 'Phone carrier is currently unreachable/unavailable'],
};

/** The records of SNS in its delivery log. */
export function simulatedTextEvents(messageId: string, destination: string): readonly LogsEvent[] {
  const outcome = TEXT_SIMULATOR[destination];
  return outcome ? [textEvent(messageId, destination, outcome)] : [];
}

/** A record of SNS in its delivery log, as a subscription hands it over. */
export function textEvent(
  messageId: string,
  destination: string,
  [status, providerResponse]: readonly [status: string, providerResponse: string],
): LogsEvent {
  const now = new Date();
  const message = JSON.stringify({
    notification: { messageId, timestamp: now.toISOString().replace('T', ' ').replace('Z', '') },
    delivery: {
      destination,
      priceInUSD: 0.00645,
      smsType: 'Transactional',
      providerResponse,
      dwellTimeMs: 40,
    },
    status,
  });
  const logEvents = [{ id: messageId, timestamp: now.getTime(), message }];
  const batch = JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents });
  return { awslogs: { data: gzipSync(batch).toString('base64') } };
}
