import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { LoginTransaction, LoginTransactions } from '../../ports/authorization.ts';
import type { Item } from '../attributes.ts';
import { readNumber, readText } from '../attributes.ts';
import { codec, number, text } from '../codec.ts';
import { loginTransactionKey } from '../keys.ts';
import type { Table } from '../table.ts';

const OPEN = 'attribute_exists(#pk) AND attribute_not_exists(#finished_at) AND #expires_at > :at';

function isOpen(item: Item, at: number): boolean {
  return item.finished_at === undefined && readNumber(item, 'expires_at') > at;
}

const loginTransactionItem = codec<LoginTransaction>({
  hash: text('hash'),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  browserHash: text('browser_hash'),
  request: text('request'),
  progress: text('progress'),
  version: number('version'),
  startedAt: number('started_at'),
  expiresAt: number('expires_at'),
});

/** Takes a hash: of many callers exactly one gets true. */
async function begin(table: Table, hash: string, item: Item): Promise<boolean> {
  const by = crypto.randomUUID();
  return table.put(
    { ...loginTransactionKey(hash), ...item, begun_by: by },
    { condition: 'attribute_not_exists(#pk)', ours: (found) => found.begun_by === by },
  );
}

/** One item a login, filed under the hash of its ID. */
export function loginTransactions(table: Table): LoginTransactions {
  return {
    // A login that went on meanwhile must not go back, also when this very write is repeated.
    put: (transaction) =>
      begin(table, transaction.hash, {
        ...loginTransactionItem.toAttributes(transaction),
        purge_at: transaction.expiresAt + EXPIRED_KEPT_SECONDS,
      }),

    skip: (hash, expiresAt, at) =>
      begin(table, hash, {
        finished_at: at,
        expires_at: expiresAt,
        purge_at: expiresAt + EXPIRED_KEPT_SECONDS,
      }),

    async find(hash, at) {
      const item = await table.get(loginTransactionKey(hash));
      return item !== undefined && isOpen(item, at) ? loginTransactionItem.read(item) : undefined;
    },

    async findApplicationId(hash, browserHash) {
      const item = await table.get(loginTransactionKey(hash));
      return item?.browser_hash === browserHash ? readText(item, 'application_id') : undefined;
    },

    async advance({ hash, version }, progress, at) {
      const by = crypto.randomUUID();
      const item = await table.update(loginTransactionKey(hash), {
        condition: `${OPEN} AND #version = :expected`,
        set: { progress, version: version + 1, advanced_by: by },
        values: { at, expected: version },
        ours: (found) => found.advanced_by === by,
      });
      return item !== undefined;
    },

    async finish(hash, at) {
      const by = crypto.randomUUID();
      const item = await table.update(loginTransactionKey(hash), {
        condition: OPEN,
        set: { finished_at: at, finished_by: by },
        // A finished login keeps no trace of what was asked for and typed.
        remove: ['#request', '#progress'],
        values: { at },
        ours: (found) => found.finished_by === by,
      });
      return item !== undefined;
    },
  };
}
