import { deviceKeyRecord } from '../../../shared/domain/credentials/device-keys.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { makeColumns } from '../terminal/print.ts';
import { aboutUser, requireUserId, userOption } from './user-option.ts';

type DeviceKeyRecord = ReturnType<typeof deviceKeyRecord>;

const columns = makeColumns<DeviceKeyRecord>('key_id', 'name', 'created_at');

export const deviceKey: CommandGroup = {
  name: 'device-key',
  summary: 'device keys with which a user approves transactions',
  about: aboutUser,
  commands: [
    {
      verb: 'list',
      summary: 'Lists the device keys of a user',
      required: userOption,
      examples: ['--user 0a1b2c'],
      run: async (call) => {
        const items = await call.ports.deviceKeys.listOf(await requireUserId(call));
        return listOutcome({ items }, deviceKeyRecord, columns);
      },
    },
    {
      verb: 'delete',
      summary: 'Removes a device key, so that it can approve no more transactions',
      changes: 'device_key.removed',
      id: 'required',
      required: userOption,
      confirm: (id) => `Remove the device key ${id}`,
      examples: ['3d4e5f --user 0a1b2c --yes'],
      run: async (call) => {
        if (!(await call.ports.deviceKeys.remove(await requireUserId(call), call.id)))
          throw new ServiceError('device_key_not_found');
        return { done: `The device key ${call.id} was removed.` };
      },
    },
  ],
};
