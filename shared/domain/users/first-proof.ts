import type { AuditContext } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';
import type { ProvenAddress, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { sleepAfter } from '../identifiers/sleep.ts';

/**
 * The user's next `asleepBefore`, after a credential has proven an address outside of their own sessions; undefined when it
 * was proven before, as this application may count it (without one: in the tenant). Ends all sessions of before.
 */
export async function endBeforeFirstProof(
  ports: Using<'sessions.endAllOf'>,
  user: User,
  proven: ProvenAddress | undefined,
  place: Pick<Application, 'applicationId'> | undefined,
  at: number,
  audit: (context: AuditContext) => void,
): Promise<number | undefined> {
  const sleepsAt = sleepAfter(user, proven, place, at);
  // Without a login there is no session to end.
  if (sleepsAt === undefined || user.lastAuthAt === undefined) return sleepsAt;
  await ports.sessions.endAllOf(user.userId, at);
  audit({ events: ['user.reclaimed'] });
  return sleepsAt;
}
