import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { fittingUsers } from '../../shared/domain/users/search-users.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listUsers as operation } from './rows.ts';

/** Lists the users of the caller's tenant, or those that fit, oldest first, page by page. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const { tenantId } = caller.tenant;
  const page = await ports.userRecords.list(tenantId, readPageQuery(query), fittingUsers(query));
  return { json: listRecord(page, userRecord) };
};
export const handler = lambda(operation, useCase);
