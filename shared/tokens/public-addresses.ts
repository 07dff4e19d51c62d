/** Returns the URLs of a path, below the base URL's prefix and at the root. The host is never taken from the caller. */
export function publicAddresses(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  return [`${origin}${pathname.replace(/\/$/, '')}${path}`, `${origin}${path}`];
}
