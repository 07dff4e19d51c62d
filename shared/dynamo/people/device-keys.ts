import type { DeviceKey, DeviceKeys } from '../../ports/people.ts';
import { number, oneOf, text } from '../attributes.ts';
import { signingDeviceKey, userPartition } from '../keys.ts';
import type { Item, Table } from '../table.ts';

const ALGORITHMS = ['ecdsa', 'rsa-pss'] as const;

function toDeviceKey(item: Item): DeviceKey {
  return {
    keyId: text(item, 'key_id'),
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    name: text(item, 'name'),
    algorithm: oneOf(item, 'algorithm', ALGORITHMS),
    publicKey: text(item, 'public_key'),
    createdAt: number(item, 'created_at'),
  };
}

/** Filed under the user, so that erasing the user finds them. */
export function deviceKeys(table: Table): DeviceKeys {
  return {
    put(key) {
      const by = crypto.randomUUID();
      const item = {
        ...signingDeviceKey(key.userId, key.keyId),
        key_id: key.keyId,
        user_id: key.userId,
        tenant_id: key.tenantId,
        name: key.name,
        algorithm: key.algorithm,
        public_key: key.publicKey,
        created_at: key.createdAt,
        written_by: by,
      };
      return table.put(item, {
        condition: 'attribute_not_exists(#pk)',
        ours: (found) => found.written_by === by,
      });
    },

    async find(userId, keyId) {
      const item = await table.get(signingDeviceKey(userId, keyId));
      return item && toDeviceKey(item);
    },

    async listOf(userId) {
      const items = await table.query(userPartition(userId));
      return items.filter(({ sk }) => String(sk).startsWith('device-key#')).map(toDeviceKey);
    },

    remove: (userId, keyId) => table.remove(signingDeviceKey(userId, keyId)),
  };
}
