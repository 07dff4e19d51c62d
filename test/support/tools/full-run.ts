/** True in `.ci/run`, which runs all cases. Other runs include only a sample, which the seed selects. */
export const isFull = process.env.FULL_RUNS === '1';

/** Seed of the test run. To repeat the random choices of a run, set the variable: `SEED=7 npm test`. */
export const SEED = Number(process.env.SEED ?? Date.now());

/** Returns the number of random cases of a property: all cases in a full run, otherwise a tenth. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** Returns true if the run includes the case with this index. Full runs include all cases, other runs one in `of` cases. */
export const takes = (index: number, of: number): boolean => isFull || (index + SEED) % of === 0;

/** Operations that together cover all variants of the common code, such as body types, error formats and token types. */
const TYPICAL = new Set([
  'sendOtp',
  'token',
  'listUsers',
  'updateUser',
  'openMagicLink',
  'userInfo',
  'putAdded',
]);

/** Returns the typical operations in `all` and one other, for checks of common code. A full run returns all operations. */
export function sample<Row extends readonly [string, ...unknown[]]>(all: readonly Row[]): readonly Row[] {
  if (isFull) return all;
  const others = all.filter(([name]) => !TYPICAL.has(name));
  const chosen = others[SEED % Math.max(1, others.length)];
  return all.filter((row) => row === chosen || TYPICAL.has(row[0]));
}

const IN_TURN = 2;

/**
 * Selects test cases about common code for an operation. Typical operations get all cases. Every other operation gets two
 * cases, which differ between operations, so that each case is tested with many operations. This also holds in a full run.
 */
export function inTurn<Case>(name: string, cases: readonly Case[]): readonly Case[] {
  if (TYPICAL.has(name)) return cases;
  const first = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), SEED);
  return cases.filter((_, index) => (index + first) % cases.length < IN_TURN);
}
