import { lambda } from '../../shared/aws/lambda.ts';
import { memberRecord, requireMember, requireReach } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getMember as operation } from './rows.ts';

/** Shows a member of an organization. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await requireMember(ports, caller.tenant, path.organizationId, path.userId);
  return { json: { result: memberRecord(member) } };
};
export const handler = lambda(operation, useCase);
