import { ANONYMOUS_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../domain/basis/limits.ts';
import { readNetwork } from '../domain/rate-limits/address-window.ts';
import { admitCaller, type CountedCaller } from '../domain/rate-limits/call-window.ts';
import { countFailedClient } from '../domain/rate-limits/failed-client.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Caller, Operation } from '../operation.ts';
import { countsNetworks, type ImpliedPorts, listAuth } from './effective-ports.ts';
import type { Exchange } from './exchange.ts';

const REMEMBERED_MAX = 10_000;

/** Number of anonymous calls per network in the current minute, as seen by this container. */
const anonymous = { minute: 0, counts: new Map<string, number>() };

/**
 * Counts the anonymous calls from a network in this container. An anonymous call reads or writes one small item, so a shared
 * counter would cost more than the calls that it prevents. The web ACL counts across all containers.
 */
function admitAnonymous(address: string, now: number): void {
  const minute = Math.floor(now / MINUTE_SECONDS);
  if (anonymous.minute !== minute || anonymous.counts.size >= REMEMBERED_MAX) {
    anonymous.minute = minute;
    anonymous.counts.clear();
  }
  const network = readNetwork(address);
  const count = (anonymous.counts.get(network) ?? 0) + 1;
  anonymous.counts.set(network, count);
  if (count > ANONYMOUS_CALLS_PER_MINUTE)
    throw new ServiceError('rate_limited', { retryAfterSeconds: (minute + 1) * MINUTE_SECONDS - now });
}

/** Returns the client or operator whose calls are counted. Undefined for users, whose calls are not counted here. */
function findCountedCaller(caller: Caller): CountedCaller | undefined {
  if (caller.kind === 'client') return { client: caller.client, application: caller.application };
  return caller.kind === 'admin' ? (caller.client ? { client: caller.client } : caller.operator) : undefined;
}

/**
 * Checks again that the caller's token is not revoked. If the record cannot be read temporarily, the call does not fail,
 * because the operation runs in parallel and may already have consumed a code.
 */
const recheck = async ({ recheckToken }: Exchange): Promise<void> =>
  recheckToken?.().catch((error: unknown) => {
    // Any other failure, such as a missing IAM permission, must reject the call, so that a revoked token is never accepted.
    if (!(error instanceof ServiceError && error.key === 'service_unavailable')) throw error;
  });

/**
 * Starts counting the call in the caller's rate-limit window. The promise settles when the call is counted. Errors:
 * `rate_limited`, thrown immediately; `invalid_token` as a rejection, if the token was just revoked.
 */
export function admit(row: Operation, exchange: Exchange, ports: ImpliedPorts): Promise<void> {
  const { caller, settings, request } = exchange;
  // The count also reports announced changes to the client. Without the count, the token is therefore always checked again.
  if (settings.rateLimits === 'off') return recheck(exchange);
  if (!caller && countsNetworks(row)) admitAnonymous(request.sourceAddress, request.now);
  const { windows } = ports;
  const counted = caller && findCountedCaller(caller);
  if (!counted || !windows) return Promise.resolve();
  return admitCaller({ windows }, counted, settings, request.now).then(({ announced }) =>
    announced === false ? undefined : recheck(exchange),
  );
}

/**
 * Returns the error response to a failed request. Failed client authentications are counted per network, and only after they
 * fail, so that successful authentications need no extra call and are never blocked. If the authentication names no known
 * client, it is counted as an anonymous call.
 */
export async function toFailureResponse(
  row: Operation,
  { settings, request }: Exchange,
  { tenants, windows }: ImpliedPorts,
  failure: unknown,
): Promise<unknown> {
  const isCounted = listAuth(row).includes('client-secret') && settings.rateLimits === 'on';
  if (!isCounted || !(failure instanceof ServiceError) || failure.key !== 'invalid_client') return failure;
  const { audit } = failure.detail;
  try {
    const tenant = audit?.tenantId === undefined ? undefined : await tenants?.find(audit.tenantId);
    if (tenant && windows) await countFailedClient({ windows }, tenant, request);
    else admitAnonymous(request.sourceAddress, request.now);
  } catch (error) {
    // If counting fails, the response does not change.
    if (error instanceof ServiceError && error.key === 'rate_limited')
      return new ServiceError('rate_limited', { ...error.detail, ...(audit ? { audit } : {}) });
  }
  return failure;
}
