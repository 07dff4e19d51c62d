import { lambda } from '../../shared/aws/lambda.ts';
import { organizationRecord, requireOrganization } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getOrganization as operation } from './rows.ts';

/** Shows an organization of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  const organization = await requireOrganization(ports, caller.tenant, path.organizationId);
  return { json: { result: organizationRecord(organization) } };
};
export const handler = lambda(operation, useCase);
