import { lambda } from '../../shared/aws/lambda.ts';
import { createMember, memberRecord, requireReach } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createMember as operation } from './rows.ts';

/** Makes a user of the tenant a member. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await createMember(ports, caller.tenant, path.organizationId, json);
  return { json: { result: memberRecord(member) } };
};
export const handler = lambda(operation, useCase);
