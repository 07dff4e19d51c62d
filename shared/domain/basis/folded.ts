/** Normalises a text for search: ignores case, accents and repeated spaces. */
export const foldForSearch = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Upper case comes first, so that "ß" is found by "ss".
    .toUpperCase()
    .toLowerCase()
    .trim()
    .replace(/\s+/gu, ' ');
