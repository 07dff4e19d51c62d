/** Returns the public URLs of a path, with and without the base URL's prefix. The host is never taken from the request. */
export function publicAddresses(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  return [`${origin}${pathname.replace(/\/$/, '')}${path}`, `${origin}${path}`];
}
