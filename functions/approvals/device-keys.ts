import { createDeviceKey as create, deviceKeyRecord } from '../../shared/domain/credentials/device-keys.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

/** Takes the public key of a device, which will sign approvals of the user of the access token. */
export const createDeviceKey: UseCase<typeof rows.createDeviceKey> = async (
  { json, caller, request, settings },
  ports,
) => {
  const user = await requireOwnUser(ports, caller, settings, request.now);
  return { json: { result: deviceKeyRecord(await create(ports, user, json, request.now)) } };
};

/** Lists the device keys of the user of the access token. */
export const listDeviceKeys: UseCase<typeof rows.listDeviceKeys> = async (
  { caller, request, settings },
  ports,
) => {
  const { userId } = await requireOwnUser(ports, caller, settings, request.now);
  return { json: { result: (await ports.deviceKeys.listOf(userId)).map(deviceKeyRecord) } };
};

/** Removes a device key of the user of the access token: it signs nothing any more. */
export const deleteDeviceKey: UseCase<typeof rows.deleteDeviceKey> = async (
  { path, caller, request, settings },
  ports,
) => {
  const { userId } = await requireOwnUser(ports, caller, settings, request.now);
  if (!(await ports.deviceKeys.remove(userId, path.keyId))) throw new ServiceError('device_key_not_found');
  return { none: true };
};
