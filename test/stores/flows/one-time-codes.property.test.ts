import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oneTimeCodes } from '../../../shared/dynamo/flows/one-time-codes.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { OneTimeCodeKey } from '../../../shared/ports/flows.ts';
import { codeState } from '../../support/server/code-state.ts';
import { someCode, someCodeKey, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';
import { runs, SEED } from '../../support/tools/full-run.ts';

const LOCK = 100;
const LIFE = 150;

/** Simple in-memory model of the store for one-time codes. The tests compare the real store with this model. */
class Reference {
  tries = 0;
  lockedUntil = 0;
  code: { mac: string; maxTries: number; expiresAt: number; dead: boolean; consumed: boolean } | undefined;

  send(mac: string, maxTries: number, at: number): void {
    this.code = { mac, maxTries, expiresAt: at + LIFE, dead: false, consumed: false };
  }

  guess(at: number, expired: boolean): boolean {
    const { code } = this;
    if (!code || code.dead || code.consumed || this.lockedUntil > at) return false;
    if (code.expiresAt <= at !== expired) return false;
    // If the new code allows fewer attempts than were already used, one attempt remains.
    this.tries = Math.min(this.tries, code.maxTries - 1) + 1;
    if (this.tries === code.maxTries) {
      code.dead = true;
      this.lockedUntil = at + LOCK;
      this.tries = 0;
    }
    return true;
  }

  /** Reverts the attempt that was just counted. */
  takeBack(): void {
    const { code } = this;
    if (!code) return;
    if (code.dead) {
      this.tries = code.maxTries;
      this.lockedUntil = 0;
      code.dead = false;
    }
    this.tries -= 1;
  }

  /** Consumes the code after a correct attempt, which resets the count of attempts. */
  succeed(): void {
    if (this.code) this.code = { ...this.code, consumed: true, dead: false };
    this.tries = 0;
    this.lockedUntil = 0;
  }
}

type Step =
  | { readonly do: 'send'; readonly maxTries: number }
  | { readonly do: 'guess'; readonly digits: 'wrong' | 'right' | 'expired' | 'taken back' }
  | { readonly do: 'wait'; readonly seconds: number };

const send = fc.record({ do: fc.constant('send' as const), maxTries: fc.integer({ min: 1, max: 4 }) });
const digits = fc.constantFrom<'wrong' | 'right' | 'expired' | 'taken back'>(
  'wrong',
  'wrong',
  'wrong',
  'right',
  'expired',
  'taken back',
);
const guess = fc.record({ do: fc.constant('guess' as const), digits });
const wait = fc.record({
  do: fc.constant('wait' as const),
  seconds: fc.oneof(fc.integer({ min: 0, max: LOCK + 10 }), fc.constant(LOCK)),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: send, weight: 3 },
  { arbitrary: guess, weight: 8 },
  { arbitrary: wait, weight: 3 },
);

/** Runs the same steps on the store and on the reference model. Checks after each step that results and states are equal. */
async function follow(table: Table, steps: readonly Step[]): Promise<void> {
  const codes = oneTimeCodes(table);
  const [key, reference] = [someCodeKey(), new Reference()];
  let at = T;
  for (const next of steps) {
    if (next.do === 'wait') at += next.seconds;
    if (next.do === 'send') {
      const code = someCode({ maxTries: next.maxTries, lockSeconds: LOCK, sentAt: at, expiresAt: at + LIFE });
      await codes.put(key, code);
      reference.send(code.mac, next.maxTries, at);
    }
    if (next.do === 'guess') {
      const expired = next.digits === 'expired';
      const outcome = await codes.countAttempt(key, { at, expired });
      expect(outcome.counted).toBe(reference.guess(at, expired));
      if (outcome.counted && next.digits === 'right') {
        expect(await codes.consume(key, outcome.code.mac, { at })).toBe(true);
        reference.succeed();
      }
      if (outcome.counted && next.digits === 'taken back') {
        await codes.refundAttempt(key, outcome.code.mac, {});
        reference.takeBack();
      }
    }
    await agree(table, key, reference, at);
  }
}

async function agree(table: Table, key: OneTimeCodeKey, reference: Reference, at: number): Promise<void> {
  const state = await codeState(table, key);
  expect((state?.lockedUntil ?? 0) > at).toBe(reference.lockedUntil > at);
  expect(state?.code?.mac).toBe(reference.code?.dead ? undefined : reference.code?.mac);
}

/** Sends and guesses codes concurrently, in several batches. Checks that no more attempts than allowed precede a lockout. */
async function storm(
  table: Table,
  batches: readonly { readonly sends: number; readonly guesses: number; readonly wait: number }[],
): Promise<void> {
  const codes = oneTimeCodes(table);
  const maxTries = 3;
  const key = someCodeKey();
  const sendOne = async (at: number) => {
    await codes.put(key, someCode({ maxTries, lockSeconds: LOCK, sentAt: at, expiresAt: at + LIFE }));
    return undefined;
  };
  let at = T;
  let countedSinceLock = 0;
  for (const { sends, guesses, wait: seconds } of batches) {
    const before = await codeState(table, key);
    const locked = (before?.lockedUntil ?? 0) > at;
    const calls = Array.from({ length: Math.max(sends, guesses) }, (_, n) => [
      n < guesses ? codes.countAttempt(key, { at }) : undefined,
      n < sends ? sendOne(at) : undefined,
    ]).flat();
    const counted = (await Promise.all(calls)).filter((outcome) => outcome?.counted);

    if (locked) expect(counted).toHaveLength(0);
    countedSinceLock += counted.length;
    expect(countedSinceLock).toBeLessThanOrEqual(maxTries);

    const after = await codeState(table, key);
    if (countedSinceLock === maxTries) {
      expect(after?.lockedUntil).toBe(counted.length > 0 ? at + LOCK : after?.lockedUntil);
      if ((after?.lockedUntil ?? 0) <= at + seconds) countedSinceLock = 0;
    }
    at += seconds;
  }
}

describeStore('random sequences of sends and guesses', (store) => {
  describe(`random sequences of operations on one-time codes (seed ${SEED})`, () => {
    test('after random sequences of sends and attempts, one-time codes have the same state as a reference model', async () => {
      const table = store().table('flows');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => follow(table, steps)),
        { seed: SEED, numRuns: runs(40) },
      );
    });

    test('concurrent sends and attempts never exceed the attempt limit of one-time codes', async () => {
      const table = store().table('flows');
      const batch = fc.record({
        sends: fc.integer({ min: 0, max: 3 }),
        guesses: fc.integer({ min: 0, max: 8 }),
        wait: fc.constantFrom(0, 1, LOCK - 1, LOCK, LOCK + 60),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(batch, { minLength: 2, maxLength: 12 }), (batches) =>
          storm(table, batches),
        ),
        { seed: SEED, numRuns: runs(10) },
      );
    });
  });
});
