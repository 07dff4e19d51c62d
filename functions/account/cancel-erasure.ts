import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { requireMayChange } from '../../shared/domain/users/authority.ts';
import { cancelErasure as cancel } from '../../shared/domain/users/erase-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Cancels the pending erasure of a user who has deleted their account. Succeeds even if no erasure is pending. */
export const cancelErasure: UseCase<typeof rows.cancelErasure> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireUser(ports.userRecords, caller.tenant, path.userId);
  await requireMayChange(ports, caller, user, { permission: 'users:edit', effect: 'opens' });
  if (await cancel(ports, user, request.now)) audit({ events: ['user.erasure_cancelled'] });
  return { none: true };
};
