/** What every cookie of the service has: its own host alone, never scripts, never a cross-site POST (RFC 6265bis §4.1.3.2). */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** A `Set-Cookie` value; `__Host-` names are accepted by browsers with exactly these attributes. */
export function setCookie(name: `__Host-${string}`, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${ATTRIBUTES}${age}`;
}

export function clearCookie(name: `__Host-${string}`): string {
  return setCookie(name, '', 0);
}

/** Cookies by name; of two with one name the first counts, which the browser sorts by the longer path. */
export function readCookies(cookies: readonly string[] | undefined): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const cookie of cookies ?? []) {
    const separator = cookie.indexOf('=');
    const name = cookie.slice(0, separator).trim();
    if (separator > 0 && !found.has(name)) found.set(name, cookie.slice(separator + 1).trim());
  }
  return Object.fromEntries(found);
}
