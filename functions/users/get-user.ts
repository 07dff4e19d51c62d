import { requireUser } from '../../shared/domain/find-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUser as operation } from '../rows/users.ts';

/** Shows a user of the caller's tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
