import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { fileMessageEvent } from '../../shared/domain/support/message-events.ts';
import { log } from '../../shared/http/log.ts';
import type { MessageEvent } from '../../shared/ports/audit.ts';
import type { MessageSubject } from '../../shared/ports/delivery.ts';
import type { Undeliverable } from '../../shared/ports/people.ts';
import { maskEmail } from '../../shared/templates/mask.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';

interface Recipient {
  readonly emailAddress: string;
  /** Enhanced mail status code (RFC 3463), such as `5.1.1`. */
  readonly status?: string;
}

/** SES event that arrives through EventBridge ("Contents of event data", Amazon SES Developer Guide). */
export interface MailEvent {
  readonly detail: {
    readonly eventType: string;
    readonly mail: {
      readonly messageId?: string;
      readonly timestamp?: string;
      readonly tags?: Readonly<Record<string, readonly string[]>>;
    };
    readonly delivery?: { readonly timestamp: string };
    readonly deliveryDelay?: { readonly timestamp: string; readonly delayType: string };
    readonly reject?: { readonly reason: string };
    readonly bounce?: {
      readonly bounceType: string;
      readonly bounceSubType?: string;
      readonly timestamp: string;
      readonly bouncedRecipients: readonly Recipient[];
    };
    readonly complaint?: {
      readonly complaintFeedbackType?: string;
      readonly timestamp: string;
      readonly complainedRecipients: readonly Recipient[];
    };
  };
}

/** An address that bounced or whose owner complained, with the reason and the time to store. */
interface UndeliverableAddress {
  readonly tenantId: string;
  readonly address: string;
  readonly mark: Undeliverable;
}

/** Extracts the address from `Name <address>`, because SES reports recipients as they appear in the header field. */
const extractAddress = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;

const toSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/**
 * Returns the addresses of hard bounces and complaints. Ignores soft bounces (full mailbox, server down), because later mail
 * may still arrive. Also ignores the feedback type `not-spam`, which is not a complaint.
 */
export function findUndeliverableAddresses({ detail }: MailEvent): readonly UndeliverableAddress[] {
  const { bounce, complaint, mail } = detail;
  const [tenantId] = mail.tags?.tenant ?? [];
  if (tenantId === undefined) return [];
  const dead = (recipients: readonly Recipient[], reason: Undeliverable['reason'], timestamp: string) =>
    recipients.map(({ emailAddress }) => ({
      tenantId,
      address: extractAddress(emailAddress),
      mark: { reason, since: toSeconds(timestamp) },
    }));
  if (bounce?.bounceType === 'Permanent') return dead(bounce.bouncedRecipients, 'bounce', bounce.timestamp);
  if (complaint && complaint.complaintFeedbackType !== 'not-spam')
    return dead(complaint.complainedRecipients, 'complaint', complaint.timestamp);
  return [];
}

/** Maps an SES event to a `message.*` event. Keeps only status codes, because texts of mail servers repeat the address. */
function toMessageEvent({
  detail,
}: MailEvent): { readonly type: MessageEvent; readonly facts: object } | undefined {
  const { bounce, complaint, delivery, deliveryDelay, reject } = detail;
  if (bounce)
    return {
      type: 'message.bounced',
      facts: {
        bounce: bounce.bounceType,
        bounce_kind: bounce.bounceSubType,
        status_code: bounce.bouncedRecipients[0]?.status,
      },
    };
  if (complaint && complaint.complaintFeedbackType !== 'not-spam')
    return { type: 'message.complained', facts: { complaint: complaint.complaintFeedbackType } };
  if (delivery) return { type: 'message.delivered', facts: {} };
  if (deliveryDelay) return { type: 'message.delayed', facts: { delay: deliveryDelay.delayType } };
  if (reject)
    return { type: 'message.refused', facts: { refusal: 'provider_refused', provider_error: 'Reject' } };
  return undefined;
}

/**
 * Returns the subject in whose timeline the outcome of a mail is stored. The subject is the user in the mail's tags or, for an
 * address that belongs to no user, the HMAC of the address.
 */
function readSubject(
  { tags }: MailEvent['detail']['mail'],
  [recipient]: readonly Recipient[],
): MessageSubject | undefined {
  const [userId] = tags?.user ?? [];
  const [recipientHash] = tags?.recipient ?? [];
  const [applicationId] = tags?.application ?? [];
  const [tenantId] = tags?.tenant ?? [];
  const common = {
    ...{ applicationId, tenantId },
    ...(recipient && { recipient: maskEmail(extractAddress(recipient.emailAddress)) }),
  };
  if (userId !== undefined) return { userId, ...common };
  return recipientHash === undefined ? undefined : { recipientHash, ...common };
}

/** Stores the outcome of a mail, such as a bounce, in the timeline that contains the mail's `message.sent` event. */
async function fileOutcome(ports: BackgroundPorts<'mail-events'>, event: MailEvent): Promise<void> {
  const { mail, bounce, complaint, delivery, deliveryDelay } = event.detail;
  const outcome = toMessageEvent(event);
  const subject = readSubject(mail, bounce?.bouncedRecipients ?? complaint?.complainedRecipients ?? []);
  const timestamp = (bounce ?? complaint ?? delivery ?? deliveryDelay ?? mail).timestamp;
  if (!outcome || !subject || mail.messageId === undefined || timestamp === undefined) return;
  const { type, facts } = outcome;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  await fileMessageEvent(ports, subject, {
    eventId: `${mail.messageId}/${type}`,
    type,
    time: new Date(timestamp).toISOString(),
    detail: { sent: 'email', message_id: mail.messageId, ...Object.fromEntries(known) },
  });
}

/**
 * Stores the outcomes of mails from SES events, and marks addresses as undeliverable after hard bounces and complaints. Rejects
 * if a table does not respond. Lambda then retries the event, which leaves existing marks unchanged.
 */
export const create: CreateBackground<'mail-events', MailEvent> = (ports) => async (event) => {
  await fileOutcome(ports, event);
  for (const { tenantId, address, mark } of findUndeliverableAddresses(event)) {
    const userId = await markUndeliverable(ports, { tenantId }, address, mark);
    log('info', {
      event: 'mail_undeliverable',
      reason: mark.reason,
      tenant_id: tenantId,
      ...(userId === undefined ? {} : { user_id: userId }),
    });
  }
};
