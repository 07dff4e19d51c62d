import { describe, expect, test } from '@jest/globals';
import { checkPasscode } from '../../shared/domain/credentials/one-time-code.ts';
import { guesses } from '../../shared/dynamo/flows/guesses.ts';
import { oneTimeCodes } from '../../shared/dynamo/flows/one-time-codes.ts';
import { guessesKey } from '../../shared/dynamo/keys.ts';
import type { OneTimeCodeKey } from '../../shared/ports/flows.ts';
import { atOnce } from '../support/server/at-once.ts';
import { codeState } from '../support/server/code-state.ts';
import { useLossyStore } from '../support/server/lossy-store.ts';
import { someCode, someCodeKey, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

// Tests passcode attempts that fail with 503 because DynamoDB responses are lost.

const MAX_TRIES = 3;

describeStore('attempts to enter a one-time code that end with a 503 response', (store) => {
  const { proxy, table } = useLossyStore(store);
  const directly = () => oneTimeCodes(store().table('flows'));
  const triesAt = async (key: OneTimeCodeKey) => (await codeState(store().table('flows'), key))?.tries;

  async function newCode() {
    const [key, code] = [someCodeKey(), someCode({ maxTries: MAX_TRIES })];
    await directly().put(key, code);
    return { key, code };
  }

  test.each([
    ['break', 3],
    ['silence', 1],
  ] as const)(
    'an attempt to enter a code is not counted if all responses to the counter update are lost (type of loss: %s)',
    async (loss, times) => {
      const { key } = await newCode();
      await directly().countAttempt(key, { at: T });
      const tag = 'tag of the digits';
      for (let n = 0; n < MAX_TRIES; n += 1) {
        proxy().lose('UpdateItem', loss, times);
        const trying = oneTimeCodes(table('flows')).countAttempt(key, { at: T, tag });
        await expect(trying).rejects.toMatchObject({ key: 'service_unavailable' });
      }
      expect(await triesAt(key)).toBe(1);
      // The browser sends the same digits again.
      expect(await directly().countAttempt(key, { at: T, tag })).toMatchObject({
        counted: true,
        attemptsLeft: 1,
      });
    },
  );

  test('an attempt to enter a code is not counted if its counter update arrives after the refund', async () => {
    const { key } = await newCode();
    const flows = store().table('flows');
    const item = { pk: key.identifierHash, sk: 'counter' };
    await flows.put({ ...item, tries: 1 });
    const takingBack = {
      condition: '#tries >= :one',
      compute: ['#tries = #tries - :one'],
      values: { one: 1 },
      once: true,
    } as const;
    const counting = {
      compute: ['#tries = #tries + :one'],
      values: { one: 1 },
      tokenAttribute: 'counted_by',
      counts: true,
    } as const;
    await flows.undo(item, 'late', takingBack, 'counted_by');
    expect(await flows.change(item, { ...counting, token: 'late' })).toBe(false);
    expect(await flows.change(item, { ...counting, token: 'another' })).toBe(true);
    await atOnce(2, () => flows.undo(item, 'another', takingBack, 'counted_by'));
    expect(await flows.get(item)).toMatchObject({ tries: 1 });
  });

  test('a refunded attempt stays refunded after another caller has restored the one-time code', async () => {
    const { key, code } = await newCode();
    await directly().countAttempt(key, { at: T });
    await directly().countAttempt(key, { at: T });
    await directly().consume(key, code.mac, { at: T, holder: 'another' });
    await directly().refundAttempt(key, code.mac, {});
    await directly().undoConsume(key, code.mac, 'another', T);
    expect(await triesAt(key)).toBe(1);
  });

  test('an attempt whose response is lost is not counted even if another caller consumes the code meanwhile', async () => {
    const { key, code } = await newCode();
    await directly().countAttempt(key, { at: T });
    const flows = store().table('flows');
    const tryUpdate: typeof flows.tryUpdate = async (...given) => {
      await flows.tryUpdate(...given);
      await directly().consume(key, code.mac, { at: T, holder: 'another' });
      throw new Error('the response is lost');
    };
    const counting = oneTimeCodes({ ...flows, tryUpdate }).countAttempt(key, { at: T });
    await expect(counting).rejects.toThrow('the response is lost');
    await directly().undoConsume(key, code.mac, 'another', T);
    expect(await triesAt(key)).toBe(1);
  });

  describe('attempts counted while many DynamoDB responses are lost', () => {
    const SLOTS = 6;
    test.each([
      // Each caller retries its write twice. With more lost responses than retries, at least one caller gets 503.
      ['break', 2 * SLOTS * MAX_TRIES + 4],
      ['silence', 4],
    ] as const)(
      'an attempt is counted only if its digits were compared with the one-time code (type of loss: %s)',
      async (loss, times) => {
        const person = unique('person');
        const code = someCode({
          mac: '2096-10-02.right',
          maxTries: MAX_TRIES,
          userHash: person,
          purpose: 'one-time',
        });
        const keys = await atOnce(SLOTS, async () => {
          const key = someCodeKey();
          await directly().put(key, code);
          return key;
        });
        proxy().lose('UpdateItem', loss, times);
        const compared = new Map<OneTimeCodeKey, number>();
        const tryOnce = ({ slot, ...place }: OneTimeCodeKey, key: OneTimeCodeKey) => {
          const counting = guesses(table('flows'));
          const count: typeof counting.count = (...of) => {
            compared.set(key, (compared.get(key) ?? 0) + 1);
            return counting.count(...of);
          };
          const ports = {
            otps: oneTimeCodes(table('flows')),
            guesses: { ...counting, count },
            codeMac: { mac: async () => 'wrong' },
            users: { noteWrongGuess: async () => undefined },
          };
          const { clientId, purpose } = code;
          const guess = { ...place, slots: [slot], clientId, acrossClients: false, purpose };
          return checkPasscode(ports, { ...guess, passcode: '111111', at: T });
        };
        const outcomes = await Promise.allSettled(
          keys.flatMap((key) => Array.from({ length: MAX_TRIES }, () => tryOnce(key, key))),
        );
        const errors = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.key);
        expect(errors).toContain('service_unavailable');
        for (const key of keys) expect(await triesAt(key)).toBe(compared.get(key) ?? 0);
        const { pk, sk } = guessesKey(person, code.callerType);
        const { failures = 0 } = (await store().table('flows').get({ pk, sk })) ?? {};
        const all = [...compared.values()].reduce((sum, each) => sum + each, 0);
        expect(failures).toBeLessThanOrEqual(all);
        expect(failures).toBeGreaterThanOrEqual(
          errors.filter((error) => error === 'auth_invalid_credentials').length,
        );
      },
    );
  });
});
