import { describe, expect, test } from '@jest/globals';
import type { OneTimeCodeKey, StoredCode } from '../../../shared/ports/flows.ts';
import { codeState, codesIn } from '../../support/server/code-state.ts';
import { someCode, someCodeKey, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const LOCK = 900;

const times = <T>(count: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, call));

describeStore('one-time codes', (store) => {
  const { codes, count, whyNot, rawItem } = codesIn(() => store().table('flows'));
  const state = (key: OneTimeCodeKey) => codeState(store().table('flows'), key);
  const guess = (key: OneTimeCodeKey, at = T + 1) => count(key, { at });

  /** Stores a code and uses up all attempts with wrong codes. The lockout lasts until `T + 1 + LOCK`. */
  async function locked(change: Partial<StoredCode> = {}) {
    const key = someCodeKey();
    const code = someCode({ expiresAt: T + 3600, ...change });
    await codes().put(key, code);
    for (let n = 0; n < code.maxTries; n += 1) await guess(key);
    return { key, code };
  }

  test('a stored one-time code is read back unchanged', async () => {
    const key = someCodeKey();
    const code = someCode({
      deliveredToHash: 'to',
      approvalData: { amount: '12 €', 'to.iban': '' },
      deviceId: 'device',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
    });
    await codes().put(key, code);
    expect(await state(key)).toEqual({ tries: 0, code });
    expect(await state(someCodeKey())).toBeUndefined();
  });

  test('a new one-time code invalidates the previous code', async () => {
    const key = someCodeKey();
    const device = { deviceId: 'd', userAgent: 'u', ipAddress: '192.0.2.1' };
    await codes().put(key, someCode({ approvalData: { a: 'b' }, ...device }));
    const next = someCode({ channel: 'sms' });
    await codes().put(key, next);
    expect((await state(key))?.code).toEqual(next);
  });

  describe.each(['one-time', 'code-based', 'hosted'] as const)(
    'one-time codes with the purpose %s',
    (purpose) => {
      const sent = () => someCode({ purpose, kind: 'signUp', request: '{"redirect_uri":"https://r/"}' });

      test('a new one-time code contains no data of the previous code', async () => {
        const [key, code, next] = [someCodeKey(), sent(), someCode()];
        await codes().put(key, code);
        expect(await state(key)).toEqual({ tries: 0, code });
        expect(await guess(key)).toMatchObject({ code });
        await codes().put(key, next);
        expect((await state(key))?.code).toEqual(next);
        await codes().restore(key, next.mac, []);
        await codes().put(key, code);
        await codes().restore(key, code.mac, []);
        const raw = await rawItem(key);
        for (const attribute of ['purpose', 'kind', 'request']) expect(raw).not.toHaveProperty(attribute);
      });

      test('one-time codes with different purposes share one limit on attempts', async () => {
        const key = someCodeKey();
        await codes().put(key, someCode());
        await guess(key);
        await codes().put(key, sent());
        const counted = (await times(20, () => guess(key))).filter(Boolean);
        expect(counted).toHaveLength(2);
        await codes().put(key, someCode({ purpose: 'hosted' }));
        expect(await guess(key)).toBeUndefined();
        expect(await state(key)).toMatchObject({ tries: 3, lockedUntil: T + 1 + LOCK });
      });

      test('only one of 30 concurrent callers can consume a one-time code of any purpose', async () => {
        const [key, code] = [someCodeKey(), sent()];
        await codes().put(key, code);
        await guess(key);
        await guess(key);
        await codes().refundAttempt(key, code.mac, {});
        expect(await state(key)).toEqual({ tries: 1, code });
        const wins = await times(30, () => codes().consume(key, code.mac, { at: T + 2 }));
        expect(wins.filter(Boolean)).toHaveLength(1);
        expect(await state(key)).toEqual({ tries: 0, code: { ...code, consumedAt: T + 2 } });
      });
    },
  );

  describe('counting attempts to enter a one-time code', () => {
    test('the last allowed wrong attempt invalidates a one-time code', async () => {
      const key = someCodeKey();
      const code = someCode();
      await codes().put(key, code);
      expect(await guess(key)).toEqual({ attemptsLeft: 2, code });
      expect(await guess(key)).toEqual({ attemptsLeft: 1, code });
      expect(await guess(key)).toEqual({ attemptsLeft: 0, code });
      expect(await guess(key)).toBeUndefined();
      expect(await state(key)).toEqual({ tries: 3, lockedUntil: T + 1 + LOCK });
    });

    test('only three of 40 concurrent attempts to enter a one-time code are checked', async () => {
      const key = someCodeKey();
      await codes().put(key, someCode());
      const counted = (await times(40, () => guess(key))).filter((outcome) => outcome !== undefined);
      expect(counted.map(({ attemptsLeft }) => attemptsLeft).sort()).toEqual([0, 1, 2]);
      expect((await state(key))?.tries).toBe(3);
    });

    test('an attempt to enter a code that was never sent writes nothing', async () => {
      const key = someCodeKey();
      expect(await guess(key)).toBeUndefined();
      expect(await state(key)).toBeUndefined();
    });

    test('an attempt with an expired one-time code is counted only if the caller requests it', async () => {
      const key = someCodeKey();
      await codes().put(key, someCode({ expiresAt: T + 10 }));
      expect(await whyNot(key, { at: T + 9, expired: true })).toBe('expired');
      expect(await whyNot(key, { at: T + 10 })).toBe('expired');
      expect(await state(key)).toMatchObject({ tries: 0 });
      expect(await count(key, { at: T + 10, expired: true })).toMatchObject({ attemptsLeft: 2 });
      expect(await count(key, { at: T + 9 })).toMatchObject({ attemptsLeft: 1 });
    });

    test('the rejection of a one-time code states the reason', async () => {
      const { key, code } = await locked();
      expect(await whyNot(someCodeKey(), { at: T })).toBe('absent');
      expect(await whyNot(key, { at: T + LOCK })).toBe('locked');
      expect(await whyNot(key, { at: T + 1 + LOCK })).toBe('spent');
      await codes().consume(key, code.mac, { at: T + 2 });
      expect(await whyNot(key, { at: T + 3 })).toBe('spent');
      await codes().restore(key, code.mac, []);
      expect(await whyNot(key, { at: T + 3 })).toBe('absent');
    });
  });

  describe('lockout after wrong attempts to enter one-time codes', () => {
    test('after a lockout has ended, only three of 40 concurrent attempts with a new one-time code are checked', async () => {
      const { key } = await locked();
      await codes().put(key, someCode({ expiresAt: T + 3600 }));
      const counted = (await times(40, () => guess(key, T + 1 + LOCK))).filter(Boolean);
      expect(counted).toHaveLength(3);
      expect(await state(key)).toMatchObject({ tries: 3, lockedUntil: T + 1 + LOCK + LOCK });
    });

    test('one-time codes sent during concurrent attempts grant no additional attempts', async () => {
      const key = someCodeKey();
      await codes().put(key, someCode());
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          n % 4 === 0
            ? codes()
                .put(key, someCode())
                .then(() => undefined)
            : guess(key),
        ),
      );
      expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(3);
      expect(await state(key)).toMatchObject({ tries: 3, lockedUntil: T + 1 + LOCK });
    });
  });

  describe('consuming one-time codes', () => {
    test('only one of 30 concurrent callers can consume a one-time code', async () => {
      const key = someCodeKey();
      const code = someCode();
      await codes().put(key, code);
      await guess(key);
      await guess(key);
      const wins = await times(30, () => codes().consume(key, code.mac, { at: T + 2 }));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await state(key)).toEqual({ tries: 0, code: { ...code, consumedAt: T + 2 } });
      expect(await guess(key, T + 3)).toBeUndefined();
    });

    test('an expired one-time code is rejected even if it is still stored', async () => {
      const key = someCodeKey();
      const code = someCode({ expiresAt: T + 10 });
      await codes().put(key, code);
      await guess(key);
      expect(await codes().consume(key, code.mac, { at: T + 10 })).toBe(false);
      expect(await codes().consume(key, code.mac, { at: T + 9 })).toBe(true);
    });

    test('a replaced one-time code cannot be consumed', async () => {
      const key = someCodeKey();
      const [first, second] = [someCode(), someCode()];
      await codes().put(key, first);
      await guess(key);
      await codes().refundAttempt(key, first.mac, {});
      expect(await codes().consume(key, first.mac, { at: T + 1 })).toBe(false);
      await guess(key);
      await codes().put(key, second);
      expect(await codes().consume(key, first.mac, { at: T + 1 })).toBe(false);
      await guess(key);
      expect(await codes().consume(key, first.mac, { at: T + 1 })).toBe(false);
      expect(await codes().consume(key, second.mac, { at: T + 1 })).toBe(true);
      expect(await codes().consume(someCodeKey(), second.mac, { at: T + 1 })).toBe(false);
    });
  });

  test('a one-time code can be consumed only after the attempt was counted', async () => {
    const key = someCodeKey();
    const code = someCode();
    await codes().put(key, code);
    expect(await codes().consume(key, code.mac, { at: T + 1 })).toBe(false);

    const { key: other } = await locked({ maxTries: 1 });
    const sent = someCode({ expiresAt: T + 3600 });
    await codes().put(other, sent);
    expect(await codes().consume(other, sent.mac, { at: T + 2 })).toBe(false);
  });

  describe('restoring one-time codes', () => {
    test('only the caller that consumed a one-time code can restore the code', async () => {
      const [key, code, other] = [someCodeKey(), someCode(), 'a'.repeat(43)];
      await codes().put(key, code);
      await count(key, { at: T, network: other });
      await guess(key);
      for (let time = 0; time < 3; time += 1) {
        const holders = Array.from({ length: 30 }, (_, n) => `holder ${n} of ${time}`);
        const consume = (holder: string) => codes().consume(key, code.mac, { at: T + 1, holder });
        const wins = await Promise.all(holders.map(consume));
        expect(wins.filter(Boolean)).toHaveLength(1);
        const losers = holders.filter((_, n) => !wins[n]);
        await Promise.all(losers.map((holder) => codes().undoConsume(key, code.mac, holder, T + 2)));
        expect(await whyNot(key, { at: T + 2 })).toBe('spent');
        await Promise.all(holders.map((holder) => codes().undoConsume(key, code.mac, holder, T + 2)));
        expect(await state(key)).toEqual({ tries: 1, code });
      }
      await count(key, { at: T, network: other });
      await count(key, { at: T, network: other });
      expect(await codes().countAttempt(key, { at: T, network: other })).toMatchObject({ why: 'locked' });
    });

    test('restoring a one-time code does not affect a code that was sent later', async () => {
      const { key, code } = await locked();
      expect(await codes().consume(key, code.mac, { at: T + 2, holder: 'one' })).toBe(true);
      await codes().undoConsume(key, code.mac, 'one', T + 2);
      expect(await whyNot(key, { at: T + 3 })).toBe('locked');
      const next = someCode({ mac: 'later', expiresAt: T + 3600 });
      expect(await codes().consume(key, code.mac, { at: T + 2, holder: 'two' })).toBe(true);
      await codes().put(key, next);
      await codes().undoConsume(key, code.mac, 'two', T + 2);
      expect((await state(key))?.code).toEqual(next);
    });
  });

  describe('refunds of attempts to enter a one-time code', () => {
    test('an attempt cannot be refunded if its one-time code was consumed or does not exist', async () => {
      const { key } = await locked();
      await codes().refundAttempt(key, 'other', {});
      await codes().refundAttempt(someCodeKey(), 'other', {});
      expect(await state(key)).toMatchObject({ tries: 3, lockedUntil: T + 1 + LOCK });

      const untried = someCodeKey();
      const code = someCode();
      await codes().put(untried, code);
      await codes().refundAttempt(untried, code.mac, {});
      expect(await guess(untried)).toMatchObject({ attemptsLeft: 2 });
      for (let refunds = 0; refunds < 3; refunds += 1) await codes().refundAttempt(untried, code.mac, {});
      expect(await guess(untried)).toMatchObject({ attemptsLeft: 2 });
      await codes().consume(untried, code.mac, { at: T + 1 });
      await codes().refundAttempt(untried, code.mac, {});
      expect(await state(untried)).toMatchObject({ tries: 0 });
    });

    test('revoking a one-time code does not reset the failed attempts', async () => {
      const key = someCodeKey();
      const code = someCode();
      await codes().put(key, code);
      await guess(key);
      await codes().restore(key, 'other', []);
      expect((await state(key))?.code).toEqual(code);
      await codes().restore(key, code.mac, []);
      expect(await state(key)).toEqual({ tries: 1 });
      expect(await guess(key)).toBeUndefined();
      expect(await codes().consume(key, code.mac, { at: T + 1 })).toBe(false);
      await codes().put(key, someCode());
      expect(await guess(key)).toMatchObject({ attemptsLeft: 1 });
    });

    test('revoking a one-time code does not end a lockout', async () => {
      const { key } = await locked();
      const sent = someCode({ expiresAt: T + 3600 });
      await codes().put(key, sent);
      await codes().restore(key, sent.mac, []);
      expect(await state(key)).toEqual({ tries: 3, lockedUntil: T + 1 + LOCK });
      await codes().put(key, someCode({ expiresAt: T + 3600 }));
      expect(await guess(key, T + LOCK)).toBeUndefined();
    });

    test('removing all one-time codes of an identifier ends the identifier’s lockout', async () => {
      const { key } = await locked();
      const { applicationId, identifierHash } = key;
      const other = { ...key, slot: 'other' };
      const elsewhere = { ...key, applicationId: 'another' };
      const ofOther = { ...key, identifierHash: `${identifierHash}x` };
      for (const each of [other, elsewhere, ofOther]) await codes().put(each, someCode());
      expect(await codes().locksOf(identifierHash, T + 2)).toEqual([
        { applicationId, until: T + 1 + LOCK, tries: 3 },
      ]);
      await codes().removeAllOf(identifierHash);
      expect(await codes().locksOf(identifierHash, T + 2)).toEqual([]);
      for (const each of [other, elsewhere]) expect(await state(each)).toBeUndefined();
      expect(await state(ofOther)).toBeDefined();
      expect(await state(key)).toBeUndefined();
      await codes().put(key, someCode());
      expect(await guess(key)).toMatchObject({ attemptsLeft: 2 });
    });
  });

  test('an unused one-time code is deleted 30 days after the last attempt', async () => {
    const day = 86_400;
    const raw = async (key: OneTimeCodeKey) => (await rawItem(key))?.purge_at;
    const key = someCodeKey();
    const code = someCode();
    await codes().put(key, code);
    expect(await raw(key)).toBe(code.expiresAt + 30 * day);
    await guess(key, T + 100);
    expect(await raw(key)).toBe(T + 100 + 30 * day);
    await codes().consume(key, code.mac, { at: T + 200, holder: 'holder' });
    expect(await raw(key)).toBe(T + 200 + day);
    await codes().undoConsume(key, code.mac, 'holder', T + 250);
    expect(await raw(key)).toBe(T + 250 + 30 * day);
  });
});
