import type { MethodUse } from '../../ports/flows.ts';
import type { User, Wait } from '../../ports/people.ts';
import { hasPerson } from '../trust/kinds.ts';
import { isAnnounced } from '../users/wait.ts';
import type { OpenLogin } from './login-transaction.ts';

/**
 * Returns the pending recovery that a login must announce before it continues. Undefined if this login has requested the
 * recovery, has acknowledged it already, or adds a factor to a session.
 */
export function lossToTell(
  { progress }: OpenLogin,
  { wait }: User,
  used: readonly MethodUse[],
  at: number,
): Wait | undefined {
  const { heard, recovering, held } = progress;
  const isHeard = heard || recovering || held !== undefined;
  return !isHeard && isAnnounced(wait, at) && hasPerson(used) ? wait : undefined;
}
