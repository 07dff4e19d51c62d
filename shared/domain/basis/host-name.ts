/** Pattern of a host name in lower case, without a port. */
export const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Wildcard in a list of hosts that allows every host. */
export const ANY_HOST = '*';

/** Returns the host of a URI in lower case, without a trailing dot, or undefined for a URI without a host, such as `urn:`. */
export function readUriHost(uri: string): string | undefined {
  const host = URL.parse(uri)?.hostname.toLowerCase().replace(/\.$/, '');
  return host === '' ? undefined : host;
}
