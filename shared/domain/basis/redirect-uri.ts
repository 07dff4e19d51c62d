import { askedFor, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import { STATE_MAX_BYTES, URI_MAX } from './limits.ts';
import { addressComplaint, isOnThisMachine } from './public-address.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** RFC 8252 §7.3: only the port of a loopback IP address may vary, and five digits may be no port. */
function samePathOnLoopback(allowed: string, given: string, loopback = LOOPBACK): boolean {
  const [one, other] = [loopback.exec(allowed), loopback.exec(given)];
  const isSame = one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
  return isSame && URL.canParse(given);
}

const LOCALHOST = /^(http:\/\/localhost)(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** Compares character by character (RFC 9700 §4.1.3), but for the port of a loopback address, or of `localhost` where that is so. */
export function isSameRedirect(allowed: string, given: string, loopback: 'by IP' | 'and localhost'): boolean {
  const isOpen = loopback === 'and localhost' && samePathOnLoopback(allowed, given, LOCALHOST);
  return allowed === given || isOpen || samePathOnLoopback(allowed, given);
}

function isAllowed({ redirectUris }: Application, given: string): boolean {
  return redirectUris.some((uri) => isSameRedirect(uri, given, 'by IP'));
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

/** Printable ASCII. A backslash is refused: some readers take it for a slash, and the host becomes another one. */
const URI = /^([a-z][a-z0-9+.-]*):[\x21-\x5b\x5d-\x7e]+$/i;
/** A host with a port, which every parser takes for a scheme with a path. */
const BARE_HOST = /^(?:localhost:|[^:/]+:\d+(?:[/?#]|$))/i;
const WEB = /^https?:\/\/[^/?]/i;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const OF_CODE = ['javascript', 'vbscript', 'data', 'blob', 'about', 'view-source', 'jar'];
const OF_FILES = ['file', 'filesystem', 'content', 'resource', 'res', 'mhtml'];
const OF_NETWORKS = ['ftp', 'sftp', 'smb', 'ws', 'wss', 'urn', 'cid', 'mid'];
const OF_BROWSERS = ['chrome', 'chrome-extension', 'moz-extension', 'edge'];
const OF_PROGRAMS = ['ms-appinstaller', 'search-ms', 'ms-msdt', 'intent', 'mailto', 'tel', 'sms'];

/** Schemes that run code, show local files or start something else than the application that registered them. */
const FORBIDDEN_SCHEMES = new Set([OF_CODE, OF_FILES, OF_NETWORKS, OF_BROWSERS, OF_PROGRAMS].flat());

function complaintAbout(uri: string): string | undefined {
  const scheme = URI.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI';
  // Of plain ASCII by now, which has as many characters as JavaScript counts.
  if (uri.length > URI_MAX) return `must have at most ${URI_MAX} characters`;
  if (BARE_HOST.test(uri)) return 'must begin with https://, or http:// for localhost';
  if (uri.includes('#')) return 'must not have a fragment';
  if (FORBIDDEN_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`;
  if (scheme !== 'http' && scheme !== 'https') return undefined;

  const { hostname, username, password } = new URL(uri);
  if (!WEB.test(uri)) return 'must name a host';
  if (hostname.includes('*')) return 'must name one host: there are no wildcards';
  if (username !== '' || password !== '') return 'must not hold a user name or password';
  if (scheme === 'http' && !LOOPBACK_HOSTS.has(hostname)) return 'must use https, but for localhost';
  return undefined;
}

/**
 * Redirect URIs are kept as they are written, for they are compared character by character. Absolute, without fragment
 * (RFC 6749 §3.1.2); `http` for loopback hosts alone (RFC 9700 §2.6); schemes of native applications (RFC 8252 §7.1).
 * Errors: `system_invalid_input`.
 */
export function readRedirectUris(given: readonly string[], field = 'redirect_uris'): readonly string[] {
  given.forEach((uri, index) => {
    const complaint = complaintAbout(uri);
    if (complaint !== undefined) throw invalidInput(`${field}.${index}: ${complaint}`);
  });
  return [...new Set(given)];
}

/** An address that pages lead to: `https`, or `http` on a loopback host. Errors: `system_invalid_input`. */
export function readWebUri(given: string, field: string): string {
  const complaint = complaintAbout(given) ?? (WEB.test(given) ? undefined : 'must use https');
  if (complaint !== undefined) throw invalidInput(`${field}: ${complaint}`);
  return given;
}

/** What a local server allows, and no other. */
export interface LocalLeave {
  /** The service calls this machine, also by `http`. */
  readonly loopback: boolean;
}

const NAMES_OF_THIS_MACHINE = /(?:^|\.)localhost\.?$/;

/** Whether the service calls an address, as far as it shows: it is in no inner network. A name is looked up with each call. */
export const mayBeCalled = (url: URL, { loopback }: LocalLeave): boolean =>
  (loopback && isOnThisMachine(url)) ||
  (addressComplaint(url) === undefined && !NAMES_OF_THIS_MACHINE.test(url.hostname));

/** An address that the service calls. Errors: `system_invalid_input`. */
export function readCalledUri(given: string, field: string, leave: LocalLeave): string {
  if (!mayBeCalled(new URL(readWebUri(given, field)), leave))
    throw invalidInput(`${field}: must be a public https address`);
  return given;
}
