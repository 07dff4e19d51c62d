import { gzipSync } from 'node:zlib';
import type { LogsEvent } from '../../../../functions/events/logs-event.ts';
import type { MailEvent } from '../../../../functions/events/mail-events.ts';
import type { TextStatusEvent } from '../../../../functions/events/sms-events.ts';

/** Event that SES or SNS sends after it has accepted a message, with the name of the function that processes the event. */
export type ProviderEvent =
  | { readonly entry: 'mail-events'; readonly event: MailEvent }
  | { readonly entry: 'sms-events'; readonly event: LogsEvent | TextStatusEvent };

const SIMULATOR = /^(success|bounce|complaint|suppressionlist)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;

/** Returns the SES events for a mail to the SES mailbox simulator. Addresses may have labels, such as `bounce+a@…`. */
export function simulateMailEvents(
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

/** Simulator phone numbers of AWS End User Messaging, with the delivery status and the carrier's response for each. */
const TEXT_SIMULATOR: Readonly<Record<string, readonly [status: string, providerResponse: string]>> = {
  '+14254147755': ['SUCCESS', 'Message has been accepted by phone carrier'],
  '+14254147167': ['FAILURE', 'Phone carrier is currently unreachable/unavailable'],
};

/** Returns the delivery log events for a text message to a simulator phone number. Other numbers get no event. */
export function simulateSmsEvents(messageId: string, destination: string): readonly LogsEvent[] {
  const outcome = TEXT_SIMULATOR[destination];
  return outcome ? [createSmsDeliveryEvent(messageId, destination, outcome)] : [];
}

/** Returns the event of AWS End User Messaging for a text to a simulator phone number. Other numbers get no event. */
export function simulateTextStatus(messageId: string, destination: string): readonly TextStatusEvent[] {
  const [status, messageStatusDescription] = TEXT_SIMULATOR[destination] ?? [];
  if (status === undefined) return [];
  const eventType = status === 'SUCCESS' ? 'TEXT_DELIVERED' : 'TEXT_CARRIER_UNREACHABLE';
  return [
    { detail: { eventType, messageId, eventTimestamp: Date.now(), isFinal: true, messageStatusDescription } },
  ];
}

/** Creates the event by which a CloudWatch Logs subscription delivers a record of the SNS delivery log. */
export function createSmsDeliveryEvent(
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
