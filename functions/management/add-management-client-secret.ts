import { lambda } from '../../shared/aws/lambda.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import { requireClientOf, rotateSecret } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { addManagementClientSecret as operation } from './rows.ts';

/** Adds a secret; the one before works on until it is revoked or another one is added. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  const { client, secret } = await rotateSecret(ports, caller.tenant, clientId);
  return { json: { result: clientRecord(client, secret) } };
};
export const handler = lambda(operation, useCase);
