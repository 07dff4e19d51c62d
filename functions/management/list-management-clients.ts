import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { listClients } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listManagementClients as operation } from './rows.ts';

/** Lists the management clients of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listClients(ports, { tenant: caller.tenant }, readPageQuery(query));
  return { json: listRecord(page, (client) => clientRecord(client)) };
};
export const handler = lambda(operation, useCase);
