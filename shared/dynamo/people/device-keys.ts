import type { DeviceKey, DeviceKeys } from '../../ports/people.ts';
import { codec, number, oneOf, text } from '../codec.ts';
import { signingDeviceKey, userPartition } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';
import { trustAttributes, trustFields } from './trust-fields.ts';

const deviceKeyItem = codec<DeviceKey>({
  keyId: text('key_id'),
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  name: text('name'),
  algorithm: oneOf('algorithm', ['ecdsa', 'rsa-pss']),
  publicKey: text('public_key'),
  createdAt: number('created_at'),
  ...trustFields,
});

/** Creates the store of device keys. A user's device keys are in the user's partition, where erasing the user finds them. */
export function deviceKeys(table: Table): DeviceKeys {
  return {
    put(key) {
      const item = { ...signingDeviceKey(key.userId, key.keyId), ...deviceKeyItem.toAttributes(key) };
      return table.put(item, { condition: 'attribute_not_exists(#pk)', tokenAttribute: 'written_by' });
    },

    find: (userId, keyId) => readRecord(table, signingDeviceKey(userId, keyId), deviceKeyItem),

    async listOf(userId) {
      const items = await table.query(userPartition(userId));
      return items.filter(({ sk }) => String(sk).startsWith('device-key#')).map(deviceKeyItem.read);
    },

    remove: (userId, keyId) => table.remove(signingDeviceKey(userId, keyId)),

    async updateTrust(userId, keyId, trust) {
      const set = trustAttributes(trust);
      await table.update(signingDeviceKey(userId, keyId), { condition: 'attribute_exists(#pk)', set });
    },
  };
}
