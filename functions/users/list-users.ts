import { listRecord, readPageQuery } from '../../shared/domain/paging.ts';
import { fittingUsers } from '../../shared/domain/search-users.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listUsers as operation } from '../rows/users.ts';

/** Lists the users of the caller's tenant, or those that fit, oldest first, page by page. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const { tenantId } = caller.tenant;
  const page = await ports.userRecords.list(tenantId, readPageQuery(query), fittingUsers(query));
  return { json: listRecord(page, userRecord) };
};
export const handler = lambda(operation, useCase);
