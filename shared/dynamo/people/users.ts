import type { ProvenAddress, User, UserRecords, Users } from '../../ports/people.ts';
import { type Item, readText } from '../attributes.ts';
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

/** What a write notes beside the login. */
interface Noting {
  readonly condition: string;
  readonly compute: readonly string[];
  readonly remove: readonly string[];
  readonly set: Readonly<Record<string, unknown>>;
  readonly wokenAt?: number | undefined;
  readonly secondAt?: string | undefined;
  readonly provenAt?: string | null | undefined;
}

const noteNothing = (condition: string): Noting => ({ condition, compute: [], remove: [], set: {} });

/** The proof of an address that still is the user's. The address is awake from now on. */
function noteProof(
  asleepBefore: number | undefined,
  {
    sleepsAt,
    disputes,
    secondAt,
    provenAt,
  }: Pick<Noting, 'provenAt' | 'secondAt'> & {
    readonly sleepsAt?: number | undefined;
    readonly disputes?: boolean | undefined;
  },
): Noting {
  const wokenAt = sleepsAt ?? asleepBefore;
  const isLimited = typeof provenAt === 'string';
  return {
    condition: [
      '#address.#value = :address AND attribute_not_exists(#address.#risk_signal)',
      // A login at this moment makes it a dispute.
      sleepsAt === undefined || disputes ? '' : 'attribute_not_exists(#last_auth_at)',
      // Proven in the tenant meanwhile, it is not limited.
      isLimited ? '#address.#verified <> :yes' : '',
    ]
      .filter(Boolean)
      .join(' AND '),
    compute: [
      '#address.#verified = :yes',
      ...(wokenAt === undefined ? [] : ['#address.#woken_at = :woken_at']),
      ...(secondAt === undefined ? [] : ['#address.#second_at = :second_at']),
      ...(isLimited ? ['#address.#proven_at = :proven_at'] : []),
    ],
    remove:
      provenAt === null || sleepsAt !== undefined ? [...UNDELIVERABLE, '#address.#proven_at'] : UNDELIVERABLE,
    set:
      sleepsAt === undefined
        ? {}
        : {
            ...{ asleep_before: sleepsAt, slept_by: crypto.randomUUID() },
            ...(disputes ? { disputed_at: sleepsAt } : {}),
          },
    wokenAt,
    secondAt,
    provenAt,
  };
}

/** Only an active user who sleeps as the caller has read: of two sleeps at once one comes first. */
function guarded(
  asleepBefore: number | undefined,
  proven: ProvenAddress | undefined,
  { condition, compute, set, wokenAt, secondAt, provenAt }: Noting,
) {
  const unchanged =
    asleepBefore === undefined ? 'attribute_not_exists(#asleep_before)' : '#asleep_before = :asleep_before';
  const isActive = 'attribute_exists(#pk) AND #status <> :disabled AND attribute_not_exists(#erasure)';
  const conditions = [isActive, unchanged, condition];
  const by = set.slept_by;
  return {
    condition: conditions.filter(Boolean).join(' AND '),
    compute,
    add: { version: 1 },
    names: proven ? { address: ADDRESS_ATTRIBUTES[proven.attribute] } : {},
    values: {
      ...{ disabled: 'Disabled', address: proven?.value, yes: true },
      ...{ asleep_before: asleepBefore, woken_at: wokenAt, second_at: secondAt },
      ...{ proven_at: provenAt ?? undefined },
    },
    ours: (found: Item) => by !== undefined && found.slept_by === by,
  };
}

/** Each write moves the version: an edit that began before it is refused. */
export function users(table: Table): Users {
  return {
    async find(userId) {
      const item = await table.get(userKey(userId));
      return item && userItem.read(item);
    },

    async recordLogin({ userId, at, proven, wrongGuesses, asleepBefore, ...sleep }) {
      const noteLogin = (noting: Noting) =>
        table.update(userKey(userId), {
          ...guarded(asleepBefore, proven, noting),
          set: { ...noting.set, last_auth_at: at, status: 'Active' },
          remove: noting.remove,
          // One that came meanwhile stays noted.
          drop: wrongGuesses ? { wrong_guesses: new Set(wrongGuesses) } : {},
        });
      if (!proven) return (await noteLogin(noteNothing(''))) !== undefined;
      const { provenAt, ...inTenant } = sleep;
      const noted =
        (await noteLogin(noteProof(asleepBefore, sleep))) ??
        (typeof provenAt === 'string' ? await noteLogin(noteProof(asleepBefore, inTenant)) : undefined) ??
        (sleep.sleepsAt === undefined || sleep.disputes
          ? undefined
          : await noteLogin(noteProof(asleepBefore, { ...sleep, disputes: true })));
      // The address is no longer the user's.
      return (noted ?? (await noteLogin(noteNothing('NOT #address.#value = :address')))) !== undefined;
    },

    async putToSleep({ userId, asleepBefore, lastAuthAt }, proven, sleepsAt) {
      const fallAsleep = async (disputes: boolean) => {
        const noting = noteProof(asleepBefore, { sleepsAt, disputes });
        const { remove, set } = noting;
        const change = { ...guarded(asleepBefore, proven, noting), remove, set };
        return (await table.update(userKey(userId), change)) !== undefined;
      };
      return (await fallAsleep(lastAuthAt !== undefined)) || (lastAuthAt === undefined && fallAsleep(true));
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

    async noteWrongGuess(userId, asker) {
      await table.update(userKey(userId), {
        // Only once: each further write would refuse a concurrent edit of the user.
        condition: 'attribute_exists(#pk) AND NOT contains(#wrong_guesses, :asker)',
        add: { wrong_guesses: new Set([asker]), version: 1 },
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
