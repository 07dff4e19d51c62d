import { lambda } from '../../shared/aws/lambda.ts';
import { eraseUser } from '../../shared/domain/users/erase-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteUser as operation } from './rows.ts';

/** Erases a user with codes, sessions, memberships and the claims on their identifiers. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  await eraseUser(ports, caller.tenant, path.userId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
