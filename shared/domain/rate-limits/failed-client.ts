// Limits guesses at client secrets. Only failures are counted and rejected, because clients with correct secrets may share the
// network, for example behind a NAT.
import { ServiceError } from '../../errors/service-error.ts';
import type { Client, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import {
  CLIENT_FAILURES_PER_HOUR,
  CLIENT_FAILURES_PER_MINUTE,
  HOUR_SECONDS,
  MINUTE_SECONDS,
} from '../basis/limits.ts';
import { networkHash, readNetwork } from './address-window.ts';
import { isExhausted, REMEMBERED_MAX, rejectWhileExhausted, rememberExhausted } from './call-window.ts';

const WINDOWS = [
  { seconds: MINUTE_SECONDS, max: CLIENT_FAILURES_PER_MINUTE },
  { seconds: HOUR_SECONDS, max: CLIENT_FAILURES_PER_HOUR },
];

interface RequestSource {
  readonly sourceAddress: string;
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

/** Returns the key under which this container remembers a network. The store gets an HMAC of the network instead. */
const spentKey = (tenantId: string, { sourceAddress }: RequestSource) =>
  `client-failures#${tenantId}#${readNetwork(sourceAddress)}`;

/** Time (epoch seconds) at which the record of a client was last read for a network over its limit, by client ID. */
const readAt = new Map<string, number>();

/**
 * Returns true if the record of a client may be read again, after a proof has failed against the cached record. For networks
 * over their limit, this is allowed once a second: a flood of wrong secrets would otherwise use up the reads of this record and
 * lock out the client.
 */
export function mayReadAgain({ tenantId, clientId }: Client, from: RequestSource): boolean {
  if (!isExhausted(spentKey(tenantId, from), from.now)) return true;
  if (readAt.get(clientId) === from.now) return false;
  if (readAt.size >= REMEMBERED_MAX) readAt.clear();
  readAt.set(clientId, from.now);
  return true;
}

/**
 * Counts a failed client authentication in the tenant. Throws `rate_limited` in place of the failure if the network has caused
 * too many failures.
 */
export async function countFailedClient(
  ports: PortsWith<'windows.count'>,
  tenant: Tenant,
  from: RequestSource,
): Promise<void> {
  const spent = spentKey(tenant.tenantId, from);
  rejectWhileExhausted(spent, from.now);
  const key = `client-failures#${tenant.tenantId}#${networkHash(tenant, from.sourceAddress)}`;
  const outcome = await ports.windows.count(key, WINDOWS, from.now);
  if (outcome.admitted) return;
  const { retryAfterSeconds } = outcome;
  rememberExhausted(spent, from.now + retryAfterSeconds);
  throw new ServiceError('rate_limited', { retryAfterSeconds });
}
