import type { DeviceKey, DeviceKeys } from '../../ports/people.ts';
import { codec, type Field, flag, number, oneOf, optional, text, texts } from '../codec.ts';
import { signingDeviceKey, userPartition } from '../keys.ts';
import type { Table } from '../table.ts';

const deviceKeyItem = codec<DeviceKey>({
  keyId: text('key_id'),
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  name: text('name'),
  algorithm: oneOf('algorithm', ['ecdsa', 'rsa-pss']),
  publicKey: text('public_key'),
  createdAt: number('created_at'),
  goodAt: optional(text('good_at')),
  byOwner: optional(flag('by_owner')),
  boundWith: texts('bound_with') as Field<DeviceKey['boundWith']>,
  wokenAt: optional(number('woken_at')),
});

/** Filed under the user, where erasing finds them. */
export function deviceKeys(table: Table): DeviceKeys {
  return {
    put(key) {
      const by = crypto.randomUUID();
      const item = {
        ...signingDeviceKey(key.userId, key.keyId),
        ...deviceKeyItem.toAttributes(key),
        written_by: by,
      };
      return table.put(item, {
        condition: 'attribute_not_exists(#pk)',
        ours: (found) => found.written_by === by,
      });
    },

    async find(userId, keyId) {
      const item = await table.get(signingDeviceKey(userId, keyId));
      return item && deviceKeyItem.read(item);
    },

    async listOf(userId) {
      const items = await table.query(userPartition(userId));
      return items.filter(({ sk }) => String(sk).startsWith('device-key#')).map(deviceKeyItem.read);
    },

    remove: (userId, keyId) => table.remove(signingDeviceKey(userId, keyId)),

    async wake(userId, keyId, wokenAt) {
      const set = { woken_at: wokenAt };
      await table.update(signingDeviceKey(userId, keyId), { condition: 'attribute_exists(#pk)', set });
    },
  };
}
