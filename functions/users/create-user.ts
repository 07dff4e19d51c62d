import { createUser } from '../../shared/domain/create-user.ts';
import { requireMayGiveRoles } from '../../shared/domain/roles.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createUser as operation } from '../rows/users.ts';

/** Creates a user of the caller's tenant, reachable by at least one of email, phone number and username. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  requireMayGiveRoles(caller, json.roles);
  const user = await createUser(ports, caller.tenant, json);
  audit({ userId: user.userId });
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
