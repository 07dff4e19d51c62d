import { askedFor, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import { STATE_MAX_BYTES } from './limits.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** RFC 8252 §7.3: only the port of a loopback IP address may vary. */
function samePathOnLoopback(allowed: string, given: string): boolean {
  const [one, other] = [LOOPBACK.exec(allowed), LOOPBACK.exec(given)];
  return one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
}

/** Compares character by character with the application's list (RFC 9700 §4.1.3). */
function isAllowed({ redirectUris }: Application, given: string): boolean {
  return redirectUris.some((uri) => uri === given || samePathOnLoopback(uri, given));
}

/** Errors: `redirect_uri_not_allowed`. */
export function requireRedirectUri(application: Application, given: string): string {
  if (!isAllowed(application, given))
    throw new ServiceError('redirect_uri_not_allowed', { asked: askedFor(given) });
  return given;
}

/**
 * Whether the application of a link or code still exists and lists the redirect URI. An address taken off the list may have a
 * new owner: it gets nothing that was sent before.
 */
export function stillLeadsTo<Known extends Application>(
  application: Known | undefined,
  { redirectUri }: { readonly redirectUri: string },
): application is Known {
  return application !== undefined && isAllowed(application, redirectUri);
}

/** Adds parameters to the query of a redirect URI. */
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

/**
 * Limits an echoed state: percent-encoding in `Location` triples its bytes, and gateways drop answers with more than 10 KB of
 * headers. Errors: `system_invalid_input`.
 */
export function checkState(state: string | undefined): void {
  const escaped = new URLSearchParams({ state: state ?? '' }).toString().length - 'state='.length;
  if (escaped > STATE_MAX_BYTES)
    throw invalidInput(`state: must have at most ${STATE_MAX_BYTES} bytes as an address spells it`);
}
