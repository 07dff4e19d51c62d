import { expect, test } from '@jest/globals';
import { oneTimeCodes } from '../../../shared/dynamo/flows/one-time-codes.ts';
import { someCode, someCodeKey, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('one-time codes after a failed send', (store) => {
  const codes = () => oneTimeCodes(store().table('flows'));

  test('if a new code cannot be sent, the previous valid code becomes valid again', async () => {
    const [key, code] = [someCodeKey(), someCode()];
    expect(await codes().put(key, code)).toEqual([]);
    const next = someCode({ mac: 'next' });
    expect(await codes().put(key, next)).toEqual([code]);
    await codes().restore(key, 'next', [next, code]);
    expect(await codes().countAttempt(key, { at: T })).toMatchObject({ code: next, earlier: [code] });
    expect(await codes().put(key, someCode({ mac: 'last' }))).toEqual([next, code]);
    await codes().restore(key, 'last', [someCode({ mac: 'again' }), next, code, someCode()]);
    expect(await codes().countAttempt(key, { at: T })).toMatchObject({ earlier: [next, code] });
    expect(await codes().put(key, someCode({ sentAt: T + 3600 }))).toEqual([]);
  });

  test('if a new code cannot be sent, a previous code without remaining attempts stays invalid', async () => {
    const [key, code] = [someCodeKey(), someCode()];
    await codes().put(key, code);
    for (let time = 0; time < code.maxTries; time += 1) await codes().countAttempt(key, { at: T });
    expect(await codes().put(key, someCode())).toEqual([]);
  });

  test('if a new code cannot be sent, a previous code that was used stays invalid', async () => {
    const [key, code, next] = [someCodeKey(), someCode(), someCode({ mac: 'next' })];
    await codes().put(key, code);
    await codes().put(key, next);
    await codes().countAttempt(key, { at: T });
    const holders = Array.from({ length: 30 }, (_, n) => `holder ${n}`);
    const [wins] = await Promise.all([
      Promise.all(holders.map((holder) => codes().consume(key, 'next', { at: T + 1, holder }))),
      Promise.all(holders.map(() => codes().restore(key, 'next', [next, code]))),
    ]);
    expect(wins.filter(Boolean)).toHaveLength(1);
    await codes().restore(key, 'next', [code]);
    expect(await codes().countAttempt(key, { at: T + 2 })).toMatchObject({ counted: false, why: 'spent' });
  });
});
