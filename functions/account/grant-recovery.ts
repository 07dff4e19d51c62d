import { requireMayChange } from '../../shared/domain/users/authority.ts';
import { grantRecovery as grant } from '../../shared/domain/users/pending-recovery.ts';
import { toUserRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Grants a user's recovery without the usual delay. The caller has verified the user's identity in another way. */
export const grantRecovery: UseCase<typeof rows.grantRecovery> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const check = (current: User) =>
    requireMayChange(ports, caller, current, { permission: 'users:recover', effect: 'opens' });
  const who = { tenantId: caller.tenant.tenantId, userId: path.userId };
  const user = await grant(ports, who, request.now, check);
  return { json: { result: toUserRecord(user, caller.kind === 'client' ? caller.application : undefined) } };
};
