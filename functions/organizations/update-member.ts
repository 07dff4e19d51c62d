import { lambda } from '../../shared/aws/lambda.ts';
import { memberRecord, requireReach, updateMember } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateMember as operation } from './rows.ts';

/** Changes the roles of a member: they hold at the next login or refresh, a lost one for the administrator at once. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await updateMember(ports, caller.tenant, path.organizationId, path.userId, json);
  return { json: { result: memberRecord(member) } };
};
export const handler = lambda(operation, useCase);
