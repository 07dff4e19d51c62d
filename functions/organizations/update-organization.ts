import { lambda } from '../../shared/aws/lambda.ts';
import { organizationRecord, updateOrganization } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateOrganization as operation } from './rows.ts';

/** Changes an organization of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  const organization = await updateOrganization(ports, caller.tenant, path.organizationId, json);
  return { json: { result: organizationRecord(organization) } };
};
export const handler = lambda(operation, useCase);
