import type { User, UserRecords, Users } from '../../ports/people.ts';
import { readText } from '../attributes.ts';
import { listPartitions, userKey, userPartition } from '../keys.ts';
import { type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';
import { userItem } from './user-item.ts';

const kind: RecordKind<User> = {
  key: userKey,
  id: (user) => user.userId,
  list: (user) => listPartitions.users(user.tenantId),
  listOf: listPartitions.users,
  codec: userItem,
};

/** Digits or a link that come back were delivered. */
const UNDELIVERABLE = ['#address.#undeliverable_since', '#address.#undeliverable_reason'];

const ADDRESS_ATTRIBUTES = { email: 'email', phoneNumber: 'phone_number' } as const;

/** Each write moves the version: an edit that began before it is refused. */
export function users(table: Table): Users {
  return {
    async find(userId) {
      const item = await table.get(userKey(userId));
      return item && userItem.read(item);
    },

    async recordLogin({ userId, at, proven, clearPasscodesOff }) {
      const noteLogin = (condition: string, compute: readonly string[], remove: readonly string[]) =>
        table.update(userKey(userId), {
          condition: ['attribute_exists(#pk) AND #status <> :disabled', condition]
            .filter(Boolean)
            .join(' AND '),
          compute,
          set: { last_auth_at: at, status: 'Active' },
          remove: clearPasscodesOff ? [...remove, '#passcodes_off'] : remove,
          add: { version: 1 },
          names: proven ? { address: ADDRESS_ATTRIBUTES[proven.attribute] } : {},
          values: { disabled: 'Disabled', address: proven?.value, yes: true },
        });
      if (!proven) return (await noteLogin('', [], [])) !== undefined;
      const own = '#address.#value = :address AND attribute_not_exists(#address.#risk_signal)';
      const noted = await noteLogin(own, ['#address.#verified = :yes'], UNDELIVERABLE);
      // The address is no longer the user's.
      return (noted ?? (await noteLogin('NOT #address.#value = :address', [], []))) !== undefined;
    },

    async markUndeliverable(userId, address, { reason, since }) {
      const item = await table.update(userKey(userId), {
        condition: '#email.#value = :address',
        compute: [
          '#email.#undeliverable_reason = if_not_exists(#email.#undeliverable_reason, :reason)',
          '#email.#undeliverable_since = if_not_exists(#email.#undeliverable_since, :since)',
        ],
        add: { version: 1 },
        values: { address, reason, since },
      });
      return item !== undefined;
    },

    async switchPasscodesOff(userId, asker) {
      await table.update(userKey(userId), {
        // Only once: each further write would refuse a concurrent edit of the user.
        condition: 'attribute_exists(#pk) AND NOT contains(#passcodes_off, :asker)',
        add: { passcodes_off: new Set([asker]), version: 1 },
        values: { asker },
      });
    },
  };
}

export function userRecords(table: Table): UserRecords {
  async function removeBelongings(userId: string): Promise<void> {
    const items = await table.query(userPartition(userId));
    const own = userKey(userId);
    await Promise.all(
      items
        .map((item) => ({ pk: own.pk, sk: readText(item, 'sk') }))
        .filter(({ sk }) => sk !== own.sk)
        .map((key) => table.remove(key)),
    );
  }

  return {
    ...recordStore(table, kind),

    async remove(userId) {
      // First, because a repetition after a crash must still find the user; again for what came in between.
      await removeBelongings(userId);
      const removed = await table.remove(userKey(userId));
      await removeBelongings(userId);
      return removed;
    },
  };
}
