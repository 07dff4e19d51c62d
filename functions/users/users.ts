import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { listApplicationIds, withExternalApplication } from '../../shared/domain/identifiers/external-ids.ts';
import { requireUser, requireUserByIdentifier } from '../../shared/domain/identifiers/find-user.ts';
import { withinCallTime } from '../../shared/domain/jobs/job.ts';
import { isAdmin, requireMayAssignRoles, requireMayVerify } from '../../shared/domain/oauth/roles.ts';
import { includesRole } from '../../shared/domain/operators/operators.ts';
import { buildOperatorChangeTerms } from '../../shared/domain/operators/set-address.ts';
import { findPeople } from '../../shared/domain/support/find-people.ts';
import { buildPeopleFilter, listProblems } from '../../shared/domain/support/problems.ts';
import { listAllTroubled, listTroubled } from '../../shared/domain/support/recent-trouble.ts';
import { TENANT_WIDE } from '../../shared/domain/trust/generations.ts';
import type { AddressChangeSource } from '../../shared/domain/trust/given-address.ts';
import {
  findChangeEffect,
  requireMayChange,
  requireTenantAccess,
  requireUserAccess,
} from '../../shared/domain/users/authority.ts';
import { chooseApplications, createUser as create } from '../../shared/domain/users/create-user.ts';
import { eraseUser } from '../../shared/domain/users/erase-user.ts';
import { exportUser as exportEverything } from '../../shared/domain/users/export-user.ts';
import { readRecoveryDelay } from '../../shared/domain/users/pending-recovery.ts';
import { clearPhoneRisk as clearRisk, reportPhoneRisk } from '../../shared/domain/users/phone-risk.ts';
import { buildUserFilter, findUsersByExternalId } from '../../shared/domain/users/search-users.ts';
import { requireMayMakeTestUser } from '../../shared/domain/users/test-user.ts';
import { unlockUser as unlock } from '../../shared/domain/users/unlock-user.ts';
import {
  listChangeEvents,
  listSupersedingFields,
  type UserChange,
  updateUser as update,
} from '../../shared/domain/users/update-user.ts';
import { applyUserFields, toUserRecord } from '../../shared/domain/users/user-record.ts';
import { invalidInput } from '../../shared/errors/service-error.ts';
import type { AdminCaller, ClientCaller, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { requireFreshLogin } from './fresh-login.ts';
import type * as rows from './rows.ts';

const findCallerApplication = (caller: ClientCaller | AdminCaller) =>
  caller.kind === 'client' ? caller.application : undefined;

/**
 * Returns a user's record as the caller's application sees it: `verified` and the external ID describe the user at that
 * application.
 */
const shownTo = (caller: ClientCaller | AdminCaller, user: User) =>
  toUserRecord(user, findCallerApplication(caller));

/**
 * Returns the IDs of the applications that a caller may name: for a client only its own application, for an operator all
 * applications of the tenant.
 */
const namedBy = async (ports: PortsWith<'applicationRecords.list'>, caller: ClientCaller | AdminCaller) =>
  caller.kind === 'client' ? [caller.application.applicationId] : listApplicationIds(ports, caller.tenant);

/** Creates a user of the caller's tenant, with at least one of email, phone number and username. */
export const createUser: UseCase<typeof rows.createUser> = async (
  { json, caller, request, audit },
  ports,
) => {
  requireMayAssignRoles(caller, json.roles);
  requireMayVerify(caller, json);
  if (json.test) requireMayMakeTestUser(caller);
  const known = await namedBy(ports, caller);
  const fields = withExternalApplication(known, json);
  const user = await create(ports, caller.tenant, fields, {
    at: request.now,
    applications: chooseApplications(known, json.applications),
    isTest: json.test === true,
  });
  audit({ userId: user.userId });
  return { json: { result: shownTo(caller, user) } };
};

/** Lists matching users of the caller's tenant, oldest first and page by page. */
export const listUsers: UseCase<typeof rows.listUsers> = async ({ query, caller }, ports) => {
  const [request, place] = [readPageQuery(query), findCallerApplication(caller)];
  const fits = buildUserFilter(query);
  const page =
    query.external_user_id === undefined
      ? await ports.userRecords.list(caller.tenant.tenantId, request, fits)
      : await findUsersByExternalId(ports, caller.tenant, {
          value: query.external_user_id,
          request,
          place,
          fits,
        });
  return { json: toListRecord(page, (user) => shownTo(caller, user)) };
};

/**
 * Finds users by the beginning of an address or name, or by a complete identifier. Without a search text, lists the newest
 * users or the users with a recent problem.
 */
export const findUsers: UseCase<typeof rows.findUsers> = async (
  { query, caller, request: { now } },
  ports,
) => {
  // Viewers and developers see masked values. A search by the beginning of a value would let them guess it letter by letter.
  const operator = caller.kind === 'admin' ? caller.operator : undefined;
  const exactMatchesOnly = operator !== undefined && !includesRole(operator.role, 'support');
  const request = {
    ...readPageQuery(query),
    exactMatchesOnly,
    callerApplicationId: findCallerApplication(caller)?.applicationId,
  };
  const isWanted = buildPeopleFilter(query);
  const toRecord = (user: User) => ({ ...shownTo(caller, user), problems: [...listProblems(user)] });
  const { has_problem: problem } = query;
  if (problem === 'locked' || problem === 'failed_login') {
    if (query.beginning !== undefined)
      throw invalidInput(`beginning: cannot be combined with has_problem=${problem}`);
    requireTenantAccess(caller, 'users:read');
    const page = await listTroubled(ports, caller.tenant, { ...readPageQuery(query), problem }, now);
    const wanted = { ...page, items: page.items.filter(({ user }) => isWanted(user)) };
    return {
      json: toListRecord(wanted, ({ user, lockedUntil }) => ({
        ...toRecord(user),
        ...(lockedUntil === undefined ? {} : { locked_until: lockedUntil }),
      })),
    };
  }
  if (problem === 'true' && query.beginning === undefined) {
    const page = await listAllTroubled(ports, caller.tenant, readPageQuery(query), now);
    const wanted = { ...page, items: page.items.filter(({ user }) => isWanted(user)) };
    return { json: toListRecord(wanted, ({ user }) => toRecord(user)) };
  }
  if (query.beginning === undefined) {
    const newest = { ...readPageQuery(query), isNewestFirst: true };
    return {
      json: toListRecord(await ports.userRecords.list(caller.tenant.tenantId, newest, isWanted), toRecord),
    };
  }
  const page = await findPeople(ports, caller.tenant, query.beginning, request);
  const wanted = { ...page, items: page.items.filter(({ user }) => isWanted(user)) };
  return { json: toListRecord(wanted, ({ user, by }) => ({ ...toRecord(user), found_by: by })) };
};

/** Returns a user of the caller's tenant. Records an event if the caller is an operator. */
export const getUser: UseCase<typeof rows.getUser> = async ({ path, caller, audit }, ports) => {
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  if (caller.kind === 'admin' && caller.operator)
    audit({ userId: user.userId, events: ['operator.viewed_user'] });
  return { json: { result: shownTo(caller, user) } };
};

/** Returns all stored data of a user, for example to fulfil the user's request for that data. */
export const exportUser: UseCase<typeof rows.exportUser> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  requireUserAccess(caller, user, 'users:read');
  return { json: { result: await exportEverything(ports, caller.tenant, path.userId, request.now) } };
};

/** Finds a user by username, ignoring case. */
export const getUserByUsername: UseCase<typeof rows.getUserByUsername> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'username', path.username);
  return { json: { result: shownTo(caller, user) } };
};

/** Finds a user by email address, ignoring case. */
export const getUserByEmail: UseCase<typeof rows.getUserByEmail> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'email', path.email);
  return { json: { result: shownTo(caller, user) } };
};

/** Finds a user by phone number in international form. */
export const getUserByPhoneNumber: UseCase<typeof rows.getUserByPhoneNumber> = async (
  { path, caller },
  ports,
) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'phone_number', path.phoneNumber);
  return { json: { result: shownTo(caller, user) } };
};

/**
 * Returns the author of an address change: the user, if the request names the session of a fresh login. Otherwise the author is
 * the backend, whose change only makes the address `claimed`.
 * @throws `insufficient_permission` if the session is not fresh or its factors are fewer than adding a credential requires
 */
async function findChangeSource(
  ports: PortsWith<'sessions.find' | 'users.find' | 'passkeys.listOf'>,
  caller: ClientCaller | AdminCaller,
  { session_id, userId }: { readonly session_id?: string | undefined; readonly userId: string },
  now: number,
): Promise<{ readonly by: AddressChangeSource } & Pick<UserChange, 'undoCondition' | 'ownSessionId'>> {
  const scope = caller.kind === 'client' ? caller.application.applicationId : TENANT_WIDE;
  if (session_id === undefined) return { by: { how: 'backend', scope }, undoCondition: 'link' };
  const given = await requireFreshLogin(ports, caller, { sessionId: session_id, userId }, now);
  const by = { how: 'login', standing: 'claimed', scope } as const;
  return { by, undoCondition: given.size > 1 ? 'kind' : 'link', ownSessionId: session_id };
}

/**
 * Updates the given fields of a user. Null removes a field, and one identifier must remain. A changed address is unverified
 * unless the caller says otherwise.
 */
export const updateUser: UseCase<typeof rows.updateUser> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  requireMayAssignRoles(caller, json.roles);
  requireMayVerify(caller, json);
  const { by, ...changing } = await findChangeSource(
    ports,
    caller,
    { ...json, userId: path.userId },
    request.now,
  );
  const onChange = (before: User, after: User) => {
    const taking = listSupersedingFields(before, after);
    const supersedesAccount = taking.length > 0 ? { supersedesAccount: taking.join(' ') } : {};
    audit({ events: listChangeEvents(before, after), ...supersedesAccount });
  };
  const check = async (before: User, after: User) => {
    const effect = findChangeEffect(before, after);
    if (effect) await requireMayChange(ports, caller, before, { permission: 'users:edit', effect });
  };
  const who = { tenant: caller.tenant, userId: path.userId };
  const known = json.external_user_id === undefined ? [] : await namedBy(ports, caller);
  const fields = withExternalApplication(known, json);
  const isSupport = caller.kind === 'admin' && !isAdmin(caller);
  const apply = (current: User) => {
    const how = isSupport ? buildOperatorChangeTerms(caller.tenant, settings, current, request.now) : by;
    return applyUserFields(current, fields, request.now, how);
  };
  const endsSessions = json.end_sessions !== false;
  const undoCondition = isSupport ? { delay: readRecoveryDelay(caller.tenant) } : changing.undoCondition;
  const how = { ...changing, undoCondition, apply, endsSessions, check, onChange };
  const user = await update(ports, who, how, request.now);
  return { json: { result: shownTo(caller, user) } };
};

/** Records a report that a user's phone number may be under someone else's control. */
export const setPhoneRisk: UseCase<typeof rows.setPhoneRisk> = async (
  { path, json, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const check = (user: User) =>
    requireMayChange(ports, caller, user, { permission: 'users:edit', effect: 'closes' });
  const who = { tenant: caller.tenant, userId: path.userId };
  const user = await reportPhoneRisk(ports, who, { ...json, check }, request.now);
  return { json: { result: shownTo(caller, user) } };
};

/** Removes the reports about a user's phone number. Succeeds even if there are no reports. */
export const clearPhoneRisk: UseCase<typeof rows.clearPhoneRisk> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const check = (user: User) =>
    requireMayChange(ports, caller, user, { permission: 'users:edit', effect: 'opens' });
  const who = { tenantId: caller.tenant.tenantId, userId: path.userId };
  const { wasAtRisk } = await clearRisk(ports, who, request.now, check);
  if (wasAtRisk) audit({ events: ['user.phone_risk_cleared'] });
  return { none: true };
};

/** Clears failed attempts and locks of all codes of a user. Succeeds even if there is nothing to clear. */
export const unlockUser: UseCase<typeof rows.unlockUser> = async (
  { path, caller, settings, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  await requireMayChange(ports, caller, user, { permission: 'users:edit', effect: 'opens' });
  const who = { tenant: caller.tenant, userId: path.userId };
  const { isDone } = await unlock(ports, who, withinCallTime(request.now, settings.jobCallSeconds));
  return { none: true, status: isDone ? 204 : 202 };
};

/** Erases a user together with codes, sessions, memberships and the reservations of the user's identifiers. */
export const deleteUser: UseCase<typeof rows.deleteUser> = async (
  { path, caller, settings, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const check = (user: User) =>
    requireMayChange(ports, caller, user, { permission: 'users:delete', effect: 'opens' });
  const who = { tenant: caller.tenant, userId: path.userId };
  const isDone = await eraseUser(ports, who, withinCallTime(request.now, settings.jobCallSeconds), check);
  // Otherwise the job publishes the event when it has finished.
  if (isDone) audit({ events: ['user.erased'] });
  return { none: true, status: isDone ? 204 : 202 };
};
