import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { applicationRecord } from '../../shared/domain/management/application-record.ts';
import { listApplications } from '../../shared/domain/management/applications.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listApplications as operation } from './rows.ts';

/** Lists the applications of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listApplications(ports, caller.tenant, readPageQuery(query));
  return { json: listRecord(page, applicationRecord) };
};
export const handler = lambda(operation, useCase);
