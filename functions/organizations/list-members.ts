import { listMembers, memberRecord, requireReach } from '../../shared/domain/management/members.ts';
import { listRecord, readPageQuery } from '../../shared/domain/paging.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listMembers as operation } from '../rows/organizations.ts';

/** Lists the members of an organization. */
export const useCase: UseCase<typeof operation> = async ({ path, query, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const page = await listMembers(ports, caller.tenant, path.organizationId, readPageQuery(query));
  return { json: listRecord(page, memberRecord) };
};
export const handler = lambda(operation, useCase);
