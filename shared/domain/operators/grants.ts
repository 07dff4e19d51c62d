// Operators of a tenant. An invitation takes effect once the invited person has enrolled and another operator has confirmed it.
import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { GrantName, OperatorGrant, OperatorRole } from '../../ports/operators.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { operatorFields } from '../../records/operator.ts';
import { toRecordView } from '../../records/record.ts';
import { changeRecord } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { buildGrantId, OPERATORS_TENANT_ID } from '../basis/operators.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { normaliseIdentifier } from '../identifiers/identifier.ts';
import { createUser, type NewUserPorts } from '../users/create-user.ts';
import { type EnrolmentStep, findEnrolmentStep, withEnrolment } from './invitation.ts';
import { CONSOLE_APPLICATION_ID } from './operators.ts';

type RecordPorts = PortsWith<'operatorRecords.find' | 'operatorRecords.replace'>;

/** Operator grant with its user. The user is absent if they no longer exist. */
interface GrantOfUser {
  readonly grant: OperatorGrant;
  readonly user?: User | undefined;
  /** Last enrolment step that an invited person has completed. Undefined before the invitation is accepted. */
  readonly step?: EnrolmentStep | undefined;
}

export const operatorRecord = ({ grant, user, step }: GrantOfUser) =>
  omitUndefined<
    ReturnType<typeof toRecordView<typeof operatorFields>> & {
      readonly email?: string;
      readonly enrolment_step?: EnrolmentStep;
    }
  >({
    ...toRecordView(operatorFields, grant),
    email: user?.email?.value,
    enrolment_step: step,
  });

const noOperator = () => new ServiceError('member_not_found', { message: 'Operator not found' });

/** Returns an operator grant with its current state. For an invited person, the state also depends on their enrolment. */
const enrolledGrant = async (ports: PortsWith<'operatorEnrolments.find'>, grant: OperatorGrant) =>
  grant.state === 'invited' ? withEnrolment(grant, await ports.operatorEnrolments.find(grant)) : grant;

/** Returns a page of the operators of a tenant with their users, oldest first. */
export async function listOperators(
  ports: PortsWith<'operatorRecords.list' | 'operatorEnrolments.find' | 'users.find' | 'passkeys.listOf'>,
  { tenantId }: Tenant,
  page: PageRequest,
): Promise<Page<GrantOfUser>> {
  const { items, ...rest } = await ports.operatorRecords.list(tenantId, page);
  const shown = async (grant: OperatorGrant): Promise<GrantOfUser> => {
    if (grant.state !== 'invited') return { grant, user: await ports.users.find(grant.userId) };
    const [user, enrolment] = await Promise.all([
      ports.users.find(grant.userId),
      ports.operatorEnrolments.find(grant),
    ]);
    const known = withEnrolment(grant, enrolment);
    const isAccepted = enrolment !== undefined && enrolment.hash === grant.invitation?.hash;
    if (!user || !isAccepted || known.state !== 'invited') return { grant: known, user };
    return { grant: known, user, step: await findEnrolmentStep(ports, user) };
  };
  return { ...rest, items: await Promise.all(items.map(shown)) };
}

async function findOrCreateUser(
  ports: NewUserPorts & PortsWith<'identifiers' | 'users.find' | 'tenants'>,
  email: string,
  at: number,
): Promise<User> {
  const tenant = await ports.tenants.find(OPERATORS_TENANT_ID);
  if (!tenant) throw new ServiceError('tenant_not_found');
  const identifier = normaliseIdentifier('email', email);
  const known = identifier && (await findUserByIdentifier(ports, tenant, identifier));
  return known ?? createUser(ports, tenant, { email }, { applications: [CONSOLE_APPLICATION_ID], at });
}

/**
 * Invites a person to operate a tenant, and notifies them by email. If the person is already invited but not active, the new
 * invitation replaces the earlier invitation. Throws `system_invalid_input`, `already_member`, `concurrent_change`, or
 * `tenant_not_found` if the tenant of operators is missing.
 */
export async function inviteOperator(
  ports: RecordPorts &
    NewUserPorts &
    PortsWith<'operatorRecords.put' | 'identifiers' | 'users.find' | 'tenants'>,
  { tenantId }: Tenant,
  asked: { readonly email: string; readonly role: OperatorRole; readonly invitedBy: string },
  at: number,
): Promise<GrantOfUser> {
  // A person with operator rights over the operators' tenant could impersonate every operator.
  if (tenantId === OPERATORS_TENANT_ID)
    throw new ServiceError('in_use', { message: 'Operators have no operators' });
  const { email, role, invitedBy } = asked;
  const user = await findOrCreateUser(ports, email, at);
  const { userId } = user;
  const dates = { createdAt: at, updatedAt: at };
  const grant: OperatorGrant = { userId, tenantId, role, state: 'invited', invitedBy, ...dates };
  if (await ports.operatorRecords.put(grant)) return { grant, user };
  const again = await changeGrant(ports, grant, at, ({ createdAt, state }) => {
    if (state === 'active')
      throw new ServiceError('already_member', { message: 'The person operates the tenant already' });
    return { ...grant, createdAt };
  });
  return { grant: again, user };
}

/** Finds an operator grant. Throws `member_not_found`. */
async function requireGrant(
  ports: PortsWith<'operatorRecords.find'>,
  name: GrantName,
): Promise<OperatorGrant> {
  const grant = await ports.operatorRecords.find(buildGrantId(name));
  if (!grant) throw noOperator();
  return grant;
}

function changeGrant(
  ports: RecordPorts,
  name: GrantName,
  at: number,
  change: (grant: OperatorGrant) => OperatorGrant,
): Promise<OperatorGrant> {
  return changeRecord(
    ports.operatorRecords,
    () => requireGrant(ports, name),
    (grant) => ({ ...change(grant), updatedAt: at }),
  );
}

/** Changes the role of an operator. Throws `member_not_found` or `concurrent_change`. */
export const setOperatorRole = async (
  ports: RecordPorts & PortsWith<'operatorEnrolments.find'>,
  name: GrantName,
  role: OperatorRole,
  at: number,
) => enrolledGrant(ports, await changeGrant(ports, name, at, (grant) => ({ ...grant, role })));

/** Activates the role of a person who has enrolled. Throws `member_not_found`, `in_use` or `concurrent_change`. */
export async function confirmOperator(
  ports: RecordPorts & PortsWith<'operatorEnrolments.find' | 'operatorEnrolments.remove'>,
  name: GrantName,
  at: number,
): Promise<OperatorGrant> {
  const enrolment = await ports.operatorEnrolments.find(name);
  const confirmed = await changeGrant(ports, name, at, (current) => {
    if (withEnrolment(current, enrolment).state !== 'enrolled')
      throw new ServiceError('in_use', { message: 'The person has not enrolled yet' });
    const { invitation: _, ...grant } = current;
    return { ...grant, state: 'active' };
  });
  await ports.operatorEnrolments.remove(name);
  return confirmed;
}

/**
 * Removes the role of an operator in a tenant. If it was their last role, their passkeys and sessions are deleted too, so that
 * they need a new passkey after a new invitation. Throws `member_not_found`.
 */
export async function removeOperator(
  ports: PortsWith<
    | 'operatorRecords.remove'
    | 'operatorEnrolments.remove'
    | 'operators.listOfUser'
    | 'passkeyRecords.forgetAllOf'
    | 'sessions.endAllOf'
  >,
  name: GrantName,
  at: number,
): Promise<void> {
  if (!(await ports.operatorRecords.remove(buildGrantId(name)))) throw noOperator();
  await ports.operatorEnrolments.remove(name);
  if ((await ports.operators.listOfUser(name.userId)).length > 0) return;
  await ports.passkeyRecords.forgetAllOf(name.userId);
  await ports.sessions.endAllOf(name.userId, at);
}

/**
 * Lets an operator who has lost their passkey enrol again. All their roles are inactive until another operator confirms them.
 * Throws `member_not_found` or `concurrent_change`.
 */
export async function resetOperator(
  ports: RecordPorts & PortsWith<'operators.listOfUser' | 'passkeyRecords.forgetAllOf' | 'sessions.endAllOf'>,
  name: GrantName,
  invitedBy: string,
  at: number,
): Promise<OperatorGrant> {
  await requireGrant(ports, name);
  const grants = await ports.operators.listOfUser(name.userId);
  const reset = (grant: GrantName) =>
    changeGrant(ports, grant, at, ({ invitation: _, ...rest }) => ({ ...rest, state: 'invited', invitedBy }));
  // Runs before the passkeys are deleted. Otherwise, anyone who reads the mailbox could log in with a role that is still
  // active.
  for (const other of grants) if (other.tenantId !== name.tenantId) await reset(other);
  const grant = await reset(name);
  await ports.passkeyRecords.forgetAllOf(name.userId);
  await ports.sessions.endAllOf(name.userId, at);
  return grant;
}
