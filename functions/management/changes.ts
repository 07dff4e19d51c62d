import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import * as changes from '../../shared/domain/management/changes.ts';
import { toChangeRecord } from '../../shared/domain/users/timeline-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Lists the administrative changes in the tenant. */
export const listChanges: UseCase<typeof rows.listChanges> = async ({ query, caller }, ports) => {
  const page = await changes.listChanges(ports, caller.tenant, query, readPageQuery(query));
  return { json: toListRecord(page, toChangeRecord) };
};
