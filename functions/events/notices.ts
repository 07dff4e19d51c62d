import { required } from '../../shared/aws/settings.ts';
import { SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import {
  admitsNotice,
  type NoticeKind,
  type NoticeSender,
  noticeAddress,
} from '../../shared/domain/sending/notice.ts';
import { log } from '../../shared/http/log.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import { noticeLanguage } from '../../shared/templates/language.ts';
import { noticeMail } from '../../shared/templates/messages/email.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { deviceName } from './device-name.ts';

/** A record of the SQS event of Lambda. */
interface NoticeMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

type NoticePorts = BackgroundPorts<'notices'>;

const KINDS: Readonly<Record<string, NoticeKind>> = {
  'login.new_device': 'new_device',
  'login.locked': 'locked',
  'user.phone_changed': 'phone_changed',
};
/** Longer than the function may run, shorter than the queue waits before it repeats a message. */
const SENDING_SECONDS = 60;
/** Longer than the queue keeps a message. */
const REMEMBERED_SECONDS = 3 * SECONDS_PER_DAY;
const MILLISECONDS = 1000;

const textOf = (value: string | number | undefined) => (typeof value === 'string' ? value : undefined);

/**
 * Exactly one copy of an event gets through: the first. The reservation is short until the mail is sent, because the event
 * must come through again after a failure, a crash, or from the dead letters.
 */
function reserveEvent({ replays }: NoticePorts, eventId: string): Promise<boolean> {
  const at = nowSeconds();
  return replays.spend('notice', eventId, at + SENDING_SECONDS, at);
}

/** Makes the short reservation a long one: as seen from its end, it is over. */
async function rememberEvent({ replays }: NoticePorts, eventId: string): Promise<void> {
  const at = nowSeconds();
  await replays.spend('notice', eventId, at + REMEMBERED_SECONDS, at + SENDING_SECONDS);
}

/** A management client has no application: its tenant sends. */
async function senderOf(ports: NoticePorts, event: SecurityEvent): Promise<NoticeSender | undefined> {
  const applicationId = textOf(event.application_id);
  return applicationId === undefined
    ? ports.tenants.find(event.tenant_id ?? '')
    : ports.applications.find(applicationId);
}

async function tell(ports: NoticePorts, from: string, event: SecurityEvent, attempt: number): Promise<void> {
  const kind = KINDS[event.type];
  if (kind === undefined || event.user_id === undefined) return;
  const [user, sender] = await Promise.all([ports.users.find(event.user_id), senderOf(ports, event)]);
  if (!user || !sender || user.tenantId !== event.tenant_id) return;
  const to = noticeAddress(sender, kind, user.email);
  if (to === undefined || !(await reserveEvent(ports, event.id))) return;
  const sentAt = nowSeconds();
  if (attempt === 1 && !(await admitsNotice(ports, user.userId, kind, sentAt))) return;
  await ports.mailer.send(
    await noticeMail({
      kind,
      to,
      from,
      sentAt,
      at: Math.floor(Date.parse(event.time) / MILLISECONDS),
      device: deviceName(textOf(event.user_agent)),
      tenantId: user.tenantId,
      applicationName: sender.name,
      language: noticeLanguage(user.language, sender.language),
      reference: newId(),
    }),
  );
  await rememberEvent(ports, event.id);
  log('info', { event: 'notice', type: event.type, tenant_id: user.tenantId, user_id: user.userId });
}

/** Handles messages in parallel; returns the IDs of those that SQS must repeat. */
export async function tellAll(
  ports: NoticePorts,
  from: string,
  messages: readonly NoticeMessage[],
): Promise<readonly string[]> {
  const failed = await Promise.all(
    messages.map(async ({ messageId, body, attributes }) => {
      const { detail } = JSON.parse(body) as { readonly detail: SecurityEvent };
      try {
        await tell(ports, from, detail, Number(attributes.ApproximateReceiveCount));
        return [];
      } catch (error) {
        log('error', { event: 'notice_failed', name: error instanceof Error ? error.name : typeof error });
        return [messageId];
      }
    }),
  );
  return failed.flat();
}

/** Mails users about events of their account. SQS repeats the messages that failed. */
export const create: CreateBackground<'notices', { readonly Records: readonly NoticeMessage[] }> = (
  ports,
  env,
) => {
  const from = required(env, 'MAIL_FROM');
  return async ({ Records }) => {
    const failed = await tellAll(ports, from, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
