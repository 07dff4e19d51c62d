import { escapeRequested, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import { STATE_MAX_BYTES, URI_MAX } from './limits.ts';
import { findAddressFault, isOnThisMachine } from './public-address.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** Returns true if two loopback URIs differ at most in the port (RFC 8252 §7.3). Rejects an invalid port, such as 99999. */
function samePathOnLoopback(allowed: string, given: string, loopback = LOOPBACK): boolean {
  const [one, other] = [loopback.exec(allowed), loopback.exec(given)];
  const isSame = one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
  return isSame && URL.canParse(given);
}

const LOCALHOST = /^(http:\/\/localhost)(?::\d{1,5})?((?:\/[^\s\\]*)?)$/;

/** Compares redirect URIs exactly (RFC 9700 §4.1.3), except for the port of loopback addresses and, on request, `localhost`. */
export function isSameRedirect(allowed: string, given: string, loopback: 'by IP' | 'and localhost'): boolean {
  const isOpen = loopback === 'and localhost' && samePathOnLoopback(allowed, given, LOCALHOST);
  return allowed === given || isOpen || samePathOnLoopback(allowed, given);
}

function isAllowed({ redirectUris }: Application, given: string): boolean {
  return redirectUris.some((uri) => isSameRedirect(uri, given, 'by IP'));
}

/** Rejects a redirect URI that the application does not list. Errors: `redirect_uri_not_allowed`. */
export function requireRedirectUri(application: Application, given: string): string {
  if (!isAllowed(application, given))
    throw new ServiceError('redirect_uri_not_allowed', { unknownValue: escapeRequested(given) });
  return given;
}

/**
 * Returns true if the application of a link or code still exists and lists the redirect URI. A removed URI may belong to a new
 * owner, who must not receive codes that were requested for the previous owner.
 */
export function allowsRedirect<Known extends Application>(
  application: Known | undefined,
  { redirectUri }: { readonly redirectUri: string },
): application is Known {
  return application !== undefined && isAllowed(application, redirectUri);
}

/** Adds parameters to the query of a redirect URI. Skips undefined values. */
export function addParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value);
  const query = added.toString();
  if (query === '') return uri;
  return `${uri}${uri.includes('?') ? (uri.endsWith('?') || uri.endsWith('&') ? '' : '&') : '?'}${query}`;
}

/**
 * Rejects a `state` that is too long to be returned. Percent-encoding triples its bytes in `Location`, and gateways drop
 * responses with more than 10 KB of headers. Errors: `system_invalid_input`.
 */
export function requireShortState(state: string | undefined): void {
  const escaped = new URLSearchParams({ state: state ?? '' }).toString().length - 'state='.length;
  if (escaped > STATE_MAX_BYTES)
    throw invalidInput(`state: must have at most ${STATE_MAX_BYTES} bytes when percent-encoded`);
}

/** Pattern of an absolute URI in printable ASCII, without backslashes: some parsers read them as slashes. */
const URI = /^([a-z][a-z0-9+.-]*):[\x21-\x5b\x5d-\x7e]+$/i;
/** Pattern of a host with a port but without a scheme. Every parser would read the host as a scheme. */
const HOST_WITHOUT_SCHEME = /^(?:localhost:|[^:/]+:\d+(?:[/?#]|$))/i;
const WEB = /^https?:\/\/[^/?]/i;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const CODE_SCHEMES = ['javascript', 'vbscript', 'data', 'blob', 'about', 'view-source', 'jar'];
const FILE_SCHEMES = ['file', 'filesystem', 'content', 'resource', 'res', 'mhtml'];
const NETWORK_SCHEMES = ['ftp', 'sftp', 'smb', 'ws', 'wss', 'urn', 'cid', 'mid'];
const BROWSER_SCHEMES = ['chrome', 'chrome-extension', 'moz-extension', 'edge'];
const PROGRAM_SCHEMES = ['ms-appinstaller', 'search-ms', 'ms-msdt', 'intent', 'mailto', 'tel', 'sms'];

/** URI schemes that run code, open local files, or start a program other than the application that registered the URI. */
const FORBIDDEN_SCHEMES = new Set(
  [CODE_SCHEMES, FILE_SCHEMES, NETWORK_SCHEMES, BROWSER_SCHEMES, PROGRAM_SCHEMES].flat(),
);

function findFault(uri: string): string | undefined {
  const scheme = URI.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI';
  // The URI is plain ASCII here, so JavaScript's length is its length in bytes.
  if (uri.length > URI_MAX) return `must have at most ${URI_MAX} characters`;
  if (HOST_WITHOUT_SCHEME.test(uri)) return 'must begin with https://, or http:// for localhost';
  if (uri.includes('#')) return 'must not have a fragment';
  if (FORBIDDEN_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`;
  if (scheme !== 'http' && scheme !== 'https') return undefined;

  const { hostname, username, password } = new URL(uri);
  if (!WEB.test(uri)) return 'must name a host';
  if (hostname.includes('*')) return 'must name one host, without wildcards';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (scheme === 'http' && !LOOPBACK_HOSTS.has(hostname)) return 'must use https, except for localhost';
  return undefined;
}

/**
 * Validates redirect URIs and removes duplicates. A redirect URI must be absolute and have no fragment (RFC 6749 §3.1.2).
 * `http` is allowed only for loopback hosts (RFC 9700 §2.6); private-use schemes of native apps are allowed (RFC 8252 §7.1).
 * The spelling is kept, because redirect URIs are compared character by character. Errors: `system_invalid_input`.
 */
export function readRedirectUris(given: readonly string[], field = 'redirect_uris'): readonly string[] {
  given.forEach((uri, index) => {
    const fault = findFault(uri);
    if (fault !== undefined) throw invalidInput(`${field}.${index}: ${fault}`);
  });
  return [...new Set(given)];
}

/** Validates a URL that hosted pages link to: `https`, or `http` on a loopback host. Errors: `system_invalid_input`. */
export function readWebUri(given: string, field: string): string {
  const fault = findFault(given) ?? (WEB.test(given) ? undefined : 'must use https');
  if (fault !== undefined) throw invalidInput(`${field}: ${fault}`);
  return given;
}

/** Exceptions to security rules. Only the local server sets them. */
export interface LocalExceptions {
  /** True if the service may call the machine that it runs on, even over `http`. */
  readonly loopback: boolean;
}

const NAMES_OF_THIS_MACHINE = /(?:^|\.)localhost\.?$/;

/**
 * Returns true if the service may call a URL: the URL is public, or `loopback` allows it. Host names are checked again when a
 * call resolves them.
 */
export const canBeCalled = (url: URL, { loopback }: LocalExceptions): boolean =>
  (loopback && isOnThisMachine(url)) ||
  (findAddressFault(url) === undefined && !NAMES_OF_THIS_MACHINE.test(url.hostname));

/** Validates a URL that the service calls. Errors: `system_invalid_input`. */
export function readCalledUri(given: string, field: string, exceptions: LocalExceptions): string {
  if (!canBeCalled(new URL(readWebUri(given, field)), exceptions))
    throw invalidInput(`${field}: must be a public https address`);
  return given;
}
