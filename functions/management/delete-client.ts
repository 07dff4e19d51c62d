import { lambda } from '../../shared/aws/lambda.ts';
import { deleteClient, requireClientOf } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteClient as operation } from './rows.ts';

/** Deletes a client: its tokens are refused within a minute, its refresh tokens at once. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  await deleteClient(ports, caller.tenant, clientId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
