import { lambda } from '../../shared/aws/lambda.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import { updateResource } from '../../shared/domain/management/resources.ts';
import { ownerOf, requireChangeable } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateResource as operation } from './rows.ts';

/** E2. Changes the given fields of a resource; tokens that are out keep their lifetime. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.resourceId });
  await requireChangeable(ports, ownerOf(caller), path.resourceId);
  const resource = await updateResource(ports, caller.tenant, path.resourceId, json);
  return { json: { result: resourceRecord(resource) } };
};
export const handler = lambda(operation, useCase);
