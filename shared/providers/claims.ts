import type { Claims } from './dialect.ts';

/** Texts of a profile end up in a user's record: longer ones are left out, not cut. */
export function textClaim(claims: Claims, name: string, max: number): string | undefined {
  const value = claims[name];
  if (typeof value !== 'string') return undefined;
  const text = value.trim().normalize('NFC');
  return text === '' || !text.isWellFormed() || [...text].length > max ? undefined : text;
}

/** Apple writes booleans as texts, now and then. */
export function flagClaim(claims: Claims, name: string): boolean | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  return value === true || value === 'true';
}

export function secureUrl(claims: Claims, name: string, max: number): string | undefined {
  const text = textClaim(claims, name, max);
  return text !== undefined && URL.parse(text)?.protocol === 'https:' ? text : undefined;
}
