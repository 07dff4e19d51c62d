import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import { listVisibleResources, ownerOf } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listResources as operation } from './rows.ts';

/** Lists the resources of the tenant, or of the client's application. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listVisibleResources(ports, ownerOf(caller), readPageQuery(query));
  return { json: listRecord(page, resourceRecord) };
};
export const handler = lambda(operation, useCase);
