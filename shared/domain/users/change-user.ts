import { ServiceError } from '../../errors/service-error.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { CHANGE_ATTEMPTS } from '../basis/limits.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { requireTestDataOnly } from './test-user.ts';

/** Ports for changing a user whose identifiers stay the same. */
export type RecordPorts = PortsWith<'userRecords.find' | 'userRecords.replace'>;

/**
 * Reads the user and lets `attempt` write a change. If `attempt` returns undefined after a concurrent write, both steps are
 * repeated. The first attempt uses `read`, if the caller has just read the user. Errors: `user_not_found`, `concurrent_change`.
 */
export async function changeUser(
  ports: PortsWith<'userRecords.find'>,
  { tenantId, userId }: Pick<User, 'tenantId' | 'userId'>,
  attempt: (user: User) => Promise<User | undefined>,
  read?: User,
): Promise<User> {
  for (let count = 0; count < CHANGE_ATTEMPTS; count++) {
    const known = count === 0 ? read : undefined;
    const written = await attempt(known ?? (await requireUser(ports.userRecords, { tenantId }, userId)));
    if (written) return written;
  }
  throw new ServiceError('concurrent_change');
}

/** Returns a function for `changeUser` that attempts once to change a user whose identifiers stay the same. */
export function createReplaceAttempt(
  ports: PortsWith<'userRecords.replace'>,
  change: (user: User) => User,
): (user: User) => Promise<User | undefined> {
  return async (user) => {
    const next = requireTestDataOnly(change(user));
    return (await ports.userRecords.replace(user, next)) ? next : undefined;
  };
}
