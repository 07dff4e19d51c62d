import { lambda } from '../../shared/aws/lambda.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import { createResource } from '../../shared/domain/management/resources.ts';
import { ownerOf } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createResource as operation } from './rows.ts';

/** E1. Creates a resource: a client's belongs to its application, a management client's to the tenant. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const resource = await createResource(ports, ownerOf(caller), json);
  audit({ recordId: resource.resourceId });
  return { json: { result: resourceRecord(resource) } };
};
export const handler = lambda(operation, useCase);
