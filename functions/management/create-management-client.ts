import { lambda } from '../../shared/aws/lambda.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { createClient } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createManagementClient as operation } from './rows.ts';

/** Makes a management client: it may do what its maker may, everything in the tenant. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const { client, secret } = await createClient(ports, { tenant: caller.tenant }, json);
  audit({ recordId: client.clientId });
  return { json: { result: clientRecord(client, secret) } };
};
export const handler = lambda(operation, useCase);
