import { describe, expect, test } from '@jest/globals';
import { loginTransactions } from '../../../shared/dynamo/flows/login-transactions.ts';
import type { LoginTransaction } from '../../../shared/ports/authorization.ts';
import { someLoginTransaction } from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('browser logins', (store) => {
  const logins = () => loginTransactions(store().table('flows'));

  async function stored(change: Partial<LoginTransaction> = {}): Promise<LoginTransaction> {
    const transaction = someLoginTransaction(change);
    await logins().put(transaction);
    return transaction;
  }
  const raw = (hash: string) =>
    store()
      .table('flows')
      .get({ pk: `login#${hash}`, sk: 'login' });

  test('an expired browser login cannot be found', async () => {
    const transaction = await stored({ request: '' });
    expect(await logins().find(transaction.hash, T)).toEqual(transaction);
    expect(await logins().find(transaction.hash, transaction.expiresAt - 1)).toEqual(transaction);
    expect(await logins().find(transaction.hash, transaction.expiresAt)).toBeUndefined();
  });

  test('reading a browser login with an unknown or invalid key returns nothing', async () => {
    const unknown = unique('hash');
    for (const hash of [unknown, '', '\ud800', 'x'.repeat(5000)]) {
      expect(await logins().find(hash, T)).toBeUndefined();
      expect(await logins().advance(someLoginTransaction({ hash }), '{}', T)).toBe(false);
      expect(await logins().finish(hash, T)).toBe(false);
    }
    expect(await raw(unknown)).toBeUndefined();
  });

  describe('storing the steps of a browser login', () => {
    test('only one of 30 concurrent steps of a browser login is stored', async () => {
      const transaction = await stored();
      const wins = await atOnce(30, (n) => logins().advance(transaction, `{"n":${n}}`, T + 1));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await logins().find(transaction.hash, T + 1)).toEqual({
        ...transaction,
        progress: `{"n":${wins.indexOf(true)}}`,
        version: 1,
      });
    });

    test('a login step is stored only if it follows the latest stored step', async () => {
      const first = await stored();
      expect(await logins().advance(first, '{"n":2}', T)).toBe(true);
      const second = { ...first, version: 1 };
      expect(await logins().advance(first, '{"n":"again"}', T)).toBe(false);
      expect(await logins().advance({ ...first, version: 2 }, '{"n":"ahead"}', T)).toBe(false);
      expect(await logins().advance(second, '{"n":3}', T)).toBe(true);
      expect(await logins().find(first.hash, T)).toMatchObject({ progress: '{"n":3}', version: 2 });
    });

    test('no login step is stored after the login has expired', async () => {
      const transaction = await stored();
      expect(await logins().advance(transaction, '{}', transaction.expiresAt)).toBe(false);
      expect(await logins().find(transaction.hash, T)).toEqual(transaction);
      expect(await logins().advance(transaction, '{}', transaction.expiresAt - 1)).toBe(true);
    });

    test('saving the first step of a browser login again does not reset the login', async () => {
      const transaction = await stored();
      await logins().advance(transaction, '{"n":2}', T);
      await logins().put(transaction);
      expect(await logins().find(transaction.hash, T)).toMatchObject({ version: 1 });
    });
  });

  describe('logins that a client prepares for a browser', () => {
    const prepared = async () => {
      const { browserHash: _, joins: __, version: ___, ...login } = someLoginTransaction();
      const record = { ...login, progress: '{"n":0}', expiresAt: T + 300 };
      await logins().prepare(record);
      return record;
    };
    const opening = (browserHash: string) => ({ browserHash, request: '{}', expiresAt: T + 1800 });

    test('only one of 30 concurrent browsers can open a login that a client has prepared', async () => {
      const { hash, ...login } = await prepared();
      const got = await atOnce(30, (n) => logins().bind(hash, opening(`browser-${n}`), T + 1));
      expect(got.filter(Boolean)).toHaveLength(1);
      const own = `browser-${got.indexOf(true)}`;
      expect(await logins().find(hash, T + 1)).toEqual({ ...login, hash, ...opening(own), version: 0 });
      expect(await logins().bind(hash, opening(own), T + 1799)).toBe(true);
      expect(await logins().bind(hash, opening('other'), T + 2)).toBe(false);
    });

    test('a browser cannot open a login that a client has prepared after the login has expired', async () => {
      const { hash, expiresAt } = await prepared();
      expect(await raw(hash)).toMatchObject({ purge_at: expiresAt + 3600 });
      expect(await logins().bind(hash, opening('late'), expiresAt)).toBe(false);
      expect(await logins().bind(hash, opening('own'), expiresAt - 1)).toBe(true);
      expect(await raw(hash)).toMatchObject({ purge_at: T + 1800 + 3600 });
      await logins().finish(hash, T);
      expect(await logins().bind(hash, opening('own'), T)).toBe(false);
      const begun = await stored();
      for (const each of [begun.hash, unique('hash')])
        expect(await logins().bind(each, opening('other'), T)).toBe(false);
    });
  });

  describe('starting a browser login', () => {
    test('only one of 30 concurrent calls can start a browser login or mark the same login as unnecessary', async () => {
      for (let round = 0; round < 5; round += 1) {
        const transaction = someLoginTransaction();
        const wins = await atOnce(30, (n) =>
          n % 2 === 0 ? logins().put(transaction) : logins().skip(transaction.hash, T + 60, T),
        );
        expect(wins.filter(Boolean)).toHaveLength(1);
        const begun = wins.indexOf(true) % 2 === 0;
        expect(await logins().find(transaction.hash, T)).toEqual(begun ? transaction : undefined);
      }
    });

    test('a browser login marked as unnecessary cannot be started', async () => {
      const transaction = someLoginTransaction();
      expect(await logins().skip(transaction.hash, T + 60, T)).toBe(true);
      expect(await logins().put(transaction)).toBe(false);
      expect(await logins().advance(transaction, '{}', T)).toBe(false);
      expect(await logins().finish(transaction.hash, T)).toBe(false);
      expect(await raw(transaction.hash)).toMatchObject({ purge_at: T + 60 + 3600 });
    });
  });

  describe('finishing a browser login', () => {
    test('no login step is stored after the login has been finished', async () => {
      const transaction = await stored();
      const [steps, ends] = await Promise.all([
        atOnce(10, (n) => logins().advance(transaction, `{"n":${n}}`, T + 1)),
        atOnce(10, () => logins().finish(transaction.hash, T + 1)),
      ]);
      expect(steps.filter(Boolean).length).toBeLessThanOrEqual(1);
      expect(ends.filter(Boolean)).toHaveLength(1);
      expect(await raw(transaction.hash)).not.toHaveProperty('progress');
    });

    test('a browser login that has expired cannot be finished', async () => {
      const transaction = await stored();
      expect(await logins().finish(transaction.hash, transaction.expiresAt)).toBe(false);
      expect(await logins().finish(transaction.hash, transaction.expiresAt - 1)).toBe(true);
      expect(await logins().find(transaction.hash, T + 1)).toBeUndefined();
    });

    test('a finished browser login no longer contains its authorization request and its steps', async () => {
      const { hash, expiresAt } = await stored();
      expect(await raw(hash)).toMatchObject({ purge_at: expiresAt + 3600 });
      await logins().finish(hash, T);
      expect(await raw(hash)).toMatchObject({ purge_at: expiresAt + 3600 });
      for (const attribute of ['request', 'progress']) expect(await raw(hash)).not.toHaveProperty(attribute);
    });
  });
});
