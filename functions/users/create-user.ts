import { lambda } from '../../shared/aws/lambda.ts';
import { requireMayGiveRoles } from '../../shared/domain/oauth/roles.ts';
import { createUser } from '../../shared/domain/users/create-user.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createUser as operation } from './rows.ts';

/** Creates a user of the caller's tenant, reachable by at least one of email, phone number and username. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  requireMayGiveRoles(caller, json.roles);
  const user = await createUser(ports, caller.tenant, json);
  audit({ userId: user.userId });
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
