import { ServiceError } from '../errors/service-error.ts';
import type { Application } from '../ports/directory.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** RFC 8252 §7.3: the port of a loopback IP address may vary, nothing else may. */
function samePathOnLoopback(allowed: string, given: string): boolean {
  const [one, other] = [LOOPBACK.exec(allowed), LOOPBACK.exec(given)];
  return one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
}

/**
 * A redirect URI must be, character for character, one that the application has listed (RFC 9700 §4.1.3).
 * Errors: `redirect_uri_not_allowed`.
 */
export function requireRedirectUri(application: Application, given: string): string {
  const allowed = application.redirectUris.some((uri) => uri === given || samePathOnLoopback(uri, given));
  if (!allowed) throw new ServiceError('redirect_uri_not_allowed');
  return given;
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
