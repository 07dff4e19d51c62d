import { ServiceError } from '../../errors/service-error.ts';
import type { Client, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import {
  CLIENT_FAILURES_PER_HOUR,
  CLIENT_FAILURES_PER_MINUTE,
  HOUR_SECONDS,
  MINUTE_SECONDS,
} from '../basis/limits.ts';
import { networkHash, networkOf } from './address-window.ts';
import { isSpent, REMEMBERED_MAX, refuseWhileSpent, remember } from './call-window.ts';

/** Strangers who guess the secrets of clients. Only failures are counted and refused: an office or NAT has right ones too. */

const WINDOWS = [
  { seconds: MINUTE_SECONDS, max: CLIENT_FAILURES_PER_MINUTE },
  { seconds: HOUR_SECONDS, max: CLIENT_FAILURES_PER_HOUR },
];

interface From {
  readonly sourceAddress: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** In the memory of this container alone: what is stored is an HMAC. */
const spentKey = (tenantId: string, { sourceAddress }: From) =>
  `client-failures#${tenantId}#${networkOf(sourceAddress)}`;

/** When the record of a client was last read for a network over its limit. */
const readAt = new Map<string, number>();

/**
 * Whether the record of a client may be read again for a proof that fails against the remembered one. For networks over their
 * limit it is read once a second: a flood of wrong secrets would use up the reads of this record, and keep the client out.
 */
export function mayReadAgain({ tenantId, clientId }: Client, from: From): boolean {
  if (!isSpent(spentKey(tenantId, from), from.now)) return true;
  if (readAt.get(clientId) === from.now) return false;
  if (readAt.size >= REMEMBERED_MAX) readAt.clear();
  readAt.set(clientId, from.now);
  return true;
}

/** Counts a failed authentication of a client of the tenant. Errors: `rate_limited` instead of the failure. */
export async function countFailedClient(
  ports: Using<'windows.count'>,
  tenant: Tenant,
  from: From,
): Promise<void> {
  const spent = spentKey(tenant.tenantId, from);
  refuseWhileSpent(spent, from.now);
  const key = `client-failures#${tenant.tenantId}#${networkHash(tenant, from.sourceAddress)}`;
  const outcome = await ports.windows.count(key, WINDOWS, from.now);
  if (outcome.admitted) return;
  const { retryAfterSeconds } = outcome;
  remember(spent, from.now + retryAfterSeconds);
  throw new ServiceError('rate_limited', { retryAfterSeconds });
}
