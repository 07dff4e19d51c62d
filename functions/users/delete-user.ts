import { eraseUser } from '../../shared/domain/erase-user.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteUser as operation } from '../rows/users.ts';

/** Erases a user with codes, sessions, memberships and the claims on their identifiers. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  await eraseUser(ports, caller.tenant, path.userId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
