import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names of public IP ranges in ipaddr.js: unicast, and the anycast services that IANA lists as special but reachable. */
const REACHABLE: ReadonlySet<string> = new Set(['unicast', 'as112', 'as112v6', 'amt']);

/** Prefix of public IPv6 addresses. All other prefixes are reserved, local or mapped to IPv4 (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** IPv6 prefix of protocol assignments. It is excluded, because its global addresses may be reassigned (RFC 2928). */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Returns true if an IP address is in none of IANA's special-purpose registries (private, local, metadata services). */
export function isPublicAddress(address: string): boolean {
  // The library also parses notations that no resolver returns, such as 0x7f.1. `isIP` rejects them.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (!REACHABLE.has(parsed.range())) return false;
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns true if a URL points to the machine that the local server runs on. */
export const isOnThisMachine = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && LOCAL_HOSTS.has(hostname);

/** Returns the reason why the service must not call a URL, or undefined. Host names are checked only when they are resolved. */
export function findAddressFault({ protocol, hostname }: URL): string | undefined {
  if (protocol !== 'https:') return 'the address must use https';
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 || isPublicAddress(literal) ? undefined : 'the address is not public';
}
