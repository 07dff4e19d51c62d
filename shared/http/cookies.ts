import { parseCookie } from 'cookie';

/** Returns attributes that restrict a cookie to this host and hide it from scripts. */
export const buildCookieAttributes = (sameSite: 'Lax' | 'Strict'): string =>
  `Path=/; Secure; HttpOnly; SameSite=${sameSite}`;

/**
 * Returns a `Set-Cookie` value. Browsers accept a `__Host-` name only with exactly these attributes. Cross-site POST requests
 * omit `Lax` cookies, and all cross-site requests omit `Strict` cookies (RFC 6265bis §4.1.3.2).
 */
export function setCookie(
  name: `__Host-${string}`,
  value: string,
  maxAgeSeconds?: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${buildCookieAttributes(sameSite)}${age}`;
}

export function clearCookie(name: `__Host-${string}`): string {
  return setCookie(name, '', 0);
}

/** Returns cookies by name. If a name occurs twice, the first cookie is used: it has the longer path (RFC 6265bis §5.8.3). */
export function readCookies(cookies: readonly string[] = []): Readonly<Record<string, string>> {
  // The decoder never drops a value, so no value is undefined.
  return parseCookie(cookies.join('; '), { decode: (value) => value }) as Readonly<Record<string, string>>;
}
