import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../errors/service-error.ts';
import type { ApplicationOfTenant, ClientOfTenant, Tenant } from '../../ports/directory.ts';
import type { Device } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import type { SendWindow } from '../../ports/windows.ts';
import {
  ANONYMOUS_SENDS_PER_DAY,
  ANONYMOUS_SENDS_PER_MINUTE,
  ANONYMOUS_SIGN_UPS_PER_MINUTE,
  DAY_SECONDS,
  MINUTE_SECONDS,
} from '../basis/limits.ts';
import type { Sender } from './send-window.ts';

/** RFC 4291 §2.5.4: the 64 bits that one network has. */
const NETWORK_GROUPS = 4;

/** All addresses of an IPv6 network count as one, because one subscriber has 2^64 of them. */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%', 1);
  if (!ipaddr.isValid(withoutZone)) return address;
  // An IPv4 address in IPv6 clothes is itself: all of them are in one /64.
  const parsed = ipaddr.process(withoutZone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

/** The key of an address's window: an HMAC of its network under the tenant's salt. */
export function networkHash({ salt }: Tenant, address: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`address\n${networkOf(address)}`)
    .digest('base64url');
}

type Ports = Using<'windows.count'>;
type WindowName = 'address' | 'address-sign-ups' | 'address-users';

type NetworkSender = Sender & Pick<ApplicationOfTenant, 'tenant'>;

async function countIn(
  ports: Ports,
  { tenant, application, settings, now }: NetworkSender,
  { name, address }: { readonly name: WindowName; readonly address: string },
  windows: readonly SendWindow[],
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
 * Limits the messages that one network requests per minute and day, to all recipients together: each costs the application
 * money and its recipient patience. Errors: `rate_limited` with the seconds to wait.
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
 * Limits, of these messages, those to addresses that have no user: a bomber writes to any address, an office to its people.
 * Errors: `rate_limited`.
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
 * As `countSignUp`, on a page, which must not show the refusal: resolves to it. An address with a user is counted too, apart
 * and for nothing, because the calls must not tell which one has a user (N122).
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
 * The device address that a trusted backend reports. Any other backend may pass on what a browser says: it could fill the
 * window of a victim's address, or count each guess at a code for a network of its own.
 */
const reportedAddress = ({ client }: ClientOfTenant, { ipAddress }: Device): string | undefined =>
  client.trusted ? ipAddress : undefined;

/** The hash of the network that a trusted backend reports. */
export function reportedNetwork(caller: ClientOfTenant, device: Device): string | undefined {
  const address = reportedAddress(caller, device);
  return address === undefined ? undefined : networkHash(caller.tenant, address);
}

/** Counts a send for the network that a trusted backend reports. Errors: `rate_limited` with the seconds to wait. */
export async function countReportedAddress(
  ports: Ports,
  caller: ClientOfTenant & NetworkSender,
  device: Device,
): Promise<void> {
  const address = reportedAddress(caller, device);
  if (address !== undefined) await countAddress(ports, caller, address);
}

/** Counts a send to an address without a user (`holderId`), as `countSignUp`. Errors: `rate_limited` with the seconds to wait. */
export async function countReportedSignUp(
  ports: Ports,
  caller: ClientOfTenant & NetworkSender,
  device: Device,
  holderId: string | undefined,
): Promise<void> {
  const address = reportedAddress(caller, device);
  if (holderId === undefined && address !== undefined) await countSignUp(ports, caller, address);
}
