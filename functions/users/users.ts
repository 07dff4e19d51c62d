import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { requireUser, requireUserByIdentifier } from '../../shared/domain/identifiers/find-user.ts';
import { requireMayGiveRoles, requireMayRename, requireMayVerify } from '../../shared/domain/oauth/roles.ts';
import { createUser as create } from '../../shared/domain/users/create-user.ts';
import { eraseUser } from '../../shared/domain/users/erase-user.ts';
import { exportUser as exportEverything } from '../../shared/domain/users/export-user.ts';
import { clearPhoneRisk as clearRisk, reportPhoneRisk } from '../../shared/domain/users/phone-risk.ts';
import { fittingUsers } from '../../shared/domain/users/search-users.ts';
import { requireMayMakeTestUser } from '../../shared/domain/users/test-user.ts';
import { unlockUser as unlock } from '../../shared/domain/users/unlock-user.ts';
import { changesOf, updateUser as update } from '../../shared/domain/users/update-user.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { AdminCaller, ClientCaller, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** A user, with addresses as verified as the caller's application counts them. */
const shownTo = (caller: ClientCaller | AdminCaller, user: User) =>
  userRecord(user, caller.kind === 'client' ? caller.application : undefined);

/** Creates a user of the caller's tenant, reachable by at least one of email, phone number and username. */
export const createUser: UseCase<typeof rows.createUser> = async (
  { json, caller, request, audit },
  ports,
) => {
  requireMayGiveRoles(caller, json.roles);
  if (json.test) requireMayMakeTestUser(caller);
  const user = await create(ports, caller.tenant, json, request.now, json.test === true);
  audit({ userId: user.userId });
  return { json: { result: shownTo(caller, user) } };
};

/** Lists the users of the caller's tenant that match, oldest first, by pages. */
export const listUsers: UseCase<typeof rows.listUsers> = async ({ query, caller }, ports) => {
  const { tenantId } = caller.tenant;
  const page = await ports.userRecords.list(tenantId, readPageQuery(query), fittingUsers(query));
  return { json: listRecord(page, (user) => shownTo(caller, user)) };
};

/** Shows a user of the caller's tenant. */
export const getUser: UseCase<typeof rows.getUser> = async ({ path, caller }, ports) => {
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  return { json: { result: shownTo(caller, user) } };
};

/** Shows all stored data of a user, for the user to request. */
export const exportUser: UseCase<typeof rows.exportUser> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  return { json: { result: await exportEverything(ports, caller.tenant, path.userId, request.now) } };
};

/** Shows the user of a username, in any case. */
export const getUserByUsername: UseCase<typeof rows.getUserByUsername> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'username', path.username);
  return { json: { result: shownTo(caller, user) } };
};

/** Shows the user of an email address, in any case. */
export const getUserByEmail: UseCase<typeof rows.getUserByEmail> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'email', path.email);
  return { json: { result: shownTo(caller, user) } };
};

/** Shows the user of a phone number in international form. */
export const getUserByPhoneNumber: UseCase<typeof rows.getUserByPhoneNumber> = async (
  { path, caller },
  ports,
) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'phone_number', path.phoneNumber);
  return { json: { result: shownTo(caller, user) } };
};

/** Changes the given fields. Null removes a field, a changed address is unverified unless the caller says otherwise, and one identifier must remain. */
export const updateUser: UseCase<typeof rows.updateUser> = async (
  { path, json, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  requireMayGiveRoles(caller, json.roles);
  requireMayVerify(caller, json);
  const onChange = (before: User, after: User) => audit({ events: changesOf(before, after) });
  const check = (before: User, after: User) => requireMayRename(caller, before, after);
  const user = await update(ports, caller.tenant, path.userId, json, request.now, onChange, check);
  return { json: { result: shownTo(caller, user) } };
};

/** Records a risk signal about a user's phone number. */
export const setPhoneRisk: UseCase<typeof rows.setPhoneRisk> = async (
  { path, json, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await reportPhoneRisk(ports, caller.tenant, path.userId, json, request.now);
  return { json: { result: shownTo(caller, user) } };
};

/** Removes the risk signals about a user's phone number. No error without any. */
export const clearPhoneRisk: UseCase<typeof rows.clearPhoneRisk> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const { wasAtRisk } = await clearRisk(ports, caller.tenant, path.userId, request.now);
  if (wasAtRisk) audit({ events: ['user.phone_risk_cleared'] });
  return { none: true };
};

/** Clears failed tries and locks of all codes of a user. No error without any. */
export const unlockUser: UseCase<typeof rows.unlockUser> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  await unlock(ports, caller.tenant, path.userId, request.now);
  return { none: true };
};

/** Erases a user with codes, sessions, memberships and the reservations of their identifiers. */
export const deleteUser: UseCase<typeof rows.deleteUser> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  await eraseUser(ports, caller.tenant, path.userId, request.now);
  return { none: true };
};
