import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { listMembers, memberRecord, requireReach } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listMembers as operation } from './rows.ts';

/** Lists the members of an organization. */
export const useCase: UseCase<typeof operation> = async ({ path, query, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const page = await listMembers(ports, caller.tenant, path.organizationId, readPageQuery(query));
  return { json: listRecord(page, memberRecord) };
};
export const handler = lambda(operation, useCase);
