import { lambda } from '../../shared/aws/lambda.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { requireClientOf, updateClient } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateClient as operation } from './rows.ts';

/** Changes a client: running functions know of it within a minute. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  const client = await updateClient(ports, caller.tenant, clientId, json);
  return { json: { result: clientRecord(client) } };
};
export const handler = lambda(operation, useCase);
