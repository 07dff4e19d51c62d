import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { listClients } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listClients as operation } from './rows.ts';

/** Lists the clients of an application. */
export const useCase: UseCase<typeof operation> = async ({ path, query, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const { tenant } = caller;
  const application = await requireApplication(ports, tenant, path.appId);
  const page = await listClients(ports, { tenant, application }, readPageQuery(query));
  return { json: listRecord(page, (client) => clientRecord(client)) };
};
export const handler = lambda(operation, useCase);
