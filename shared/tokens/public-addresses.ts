/**
 * The addresses under which a path is reached: below the prefix of the base address, and at the root. The host is that of
 * the setting, never what a caller says it is.
 */
export function publicAddresses(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  return [`${origin}${pathname.replace(/\/$/, '')}${path}`, `${origin}${path}`];
}
