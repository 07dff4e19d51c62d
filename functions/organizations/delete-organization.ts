import { lambda } from '../../shared/aws/lambda.ts';
import { deleteOrganization } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteOrganization as operation } from './rows.ts';

/** Deletes an organization: nobody can log in to it any more, within a minute. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  await deleteOrganization(ports, caller.tenant, path.organizationId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
