import { lambda } from '../../shared/aws/lambda.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { createClient } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createClient as operation } from './rows.ts';

/** Makes a client of an application: the only time that anybody sees its secret. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  const { tenant } = caller;
  const application = await requireApplication(ports, tenant, path.appId);
  const { client, secret } = await createClient(ports, { tenant, application }, json);
  audit({ recordId: client.clientId });
  return { json: { result: clientRecord(client, secret) } };
};
export const handler = lambda(operation, useCase);
