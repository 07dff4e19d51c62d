import type { Page, PageRequest } from '../../ports/directory.ts';
import type { ListedUser, RecordedProof, User, UserRecords, Users } from '../../ports/people.ts';
import type { Generations } from '../../ports/trust.ts';
import { typeOfAttribute } from '../../records/channels.ts';
import { type Item, readText } from '../attributes.ts';
import { lastNameKey, listPartitions, listSort, problemKey, splitKey, userKey } from '../keys.ts';
import { type RecordStorage, readRecord, recordStore } from '../record-store.ts';
import { removeAll, type Table } from '../table.ts';
import { findIndexRange, readIndexEntry, toIndexAttributes } from './by-beginning.ts';
import { trustAttributes } from './trust-fields.ts';
import { generationsAttributes, userItem } from './user-item.ts';

const kind: RecordStorage<User> = {
  key: userKey,
  id: (user) => user.userId,
  list: (user) => listPartitions.users(user.tenantId),
  toListPartition: listPartitions.users,
  codec: userItem,
  indexAttributes: (user) =>
    toIndexAttributes(user, [user.firstName, user.lastName].filter(Boolean).join(' ')),
};

/**
 * Attributes that mark an address as undeliverable. They are removed when a code or link that was sent to the address is used.
 */
const UNDELIVERABLE = ['#address.#undeliverable_since', '#address.#undeliverable_reason'];

/** Returns true if the user is disabled or due for erasure, or has an undeliverable email address or a phone number at risk. */
const hasProblem = ({ status, erasure, email, phoneNumber }: User): boolean =>
  status === 'Disabled' || (erasure ?? email?.undeliverable ?? phoneNumber?.risk) !== undefined;

/** Returns the attributes that add a user to the tenant's list of users with a problem, newest user first. */
const problemEntry = ({ userId, tenantId, createdAt }: ListedUser) => ({
  list_pk: listPartitions.problems(tenantId),
  list_sk: listSort(createdAt, userId),
});

type Change = Parameters<Table['update']>[1];

/** Returns the update that records a proof of an address and the address's new trust, if the user still has the address. */
function recordProof({ attribute, value, trust, newGenerations }: RecordedProof) {
  const names = { address: typeOfAttribute(attribute) };
  const marks = trust ? trustAttributes(trust) : {};
  return {
    condition: '#address.#value = :address AND attribute_not_exists(#address.#risk_signal)',
    compute: Object.keys(marks).map((name) => `#address.#${name} = :${name}`),
    remove: UNDELIVERABLE,
    set: newGenerations ? { generations: generationsAttributes(newGenerations) } : {},
    names,
    values: { address: value, ...marks },
    tokenAttribute: newGenerations && 'handed_over_by',
  };
}

/**
 * Adds the condition that the user is active and that the valid credential generations have not changed since they were read.
 * If two addresses are verified for the first time concurrently, one of the two writes therefore fails.
 */
export function ifActiveAndUnchanged(
  { highest }: Generations,
  more: Partial<Change> = {},
): Change & { readonly condition: string } {
  const isActive = 'attribute_exists(#pk) AND #status <> :disabled AND attribute_not_exists(#erasure)';
  const conditions = [isActive, '#generations.#last = :last', more.condition];
  return {
    ...more,
    condition: conditions.filter(Boolean).join(' AND '),
    add: { version: 1, ...more.add },
    values: { disabled: 'Disabled', last: highest, ...more.values },
  };
}

/** Creates the store of users for logins. Each write increases the version, so that an edit based on an older version fails. */
export function users(table: Table): Users {
  return {
    find: (userId) => readRecord(table, userKey(userId), userItem),

    async recordLogin({ userId, at, generations, proven, application, wrongGuesses }) {
      const noteLogin = (more: Partial<Change>) =>
        table.change(userKey(userId), {
          ...ifActiveAndUnchanged(generations, {
            ...more,
            add: application === undefined ? {} : { applications: new Set([application]) },
          }),
          set: { ...more.set, last_auth_at: at, status: 'Active' },
          // Remove only the values that were read, so that a wrong guess made in the meantime is kept.
          removeMembers: wrongGuesses ? { wrong_guesses: new Set(wrongGuesses) } : {},
        });
      if (!proven) return noteLogin({});
      if (await noteLogin(recordProof(proven))) return true;
      const { attribute, value } = proven;
      // The user no longer has the address, so only the login is recorded.
      return noteLogin({
        condition: 'NOT #address.#value = :address',
        names: { address: typeOfAttribute(attribute) },
        values: { address: value },
      });
    },

    noteProof: ({ userId, generations }, proven) =>
      table.change(userKey(userId), ifActiveAndUnchanged(generations, recordProof(proven))),

    async markUndeliverable(user, address, { reason, since }) {
      const isMarked = await table.change(userKey(user.userId), {
        condition: '#email.#value = :address',
        compute: [
          '#email.#undeliverable_reason = if_not_exists(#email.#undeliverable_reason, :reason)',
          '#email.#undeliverable_since = if_not_exists(#email.#undeliverable_since, :since)',
        ],
        add: { version: 1 },
        returnsNothing: true,
        values: { address, reason, since },
      });
      if (!isMarked) return false;
      return table.change(problemKey(user.userId), { set: problemEntry(user), returnsNothing: true });
    },

    async noteWrongGuess(userId, asker) {
      await table.update(userKey(userId), {
        // Write only once per type of caller, because each write makes concurrent edits of the user fail.
        condition: 'attribute_exists(#pk) AND NOT contains(#wrong_guesses, :asker)',
        add: { wrong_guesses: new Set([asker]), version: 1 },
        values: { asker },
      });
    },
  };
}

/** Returns the last name if it needs an index entry of its own, because the full name does not begin with it. */
const separateLastName = ({ firstName, lastName }: User): string | undefined =>
  firstName && lastName ? lastName : undefined;

export function userRecords(table: Table): UserRecords {
  async function removeBelongings(userId: string): Promise<void> {
    const { pk, sk: own } = userKey(userId);
    const items = await table.query(pk);
    await removeAll(
      table,
      pk,
      items.filter(({ sk }) => sk !== own),
    );
  }

  const records = recordStore(table, kind);

  /**
   * Writes a separate item that indexes the last name, because the user's own item is indexed by the full name. If the user has
   * no separate last name, the separate item has no index attributes and is not found.
   */
  const indexLastName = (user: User) =>
    table.put({ ...lastNameKey(user.userId), ...toIndexAttributes(user, separateLastName(user)) });

  /**
   * Adds the user to the list of users with a problem. The entry stays after the problem has ended, because its removal could
   * race with a new problem. Therefore, readers check each listed user.
   */
  const indexProblem = (user: User) => table.put({ ...problemKey(user.userId), ...problemEntry(user) });

  /** Reads the users to whom the items or events on a page of an index belong, each user once. */
  async function findAll(tenantId: string, userIds: readonly string[]): Promise<User[]> {
    const found = (await table.getAll(userIds.map(userKey))).map(userItem.read);
    return found.filter((user) => user.tenantId === tenantId);
  }

  function readUsers(tenantId: string, items: readonly Item[]): Promise<User[]> {
    const ids = new Set(items.map((item) => splitKey(readText(item, 'pk'))[1] ?? ''));
    return findAll(tenantId, [...ids]);
  }

  const queryNewestKeys = (partition: string, page: PageRequest): Promise<Page<Item>> =>
    table.queryKeys(partition, { ...page, isNewestFirst: true });

  return {
    ...records,
    findAll,

    async put(user) {
      const [written] = await Promise.all([
        records.put(user),
        separateLastName(user) === undefined || indexLastName(user),
        hasProblem(user) && indexProblem(user),
      ]);
      return written;
    },

    async replace(expected, next) {
      // The other items are written afterwards, because the user may have been erased since the read.
      if (!(await records.replace(expected, next))) return false;
      await Promise.all([
        separateLastName(expected) === separateLastName(next) || indexLastName(next),
        hasProblem(next) && !hasProblem(expected) && indexProblem(next),
      ]);
      return true;
    },

    async listByBeginning(tenantId, beginning, page) {
      const asked = findIndexRange(tenantId, beginning);
      if (!asked) return { items: [] };
      const { items, ...rest } = await table.queryByBeginning(asked.partition, asked.beginning, page);
      const entries = items.map(readIndexEntry);
      const ids = [...new Set(entries.map(({ userId }) => userId))];
      const found = (await table.getAll(ids.map(userKey))).map(userItem.read);
      const users = new Map(found.map((user) => [user.userId, user]));
      return {
        ...rest,
        items: entries.flatMap(({ userId, by }) => {
          const user = users.get(userId);
          return user ? [{ user, by }] : [];
        }),
      };
    },

    async listByEvent(tenantId, type, since, page) {
      const { items, ...rest } = await queryNewestKeys(listPartitions.events(tenantId, type), page);
      const recent = items.filter((item) => readText(item, 'list_sk') >= since);
      return {
        ...(recent.length === items.length ? rest : {}),
        items: await readUsers(tenantId, recent),
      };
    },

    async listWithProblem(tenantId, page) {
      const { items, ...rest } = await queryNewestKeys(listPartitions.problems(tenantId), page);
      return { ...rest, items: (await readUsers(tenantId, items)).filter(hasProblem) };
    },

    async remove(userId) {
      // Remove the user's other items first, because a repetition after a crash must still find the user. Remove them again
      // afterwards, for items that were written in between.
      await removeBelongings(userId);
      const removed = await table.remove(userKey(userId));
      await removeBelongings(userId);
      return removed;
    },
  };
}
