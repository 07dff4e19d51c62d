import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Ordinary addresses, and the anycast services that IANA lists as special and as globally reachable. */
const REACHABLE: ReadonlySet<string> = new Set(['unicast', 'as112', 'as112v6', 'amt']);

/** RFC 4291 §2.4: every other prefix is reserved, local or leads back into IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 2928: what is global in it today may be reassigned. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** False for private networks, this host, metadata services and all else in the special-purpose registries of IANA. */
export function isPublicAddress(address: string): boolean {
  // The library also reads notations that no resolver answers with, such as 0x7f.1.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (!REACHABLE.has(parsed.range())) return false;
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An address of the machine that the local cloud runs on. */
export const isOnThisMachine = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && THIS_MACHINE.has(hostname);

/** What speaks against a call of this address, as far as it shows; names are checked when they are resolved. */
export function addressComplaint({ protocol, hostname }: URL): string | undefined {
  if (protocol !== 'https:') return 'the address must use https';
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 || isPublicAddress(literal) ? undefined : 'the address is not public';
}
