import type { Claims } from './dialect.ts';

/** Returns the text of a claim for a user's record. Omits texts longer than `max` instead of truncating them. */
export function textClaim(claims: Claims, name: string, max: number): string | undefined {
  const value = claims[name];
  if (typeof value !== 'string') return undefined;
  const text = value.trim().normalize('NFC');
  return text === '' || !text.isWellFormed() || [...text].length > max ? undefined : text;
}

/** Returns a boolean claim. Also accepts the texts `true` and `false`, which Apple sometimes sends. */
export function flagClaim(claims: Claims, name: string): boolean | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  return value === true || value === 'true';
}

export function secureUrl(claims: Claims, name: string, max: number): string | undefined {
  const text = textClaim(claims, name, max);
  return text !== undefined && URL.parse(text)?.protocol === 'https:' ? text : undefined;
}
