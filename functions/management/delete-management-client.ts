import { lambda } from '../../shared/aws/lambda.ts';
import { deleteClient, requireClientOf } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteManagementClient as operation } from './rows.ts';

/** Deletes a management client: within a minute nobody gets a token as it, nor is heard with one. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  await deleteClient(ports, caller.tenant, clientId, caller.client);
  return { none: true };
};
export const handler = lambda(operation, useCase);
