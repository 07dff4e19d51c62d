import { listOrganizations, organizationRecord } from '../../shared/domain/management/organizations.ts';
import { listRecord, readPageQuery } from '../../shared/domain/paging.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listOrganizations as operation } from '../rows/organizations.ts';

/** Lists the organizations of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listOrganizations(ports, caller.tenant, readPageQuery(query));
  return { json: listRecord(page, organizationRecord) };
};
export const handler = lambda(operation, useCase);
