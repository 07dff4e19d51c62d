import { lambda } from '../../shared/aws/lambda.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUser as operation } from './rows.ts';

/** Shows a user of the caller's tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUser(ports.users, caller.tenant, path.userId);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
