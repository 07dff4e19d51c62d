import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { Device } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { ANONYMOUS_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../basis/limits.ts';
import { nowSeconds } from '../basis/time.ts';

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Whoever has one IPv6 address has 2^64 of them: all of its network count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : IPV6_GROUPS - groups.length - after.length;
  const all = [...groups, ...new Array<string>(zeros).fill('0'), ...after];
  return all
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** What stands where an address is counted: an HMAC of its network under the tenant's salt. */
export function networkHash({ salt }: Tenant, address: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`address\n${networkOf(address)}`)
    .digest('base64url');
}

/**
 * Lets at most so many messages be asked for from one network address per minute, whoever they go to: each of them costs
 * the application money and somebody patience. Errors: `rate_limited` with the seconds to wait.
 */
export async function countAddress(
  ports: Using<'windows.count'>,
  { tenant, application }: { readonly tenant: Tenant; readonly application: Application },
  address: string,
  settings: { readonly rateLimits: 'on' | 'off' },
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const max = application.rateLimits?.anonymousPerMinute ?? ANONYMOUS_CALLS_PER_MINUTE;
  const key = `address#${application.applicationId}#${networkHash(tenant, address)}`;
  const outcome = await ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], nowSeconds());
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}

/**
 * The address of the device that a backend sends for, if the backend is trusted: any other could so fill the window of
 * somebody else. Errors: `rate_limited` with the seconds to wait.
 */
export async function countReportedAddress(
  ports: Using<'windows.count'>,
  caller: { readonly tenant: Tenant; readonly application: Application; readonly client: Client },
  { ipAddress }: Device,
  settings: { readonly rateLimits: 'on' | 'off' },
): Promise<void> {
  if (caller.client.trusted && ipAddress !== undefined)
    await countAddress(ports, caller, ipAddress, settings);
}
