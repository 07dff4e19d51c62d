/** Returns the URLs of a path, with and without the prefix of the base URL. The host never comes from the caller. */
export function publicAddresses(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  return [`${origin}${pathname.replace(/\/$/, '')}${path}`, `${origin}${path}`];
}
