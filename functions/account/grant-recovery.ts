import { requireMayChange } from '../../shared/domain/users/authority.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import { grantRecovery as grant } from '../../shared/domain/users/wait.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Lets a recovery of the user count at once: the caller has made sure of the person in another way. */
export const grantRecovery: UseCase<typeof rows.grantRecovery> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const check = (current: User) =>
    requireMayChange(ports, caller, current, { permission: 'users:recover', effect: 'opens' });
  const who = { tenantId: caller.tenant.tenantId, userId: path.userId };
  const user = await grant(ports, who, request.now, check);
  return { json: { result: userRecord(user, caller.kind === 'client' ? caller.application : undefined) } };
};
