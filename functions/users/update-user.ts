import { updateUser } from '../../shared/domain/update-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateUser as operation } from '../rows/users.ts';

/** Changes the given fields: null removes one, a changed address is unverified, one way to reach the user must remain. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ userId: path.userId });
  const user = await updateUser(ports, caller.tenant, path.userId, json, audit);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
