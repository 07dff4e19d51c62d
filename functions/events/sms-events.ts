import { cleanResponse, fileMessageEvent } from '../../shared/domain/support/message-events.ts';
import { log } from '../../shared/http/log.ts';
import type { MessageEvent } from '../../shared/ports/audit.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { type LogFields, type LoggedLine, type LogsEvent, readLines } from './logs-event.ts';

/** Delivery outcome of a text message. The phone number of the SNS record is omitted, because it must not leave this file. */
interface TextOutcome {
  readonly type: MessageEvent;
  readonly messageId: string;
  readonly time: string;
  /** Response of the carrier, without phone numbers. */
  readonly answer?: string;
}

const MESSAGE_ID = /^[\w-]{1,100}$/;
/** Pattern of the timestamps that SNS writes: `2016-06-28 00:40:34.558`, in UTC. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/;

/**
 * Delays between attempts, in milliseconds: 7 s in all, because delivery records can arrive before our own record of the send.
 * Throwing instead would count as a crash, and text messages of another system in this AWS account would trip the rollback
 * alarm.
 */
const PAUSES_MILLISECONDS = [1000, 2000, 4000];

const waitFor = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const asObject = (value: unknown): LogFields =>
  typeof value === 'object' && value !== null ? (value as LogFields) : {};

/**
 * Returns the time of delivery as ISO 8601: the time of sending plus the time until delivery.
 * @param dwellTime time until delivery, in milliseconds
 * @param loggedAt fallback if the timestamp is invalid, in epoch milliseconds
 */
function deliveryTime(timestamp: unknown, dwellTime: unknown, loggedAt: number): string {
  const [, day, time] = TIMESTAMP.exec(String(timestamp)) ?? [];
  const sentAt = Date.parse(`${day}T${time}Z`);
  const waited = Math.max(0, typeof dwellTime === 'number' ? dwellTime : 0);
  const at = new Date(sentAt + waited);
  return (Number.isNaN(at.getTime()) ? new Date(loggedAt) : at).toISOString();
}

/** Reads the outcome in an SNS delivery record ("Viewing Amazon CloudWatch metrics and logs for SMS deliveries"). */
function readOutcome({ line, at: loggedAt }: LoggedLine): readonly TextOutcome[] {
  const { notification, delivery, status } = line;
  const { messageId, timestamp } = asObject(notification);
  const { providerResponse, dwellTimeMs } = asObject(delivery);
  if (typeof messageId !== 'string' || !MESSAGE_ID.test(messageId)) return [];
  if (status !== 'SUCCESS' && status !== 'FAILURE') return [];
  const answer = cleanResponse(providerResponse);
  return [
    {
      type: status === 'SUCCESS' ? 'message.delivered' : 'message.bounced',
      messageId,
      time: deliveryTime(timestamp, dwellTimeMs, loggedAt),
      ...(answer === '' ? {} : { answer }),
    },
  ];
}

/** Event by which AWS End User Messaging reports the outcome of a text through EventBridge. The fields are not validated. */
export interface TextStatusEvent {
  readonly detail: LogFields;
}

/** Event types after which a mobile network or device has the text message. */
const ARRIVED = ['TEXT_DELIVERED', 'TEXT_SUCCESSFUL'];
/** Event types that say nothing about the outcome of a text message. */
const UNDECIDED = ['TEXT_QUEUED', 'TEXT_PENDING', 'TEXT_SENT', 'TEXT_UNKNOWN'];

/** Reads the outcome in an event of AWS End User Messaging ("Event types for SMS, MMS, and voice"). */
function readStatus({ detail }: TextStatusEvent): readonly TextOutcome[] {
  const { eventType, messageId, eventTimestamp, messageStatusDescription } = detail;
  if (typeof messageId !== 'string' || !MESSAGE_ID.test(messageId)) return [];
  if (typeof eventType !== 'string' || !eventType.startsWith('TEXT_') || UNDECIDED.includes(eventType))
    return [];
  const at = new Date(Number(eventTimestamp));
  const answer = cleanResponse(messageStatusDescription);
  return [
    {
      type: ARRIVED.includes(eventType) ? 'message.delivered' : 'message.bounced',
      messageId,
      time: (Number.isNaN(at.getTime()) ? new Date() : at).toISOString(),
      ...(answer === '' ? {} : { answer }),
    },
  ];
}

/** Stores the outcome of a text in the timeline of its recipient. Returns false if no text with this message ID is known. */
async function storeOutcome(ports: BackgroundPorts<'sms-events'>, outcome: TextOutcome): Promise<boolean> {
  const { type, messageId, time, answer } = outcome;
  const subject = await ports.timeline.findText(messageId);
  if (!subject) return false;
  await fileMessageEvent(ports, subject, {
    eventId: `${messageId}/${type}`,
    type,
    time,
    detail: { sent: 'sms', message_id: messageId, ...(answer === undefined ? {} : { answer }) },
  });
  return true;
}

/**
 * Stores delivery outcomes and returns those whose text message is not known yet. If a write fails, rejects after all writes
 * have ended.
 */
async function storeOutcomes(
  ports: BackgroundPorts<'sms-events'>,
  outcomes: readonly TextOutcome[],
): Promise<readonly TextOutcome[]> {
  const filed = await Promise.allSettled(outcomes.map((outcome) => storeOutcome(ports, outcome)));
  const failed = filed.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.filter((_, index) => {
    const result = filed[index];
    return result?.status === 'fulfilled' && !result.value;
  });
}

/**
 * Stores the delivery outcomes of texts from the delivery log of SNS, or from an event of AWS End User Messaging. A record or
 * event that arrives twice is stored once. An outcome whose text is not known yet is retried for 7 s and then dropped. Rejects
 * if an outcome could not be stored.
 */
export const create: CreateBackground<'sms-events', LogsEvent | TextStatusEvent> =
  (ports) => async (event) => {
    const outcomes = 'detail' in event ? readStatus(event) : readLines(event).flatMap(readOutcome);
    let unknown = await storeOutcomes(ports, outcomes);
    for (const milliseconds of PAUSES_MILLISECONDS) {
      if (unknown.length === 0) return;
      await waitFor(milliseconds);
      unknown = await storeOutcomes(ports, unknown);
    }
    if (unknown.length > 0) log('info', { event: 'sms_events_unknown', count: unknown.length });
  };
