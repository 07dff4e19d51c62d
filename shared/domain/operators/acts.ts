import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { OperatorAct } from '../../ports/operators.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { isAdmin } from '../oauth/roles.ts';
import { delayOf } from '../users/wait.ts';

/**
 * One operator below admin must not both set an address of a user and let one kind be enough: together they open the account. For
 * the delay of a recovery, the time in which its owner can stop it, they have done the one or the other.
 * Errors: `insufficient_permission`.
 */
export async function requireApart(
  ports: Using<'operatorActs'>,
  caller: ClientCaller | AdminCaller,
  { userId }: Pick<User, 'userId'>,
  { act, at }: { readonly act: OperatorAct; readonly at: number },
): Promise<void> {
  if (caller.kind !== 'admin' || !caller.operator || isAdmin(caller)) return;
  const { tenant, operator } = caller;
  // The note outlives an erasure: it names neither of them.
  const hashOf = (value: string) => identifierHash(tenant, { type: 'acts of', value });
  const [person, by] = [hashOf(userId), hashOf(operator.userId)];
  if (await ports.operatorActs.note({ person, by, act }, at + delayOf(tenant), at)) return;
  throw new ServiceError('insufficient_permission', {
    message:
      'The same operator does not both set an address and grant a recovery of a user: let another one do it',
  });
}
