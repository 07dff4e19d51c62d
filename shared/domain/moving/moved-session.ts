// Exchanges the session that an imported user has in their previous system for a session in this service.
import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { arePasscodesDisabled } from '../credentials/guesses.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { externalIdentifier } from '../identifiers/identifier.ts';
import { isPrivilegedUser, type PrivilegePorts } from '../trust/privileged-user.ts';
import { listCodeLocks } from '../users/codes-of-user.ts';
import { canLogInAt } from '../users/test-user.ts';

interface TenantApplication {
  readonly tenant: Tenant;
  readonly application: Application;
}

type LockPorts = PortsWith<'guesses.areFull' | 'otps.locksOf'>;

/**
 * Returns the same error for every rejected session exchange, so that it does not reveal which users are suspended or have
 * rights over other users.
 */
const mustLogIn = () => invalidInput('subject_token: its user must log in here');

/** Returns true if wrong codes have locked the user in this application, or have disabled all of the user's codes. */
async function isLocked(
  ports: LockPorts,
  { tenant, application: { applicationId } }: TenantApplication,
  user: User,
  at: number,
): Promise<boolean> {
  const [areOff, locks] = await awaitAll(
    arePasscodesDisabled(ports, tenant, user),
    listCodeLocks(ports, { tenant, user }, at),
  );
  return areOff || locks.some((lock) => lock.applicationId === applicationId);
}

/**
 * Finds the user who was imported for the application with this external ID. An ID that a client has set is not accepted,
 * because a client can set any ID. Users who are locked or have rights over other users must log in. Throws
 * `system_invalid_input`.
 */
export async function requireMovable(
  ports: LockPorts & PrivilegePorts & PortsWith<'identifiers' | 'users.find'>,
  context: TenantApplication,
  value: string,
  at: number,
): Promise<User> {
  const { tenant, application } = context;
  const { applicationId } = application;
  const user = await findUserByIdentifier(ports, tenant, externalIdentifier({ applicationId, value }));
  const isImported = user?.externalIds.some(
    (each) => each.applicationId === applicationId && each.value === value && each.isImported,
  );
  if (!user || !isImported || !canLogInAt(user, application)) throw mustLogIn();
  const holds = await awaitAll(isPrivilegedUser(ports, user), isLocked(ports, context, user, at));
  if (holds.includes(true)) throw mustLogIn();
  return user;
}

/**
 * Consumes the user's right to exchange a session of the previous system once. Of several concurrent callers, exactly one gets
 * a proof. Rejects suspended users, and users who have already logged in to this service. Errors: `system_invalid_input`.
 */
export async function consumeMove(
  ports: PortsWith<'sessionExchanges.record'>,
  user: User,
  { at, authTime, holder }: { readonly at: number; readonly authTime: number; readonly holder: string },
): Promise<AuthenticationProof> {
  if (!(await ports.sessionExchanges.record(user, at, holder))) throw mustLogIn();
  return provenBy({ method: 'moved', at: authTime });
}
