/** A text as people search for it: without case, accents and doubled spaces. */
export const folded = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Upper case first: ß is found by ss.
    .toUpperCase()
    .toLowerCase()
    .trim()
    .replace(/\s+/gu, ' ');
