import { exportUser } from '../../shared/domain/export-user.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { exportUser as operation } from '../rows/users.ts';

/** Shows what is kept about a user, for the user to ask for. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  return { json: { result: await exportUser(ports, caller.tenant, path.userId) } };
};
export const handler = lambda(operation, useCase);
