import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import { readWebUri } from '../basis/redirect-uri.ts';

// Links on hosted pages. They may only point to hosts that belong to the application: those of its redirect URIs, and those
// that an operator has confirmed. Otherwise, an attacker with a stolen management client could link a login page to the
// attacker's own terms of service.

/** Application settings that show which hosts the application owns. */
interface HostSources {
  readonly redirectUris: readonly string[];
  readonly linkHosts?: readonly string[] | undefined;
}

const listRedirectHosts = ({ redirectUris }: HostSources): readonly string[] =>
  redirectUris.filter((each) => /^https?:/i.test(each)).map((each) => new URL(each).hostname);

/**
 * Returns the hosts to which the links of a changed application may point. A redirect URI counts only if it existed before the
 * change. One change therefore cannot add both a redirect URI and a link to its host.
 */
export const listLinkHosts = (current: HostSources, next: HostSources): readonly string[] => [
  ...listRedirectHosts(next).filter((host) => listRedirectHosts(current).includes(host)),
  ...(next.linkHosts ?? []),
];

function isOwnLink(uri: string, hosts: readonly string[]): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && hosts.includes(hostname);
}

/** Validates a link of an application to one of its own hosts. Errors: `system_invalid_input`. */
export function readOwnLink(given: string, field: string, hosts: readonly string[]): string {
  const uri = readWebUri(given, field);
  if (!isOwnLink(uri, hosts))
    throw invalidInput(
      `${field}: must use https and a host that the redirect URIs had before this change, or one that an operator has confirmed`,
    );
  return uri;
}

type ShownLinks = Readonly<Record<'help' | 'terms' | 'privacy' | 'home', string | undefined>>;

/** Returns the links of an application that hosted pages may show: links to hosts that currently belong to the application. */
export function listShownLinks(application: Application): ShownLinks {
  const { brand = {}, homeUri } = application;
  const hosts = listLinkHosts(application, application);
  const own = (uri: string | undefined) => (uri !== undefined && isOwnLink(uri, hosts) ? uri : undefined);
  return {
    help: own(brand.helpUri),
    terms: own(brand.termsUri),
    privacy: own(brand.privacyUri),
    home: own(homeUri),
  };
}
