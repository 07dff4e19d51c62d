import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { CLIENT_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../basis/limits.ts';
import { networkHash } from './address-window.ts';

const REMEMBERED_MAX = 10_000;

/** Windows that this container knows to be spent, and until when: refusing their callers costs no call. */
const spent = new Map<string, number>();

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

/** Calls of one caller share a window. */
export interface CountedCaller {
  readonly client: Client;
  readonly application?: Application | undefined;
  /** The hash of the caller's network. A public client has one window per network, or one attacker could use up every call. */
  readonly network?: string | undefined;
}

function windowOf({ client, network }: CountedCaller): string {
  const key = `client#${client.clientId}`;
  return network === undefined ? key : `${key}#${network}`;
}

/**
 * Starts the count of a client's call, one window for all operations. The returned promise settles the count and never
 * rejects. The count runs beside the operation and costs no time. The call that spends the window is served; the next one
 * in this container is refused without a call to the store. Each container may serve one call too many a minute.
 * Errors: `rate_limited`, thrown at once.
 */
export function admitClient(
  ports: Using<'windows.count'>,
  caller: CountedCaller,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<void> {
  if (settings.rateLimits === 'off') return Promise.resolve();
  const key = windowOf(caller);
  const max = caller.application?.rateLimits?.callsPerMinute ?? CLIENT_CALLS_PER_MINUTE;
  refuseWhileSpent(key, now);
  return ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], now).then(
    (outcome) => {
      if (!outcome.admitted) remember(key, now + outcome.retryAfterSeconds);
      else if (outcome.exhausted) remember(key, (Math.floor(now / MINUTE_SECONDS) + 1) * MINUTE_SECONDS);
    },
    // A count that cannot be made must not take logins down: what guards a person's codes is counted elsewhere.
    () => {},
  );
}

/** Runs what a client of OAuth asks for, with its call counted beside. Errors: `rate_limited`. */
export async function counted<T>(
  ports: Using<'windows.count'>,
  { client, application, tenant }: Omit<CountedCaller, 'network'> & { readonly tenant: Tenant },
  {
    request: { sourceAddress, now },
    settings,
  }: {
    readonly request: { readonly sourceAddress: string; readonly now: number };
    readonly settings: { readonly rateLimits: 'on' | 'off' };
  },
  run: () => Promise<T>,
): Promise<T> {
  const network = client.authMethod === 'none' ? networkHash(tenant, sourceAddress) : undefined;
  const counting = admitClient(ports, { client, application, network }, settings, now);
  const [result] = await awaitAll<[T, unknown]>(run(), counting);
  return result;
}
