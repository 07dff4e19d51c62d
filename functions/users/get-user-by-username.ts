import { requireUserByIdentifier } from '../../shared/domain/find-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUserByUsername as operation } from '../rows/users.ts';

/** Shows the user of a username, in whatever case it is written. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'username', path.username);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
