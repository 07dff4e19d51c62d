import { toAsciiDigits } from '../identifiers/decimal-digits.ts';

/** Characters that users type or paste between digits, apart from spaces: dashes, dots and invisible direction marks. */
const MARKS = '\\p{Pd}\\p{Cf}\u2212.·•';
const SEPARATORS = new RegExp(`[\\s${MARKS}]`, 'gu');

/** Patterns of numbers in a message: adjacent digits, digits with marks between them, digits with marks and single spaces. */
const NUMBERS = ['', `[${MARKS}]*`, `[\\s${MARKS}]?`].map(
  (separator) => new RegExp(`\\d(?:${separator}\\d)*`, 'gu'),
);

/** Returns a typed passcode with ASCII digits and without separators. Other characters stay, so that they match no code. */
export const normalisePasscode = (typed: string): string => toAsciiDigits(typed).replace(SEPARATORS, '');

/**
 * Finds the passcode in a text that a user typed or pasted: digits, or a whole message, which may contain other numbers. The
 * last number of the right length is taken.
 *
 * @param digits Number of digits of the passcode.
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
