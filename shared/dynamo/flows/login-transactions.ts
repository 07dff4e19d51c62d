import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type {
  LoginTransaction,
  LoginTransactionStart,
  LoginTransactions,
} from '../../ports/authorization.ts';
import type { Item } from '../attributes.ts';
import { readNumber } from '../attributes.ts';
import { codec, type Field, number, optional, text } from '../codec.ts';
import { loginTransactionKey } from '../keys.ts';
import type { Table } from '../table.ts';

const OPEN = 'attribute_exists(#pk) AND attribute_not_exists(#finished_at) AND #expires_at > :at';

function isOpen(item: Item, at: number): boolean {
  return item.finished_at === undefined && readNumber(item, 'expires_at') > at;
}

const beginning = {
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  startedAt: number('started_at'),
};
const beginningItem = codec(beginning);
const start = {
  ...beginning,
  hash: text('hash'),
  clientId: text('client_id'),
  browserHash: optional(text('browser_hash')),
  request: text('request'),
  joins: optional(text('joins')),
  expiresAt: number('expires_at'),
};
const startItem = codec<LoginTransactionStart>(start);
/** Version of a login. The attribute is absent until the login first advances, and is then read as 0. */
const version: Field<number> = {
  ...number('version'),
  read: (item) => optional(number('version')).read(item) ?? 0,
};
const loginTransactionItem = codec<LoginTransaction>({
  ...start,
  progress: optional(text('progress')),
  version,
});

/** Stores an item for the hash of a login ID. Exactly one of several concurrent callers gets true and may start the login. */
function begin(table: Table, hash: string, item: Item): Promise<boolean> {
  const guard = { condition: 'attribute_not_exists(#pk)', tokenAttribute: 'begun_by' };
  return table.put({ ...loginTransactionKey(hash), ...item }, guard);
}

/** Creates the store of browser logins. Each login is one item, with the hash of the login's ID as its key. */
export function loginTransactions(table: Table): LoginTransactions {
  return {
    // If the SDK repeats this write, it must not reset a login that has advanced in the meantime.
    put: (login) =>
      begin(table, login.hash, {
        ...startItem.toAttributes(login),
        purge_at: login.expiresAt + EXPIRED_KEPT_SECONDS,
      }),

    async prepare(login) {
      await begin(table, login.hash, {
        ...startItem.toAttributes(login),
        progress: login.progress,
        purge_at: login.expiresAt + EXPIRED_KEPT_SECONDS,
      });
    },

    bind: (hash, { browserHash, request, expiresAt }, at) =>
      table.change(loginTransactionKey(hash), {
        condition: `${OPEN} AND (attribute_not_exists(#browser_hash) OR #browser_hash = :set_browser_hash)`,
        set: {
          browser_hash: browserHash,
          request,
          expires_at: expiresAt,
          purge_at: expiresAt + EXPIRED_KEPT_SECONDS,
        },
        values: { at },
        returnsNothing: true,
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

    async findStart(hash, browserHash) {
      const item = await table.get(loginTransactionKey(hash));
      return item?.browser_hash === browserHash ? beginningItem.read(item) : undefined;
    },

    advance: ({ hash, version }, progress, at) =>
      table.change(loginTransactionKey(hash), {
        condition: `${OPEN} AND ${version === 0 ? 'attribute_not_exists(#version)' : '#version = :expected'}`,
        set: { progress, version: version + 1 },
        values: { at, expected: version },
        tokenAttribute: 'advanced_by',
      }),

    finish: (hash, at, holder) =>
      table.change(loginTransactionKey(hash), {
        condition: OPEN,
        set: { finished_at: at },
        // A finished login keeps neither the request nor the user's input.
        remove: ['#request', '#progress'],
        values: { at },
        tokenAttribute: 'finished_by',
        token: holder,
      }),

    async reopen({ hash, request, progress }, holder) {
      const set = { request, progress, finished_at: undefined };
      await table.undo(loginTransactionKey(hash), holder, { set }, 'finished_by');
    },
  };
}
