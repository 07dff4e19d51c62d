/** Normalises a text for search: ignores case, accents and repeated spaces. */
export const foldForSearch = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // `toUpperCase` converts "ß" to "SS", so that a search for "ss" also finds "ß".
    .toUpperCase()
    .toLowerCase()
    .trim()
    .replace(/\s+/gu, ' ');
