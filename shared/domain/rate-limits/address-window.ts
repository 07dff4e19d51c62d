import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../errors/service-error.ts';
import type { ApplicationOfTenant, ClientOfTenant, Tenant } from '../../ports/directory.ts';
import type { Device } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { QuotaWindow } from '../../ports/windows.ts';
import {
  ANONYMOUS_SENDS_PER_DAY,
  ANONYMOUS_SENDS_PER_MINUTE,
  ANONYMOUS_SIGN_UPS_PER_MINUTE,
  DAY_SECONDS,
  MINUTE_SECONDS,
} from '../basis/limits.ts';
import type { Sender } from './send-window.ts';

/** Number of 16-bit groups in the network part of an IPv6 address, which has 64 bits (RFC 4291 §2.5.4). */
const NETWORK_GROUPS = 4;

/**
 * Returns the network of an IP address. All addresses of an IPv6 /64 count as one network, because one subscriber has 2^64
 * addresses.
 */
export function readNetwork(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (!ipaddr.isValid(withoutZone)) return address;
  // An IPv4-mapped IPv6 address counts as its IPv4 address. Otherwise, all mapped addresses would count as one /64 network.
  const parsed = ipaddr.process(withoutZone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

/** Returns the key of the rate limit window of an IP address: an HMAC of its network under the tenant's salt. */
export function networkHash({ salt }: Tenant, address: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`address\n${readNetwork(address)}`)
    .digest('base64url');
}

type Ports = PortsWith<'windows.count'>;
type WindowName = 'address' | 'address-sign-ups' | 'address-users';

type NetworkSender = Sender & Pick<ApplicationOfTenant, 'tenant'>;

async function countIn(
  ports: Ports,
  { tenant, application, settings, now }: NetworkSender,
  { name, address }: { readonly name: WindowName; readonly address: string },
  windows: readonly QuotaWindow[],
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const key = `${name}#${application.applicationId}#${networkHash(tenant, address)}`;
  const outcome = await ports.windows.count(key, windows, now);
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', {
      retryAfterSeconds: outcome.retryAfterSeconds,
      audit: { refusal: 'network_limit' },
    });
}

/**
 * Limits the messages that one network requests per minute and per day, to all recipients together. Each message costs the
 * application money and may annoy its recipient. Throws `rate_limited` with the seconds to wait.
 */
export async function countAddress(ports: Ports, sender: NetworkSender, address: string): Promise<void> {
  const { rateLimits = {} } = sender.application;
  const windows = [
    { seconds: MINUTE_SECONDS, max: rateLimits.anonymousPerMinute ?? ANONYMOUS_SENDS_PER_MINUTE },
    { seconds: DAY_SECONDS, max: rateLimits.anonymousPerDay ?? ANONYMOUS_SENDS_PER_DAY },
  ];
  await countIn(ports, sender, { name: 'address', address }, windows);
}

/**
 * Limits the messages that one network requests to addresses without a user. This stops attackers who flood people with
 * messages, but hardly affects an office network, whose messages go mostly to existing users. Throws `rate_limited`.
 */
async function countSignUp(
  ports: Ports,
  sender: NetworkSender,
  address: string,
  name: WindowName = 'address-sign-ups',
): Promise<void> {
  const max = sender.application.rateLimits?.anonymousSignUpsPerMinute ?? ANONYMOUS_SIGN_UPS_PER_MINUTE;
  await countIn(ports, sender, { name, address }, [{ seconds: MINUTE_SECONDS, max }]);
}

/**
 * Counts a message that may go to an address without a user. Resolves to the error instead of throwing it, for pages that must
 * not show a rejection. A message to a user is also counted, but never rejected. If it were not counted, the store calls would
 * reveal which addresses have a user.
 */
export async function countMaybeSignUp(
  ports: Ports,
  sender: NetworkSender,
  address: string,
  isSignUp: boolean,
): Promise<unknown> {
  const name = isSignUp ? 'address-sign-ups' : 'address-users';
  const refused = await countSignUp(ports, sender, address, name).catch((error: unknown) => error);
  return isSignUp ? refused : undefined;
}

/**
 * Returns the device's IP address if a trusted backend reports it. Other backends may forward any address that a browser
 * claims. An attacker could then use up the rate-limit window of a victim's address, or have wrong codes counted for many
 * different networks.
 */
const reportedAddress = ({ client }: ClientOfTenant, { ipAddress }: Device): string | undefined =>
  client.trusted ? ipAddress : undefined;

/** Returns the hash of the network that a trusted backend reports for its user. */
export function reportedNetwork(caller: ClientOfTenant, device: Device): string | undefined {
  const address = reportedAddress(caller, device);
  return address === undefined ? undefined : networkHash(caller.tenant, address);
}

/** Counts a message for the network that a trusted backend reports. Throws `rate_limited` with the seconds to wait. */
export async function countReportedAddress(
  ports: Ports,
  caller: ClientOfTenant & NetworkSender,
  device: Device,
): Promise<void> {
  const address = reportedAddress(caller, device);
  if (address !== undefined) await countAddress(ports, caller, address);
}

/** Counts a message to an address without a user, for the network that a trusted backend reports. Throws `rate_limited`. */
export async function countReportedSignUp(
  ports: Ports,
  caller: ClientOfTenant & NetworkSender,
  device: Device,
  holderId: string | undefined,
): Promise<void> {
  const address = reportedAddress(caller, device);
  if (holderId === undefined && address !== undefined) await countSignUp(ports, caller, address);
}
