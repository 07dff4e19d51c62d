import type { Undeliverable } from '../../shared/ports/people.ts';

interface Recipient {
  readonly emailAddress: string;
}

/** What SES publishes about a mail, as EventBridge brings it ("Contents of event data" in the guide of SES). */
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

export interface DeadAddress {
  readonly tenantId: string;
  readonly address: string;
  readonly mark: Undeliverable;
}

/** SES brings them as headers write them. */
const bare = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;

const secondsOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/**
 * The addresses that take no mail any more: hard bounces and complaints. What may work the next time (a full mailbox, a
 * server that is down) is none, and a reader who says that it was no spam does not complain.
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
