import type { AuthenticationMethod } from '../../ports/flows.ts';
import type { Recovery, User } from '../../ports/people.ts';
import { kindOf } from './mfa.ts';

/** A recovery waits or counts. */
export const isOpen = (recovery: Recovery | undefined, at: number): recovery is Recovery =>
  recovery !== undefined && at < recovery.endsAt;

/** Whether one kind of factor is enough to bind another. */
export const isRecovering = ({ recovery }: User, at: number): boolean =>
  isOpen(recovery, at) && recovery.effectiveAt <= at;

/** Whether a login shows that the user can give another kind of factor than those that proved the request. */
export function disproves(recovery: Recovery, method: AuthenticationMethod): boolean {
  const kind = kindOf(method);
  // What a client or a provider says for the user shows nothing of their own factors.
  return kind !== 'direct' && kind !== 'social' && recovery.provenBy?.includes(kind) === false;
}
