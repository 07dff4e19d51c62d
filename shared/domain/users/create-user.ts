import { invalidInput } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier, User, UserFields } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { createRecord } from '../../records/record.ts';
import { userFields } from '../../records/user.ts';
import { RECORDED_APPLICATIONS_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { listIdentifiers } from '../identifiers/identifier.ts';
import {
  type ReservationPorts,
  requireFreshReservations,
  reserveExternalIds,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { PROVEN_GENERATIONS, TENANT_WIDE, UNPROVEN_GENERATIONS } from '../trust/generations.ts';
import { requireTestDataOnly } from './test-user.ts';
import { applyUserFields } from './user-record.ts';

export type NewUserPorts = ReservationPorts & PortsWith<'userRecords.put'>;

/** Creates a user record with the given applications and no other field. */
export function buildBlankUser(
  { tenantId }: Tenant,
  userId: string,
  at: number,
  made: Pick<User, 'applications' | 'generations'>,
): User {
  const own = { userId, tenantId, status: 'Pending', externalIds: [], formerEmails: [] } as const;
  const dates = { createdAt: at, updatedAt: at };
  return {
    ...createRecord(userFields, { ...own, ...dates, ...made }, {}),
    ...made,
    changes: [],
    identities: [],
  };
}

/**
 * Stores a new user: first the reservations of identifiers, then the user. If a crash in between leaves reservations without a
 * user, other users can take them over a minute later. If the response to the last write is lost, the reservations stay,
 * because the user may exist. Errors: `identifier_taken` if another user has an identifier of this user, or one of the
 * identifiers in `demanded`.
 */
export async function putUser(
  ports: NewUserPorts,
  user: User,
  demanded: readonly Identifier[] = [],
): Promise<User> {
  const { tenantId, userId } = requireTestDataOnly(user);
  const names = [...listIdentifiers(user), ...demanded];
  const reservations = await reserveIdentifiers(ports, tenantId, userId, names);
  await reserveExternalIds(ports, user, demanded);
  await requireFreshReservations(ports, tenantId, userId, reservations);
  if (!(await ports.userRecords.put(user))) throw new Error('a fresh user ID is in use');
  return user;
}

/**
 * Returns the applications of a new user: those that the request names, or else the caller's only application. `known` contains
 * the applications that the caller may name. Errors: `system_invalid_input`.
 */
export function chooseApplications(
  known: readonly string[],
  named: readonly string[] | null | undefined,
): readonly string[] {
  if (!named) return known.length === 1 ? known : [];
  if (named.some((id) => !known.includes(id)))
    throw invalidInput('applications: must be applications of the caller');
  return [...new Set(named)];
}

/** Returns where the credentials of a new user are valid: in the user's only application, or tenant-wide. */
export const chooseValidIn = ([only, ...others]: readonly string[]): string =>
  only !== undefined && others.length === 0 ? only : TENANT_WIDE;

/** Builds the record of a user who has not logged in yet. Errors: `system_invalid_input`. */
function newUser(tenant: Tenant, fields: UserFields, applications: readonly string[], at: number): User {
  const generations =
    fields.email_verified || fields.phone_number_verified ? PROVEN_GENERATIONS : UNPROVEN_GENERATIONS;
  const made = { applications: applications.slice(0, RECORDED_APPLICATIONS_MAX), generations };
  const by = { how: 'made', scope: chooseValidIn(applications) } as const;
  return applyUserFields(buildBlankUser(tenant, newId(), at, made), fields, at, by);
}

/**
 * Creates a user who has not logged in yet. Set `isTest` only after checking that the caller may create test users.
 * `fields.test` without `isTest` is rejected. Errors: `system_invalid_input`, `identifier_taken`.
 */
export async function createUser(
  ports: NewUserPorts,
  tenant: Tenant,
  fields: UserFields & { readonly test?: boolean | null | undefined },
  {
    applications,
    isTest,
    at,
  }: { readonly applications: readonly string[]; readonly isTest?: boolean; readonly at: number },
): Promise<User> {
  if (fields.test && !isTest) throw invalidInput('test: only POST /v1/users makes test users');
  const user = newUser(tenant, fields, applications, at);
  return putUser(ports, isTest ? { ...user, isTest } : user);
}
