import { lambda } from '../../shared/aws/lambda.ts';
import { requireClientOf, revokeSecret } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import { revokeManagementClientSecret as operation } from './rows.ts';

/** Takes a secret back: within a minute nobody gets a token for it. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  await revokeSecret(ports, caller.tenant, clientId, path.secretId, caller.client);
  return { none: true };
};
export const handler = lambda(operation, useCase);
