import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { log } from '../../shared/http/log.ts';
import type { Undeliverable } from '../../shared/ports/people.ts';
import type { CreateBackground } from '../background.ts';

interface Recipient {
  readonly emailAddress: string;
}

/** An event of SES on EventBridge ("Contents of event data" in the guide of SES). */
export interface MailEvent {
  readonly detail: {
    readonly eventType: string;
    readonly mail: { readonly tags?: Readonly<Record<string, readonly string[]>> };
    readonly bounce?: {
      readonly bounceType: string;
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

interface DeadAddress {
  readonly tenantId: string;
  readonly address: string;
  readonly mark: Undeliverable;
}

/** SES writes addresses as in a header field. */
const bare = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;

const secondsOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/**
 * The addresses of hard bounces and complaints. A soft bounce (full mailbox, server down) may work the next time, and
 * `not-spam` is no complaint.
 */
export function deadAddresses({ detail }: MailEvent): readonly DeadAddress[] {
  const { bounce, complaint, mail } = detail;
  const [tenantId] = mail.tags?.tenant ?? [];
  if (tenantId === undefined) return [];
  const dead = (recipients: readonly Recipient[], reason: Undeliverable['reason'], timestamp: string) =>
    recipients.map(({ emailAddress }) => ({
      tenantId,
      address: bare(emailAddress),
      mark: { reason, since: secondsOf(timestamp) },
    }));
  if (bounce?.bounceType === 'Permanent') return dead(bounce.bouncedRecipients, 'bounce', bounce.timestamp);
  if (complaint && complaint.complaintFeedbackType !== 'not-spam')
    return dead(complaint.complainedRecipients, 'complaint', complaint.timestamp);
  return [];
}

/**
 * Marks undeliverable addresses of SES events. Rejects when a table does not answer: Lambda repeats the event, and an
 * existing mark stays unchanged.
 */
export const create: CreateBackground<'mail-events', MailEvent> = (ports) => async (event) => {
  for (const { tenantId, address, mark } of deadAddresses(event)) {
    const userId = await markUndeliverable(ports, { tenantId }, address, mark);
    log('info', {
      event: 'mail_undeliverable',
      reason: mark.reason,
      tenant_id: tenantId,
      ...(userId === undefined ? {} : { user_id: userId }),
    });
  }
};
