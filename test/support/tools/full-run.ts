/** `.ci/run` sets it: every row and every seed. A run without it takes a part, chosen by the seed. */
export const isFull = process.env.FULL_RUNS === '1';

/** Repeats what a run chose: SEED=7 npm test. */
export const SEED = Number(process.env.SEED ?? Date.now());

/** How many random cases a property gets. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** Whether the case at this place of many alike runs: one in `of` does. */
export const takes = (index: number, of: number): boolean => isFull || (index + SEED) % of === 0;

/** Rows that differ in all that the common code asks of a row: body, dialect, kind of token, parameters, page or JSON. */
const TYPICAL = new Set([
  'sendOtp',
  'token',
  'listUsers',
  'updateUser',
  'openMagicLink',
  'userInfo',
  'putAdded',
]);

/** For checks that any row could stand for: the typical rows of `all`, and one more. */
export function sample<Row extends readonly [string, ...unknown[]]>(all: readonly Row[]): readonly Row[] {
  if (isFull) return all;
  const others = all.filter(([name]) => !TYPICAL.has(name));
  const chosen = others[SEED % Math.max(1, others.length)];
  return all.filter((row) => row === chosen || TYPICAL.has(row[0]));
}

const IN_TURN = 2;

/**
 * For what the common code answers alike at every row: all cases at the typical rows, and some at each other row, in turn, so
 * that each case is tried at many rows.
 */
export function inTurn<Case>(name: string, cases: readonly Case[]): readonly Case[] {
  if (isFull || TYPICAL.has(name)) return cases;
  const first = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), SEED);
  return cases.filter((_, index) => (index + first) % cases.length < IN_TURN);
}
