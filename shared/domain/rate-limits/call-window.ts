import { randomInt } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { CLIENT_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../basis/limits.ts';
import { nowSeconds } from '../basis/time.ts';
import type { ProvenClient } from '../oauth/client-authentication.ts';
import { networkHash } from './address-window.ts';

export const REMEMBERED_MAX = 10_000;

const clientKey = (clientId: string) => `client#${clientId}`;

/**
 * End (epoch seconds) of each exhausted call window that this container knows. Until then, the container rejects the caller
 * without a store call.
 */
const spent = new Map<string, number>();

/** Rejects a caller whose call window this container knows to be exhausted. Throws `rate_limited`. */
export function rejectWhileExhausted(key: string, now: number): void {
  const until = spent.get(key);
  if (until === undefined) return;
  if (now < until) throw new ServiceError('rate_limited', { retryAfterSeconds: until - now });
  spent.delete(key);
}

export function rememberExhausted(key: string, until: number): void {
  if (spent.size >= REMEMBERED_MAX) spent.clear();
  spent.set(key, until);
}

/** Rejects a client whose call window is exhausted, before any record of the client is read. Throws `rate_limited`. */
export function rejectExhaustedClient(clientId: string, now: number): void {
  rejectWhileExhausted(clientKey(clientId), now);
}

/** Caller whose calls are counted together in one rate-limit window. */
export type CountedCaller = CountedClient | CountedOperator;

/** Operator, whose calls are counted together for all tenants. */
interface CountedOperator {
  readonly userId: string;
}

interface CountedClient {
  readonly client: Client;
  readonly application?: Application | undefined;
  /** Hash of the caller's network. A public client has one window per network, so that one attacker cannot use up all calls. */
  readonly network?: string | undefined;
}

/** Returns true if this container knows that a call window is exhausted. */
export function isExhausted(key: string, now: number): boolean {
  return now < (spent.get(key) ?? now);
}

/**
 * Maximum number of calls per minute that one DynamoDB item counts: a fifth of the 1,000 writes per second that an item
 * accepts. For a client that may call more often, the rate-limit window consists of `ITEMS` items, each with its share of the
 * limit. Each call is counted in a random item, so such windows cannot announce changes to the client.
 */
const CALLS_OF_ITEM = 200 * MINUTE_SECONDS;
const ITEMS = 8;

interface CallWindow {
  readonly key: string;
  readonly max: number;
  readonly announcesChanges: boolean;
}

function toWindow(caller: CountedCaller): CallWindow {
  if ('userId' in caller)
    return { key: `operator#${caller.userId}`, max: CLIENT_CALLS_PER_MINUTE, announcesChanges: false };
  const { client, application, network } = caller;
  const key = clientKey(client.clientId);
  const max = application?.rateLimits?.callsPerMinute ?? CLIENT_CALLS_PER_MINUTE;
  if (network !== undefined) return { key: `${key}#${network}`, max, announcesChanges: false };
  if (max <= CALLS_OF_ITEM) return { key, max, announcesChanges: true };
  return { key: `${key}~${randomInt(ITEMS)}`, max: Math.ceil(max / ITEMS), announcesChanges: false };
}

/**
 * Announces that the record of a client will change. Functions that have cached the record then read it again on each call that
 * they count, until the cached record has expired. Call this before the record is written, because a crash between the two
 * steps would otherwise leave the outdated record in use.
 */
export function announceChange(ports: PortsWith<'windowRecords.announce'>, clientId: string): Promise<void> {
  return ports.windowRecords.announce(clientKey(clientId), MINUTE_SECONDS, nowSeconds());
}

interface Announcement {
  /** True if a client change was announced. Undefined if the call was not counted or its window announces no changes. */
  readonly announced: boolean | undefined;
}

/**
 * Counts a call against its caller's rate limit while the operation already runs. One rate-limit window covers all operations.
 * Throws `rate_limited` immediately if this container knows that the window is exhausted. The call that exhausts the window is
 * still served.
 *
 * @returns Promise that never rejects. Its result says whether a change to the client was announced.
 */
export function admitCaller(
  ports: PortsWith<'windows.count'>,
  caller: CountedCaller,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<Announcement> {
  if (settings.rateLimits === 'off') return Promise.resolve({ announced: undefined });
  const { key, max, announcesChanges } = toWindow(caller);
  rejectWhileExhausted(key, now);
  return ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], now).then(
    (outcome) => {
      if (!outcome.admitted) rememberExhausted(key, now + outcome.retryAfterSeconds);
      else if (outcome.exhausted)
        rememberExhausted(key, (Math.floor(now / MINUTE_SECONDS) + 1) * MINUTE_SECONDS);
      return { announced: announcesChanges ? outcome.announced === true : undefined };
    },
    // A login must not fail because its call could not be counted. Attempts at codes are limited separately.
    () => ({ announced: undefined }),
  );
}

type OAuthClient = Omit<CountedClient, 'network'> & { readonly tenant: Tenant } & Pick<
    ProvenClient,
    'confirm'
  >;

/**
 * Runs the request of an OAuth client and counts the call in parallel. Returns the result only if the client's data is
 * confirmed as current: by a count that reports no change to the client, or by reading the stored record. For a public client
 * the record is always read, because its windows (one per network) announce no changes. Throws `rate_limited` or
 * `invalid_client`.
 */
export async function runCounted<Caller extends OAuthClient, T>(
  ports: PortsWith<'windows.count'>,
  caller: Caller,
  {
    request: { sourceAddress, now },
    settings,
  }: {
    readonly request: { readonly sourceAddress: string; readonly now: number };
    readonly settings: { readonly rateLimits: 'on' | 'off' };
  },
  run: (confirmed: Caller) => Promise<T>,
): Promise<T> {
  const { client, application, tenant } = caller;
  const isPublic = client.authMethod === 'none';
  const network = isPublic ? networkHash(tenant, sourceAddress) : undefined;
  const counting = admitCaller(ports, { client, application, network }, settings, now);
  const confirm = isPublic
    ? caller.confirm
    : async () => ((await counting).announced === false ? client : caller.confirm());
  const [, result] = await awaitAll<[unknown, T, unknown]>(confirm(), run({ ...caller, confirm }), counting);
  return result;
}
