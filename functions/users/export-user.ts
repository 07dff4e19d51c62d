import { lambda } from '../../shared/aws/lambda.ts';
import { exportUser } from '../../shared/domain/users/export-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import { exportUser as operation } from './rows.ts';

/** Shows what is kept about a user, for the user to ask for. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  return { json: { result: await exportUser(ports, caller.tenant, path.userId) } };
};
export const handler = lambda(operation, useCase);
