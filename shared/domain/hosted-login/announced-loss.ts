import type { MethodUse } from '../../ports/flows.ts';
import type { User, Wait } from '../../ports/people.ts';
import { hasPerson } from '../trust/kinds.ts';
import { isAnnounced } from '../users/wait.ts';
import type { OpenLogin } from './login-transaction.ts';

/** What a login tells of before it goes on. Not the one that has said so or heard of it, nor one that adds to a session. */
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
