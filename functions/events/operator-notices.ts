import { everyItem } from '../../shared/domain/basis/change-record.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { invitationPath, makeInvitationLink } from '../../shared/domain/operators/invitation.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { User } from '../../shared/ports/people.ts';
import { minuteOf, operatorMail } from '../../shared/templates/messages/email.ts';
import type { BackgroundPorts } from '../background.ts';

/** Mails to operators: invitations, and what was done that decides who gets in. In English, like the console. */

type Ports = BackgroundPorts<'notices'>;

interface Settings {
  readonly mailFrom: string;
  readonly browserOrigin: string;
}

/** False: another copy of the event sends it. */
type Reserve = (name: string) => Promise<boolean>;

export const isOfOperators = ({ type }: SecurityEvent): boolean => type.startsWith('operator.');

const MILLISECONDS = 1000;
const SENDER = 'Operator console';
const text = (value: string | number | undefined) => String(value ?? '');

/** `operators/invite-operator` as people say it. */
const wordsOf = (operation: string) => operation.slice(operation.lastIndexOf('/') + 1).replaceAll('-', ' ');

async function send(
  ports: Ports,
  { mailFrom }: Settings,
  { userId, email }: User,
  mail: Pick<Parameters<typeof operatorMail>[0], 'title' | 'body' | 'facts' | 'footer' | 'link'>,
): Promise<void> {
  if (!email || email.undeliverable) return;
  const own = { tenantId: OPERATORS_TENANT_ID, applicationName: SENDER, from: mailFrom, to: email.value };
  const composed = await operatorMail({ ...own, ...mail, reference: newId(), sentAt: nowSeconds() });
  await ports.mailer.send({ ...composed, subject: { userId } });
}

/** The secret is made here: no event and no log has it. */
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
    body: 'The button leads to a page where you prove this address and make a passkey. Then the one who invited you confirms it.',
    facts: [
      ['Tenant', tenant.name],
      ['Invited by', inviter?.email?.value ?? text(event.operator)],
    ],
    link: { url: `${settings.browserOrigin}${invitationPath(link)}`, linkText: 'Open the invitation' },
    footer:
      'The link counts once and for 24 hours, in the browser in which you press the button first. If you expect no invitation, ignore this mail.',
  });
}

async function tellAdmins(
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
  const what = isEnrolment ? 'finish enrolment' : wordsOf(text(event.operation));
  const known = {
    What: what,
    Who: isEnrolment ? undefined : (actor?.email?.value ?? text(event.operator)),
    Operator: about?.tenantId === OPERATORS_TENANT_ID ? about.email?.value : undefined,
    Record: event.record_id,
    Reason: event.reason,
    Time: minuteOf(Math.floor(Date.parse(event.time) / MILLISECONDS)),
  };
  const facts = Object.entries(known).flatMap(([label, value]) =>
    value === undefined ? [] : [[label, String(value)] as const],
  );
  for await (const { userId, role, state } of everyItem((page) =>
    ports.operatorRecords.list(tenantId, page),
  )) {
    if (role !== 'admin' || state !== 'active') continue;
    const admin = await ports.users.find(userId);
    if (!admin || !(await reserve(`${event.id}/${userId}`))) continue;
    await send(ports, settings, admin, {
      title: `${tenant.name}: ${what}`,
      body: isEnrolment
        ? 'A person has accepted an invitation. The role counts once you, or another admin, have confirmed it: make sure that it is them.'
        : 'An operator did something that decides who gets in, or what leaves.',
      facts,
      footer: 'If this should not have happened, remove the operator, and look at what was changed.',
    });
  }
}

/** Tells operators of an event of theirs. A failure is repeated by the queue, and tells those anew who were not told. */
export async function tellOperators(
  ports: Ports,
  settings: Settings,
  event: SecurityEvent,
  reserve: Reserve,
): Promise<void> {
  if (event.type === 'operator.invited') await invite(ports, settings, event, reserve);
  else await tellAdmins(ports, settings, event, reserve);
}
