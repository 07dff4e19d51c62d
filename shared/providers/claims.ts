import type { Claims } from './dialect.ts';

/** A text for a user's record. Leaves longer ones out instead of cutting them. */
export function textClaim(claims: Claims, name: string, max: number): string | undefined {
  const value = claims[name];
  if (typeof value !== 'string') return undefined;
  const text = value.trim().normalize('NFC');
  return text === '' || !text.isWellFormed() || [...text].length > max ? undefined : text;
}

/** Apple sometimes writes booleans as texts. */
export function flagClaim(claims: Claims, name: string): boolean | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  return value === true || value === 'true';
}

export function secureUrl(claims: Claims, name: string, max: number): string | undefined {
  const text = textClaim(claims, name, max);
  return text !== undefined && URL.parse(text)?.protocol === 'https:' ? text : undefined;
}
