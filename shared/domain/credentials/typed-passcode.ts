import { toAsciiDigits } from '../identifiers/decimal-digits.ts';

/** What people type or paste between digits beside spaces: dashes, minus signs, dots, and invisible marks of direction. */
const MARKS = '\\p{Pd}\\p{Cf}\u2212.·•';
const SEPARATORS = new RegExp(`[\\s${MARKS}]`, 'gu');

/** The numbers of a message: digits in a row, then with marks between them, then with single spaces as well. */
const NUMBERS = ['', `[${MARKS}]*`, `[\\s${MARKS}]?`].map(
  (separator) => new RegExp(`\\d(?:${separator}\\d)*`, 'gu'),
);

/** Returns a typed passcode with ASCII digits and without separators. Other characters stay, and match no code. */
export const normalisePasscode = (typed: string): string => toAsciiDigits(typed).replace(SEPARATORS, '');

/**
 * Finds the passcode in what a person typed or pasted: digits, or a whole message, which may have other numbers. Takes the last
 * number of the right length.
 *
 * @param digits How many digits the passcode has.
 */
export function findPasscode(typed: string, digits: number): string {
  const bare = normalisePasscode(typed);
  if (!/\D/.test(bare)) return bare;
  const text = toAsciiDigits(typed);
  const found = NUMBERS.map((form) =>
    text
      .match(form)
      ?.map(normalisePasscode)
      .findLast(({ length }) => length === digits),
  );
  return found.find((number) => number !== undefined) ?? bare;
}
