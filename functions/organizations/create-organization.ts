import { lambda } from '../../shared/aws/lambda.ts';
import { createOrganization, organizationRecord } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createOrganization as operation } from './rows.ts';

/** Makes an organization of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const organization = await createOrganization(ports, caller.tenant, json);
  audit({ recordId: organization.organizationId });
  return { json: { result: organizationRecord(organization) } };
};
export const handler = lambda(operation, useCase);
