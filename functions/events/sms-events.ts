import { fileMessageEvent } from '../../shared/domain/support/message-events.ts';
import { log } from '../../shared/http/log.ts';
import type { MessageEvent } from '../../shared/ports/audit.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { type Line, type LoggedLine, type LogsEvent, linesOf } from './logs-event.ts';

/** What became of a text. The number in the record of SNS goes no further than this file. */
interface TextOutcome {
  readonly type: MessageEvent;
  readonly messageId: string;
  readonly time: string;
  readonly answer?: string;
  /** When CloudWatch took the record: epoch milliseconds. */
  readonly loggedAt: number;
}

const MESSAGE_ID = /^[\w-]{1,100}$/;
const ANSWER_MAX = 100;
/** Answers are sentences. A phone number in one, or what is none, goes. */
const NUMBER = /\+?\d(?:[ ().-]{0,2}\d){4,}/g;
const UNPRINTABLE = /[^\x20-\x7e]+/g;
/** SNS writes `2016-06-28 00:40:34.558`, in UTC. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/;

/**
 * The line of a send comes by another log and may come later. It is waited for here: a failure would count as a crash, and
 * texts of something else in this account would ring the alarm and take deployments back.
 */
const PAUSES_MILLISECONDS = [1000, 2000, 4000];

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const fieldsOf = (value: unknown): Line =>
  typeof value === 'object' && value !== null ? (value as Line) : {};

function timeOf(timestamp: unknown, dwellTime: unknown, loggedAt: number): string {
  const [, day, time] = TIMESTAMP.exec(String(timestamp)) ?? [];
  const sentAt = Date.parse(`${day}T${time}Z`);
  const waited = typeof dwellTime === 'number' && dwellTime >= 0 ? dwellTime : 0;
  const at = new Date(sentAt + waited);
  return (Number.isNaN(at.getTime()) ? new Date(loggedAt) : at).toISOString();
}

const answerOf = (said: unknown): string =>
  typeof said === 'string'
    ? said.replace(UNPRINTABLE, ' ').replace(NUMBER, '…').trim().slice(0, ANSWER_MAX)
    : '';

/** Of a delivery record of SNS ("Viewing Amazon CloudWatch metrics and logs for SMS deliveries"). */
function textOutcomesOf({ line, at: loggedAt }: LoggedLine): readonly TextOutcome[] {
  const { notification, delivery, status } = line;
  const { messageId, timestamp } = fieldsOf(notification);
  const { providerResponse, dwellTimeMs } = fieldsOf(delivery);
  if (typeof messageId !== 'string' || !MESSAGE_ID.test(messageId)) return [];
  if (status !== 'SUCCESS' && status !== 'FAILURE') return [];
  const answer = answerOf(providerResponse);
  return [
    {
      type: status === 'SUCCESS' ? 'message.delivered' : 'message.bounced',
      messageId,
      loggedAt,
      time: timeOf(timestamp, dwellTimeMs, loggedAt),
      ...(answer === '' ? {} : { answer }),
    },
  ];
}

/** False when no send has this ID. */
async function file(ports: BackgroundPorts<'sms-events'>, outcome: TextOutcome): Promise<boolean> {
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

/** Files what can be filed, and returns the rest. Rejects when a write fails; the others are filed before. */
async function fileAll(
  ports: BackgroundPorts<'sms-events'>,
  outcomes: readonly TextOutcome[],
): Promise<readonly TextOutcome[]> {
  const filed = await Promise.allSettled(outcomes.map((outcome) => file(ports, outcome)));
  const failed = filed.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.filter((_, index) => {
    const result = filed[index];
    return result?.status === 'fulfilled' && !result.value;
  });
}

/**
 * Files what became of texts, from the delivery log of SNS. CloudWatch may deliver a record twice: it is filed once. A record
 * without a send is waited for and then dropped. Rejects when a record could not be filed.
 */
export const create: CreateBackground<'sms-events', LogsEvent> = (ports) => async (event) => {
  let unknown = await fileAll(ports, linesOf(event).flatMap(textOutcomesOf));
  for (const milliseconds of PAUSES_MILLISECONDS) {
    if (unknown.length === 0) return;
    await pause(milliseconds);
    unknown = await fileAll(ports, unknown);
  }
  if (unknown.length > 0) log('info', { event: 'sms_events_unknown', count: unknown.length });
};
