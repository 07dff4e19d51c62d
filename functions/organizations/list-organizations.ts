import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { listOrganizations, organizationRecord } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listOrganizations as operation } from './rows.ts';

/** Lists the organizations of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listOrganizations(ports, caller.tenant, readPageQuery(query));
  return { json: listRecord(page, organizationRecord) };
};
export const handler = lambda(operation, useCase);
