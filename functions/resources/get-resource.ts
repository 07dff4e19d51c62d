import { lambda } from '../../shared/aws/lambda.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import { ownerOf, requireVisibleResource } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getResource as operation } from './rows.ts';

/** Shows a resource of the tenant, or of the client's application. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.resourceId });
  const resource = await requireVisibleResource(ports, ownerOf(caller), path.resourceId);
  return { json: { result: resourceRecord(resource) } };
};
export const handler = lambda(operation, useCase);
