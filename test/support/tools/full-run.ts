/** True in `.ci/run`, which runs every row and every seed. Other runs take a part that the seed selects. */
export const isFull = process.env.FULL_RUNS === '1';

/** Seed of the run. Setting it repeats the choices of a run: SEED=7 npm test. */
export const SEED = Number(process.env.SEED ?? Date.now());

/** Returns the number of random cases of a property: all cases in a full run, otherwise a tenth. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** Returns true if the case at this index of many similar ones runs. Full runs take all cases, other runs one in `of`. */
export const takes = (index: number, of: number): boolean => isFull || (index + SEED) % of === 0;

/** Operations that together cover all variants of the common code: body, error format, token type, parameters, page or JSON. */
const TYPICAL = new Set([
  'sendOtp',
  'token',
  'listUsers',
  'updateUser',
  'openMagicLink',
  'userInfo',
  'putAdded',
]);

/** Returns the typical operations in `all` and one more, for checks that do not depend on the operation. */
export function sample<Row extends readonly [string, ...unknown[]]>(all: readonly Row[]): readonly Row[] {
  if (isFull) return all;
  const others = all.filter(([name]) => !TYPICAL.has(name));
  const chosen = others[SEED % Math.max(1, others.length)];
  return all.filter((row) => row === chosen || TYPICAL.has(row[0]));
}

const IN_TURN = 2;

/**
 * Returns the cases of an operation for behaviour of the common code: all cases for typical operations, and some for
 * each other one in turn, so that each case is tried at many operations. A full run takes no more of them: it takes all
 * operations.
 */
export function inTurn<Case>(name: string, cases: readonly Case[]): readonly Case[] {
  if (TYPICAL.has(name)) return cases;
  const first = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), SEED);
  return cases.filter((_, index) => (index + first) % cases.length < IN_TURN);
}
