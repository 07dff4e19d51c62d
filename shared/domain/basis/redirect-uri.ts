import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** RFC 8252 §7.3: the port of a loopback IP address may vary, nothing else may. */
function samePathOnLoopback(allowed: string, given: string): boolean {
  const [one, other] = [LOOPBACK.exec(allowed), LOOPBACK.exec(given)];
  return one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
}

/** Character for character one that the application has listed now (RFC 9700 §4.1.3). */
function isAllowed({ redirectUris }: Application, given: string): boolean {
  return redirectUris.some((uri) => uri === given || samePathOnLoopback(uri, given));
}

/** Errors: `redirect_uri_not_allowed`. */
export function requireRedirectUri(application: Application, given: string): string {
  if (!isAllowed(application, given)) throw new ServiceError('redirect_uri_not_allowed');
  return given;
}

/**
 * Whether the application of a link or code still is there and lists the redirect URI: an address that was taken from the
 * list, perhaps because somebody else has it now, gets nothing that was sent before.
 */
export function stillLeadsTo<Known extends Application>(
  application: Known | undefined,
  { redirectUri }: { readonly redirectUri: string },
): application is Known {
  return application !== undefined && isAllowed(application, redirectUri);
}

/** Adds parameters to a redirect URI, keeping the query that it has. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value);
  const query = added.toString();
  if (query === '') return uri;
  return `${uri}${uri.includes('?') ? (uri.endsWith('?') || uri.endsWith('&') ? '' : '&') : '?'}${query}`;
}
