import type { Address, Undeliverable, User, UserRecords, Users } from '../ports/people.ts';
import {
  asJson,
  compact,
  flag,
  maps,
  number,
  oneOf,
  optionalJson,
  optionalMap,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
  texts,
} from './attributes.ts';
import { listPartitions, userKey, userPartition } from './keys.ts';
import { type RecordKind, recordStore } from './record-store.ts';
import type { Item, Table } from './table.ts';

function toUndeliverable(item: Item): Undeliverable | undefined {
  const since = optionalNumber(item, 'undeliverable_since');
  if (since === undefined) return undefined;
  return { reason: oneOf(item, 'undeliverable_reason', ['bounce', 'complaint']), since };
}

function toAddress(item: Item | undefined): Address | undefined {
  return (
    item &&
    compact({
      value: text(item, 'value'),
      verified: flag(item, 'verified'),
      undeliverable: toUndeliverable(item),
    })
  );
}

const toAttributes = (address: Address | undefined) =>
  address &&
  compact({
    value: address.value,
    verified: address.verified,
    undeliverable_since: address.undeliverable?.since,
    undeliverable_reason: address.undeliverable?.reason,
  });

function toUser(item: Item): User {
  return compact({
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    status: oneOf(item, 'status', ['Pending', 'Active', 'Disabled']),
    email: toAddress(optionalMap(item, 'email')),
    phoneNumber: toAddress(optionalMap(item, 'phone_number')),
    username: optionalText(item, 'username'),
    externalUserId: optionalText(item, 'external_user_id'),
    customIdentifiers: maps(item, 'custom_identifiers').map((custom) => ({
      type: text(custom, 'type'),
      value: text(custom, 'value'),
    })),
    firstName: optionalText(item, 'first_name'),
    lastName: optionalText(item, 'last_name'),
    picture: optionalText(item, 'picture'),
    language: optionalText(item, 'language'),
    groups: texts(item, 'groups'),
    roles: texts(item, 'roles'),
    customAppData: optionalJson(item, 'custom_app_data'),
    identities: maps(item, 'identities').map((identity) => ({
      provider: text(identity, 'provider'),
      subject: text(identity, 'subject'),
    })),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
    lastAuthAt: optionalNumber(item, 'last_auth_at'),
    passcodesOff: optionalTexts(item, 'passcodes_off'),
    formerIdentifiers:
      item.former_identifiers === undefined
        ? undefined
        : maps(item, 'former_identifiers').map((former) => ({
            hash: text(former, 'hash'),
            until: number(former, 'until'),
          })),
  });
}

const kind: RecordKind<User> = {
  key: userKey,
  id: (user) => user.userId,
  list: (user) => listPartitions.users(user.tenantId),
  listOf: listPartitions.users,
  fromItem: toUser,
  toAttributes: (user) => ({
    user_id: user.userId,
    tenant_id: user.tenantId,
    status: user.status,
    email: toAttributes(user.email),
    phone_number: toAttributes(user.phoneNumber),
    username: user.username,
    external_user_id: user.externalUserId,
    custom_identifiers: user.customIdentifiers.map(({ type, value }) => ({ type, value })),
    first_name: user.firstName,
    last_name: user.lastName,
    picture: user.picture,
    language: user.language,
    groups: user.groups,
    roles: user.roles,
    custom_app_data: asJson(user.customAppData),
    identities: user.identities.map(({ provider, subject }) => ({ provider, subject })),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    last_auth_at: user.lastAuthAt,
    // A set, so that adding a key twice is adding it once; there is no empty set.
    passcodes_off: user.passcodesOff?.length ? new Set(user.passcodesOff) : undefined,
    former_identifiers: user.formerIdentifiers?.map(({ hash, until }) => ({ hash, until })),
  }),
};

/** What comes back with its digits or its link has been delivered. */
const UNDELIVERABLE = ['#address.#undeliverable_since', '#address.#undeliverable_reason'];

const ADDRESS_ATTRIBUTES = { email: 'email', phoneNumber: 'phone_number' } as const;

/** The version moves with each write, so that an edit that began before it is refused. */
export function users(table: Table): Users {
  return {
    async find(userId) {
      const item = await table.get(userKey(userId));
      return item && toUser(item);
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
      const noted =
        proven &&
        (await noteLogin('#address.#value = :address', ['#address.#verified = :yes'], UNDELIVERABLE));
      // Without a proven address, or when it is the user's no longer.
      return (noted ?? (await noteLogin('', [], []))) !== undefined;
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

    async switchPasscodesOff(userId, codeKey) {
      await table.update(userKey(userId), {
        // Once is enough: each further try would refuse an edit of the user that is under way.
        condition: 'attribute_exists(#pk) AND NOT contains(#passcodes_off, :key)',
        add: { passcodes_off: new Set([codeKey]), version: 1 },
        values: { key: codeKey },
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
        .map((item) => ({ pk: own.pk, sk: text(item, 'sk') }))
        .filter(({ sk }) => sk !== own.sk)
        .map((key) => table.remove(key)),
    );
  }

  return {
    ...recordStore(table, kind),

    async remove(userId) {
      // First, so that whoever repeats a broken removal still finds the user; again for what came in between.
      await removeBelongings(userId);
      const removed = await table.remove(userKey(userId));
      await removeBelongings(userId);
      return removed;
    },
  };
}
