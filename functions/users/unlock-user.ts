import { lambda } from '../../shared/aws/lambda.ts';
import { unlockUser } from '../../shared/domain/users/unlock-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import { unlockUser as operation } from './rows.ts';

/** Forgets failed tries and locks of all codes of a user; that there are none is no error. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  await unlockUser(ports, caller.tenant, path.userId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
