import { lambda } from '../../shared/aws/lambda.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { requireClientOf } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getManagementClient as operation } from './rows.ts';

/** Shows a management client. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const client = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  return { json: { result: clientRecord(client) } };
};
export const handler = lambda(operation, useCase);
