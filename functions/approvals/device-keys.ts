import { addDeviceKey, deviceKeyRecord } from '../../shared/domain/credentials/device-keys.ts';
import { deviceKeyTrust } from '../../shared/domain/trust/binding.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireBindingUser } from '../../shared/tokens/binding-user.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

/** Registers the public key of a device. The device can then sign approvals on behalf of the user of the access token. */
export const createDeviceKey: UseCase<typeof rows.createDeviceKey> = async (
  { json, caller, request, settings },
  ports,
) => {
  const { user, login } = await requireBindingUser(ports, caller, settings, request.now);
  const bound = { trust: deviceKeyTrust(login), now: request.now };
  const key = await addDeviceKey(ports, user, json, bound);
  return { json: { result: deviceKeyRecord(key) } };
};

/** Lists the device keys of the access token's user. */
export const listDeviceKeys: UseCase<typeof rows.listDeviceKeys> = async (
  { caller, request, settings },
  ports,
) => {
  const { userId } = await requireOwnUser(ports, caller, settings, request.now);
  return { json: { result: (await ports.deviceKeys.listOf(userId)).map(deviceKeyRecord) } };
};

/** Removes a device key of the access token's user. Signatures of the key are then no longer accepted as approvals. */
export const deleteDeviceKey: UseCase<typeof rows.deleteDeviceKey> = async (
  { path, caller, request, settings },
  ports,
) => {
  const { user, guard } = await requireBindingUser(ports, caller, settings, request.now);
  guard(await ports.deviceKeys.find(user.userId, path.keyId));
  if (!(await ports.deviceKeys.remove(user.userId, path.keyId)))
    throw new ServiceError('device_key_not_found');
  return { none: true };
};
