import type { MethodUse } from '../../ports/flows.ts';
import type { PendingRecovery, User } from '../../ports/people.ts';
import { hasFactorProof } from '../trust/factor-types.ts';
import { mustNotifyRecovery } from '../users/pending-recovery.ts';
import type { OpenLogin } from './login-transaction.ts';

/**
 * Returns the pending recovery that a login must announce to the user before it continues. Returns undefined if this login has
 * requested the recovery, has acknowledged it already, or adds a factor to a session.
 */
export function findRecoveryToAnnounce(
  { progress }: OpenLogin,
  { recovery }: User,
  used: readonly MethodUse[],
  at: number,
): PendingRecovery | undefined {
  const { heard, recovering, held } = progress;
  const isHeard = heard || recovering || held !== undefined;
  return !isHeard && mustNotifyRecovery(recovery, at) && hasFactorProof(used) ? recovery : undefined;
}
