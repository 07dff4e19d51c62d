import type { Application } from '../../ports/directory.ts';

/**
 * Pages lead to hosts alone that the application has shown to be its own: those of its redirect URIs, and those that an operator
 * has confirmed. Else a stolen management client could put its own terms onto the page of a login.
 */
export function isOwnLink(
  uri: string,
  redirectUris: readonly string[],
  linkHosts: readonly string[] = [],
): boolean {
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'https:') return false;
  const own = redirectUris.filter((each) => /^https?:/i.test(each)).map((each) => new URL(each).hostname);
  return own.includes(hostname) || linkHosts.includes(hostname);
}

type ShownLinks = Readonly<Record<'help' | 'terms' | 'privacy' | 'home', string | undefined>>;

/** Of its links those that pages may show now. */
export function shownLinks({ brand = {}, homeUri, redirectUris, linkHosts }: Application): ShownLinks {
  const own = (uri: string | undefined) =>
    uri !== undefined && isOwnLink(uri, redirectUris, linkHosts) ? uri : undefined;
  return {
    help: own(brand.helpUri),
    terms: own(brand.termsUri),
    privacy: own(brand.privacyUri),
    home: own(homeUri),
  };
}
