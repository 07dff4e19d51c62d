import { lambda } from '../../shared/aws/lambda.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import { ownerOf, requireResourceByUri } from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { findResourceByUri as operation } from './rows.ts';

/** Shows the resource of a URI, compared character by character. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const resource = await requireResourceByUri(ports, ownerOf(caller), query.resourceUri);
  return { json: { result: resourceRecord(resource) } };
};
export const handler = lambda(operation, useCase);
