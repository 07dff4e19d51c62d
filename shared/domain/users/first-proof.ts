import type { AuditContext } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';
import type { ProvenAddress, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { sleepAfter } from '../identifiers/sleep.ts';

export interface FirstProof {
  /** The user's next `asleepBefore`; undefined when the address was proven before. */
  readonly sleepsAt: number | undefined;
  /** Ends all sessions of before. Runs beside the write that notes the proof: from that write on they count as over. */
  readonly endSessions: (ownSessionId?: string) => Promise<unknown>;
}

/**
 * What follows when a credential has proven an address outside of the user's own sessions, as this application may count it
 * (without one: in the tenant).
 */
export function firstProofOf(
  ports: Using<'sessions.endAllOf'>,
  user: User,
  proven: ProvenAddress | undefined,
  place: Pick<Application, 'applicationId'> | undefined,
  at: number,
  audit: (context: AuditContext) => void,
): FirstProof {
  const sleepsAt = sleepAfter(user, proven, place, at);
  // Without a login there is no session to end.
  if (sleepsAt === undefined || user.lastAuthAt === undefined)
    return { sleepsAt, endSessions: async () => undefined };
  audit({ events: ['user.reclaimed'] });
  return { sleepsAt, endSessions: (own) => ports.sessions.endAllOf(user.userId, at, own) };
}
