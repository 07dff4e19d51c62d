import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { arePasscodesOff } from '../credentials/guesses.ts';
import { findBy } from '../identifiers/find-user.ts';
import { externalIdentifier } from '../identifiers/identifier.ts';
import { hasPower, type PowerPorts } from '../trust/power.ts';
import { locksOfUser } from '../users/codes-of-user.ts';
import { mayLogInAt } from '../users/test-user.ts';

/** Users whose session at the system that they were imported from is exchanged for one here. */

interface Place {
  readonly tenant: Tenant;
  readonly application: Application;
}

type LockPorts = Using<'guesses.areFull' | 'otps.locksOf'>;

/** One answer for all: it does not tell who is suspended or has power. */
const refused = () => invalidInput('subject_token: its person has to log in here');

/** Whether wrong codes have locked the user at the application, or switched codes off. */
async function isLocked(
  ports: LockPorts,
  { tenant, application: { applicationId } }: Place,
  user: User,
  at: number,
): Promise<boolean> {
  const [areOff, locks] = await awaitAll(
    arePasscodesOff(ports, tenant, user),
    locksOfUser(ports, { tenant, user }, at),
  );
  return areOff || locks.some((lock) => lock.applicationId === applicationId);
}

/**
 * The user who was imported for the application under this ID. An ID that a client has set leads to no user: it could name any.
 * Who has power or is locked has to log in here. Errors: `system_invalid_input`.
 */
export async function requireMovable(
  ports: LockPorts & PowerPorts & Using<'identifiers' | 'users.find'>,
  place: Place,
  value: string,
  at: number,
): Promise<User> {
  const { tenant, application } = place;
  const { applicationId } = application;
  const user = await findBy(ports, tenant, externalIdentifier({ applicationId, value }));
  const isImported = user?.externalIds.some(
    (each) => each.applicationId === applicationId && each.value === value && each.isImported,
  );
  if (!user || !isImported || !mayLogInAt(user, application)) throw refused();
  const holds = await awaitAll(hasPower(ports, user), isLocked(ports, place, user, at));
  if (holds.includes(true)) throw refused();
  return user;
}

/**
 * Takes the one exchange that the user has: of many callers exactly one gets a proof, and none for who is suspended or has logged
 * in here. `authTime`: when the person authenticated there. Errors: `system_invalid_input`.
 */
export async function consumeMove(
  ports: Using<'moves.take'>,
  user: User,
  { at, authTime, holder }: { readonly at: number; readonly authTime: number; readonly holder: string },
): Promise<AuthenticationProof> {
  if (!(await ports.moves.take(user, at, holder))) throw refused();
  return provenBy({ method: 'moved', at: authTime });
}
