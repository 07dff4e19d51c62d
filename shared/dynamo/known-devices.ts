import type { KnownDevices } from '../ports/authorization.ts';
import { deviceKey } from './keys.ts';
import type { Table } from './table.ts';

/** Filed under the user, so that erasing the user finds them. */
export function knownDevices(table: Table): KnownDevices {
  return {
    async isKnown(userId, browserHash) {
      return (await table.get(deviceKey(userId, browserHash))) !== undefined;
    },

    async remember(userId, browserHash, at) {
      await table.put({ ...deviceKey(userId, browserHash), user_id: userId, seen_at: at });
    },
  };
}
