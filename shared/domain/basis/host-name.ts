/** A host name in lower case, without port. */
export const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Stands for every host in a list of hosts. */
export const ANY_HOST = '*';

/** The host of a URI in one spelling; undefined for URIs without one, such as `urn:`. */
export function hostOfUri(uri: string): string | undefined {
  const host = URL.parse(uri)?.hostname.toLowerCase().replace(/\.$/, '');
  return host === '' ? undefined : host;
}
