import { requireUserByIdentifier } from '../../shared/domain/find-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUserByEmail as operation } from '../rows/users.ts';

/** Shows the user of an email address, in whatever case it is written. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'email', path.email);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
