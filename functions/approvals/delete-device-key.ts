import { lambda } from '../../shared/aws/lambda.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { deleteDeviceKey as operation } from './rows.ts';

/** Removes a device key of the user of the access token: it signs nothing any more. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings }, ports) => {
  const { userId } = await requireOwnUser(ports, caller, settings);
  if (!(await ports.deviceKeys.remove(userId, path.keyId))) throw new ServiceError('device_key_not_found');
  return { none: true };
};

export const handler = lambda(operation, useCase);
