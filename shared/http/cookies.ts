import { parseCookie } from 'cookie';

/** For this host only, hidden from scripts. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly';

/**
 * A `Set-Cookie` value. Browsers accept a `__Host-` name with exactly these attributes. `Lax` is not sent with a cross-site
 * POST, `Strict` with nothing that another site began (RFC 6265bis §4.1.3.2).
 */
export function setCookie(
  name: `__Host-${string}`,
  value: string,
  maxAgeSeconds?: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${ATTRIBUTES}; SameSite=${sameSite}${age}`;
}

export function clearCookie(name: `__Host-${string}`): string {
  return setCookie(name, '', 0);
}

/** Cookies by name. Of two with one name the first counts: browsers put the longer path first (RFC 6265bis §5.8.3). */
export function readCookies(cookies: readonly string[] = []): Readonly<Record<string, string>> {
  // Only a decoder that drops values leaves one undefined.
  return parseCookie(cookies.join('; '), { decode: (value) => value }) as Readonly<Record<string, string>>;
}
