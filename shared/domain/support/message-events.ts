import type { MessageEvent } from '../../ports/audit.ts';
import type { MessageSubject } from '../../ports/delivery.ts';
import type { TimelineEvent } from '../../ports/events.ts';
import type { Using } from '../../ports/uses.ts';
import { isReportedById } from '../../records/channels.ts';
import { MESSAGES_KEPT_SECONDS, SENT_TEXT_KEPT_SECONDS } from '../basis/limits.ts';

/** Messages to a user, and what became of them: for support, which is asked why no code came. */
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

const MILLISECONDS = 1000;

/** Files a message that was sent or refused; a repeated event is filed once. */
export async function addMessageEvent(
  ports: Using<'timeline.addMessage' | 'timeline.rememberText'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  const { sent, message_id } = event.detail;
  const at = Math.floor(Date.parse(event.time) / MILLISECONDS);
  // First: what erases the message erases it too.
  if (event.type === 'message.sent' && isReportedById(sent) && message_id !== undefined)
    await ports.timeline.rememberText(String(message_id), subject, at + SENT_TEXT_KEPT_SECONDS);
  await addEvent(ports, subject, event);
}

async function addEvent(
  { timeline }: Using<'timeline.addMessage'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  const purgeAt = Math.floor(Date.parse(event.time) / MILLISECONDS) + MESSAGES_KEPT_SECONDS;
  const { applicationId } = subject;
  const detail = {
    ...event.detail,
    ...(applicationId === undefined ? {} : { application_id: applicationId }),
  };
  const holder = 'userId' in subject ? subject.userId : subject.recipientHash;
  await timeline.addMessage(holder, { ...event, detail }, purgeAt);
}

/**
 * Files what became of a message, which may come late. Looks for the user after the write: an erasure before it would leave the
 * event behind, and one after the look erases it.
 */
export async function fileMessageEvent(
  ports: Using<'timeline.addMessage' | 'timeline.eraseMessages' | 'users.find'>,
  subject: MessageSubject,
  event: MessageEventRecord,
): Promise<void> {
  await addEvent(ports, subject, event);
  if ('userId' in subject && !(await ports.users.find(subject.userId)))
    await ports.timeline.eraseMessages(subject.userId);
}
