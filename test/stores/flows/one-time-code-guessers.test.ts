import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { networkHash } from '../../../shared/domain/rate-limits/address-window.ts';
import type { OneTimeCodeKey, StoredCode } from '../../../shared/ports/flows.ts';
import { codeState, codesIn } from '../../support/server/code-state.ts';
import { someCode, someCodeKey, someTenant, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';
import { runs } from '../../support/tools/full-run.ts';

const LOCK = 900;

const times = <T>(count: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, call));

describeStore('attempts to enter one-time codes', (store) => {
  const { codes, count, whyNot, rawItem } = codesIn(() => store().table('flows'));

  test('a one-time code that is expired, used, revoked or replaced cannot be used', async () => {
    const isUsable = (key: OneTimeCodeKey, { mac }: StoredCode, at = T + 2) => codes().isUsable(key, mac, at);
    const sent = async () => {
      const [key, code] = [someCodeKey(), someCode()];
      await codes().put(key, code);
      await count(key, { at: T + 1 });
      expect(await isUsable(key, code)).toBe(true);
      expect(await isUsable(key, code, code.expiresAt)).toBe(false);
      return { key, code };
    };
    const used = await sent();
    await codes().consume(used.key, used.code.mac, { at: T + 1 });
    expect(await isUsable(used.key, used.code)).toBe(false);
    const revoked = await sent();
    await codes().restore(revoked.key, revoked.code.mac, []);
    expect(await isUsable(revoked.key, revoked.code)).toBe(false);

    const { key, code } = await sent();
    const next = someCode({ expiresAt: T + 3600 });
    await codes().put(key, next);
    expect(await isUsable(key, code)).toBe(false);
    expect(await isUsable(key, next)).toBe(true);
    for (const _ of [1, 2]) await count(key, { at: T + 1 });
    for (const at of [T + 2, T + 1 + LOCK]) expect(await isUsable(key, next, at)).toBe(false);
    const last = someCode({ expiresAt: T + 3600 });
    await codes().put(key, last);
    expect(await isUsable(key, last)).toBe(false);
    expect(await isUsable(key, last, T + 1 + LOCK)).toBe(true);
    expect(await isUsable(someCodeKey(), last)).toBe(false);
  });

  describe('failed attempts from several networks to enter a one-time code', () => {
    const network = (n: number) => networkHash(someTenant(), `198.51.100.${n}`);

    test('each client network has its own limit on attempts to enter a one-time code', async () => {
      const key = someCodeKey();
      const code = someCode();
      await codes().put(key, code);
      const [one, two] = [network(1), network(2)];
      const counted = await times(30, () => count(key, { at: T + 1, network: one }));
      expect(counted.filter(Boolean)).toHaveLength(3);
      expect(await whyNot(key, { at: T + 1, network: one })).toBe('locked');
      expect(await count(key, { at: T + 1 })).toMatchObject({ attemptsLeft: 2 });
      expect(await count(key, { at: T + 1, network: two })).toMatchObject({ attemptsLeft: 2, code });
      expect(await codes().consume(key, code.mac, { at: T + 1, network: two })).toBe(true);
    });

    test('a new one-time code does not end the lockout of a caller’s network', async () => {
      const key = someCodeKey();
      const [code, next] = [someCode(), someCode({ expiresAt: T + 3600 })];
      await codes().put(key, code);
      const [one, two] = [network(1), network(2)];
      for (let n = 0; n < 3; n += 1) await count(key, { at: T, network: one });
      expect(await codes().consume(key, code.mac, { at: T, network: two })).toBe(false);
      await codes().put(key, next);
      expect(await whyNot(key, { at: T + LOCK - 1, network: one })).toBe('locked');
      expect(await count(key, { at: T + LOCK, network: one })).toMatchObject({ attemptsLeft: 2, code: next });
    });

    test('a stored one-time code identifies each caller’s network by a name of at most 8 characters', async () => {
      const key = someCodeKey();
      await codes().put(key, someCode());
      for (let batch = 0; batch < runs(20); batch += 1)
        await times(20, () => count(key, { at: T, network: hashSecret(unique('network')) }));
      const names = Object.keys((await rawItem(key))?.guessers as object);
      expect(Math.max(...names.map((name) => name.length))).toBeLessThan(9);
    });
  });

  describe('entering the same digits of a one-time code repeatedly', () => {
    test('entering the same digits of a one-time code repeatedly counts as one attempt', async () => {
      const key = someCodeKey();
      const code = someCode();
      await codes().put(key, code);
      const same = { at: T + 1, tag: 'same' };
      expect((await times(20, () => count(key, same))).filter(Boolean)).toHaveLength(1);
      expect(await whyNot(key, same)).toBe('repeated');
      expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 });
      await codes().refundAttempt(key, code.mac, same);
      expect(await count(key, same)).toMatchObject({ attemptsLeft: 2 });
      expect(await count(key, { at: T + 1, tag: 'others' })).toMatchObject({ attemptsLeft: 1 });
      const next = someCode();
      await codes().put(key, next);
      expect(await count(key, same)).toMatchObject({ attemptsLeft: 0 });
      await codes().consume(key, next.mac, { at: T + 1 });
      expect(await whyNot(key, same)).toBe('spent');
    });
  });
});
