import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { Device } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { ANONYMOUS_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../basis/limits.ts';

/** RFC 4291 §2.5.4: the 64 bits that one network has. */
const NETWORK_GROUPS = 4;

/** All addresses of an IPv6 network count as one, because one subscriber has 2^64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [withoutZone = ''] = address.split('%', 1);
  return ipaddr.IPv6.parse(withoutZone)
    .parts.slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

/** The key of an address's window: an HMAC of its network under the tenant's salt. */
export function networkHash({ salt }: Tenant, address: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`address\n${networkOf(address)}`)
    .digest('base64url');
}

/**
 * Limits the messages that one network address requests per minute, to all recipients together: each costs the application
 * money and its recipient patience. Errors: `rate_limited` with the seconds to wait.
 */
export async function countAddress(
  ports: Using<'windows.count'>,
  { tenant, application }: { readonly tenant: Tenant; readonly application: Application },
  address: string,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const max = application.rateLimits?.anonymousPerMinute ?? ANONYMOUS_CALLS_PER_MINUTE;
  const key = `address#${application.applicationId}#${networkHash(tenant, address)}`;
  const outcome = await ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], now);
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}

interface ReportingCaller {
  readonly tenant: Tenant;
  readonly application: Application;
  readonly client: Client;
}

/** The network that a trusted backend reports: any other backend could fill the windows of a victim's network. */
export function reportedNetwork(
  { client, tenant }: ReportingCaller,
  { ipAddress }: Device,
): string | undefined {
  return client.trusted && ipAddress !== undefined ? networkHash(tenant, ipAddress) : undefined;
}

/** Counts the device address that a trusted backend reports. Errors: `rate_limited` with the seconds to wait. */
export async function countReportedAddress(
  ports: Using<'windows.count'>,
  caller: ReportingCaller,
  { ipAddress }: Device,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<void> {
  if (caller.client.trusted && ipAddress !== undefined)
    await countAddress(ports, caller, ipAddress, settings, now);
}
