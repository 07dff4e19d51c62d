import { callWindow } from '../domain/call-window.ts';
import { ANONYMOUS_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../domain/limits.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from '../operation.ts';
import type { Ports } from '../ports/index.ts';
import type { Exchange } from './exchange.ts';

const REMEMBERED_MAX = 10_000;

/** Callers that this container knows to be over their limit, and until when: refusing them costs no call. */
const spent = new Map<string, number>();

/** Calls of anonymous addresses in the current minute, in this container alone. */
const anonymous = { minute: 0, counts: new Map<string, number>() };

function refuseWhileSpent(key: string, now: number): void {
  const until = spent.get(key);
  if (until === undefined) return;
  if (now < until) throw new ServiceError('rate_limited', { retryAfterSeconds: until - now });
  spent.delete(key);
}

function remember(key: string, until: number): void {
  if (spent.size >= REMEMBERED_MAX) spent.clear();
  spent.set(key, until);
}

/**
 * An anonymous browser operation only reads one small item: a shared counter would cost more than what it protects, so
 * the window is the container's own (one container serves one request at a time).
 */
function admitAnonymous(address: string, now: number): void {
  const minute = Math.floor(now / MINUTE_SECONDS);
  if (anonymous.minute !== minute || anonymous.counts.size >= REMEMBERED_MAX) {
    anonymous.minute = minute;
    anonymous.counts.clear();
  }
  const count = (anonymous.counts.get(address) ?? 0) + 1;
  anonymous.counts.set(address, count);
  if (count > ANONYMOUS_CALLS_PER_MINUTE)
    throw new ServiceError('rate_limited', { retryAfterSeconds: (minute + 1) * MINUTE_SECONDS - now });
}

/**
 * Starts the count of this call in its client's window and returns what settles it. The count runs beside the operation
 * and costs no time; the call that spends the window is served, the next one in this container is refused without any
 * call to the store. Every container may so serve one call too many a minute.
 */
export function admit(row: Operation, exchange: Exchange, ports: Partial<Ports>): Promise<void> {
  if (exchange.settings.rateLimits === 'off') return Promise.resolve();
  const now = Math.floor(Date.now() / 1000);
  const { caller } = exchange;
  if (!caller) {
    if (row.reach === 'browser') admitAnonymous(exchange.request.sourceAddress, now);
    return Promise.resolve();
  }
  if (caller.kind === 'user' || !ports.windows) return Promise.resolve();
  const { key, windows } = callWindow(
    caller.client,
    caller.kind === 'client' ? caller.application : undefined,
  );
  refuseWhileSpent(key, now);
  return ports.windows.count(key, windows, now).then(
    (outcome) => {
      if (!outcome.admitted) remember(key, now + outcome.retryAfterSeconds);
      else if (outcome.exhausted) remember(key, (Math.floor(now / MINUTE_SECONDS) + 1) * MINUTE_SECONDS);
    },
    // A count that cannot be made must not take logins down: what guards a person's codes is counted elsewhere.
    () => {},
  );
}
