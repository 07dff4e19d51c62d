import type { MethodUse } from '../../ports/flows.ts';
import type { User, Wait } from '../../ports/people.ts';
import { hasPerson } from '../trust/kinds.ts';
import { isAnnounced } from '../users/wait.ts';
import type { OpenLogin } from './login-transaction.ts';

/** What a login tells of before it goes on. Not the one that has said so, nor one that adds to a session. */
export function lossToTell(
  { progress, transaction }: OpenLogin,
  { wait }: User,
  used: readonly MethodUse[],
  at: number,
): Wait | undefined {
  const { heard, recovering, held } = progress;
  const isHeard = heard || recovering || held !== undefined;
  if (isHeard || !isAnnounced(wait, at) || !hasPerson(used)) return undefined;
  return wait.since > transaction.startedAt ? undefined : wait;
}
