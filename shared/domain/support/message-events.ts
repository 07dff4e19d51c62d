import type { MessageEvent } from '../../ports/audit.ts';
import type { MessageSubject } from '../../ports/delivery.ts';
import type { TimelineEvent } from '../../ports/events.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { isReportedById } from '../../records/channels.ts';
import { MESSAGES_KEPT_SECONDS, SENT_SMS_KEPT_SECONDS } from '../basis/limits.ts';

/** Event of a message to a user, such as its delivery. Support reads these events when a user reports that no code came. */
export interface MessageEventRecord extends TimelineEvent {
  readonly type: MessageEvent;
}

const MESSAGE_TYPES: Readonly<Record<MessageEvent, true>> = {
  'message.sent': true,
  'message.refused': true,
  'message.delivered': true,
  'message.delayed': true,
  'message.bounced': true,
  'message.complained': true,
};

export const isMessageEvent = (type: string): type is MessageEvent => Object.hasOwn(MESSAGE_TYPES, type);

const FAILURE_TYPES: readonly string[] = ['message.refused', 'message.bounced', 'message.complained'];

/**
 * Returns true if a message did not arrive or was reported as spam. A test user gets no messages by design, so a message that
 * was refused for this reason is not a failure.
 */
export const isFailure = ({ type, detail }: TimelineEvent): boolean =>
  FAILURE_TYPES.includes(type) && detail.refusal !== 'test_user';

const MILLISECONDS = 1000;

/** Stores the event that a message was sent or rejected. A repeated event is stored once. */
export async function addMessageEvent(
  ports: PortsWith<'timeline.addMessage' | 'timeline.rememberText'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  const { sent, message_id } = event.detail;
  const at = Math.floor(Date.parse(event.time) / MILLISECONDS);
  // Remember the message ID first, so that an erasure that finds the event also finds the stored message ID.
  if (event.type === 'message.sent' && isReportedById(sent) && message_id !== undefined)
    await ports.timeline.rememberText(
      String(message_id),
      { ...subject, recipient: event.detail.recipient?.toString() },
      at + SENT_SMS_KEPT_SECONDS,
    );
  await addEvent(ports, subject, event);
}

async function addEvent(
  { timeline }: PortsWith<'timeline.addMessage'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  const purgeAt = Math.floor(Date.parse(event.time) / MILLISECONDS) + MESSAGES_KEPT_SECONDS;
  const { applicationId, tenantId, recipient } = subject;
  const detail = {
    ...(recipient === undefined ? {} : { recipient }),
    ...event.detail,
    ...(applicationId === undefined ? {} : { application_id: applicationId }),
  };
  const userId = 'userId' in subject ? subject.userId : undefined;
  const holder = 'userId' in subject ? subject.userId : subject.recipientHash;
  const failure = tenantId !== undefined && isFailure(event) ? { tenantId, userId } : undefined;
  await timeline.addMessage(holder, { ...event, detail }, purgeAt, failure);
}

/**
 * Stores the outcome of a message, which may be reported late. The user is looked up after the write. If the user is already
 * erased, the user's events are erased again. An erasure that starts later also finds and erases this event.
 */
export async function fileMessageEvent(
  ports: PortsWith<'timeline.addMessage' | 'timeline.eraseMessages' | 'users.find'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  await addEvent(ports, subject, event);
  if ('userId' in subject && !(await ports.users.find(subject.userId)))
    await ports.timeline.eraseMessages(subject.userId);
}

const ANSWER_MAX = 100;
/** Pattern of text that may be a phone number. Such text is removed from a carrier's response. */
const NUMBER = /\+?\d(?:[ ().-]{0,2}\d){4,}/g;
const UNPRINTABLE = /[^\x20-\x7e]+/g;

/** Shortens a carrier's response to 100 printable characters and removes phone numbers. */
export const cleanResponse = (said: unknown): string =>
  typeof said === 'string'
    ? said.replace(UNPRINTABLE, ' ').replace(NUMBER, '…').trim().slice(0, ANSWER_MAX)
    : '';
