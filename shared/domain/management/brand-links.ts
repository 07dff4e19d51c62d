import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import { readWebUri } from '../basis/redirect-uri.ts';

/*
 * Pages lead to hosts alone that the application has shown to be its own: those of its redirect URIs, and those that an operator
 * has confirmed. Else a stolen management client could put its own terms onto the page of a login.
 */

interface Own {
  readonly redirectUris: readonly string[];
  readonly linkHosts?: readonly string[] | undefined;
}

const hostsOf = ({ redirectUris }: Own): readonly string[] =>
  redirectUris.filter((each) => /^https?:/i.test(each)).map((each) => new URL(each).hostname);

/** The hosts that links of a changed application may have: one change must not bring a host and a link to it. */
export const linkHostsOf = (current: Own, next: Own): readonly string[] => [
  ...hostsOf(next).filter((host) => hostsOf(current).includes(host)),
  ...(next.linkHosts ?? []),
];

function isOwnLink(uri: string, hosts: readonly string[]): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && hosts.includes(hostname);
}

/** Errors: `system_invalid_input`. */
export function readOwnLink(given: string, field: string, hosts: readonly string[]): string {
  const uri = readWebUri(given, field);
  if (!isOwnLink(uri, hosts))
    throw invalidInput(
      `${field}: must use https and a host that the redirect URIs had before this change, or one that an operator has confirmed`,
    );
  return uri;
}

type ShownLinks = Readonly<Record<'help' | 'terms' | 'privacy' | 'home', string | undefined>>;

/** Of its links those that pages may show now. */
export function shownLinks(application: Application): ShownLinks {
  const { brand = {}, homeUri } = application;
  const hosts = linkHostsOf(application, application);
  const own = (uri: string | undefined) => (uri !== undefined && isOwnLink(uri, hosts) ? uri : undefined);
  return {
    help: own(brand.helpUri),
    terms: own(brand.termsUri),
    privacy: own(brand.privacyUri),
    home: own(homeUri),
  };
}
