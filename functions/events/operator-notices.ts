// Mails to operators: invitations, and notices of actions that decide who gets access. In English, like the console.

import { iterateItems } from '../../shared/domain/basis/change-record.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { invitationPath, makeInvitationLink } from '../../shared/domain/operators/invitation.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { User } from '../../shared/ports/people.ts';
import { operatorMail, toUtcMinute } from '../../shared/templates/messages/email.ts';
import type { BackgroundPorts } from '../background.ts';
import { acceptUnknown } from './unknown-outcome.ts';

type Ports = BackgroundPorts<'notices'>;

interface Settings {
  readonly mailFrom: string;
  readonly browserOrigin: string;
}

/** Function that reserves a message by its name. Returns false if another copy of the event sends or has sent the message. */
type Reserve = (name: string) => Promise<boolean>;

export const isOperatorEvent = ({ type }: SecurityEvent): boolean => type.startsWith('operator.');

const MILLISECONDS = 1000;
const SENDER = 'Operator console';
const text = (value: string | number | undefined) => String(value ?? '');

/** Converts an operation's name to words: `operators/invite-operator` becomes `invite operator`. */
const toWords = (operation: string) => operation.slice(operation.lastIndexOf('/') + 1).replaceAll('-', ' ');

async function send(
  ports: Ports,
  { mailFrom }: Settings,
  { userId, email }: User,
  mail: Pick<Parameters<typeof operatorMail>[0], 'title' | 'body' | 'facts' | 'footer' | 'link'>,
): Promise<void> {
  if (!email || email.undeliverable) return;
  const own = { tenantId: OPERATORS_TENANT_ID, applicationName: SENDER, from: mailFrom, to: email.value };
  const composed = await operatorMail({ ...own, ...mail, reference: newId(), sentAt: nowSeconds() });
  const facts = { purpose: 'notice', link: mail.link?.url, language: 'en', applicationName: SENDER } as const;
  await ports.mailer.send({ ...composed, subject: { userId }, facts }).catch(acceptUnknown);
}

/** Mails an invitation to a new operator. Creates the secret of the link here, so that no event and no log contains it. */
async function invite(
  ports: Ports,
  settings: Settings,
  event: SecurityEvent,
  reserve: Reserve,
): Promise<void> {
  const name = { userId: text(event.record_id), tenantId: text(event.tenant_id) };
  const [user, tenant] = await Promise.all([
    ports.users.find(name.userId),
    ports.tenants.find(name.tenantId),
  ]);
  if (user?.tenantId !== OPERATORS_TENANT_ID || !tenant || !(await reserve(`${event.id}/mail`))) return;
  const link = await makeInvitationLink(ports, name, nowSeconds());
  if (link === undefined) return;
  const inviter = await ports.users.find(text(event.operator));
  await send(ports, settings, user, {
    title: `You are invited to operate ${tenant.name}`,
    body: 'The button opens a page where you verify this address and create a passkey. The admin who invited you then confirms your role.',
    facts: [
      ['Tenant', tenant.name],
      ['Invited by', inviter?.email?.value ?? text(event.operator)],
    ],
    link: { url: `${settings.browserOrigin}${invitationPath(link)}`, linkText: 'Open the invitation' },
    footer:
      'The link works once, within 24 hours, and only in the browser in which you open it first. If you do not expect an invitation, ignore this mail.',
  });
}

/** Notifies the active admins of a tenant about an operator's action or enrolment. */
async function notifyAdmins(
  ports: Ports,
  settings: Settings,
  event: SecurityEvent,
  reserve: Reserve,
): Promise<void> {
  const tenantId = text(event.tenant_id);
  const tenant = await ports.tenants.find(tenantId);
  if (!tenant) return;
  const [actor, about] = await Promise.all([
    ports.users.find(text(event.operator)),
    ports.users.find(text(event.record_id)),
  ]);
  const isEnrolment = event.type === 'operator.enrolled';
  const what = isEnrolment ? 'finish enrolment' : toWords(text(event.operation));
  const known = {
    Action: what,
    By: isEnrolment ? undefined : (actor?.email?.value ?? text(event.operator)),
    Operator: about?.tenantId === OPERATORS_TENANT_ID ? about.email?.value : undefined,
    Record: about?.tenantId === OPERATORS_TENANT_ID ? undefined : event.record_id,
    Reason: event.reason,
    Time: toUtcMinute(Math.floor(Date.parse(event.time) / MILLISECONDS)),
  };
  const facts = Object.entries(known).flatMap(([label, value]) =>
    value === undefined ? [] : [[label, String(value)] as const],
  );
  for await (const { userId, role, state } of iterateItems((page) =>
    ports.operatorRecords.list(tenantId, page),
  )) {
    if (role !== 'admin' || state !== 'active') continue;
    const admin = await ports.users.find(userId);
    if (!admin || !(await reserve(`${event.id}/${userId}`))) continue;
    await send(ports, settings, admin, {
      title: `${tenant.name}: ${what}`,
      body: isEnrolment
        ? 'A person has accepted an invitation. Their role takes effect when you or another admin confirm it. Verify their identity first.'
        : 'An operator has changed who gets access or what data leaves the tenant.',
      facts,
      footer: 'If you did not expect this, remove the operator and review their changes.',
    });
  }
}

/**
 * Notifies operators about an operator event. If the queue delivers the event again, only operators who were not notified get
 * the mail.
 */
export async function notifyOperators(
  ports: Ports,
  settings: Settings,
  event: SecurityEvent,
  reserve: Reserve,
): Promise<void> {
  if (event.type === 'operator.invited') await invite(ports, settings, event, reserve);
  else await notifyAdmins(ports, settings, event, reserve);
}
