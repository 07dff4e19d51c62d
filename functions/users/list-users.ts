import { listRecord, readPageQuery } from '../../shared/domain/paging.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listUsers as operation } from '../rows/users.ts';

/** Lists the users of the caller's tenant, oldest first, page by page. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await ports.userRecords.list(caller.tenant.tenantId, readPageQuery(query));
  return { json: listRecord(page, userRecord) };
};
export const handler = lambda(operation, useCase);
