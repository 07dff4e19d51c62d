import { readSmsCountries, requireVariable } from '../../shared/aws/settings.ts';
import { hasArea, readAreas } from '../../shared/domain/basis/areas.ts';
import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { accountPageUrl, toAccountParameters } from '../../shared/domain/hosted-login/account-login.ts';
import { maySend } from '../../shared/domain/identifiers/may-send.ts';
import { acceptsDocument, isDocumentId } from '../../shared/domain/oauth/client-document.ts';
import { countSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import {
  countNotice,
  deliveriesAboutOperatorChange,
  deliveriesToAll,
  type NoticeDelivery,
  noticeDeliveries,
} from '../../shared/domain/sending/notice.ts';
import { makeNoticeLink, type NoticeLinkTarget } from '../../shared/domain/sending/notice-link.ts';
import { addMessageEvent } from '../../shared/domain/support/message-events.ts';
import { mustNotifyRecovery, readRecoveryDelay } from '../../shared/domain/users/pending-recovery.ts';
import { readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import { log } from '../../shared/http/log.ts';
import type { Settings } from '../../shared/operation.ts';
import type { SendReceipt } from '../../shared/ports/delivery.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { User } from '../../shared/ports/people.ts';
import { channels, type NoticeChannel } from '../../shared/records/channels.ts';
import { deviceName } from '../../shared/templates/device-name.ts';
import { messageLanguage } from '../../shared/templates/language.ts';
import { masks } from '../../shared/templates/mask.ts';
import { type NoticeInput, noticeMail } from '../../shared/templates/messages/email.ts';
import { noticeSms } from '../../shared/templates/messages/sms.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { findNoticeKind } from './notice-kinds.ts';
import { findNoticeSubject } from './notice-subject.ts';
import {
  findEnrolment,
  findNoticeOperatorChange,
  findUndo,
  type Notice,
  readEffectiveTime,
  readNoticeTime,
  withEarlierGenerations,
} from './notice-undo.ts';
import { isOperatorEvent, notifyOperators } from './operator-notices.ts';
import { acceptUnknown } from './unknown-outcome.ts';

/** One record of the SQS event that Lambda passes to the function. */
interface NoticeMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

type NoticePorts = BackgroundPorts<'notices'>;
type NoticeEnvironment = Pick<
  Settings,
  'areas' | 'mailFrom' | 'browserOrigin' | 'smsCountries' | 'rateLimits'
>;

/** Reservation of a message in seconds: longer than the function may run, shorter than the queue's visibility timeout. */
const SENDING_SECONDS = 60;
/** Time in seconds for which a sent notice is remembered, longer than the queue retains a message. */
const REMEMBERED_SECONDS = 3 * SECONDS_PER_DAY;

const asText = (value: string | number | undefined) => (typeof value === 'string' ? value : undefined);

/** Functions that return the key under which a message is remembered as sent, by channel. Their argument is the event ID. */
const NAMES: Readonly<Record<NoticeChannel, (eventId: string) => string>> = {
  email: (eventId) => eventId,
  sms: (eventId) => `${eventId}/sms`,
};

/**
 * Returns the key that ensures that a message is sent only once. Most keys contain the event ID. The key of a message to a
 * former address contains the change ID instead, and the key of a notice about a recovery contains the recovery's start.
 * Further events about the same change or recovery then do not repeat the message.
 */
function toDeliveryKey(notice: Notice, { channel, former }: NoticeDelivery): string {
  const { event, kind, user } = notice;
  // The key contains the event ID even for a former address, because that address must be notified of each address that an
  // operator sets.
  if (findNoticeOperatorChange(notice)) return `${event.id}/${former?.changeId ?? channel}`;
  if (former) return `${user.userId}/${former.changeId}`;
  if (kind === 'recovery_requested' && user.recovery)
    return `${user.userId}/${user.recovery.since}/${channel}`;
  return NAMES[channel](event.id);
}

/**
 * Reserves a message for this copy of the event, so that only one copy sends it. The reservation is short until the message is
 * sent, because the event must be processed again after a failure, a crash, or a redrive from the dead-letter queue.
 * @returns false if another copy holds the reservation
 */
function reserve({ replays }: NoticePorts, name: string): Promise<boolean> {
  const at = nowSeconds();
  return replays.spend('notice', name, at + SENDING_SECONDS, at);
}

/**
 * Remembers until `until` that a message was sent, by extending its short reservation. A reservation can be replaced only after
 * it has expired, so the time of its expiry is passed as the current time.
 */
async function remember({ replays }: NoticePorts, name: string, until: number): Promise<void> {
  await replays.spend('notice', name, until, nowSeconds() + SENDING_SECONDS);
}

/**
 * Finds the sender that a notice names: the application of the event, or else the tenant. The tenant is also the sender if the
 * application was deleted, because a deletion must not suppress the notice of an account takeover.
 */
async function findSender(
  ports: NoticePorts,
  event: SecurityEvent,
): Promise<Pick<Notice, 'sender' | 'application'> | undefined> {
  const applicationId = asText(event.application_id);
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  const sender = application ?? (await ports.tenants.find(event.tenant_id ?? ''));
  return sender && { sender, application };
}

/** Returns the ID of the event's client if its application uses the hosted login pages, for the links in messages. */
async function findHostedClientId(
  ports: NoticePorts,
  { event, application }: Notice,
): Promise<string | undefined> {
  const methods = Object.keys(application?.loginPreferences ?? {});
  if (!application || !methods.some((method) => method !== 'direct')) return undefined;
  const clientId = asText(event.client_id) ?? '';
  if (isDocumentId(clientId)) return acceptsDocument(application, clientId) ? clientId : undefined;
  const client = await ports.clients.find(clientId);
  return client?.applicationId === application.applicationId ? client.clientId : undefined;
}

/**
 * Returns the link for a message: to undo the change or, for a current address with nothing to undo, to the account page. Both
 * pages belong to the area `account`.
 */
async function linkFor(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  notice: Notice,
  former: NoticeDelivery['former'],
): Promise<NoticeInput['link']> {
  if (!hasArea(settings, 'account')) return undefined;
  // Access to an operator's mailbox must not be enough to undo a change of the operator's account. Another admin resets it.
  const undo = notice.user.tenantId === OPERATORS_TENANT_ID ? undefined : findUndo(notice, former);
  if (!undo && former) return undefined;
  const clientId = await findHostedClientId(ports, notice);
  const applicationId = asText(notice.event.application_id);
  if (!undo) {
    const place = clientId === undefined ? undefined : toAccountParameters({ clientId, applicationId });
    return place && { kind: 'account', url: accountPageUrl(settings.browserOrigin, place) };
  }
  const { undoes, until } = undo;
  // Superseded credentials are reinstated by a login, which needs a client.
  if (undoes.kind === 'reclaimed' && clientId === undefined) return undefined;
  const { userId, tenantId } = notice.user;
  const target = omitUndefined<NoticeLinkTarget>({ userId, tenantId, applicationId, clientId, undoes });
  return { kind: undoes.kind, url: await makeNoticeLink(ports, target, until, settings) };
}

/**
 * Returns the fields that mails and text messages of a notice have in common: the tenant, the recipient's timeline, the data
 * for a sender function, and the request ID.
 */
const toSending = ({ event, user, sender, application }: Notice, language: string, link?: string) => ({
  tenantId: user.tenantId,
  subject: { userId: user.userId, applicationId: application?.applicationId, tenantId: user.tenantId },
  facts: { purpose: 'notice', link, language, applicationName: sender.name } as const,
  requestId: asText(event.request_id),
});

async function mail(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  notice: Notice,
  { to, former }: NoticeDelivery,
): Promise<SendReceipt> {
  const { event, kind, user, sender, application } = notice;
  const link = await linkFor(ports, settings, notice, former);
  const language = messageLanguage(user.language, sender.language);
  return ports.mailer.send({
    ...toSending(notice, language, link?.url),
    ...(await noticeMail({
      kind,
      to,
      link,
      brand: application && readPageBrand(application),
      from: settings.mailFrom,
      sentAt: nowSeconds(),
      at: readNoticeTime(notice),
      about: await findNoticeSubject(ports, notice),
      device: deviceName(language, asText(event.user_agent)),
      effectiveAt: readEffectiveTime(notice),
      isByOperator: findNoticeOperatorChange(notice) !== undefined,
      tenantId: user.tenantId,
      applicationName: sender.name,
      language,
      reference: newId(),
    })),
  });
}

/** Sends a notice as a text message within the SMS budget. Returns undefined if the tenant was deleted. */
async function text(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  notice: Notice,
  { to, former }: NoticeDelivery,
): Promise<SendReceipt | undefined> {
  const { kind, user, sender } = notice;
  const tenant = await ports.tenants.find(user.tenantId);
  if (!tenant) return undefined;
  const spender = { tenant, channel: 'sms', toUnknownNumber: false, settings, audit: () => {} };
  await countSmsBudget(ports, { ...spender, now: nowSeconds() });
  const language = messageLanguage(user.language, sender.language);
  // Topic of the text: the most specific one of `other`, `known`, `linked` and `about` that applies.
  const isWait = kind === 'recovery_requested' || kind === 'undo_requested';
  const other = isWait ? 'recovery' : kind === 'reclaimed' ? 'shut_out' : 'account_changed';
  // Only the texts about an erasure, a new second factor or an operator's change contain a link, because a user without email
  // cannot undo them in another way.
  const isByOperator = findNoticeOperatorChange(notice) !== undefined;
  const erases = kind === 'erasure_requested' && user.erasure !== undefined;
  const isEnrolment = findEnrolment(notice) !== undefined && !former;
  const hasLink = erases || isEnrolment || isByOperator;
  const url = hasLink ? (await linkFor(ports, settings, notice, former))?.url : undefined;
  const known = former ? 'number_removed' : other;
  const linked = isByOperator ? 'changed_by_operator' : isEnrolment ? 'factor_enrolled' : known;
  const about = erases ? 'account_erased' : linked;
  return ports.smsSender.send({
    ...toSending(notice, language, url),
    to,
    text: noticeSms({ applicationName: sender.name, language, about, url }),
  });
}

const SENDERS: Readonly<Record<NoticeChannel, typeof text>> = { email: mail, sms: text };

/**
 * Returns true if the user's daily limit admits the notice. A notice is counted only at its first attempt, and only if a
 * current address gets it, because former addresses are always notified.
 */
async function isAdmitted(
  ports: NoticePorts,
  { kind, user }: Notice,
  attempt: number,
  reserved: readonly NoticeDelivery[],
): Promise<boolean> {
  const isCounted = attempt === 1 && reserved.some(({ former }) => !former);
  return !isCounted || countNotice(ports, user.userId, kind, nowSeconds());
}

/** Sends one message of a notice, remembers that it was sent, and stores a `message.sent` event in the user's timeline. */
async function send(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  notice: Notice,
  delivery: NoticeDelivery,
): Promise<void> {
  const { channel, to } = delivery;
  const accepted = await SENDERS[channel](ports, settings, notice, delivery).catch(acceptUnknown);
  const until = delivery.former?.until ?? nowSeconds() + REMEMBERED_SECONDS;
  const name = toDeliveryKey(notice, delivery);
  await remember(ports, name, until);
  if (!accepted) return;
  // If the user is erased in the meantime, the forwarder deletes this entry when it handles the `user.erased` event.
  const { user, application } = notice;
  await addMessageEvent(
    ports,
    { userId: user.userId, applicationId: application?.applicationId },
    {
      eventId: `${name}/message.sent`,
      type: 'message.sent',
      time: new Date().toISOString(),
      detail: {
        operation: 'notices',
        sent: channel,
        notice: notice.kind,
        recipient: masks[channels[channel].address](to),
        ...(accepted.messageId === undefined ? {} : { message_id: accepted.messageId }),
      },
    },
  );
}

/**
 * Returns the messages of a notice that goes to all verified and former addresses of the user, whatever the settings are. An
 * operator's change and a new second factor cause such notices. Returns undefined for all other notices.
 */
async function deliveriesToEach(ports: NoticePorts, notice: Notice, notifiedUser: User) {
  const tenant = findNoticeOperatorChange(notice) && (await ports.tenants.find(notifiedUser.tenantId));
  if (tenant) return deliveriesAboutOperatorChange(notifiedUser, readRecoveryDelay(tenant), nowSeconds());
  return findEnrolment(notice) && deliveriesToAll(notifiedUser, notice.kind, nowSeconds());
}

/**
 * Sends the notices of one event to its user or, for operator events, to operators.
 * @param attempt number of times that SQS has delivered the event, starting at 1
 */
async function notify(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  event: SecurityEvent,
  attempt: number,
): Promise<void> {
  if (isOperatorEvent(event)) return notifyOperators(ports, settings, event, (name) => reserve(ports, name));
  const kind = findNoticeKind(event.type);
  if (kind === undefined || event.user_id === undefined) return;
  const [user, from] = await awaitAll(ports.users.find(event.user_id), findSender(ports, event));
  // Test users have no real mailbox, and bounced mail damages the sender's reputation.
  if (!user || user.isTest || !from || user.tenantId !== event.tenant_id) return;
  // A report that a number is at risk begins no recovery if the number was already at risk or is not one of the user's factors.
  if (event.type === 'user.phone_risk_set' && !mustNotifyRecovery(user.recovery, nowSeconds())) return;
  const notice: Notice = { event, kind, user, ...from };
  const reserved: NoticeDelivery[] = [];
  const notifiedUser = withEarlierGenerations(notice);
  const toAll = await deliveriesToEach(ports, notice, notifiedUser);
  const isForAll = toAll !== undefined;
  const deliveries = toAll ?? noticeDeliveries(from.sender, notifiedUser, kind, nowSeconds());
  for (const delivery of deliveries.filter(({ channel, to }) => maySend(settings, channel, to)))
    if (await reserve(ports, toDeliveryKey(notice, delivery))) reserved.push(delivery);
  const isNew = isForAll || (await isAdmitted(ports, notice, attempt, reserved));
  const deliveriesToSend = reserved.filter(({ former }) => isNew || former);
  await awaitAll(...deliveriesToSend.map((delivery) => send(ports, settings, notice, delivery)));
  for (const { channel } of deliveriesToSend)
    log('info', {
      event: 'notice',
      request_id: event.request_id,
      type: event.type,
      channel,
      tenant_id: user.tenantId,
      user_id: user.userId,
    });
}

/** Handles messages in parallel and returns the IDs of the failed messages, which SQS delivers again. */
export async function notifyAll(
  ports: NoticePorts,
  settings: NoticeEnvironment,
  messages: readonly NoticeMessage[],
): Promise<readonly string[]> {
  const failed = await Promise.all(
    messages.map(async ({ messageId, body, attributes }) => {
      const { detail } = JSON.parse(body) as { readonly detail: SecurityEvent };
      try {
        await notify(ports, settings, detail, Number(attributes.ApproximateReceiveCount));
        return [];
      } catch (error) {
        log('error', { event: 'notice_failed', name: error instanceof Error ? error.name : typeof error });
        return [messageId];
      }
    }),
  );
  return failed.flat();
}

/** Notifies users of events that concern their account, by email or SMS. SQS delivers failed messages again. */
export const create: CreateBackground<'notices', { readonly Records: readonly NoticeMessage[] }> = (
  ports,
  env,
) => {
  const settings: NoticeEnvironment = {
    areas: readAreas(env),
    mailFrom: requireVariable(env, 'MAIL_FROM'),
    browserOrigin: requireVariable(env, 'BROWSER_ORIGIN').replace(/\/$/, ''),
    smsCountries: readSmsCountries(env),
    rateLimits: env.RATE_LIMITS === 'off' ? 'off' : 'on',
  };
  return async ({ Records }) => {
    const failed = await notifyAll(ports, settings, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
