/**
 * The addresses of a path: below the prefix of the base address, and at the root. The host comes from the setting, never from
 * the caller.
 */
export function publicAddresses(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  return [`${origin}${pathname.replace(/\/$/, '')}${path}`, `${origin}${path}`];
}
