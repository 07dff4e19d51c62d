import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { cleanResponse, fileMessageEvent } from '../../shared/domain/support/message-events.ts';
import { invalidInput } from '../../shared/errors/service-error.ts';
import type { OperationRequest, UseCase } from '../../shared/operation.ts';
import type { MessageEvent } from '../../shared/ports/audit.ts';
import type { Delivery } from '../../shared/ports/delivery.ts';
import { channels } from '../../shared/records/channels.ts';
import { masks } from '../../shared/templates/mask.ts';
import type * as rows from './rows.ts';

type Report = OperationRequest<typeof rows.reportDelivery>['json'];

const EVENTS: Readonly<Record<Report['status'], MessageEvent>> = {
  delivered: 'message.delivered',
  delayed: 'message.delayed',
  failed: 'message.bounced',
  bounced: 'message.bounced',
  complained: 'message.complained',
};

/** Delivery reports after which no more mail is sent to the address, with the reason that is stored with the address. */
const MARKS = { bounced: 'bounce', complained: 'complaint' } as const;

/**
 * Duration in seconds for which a report is reserved while it is stored. If storing fails, the sender function can report again
 * afterwards. A duplicate that arrives at the same time is not stored twice.
 */
const STORING_SECONDS = 2;

const isMail = ({ sent }: Delivery): boolean => channels[sent].address === 'email';

/** Returns the event fields for the provider's report. The names of the fields depend on the channel and the status. */
function describeAnswer(delivery: Delivery, { status, answer: given }: Report) {
  const answer = cleanResponse(given);
  if (status === 'delayed') return { delay: answer || 'Undetermined' };
  if (!isMail(delivery)) return answer === '' ? {} : { answer };
  if (EVENTS[status] !== 'message.bounced') return {};
  const bounce = status === 'bounced' ? 'Permanent' : 'Transient';
  return { bounce, ...(answer === '' ? {} : { bounce_kind: answer }) };
}

/** Stores a delivery report in the timeline that contains the message, and marks addresses that no longer accept mail. */
export const reportDelivery: UseCase<typeof rows.reportDelivery> = async (
  { json, request, audit },
  ports,
) => {
  const { now } = request;
  const delivery = await ports.deliveryTokens.open(json.token, now);
  if (!delivery) throw invalidInput('token: is not valid, or has expired');
  const { messageId, sent, to, tenantId, subject, expiresAt } = delivery;
  audit({ tenantId, messageId });
  const eventId = `${messageId}/${json.status}`;
  if (!(await ports.replays.spend('delivery', eventId, now + STORING_SECONDS, now))) return { none: true };
  const recipient = masks[channels[sent].address](to);
  await fileMessageEvent(
    ports,
    { ...subject, tenantId, recipient },
    {
      eventId,
      type: EVENTS[json.status],
      time: new Date().toISOString(),
      detail: { sent, message_id: messageId, ...describeAnswer(delivery, json) },
    },
  );
  if (isMail(delivery) && (json.status === 'bounced' || json.status === 'complained'))
    await markUndeliverable(ports, { tenantId }, to, { reason: MARKS[json.status], since: now });
  // The reservation can be replaced only after its end, so that time is passed as the current time.
  await ports.replays.spend('delivery', eventId, expiresAt, now + STORING_SECONDS);
  return { none: true };
};
