import type { TablePort } from '../../../shared/dynamo/access.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { RecordStore } from '../../../shared/ports/directory.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { T } from '../../support/server/records.ts';

/** What was called since the last `clear`: table, action, and beginning of the partition key. */
export const calls = new Set<string>();

export const page = { limit: 1 };

/** A store, and each of its verbs called, with its refusals; what must be there before is forgotten by `calls.clear()`. */
export interface Exercised<Port extends TablePort> {
  readonly make: (table: Table) => Ports[Port];
  readonly verbs: {
    readonly [Verb in keyof Ports[Port]]: (store: Ports[Port], table: Table) => Promise<unknown>;
  };
}

/** Puts a record first. */
export function withRecord<Store, R>(
  put: (store: Store, record: R) => Promise<unknown>,
  some: () => R,
  call: (store: Store, record: R) => Promise<unknown>,
): (store: Store) => Promise<unknown> {
  return async (store) => {
    const record = some();
    await put(store, record);
    calls.clear();
    return call(store, record);
  };
}

export const editing = <R extends { readonly createdAt: number; readonly tenantId: string }>(
  some: () => R,
  id: (record: R) => string,
  parent: (record: R) => string = ({ tenantId }) => tenantId,
) => {
  const stored = (call: (store: RecordStore<R>, record: R) => Promise<unknown>) =>
    withRecord<RecordStore<R>, R>((store, record) => store.put(record), some, call);
  return {
    put: stored((store, record) => store.put(record)),
    find: stored((store, record) => store.find(id(record))),
    replace: stored(async (store, record) => {
      await store.replace(record, { ...record });
      await store.replace(record, { ...record });
    }),
    remove: stored(async (store, record) => {
      await store.remove(id(record));
      await store.remove(id(record));
    }),
    list: stored((store, record) => store.list(parent(record), page)),
  };
};

interface SingleUse<R> {
  put(record: R): Promise<unknown>;
  find(hash: string, at: number): Promise<unknown>;
  consume(hash: string, at: number): Promise<unknown>;
}
export const usingOnce = <R extends { readonly hash: string }>(some: () => R) => {
  const stored = (call: (store: SingleUse<R>, record: R) => Promise<unknown>) =>
    withRecord<SingleUse<R>, R>((store, record) => store.put(record), some, call);
  return {
    put: stored((store, record) => store.put(record)),
    find: stored((store, { hash }) => store.find(hash, T)),
    consume: stored(async (store, { hash }) => {
      await store.consume(hash, T);
      await store.consume(hash, T);
    }),
  };
};

export const email = { type: 'email', value: 'a@example.com' };

export type Exercises = { readonly [Port in TablePort]: Exercised<Port> };
