import { lambda } from '../../shared/aws/lambda.ts';
import { deleteResource } from '../../shared/domain/management/resources.ts';
import { ownerOf, requireChangeable } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteResource as operation } from './rows.ts';

/** Deletes a resource that no application has among its resources; its URI is free again. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.resourceId });
  await requireChangeable(ports, ownerOf(caller), path.resourceId);
  await deleteResource(ports, caller.tenant, path.resourceId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
