import { lambda } from '../../shared/aws/lambda.ts';
import { deleteMember, requireReach } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteMember as operation } from './rows.ts';

/** Ends a membership: the next refresh of a login to the organization is refused. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  await deleteMember(ports, caller.tenant, path.organizationId, path.userId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
