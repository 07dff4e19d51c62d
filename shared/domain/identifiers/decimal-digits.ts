const IS_DIGIT = /^\p{Nd}$/u;

/**
 * Replaces every decimal digit of Unicode by its ASCII digit: `٤٢` becomes `42`. The ten digits of a script are consecutive
 * code points, from zero to nine (Unicode Standard, section 4.6). Digits of two scripts may be adjacent.
 */
export const toAsciiDigits = (text: string): string => text.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);

function asciiDigit(digit: string): string {
  const own = digit.codePointAt(0) ?? 0;
  let first = own;
  while (IS_DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((own - first) % 10);
}
