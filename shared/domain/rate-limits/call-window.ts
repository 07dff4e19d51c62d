import { randomInt } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { CLIENT_CALLS_PER_MINUTE, MINUTE_SECONDS } from '../basis/limits.ts';
import { nowSeconds } from '../basis/time.ts';
import type { ProvenClient } from '../oauth/client-authentication.ts';
import { networkHash } from './address-window.ts';

export const REMEMBERED_MAX = 10_000;

const clientKey = (clientId: string) => `client#${clientId}`;

/** Windows that this container knows to be spent, and until when: refusing their callers costs no call. */
const spent = new Map<string, number>();

/** Errors: `rate_limited`. */
export function refuseWhileSpent(key: string, now: number): void {
  const until = spent.get(key);
  if (until === undefined) return;
  if (now < until) throw new ServiceError('rate_limited', { retryAfterSeconds: until - now });
  spent.delete(key);
}

export function remember(key: string, until: number): void {
  if (spent.size >= REMEMBERED_MAX) spent.clear();
  spent.set(key, until);
}

/** Refuses a client with a spent window, before anything is read for it. Errors: `rate_limited`. */
export function refuseSpentClient(clientId: string, now: number): void {
  refuseWhileSpent(clientKey(clientId), now);
}

/** Calls of one caller share a window. */
export type CountedCaller = CountedClient | CountedOperator;

/** An operator, over all tenants. */
interface CountedOperator {
  readonly userId: string;
}

interface CountedClient {
  readonly client: Client;
  readonly application?: Application | undefined;
  /** The hash of the caller's network. A public client has one window per network, or one attacker could use up every call. */
  readonly network?: string | undefined;
}

/** Whether this container knows a window to be spent. */
export function isSpent(key: string, now: number): boolean {
  return now < (spent.get(key) ?? 0);
}

/**
 * DynamoDB writes one item 1,000 times a second at most. The window of a client that may call more often than a fifth of that
 * lies in several items, each with its share of the limit; each call takes one at random. None of them tells of a change.
 */
const CALLS_OF_ITEM = 200 * MINUTE_SECONDS;
const ITEMS = 8;

interface CallWindow {
  readonly key: string;
  readonly max: number;
  readonly tellsOfChanges: boolean;
}

function windowOf(caller: CountedCaller): CallWindow {
  if ('userId' in caller)
    return { key: `operator#${caller.userId}`, max: CLIENT_CALLS_PER_MINUTE, tellsOfChanges: false };
  const { client, application, network } = caller;
  const key = clientKey(client.clientId);
  const max = application?.rateLimits?.callsPerMinute ?? CLIENT_CALLS_PER_MINUTE;
  if (network !== undefined) return { key: `${key}#${network}`, max, tellsOfChanges: false };
  if (max <= CALLS_OF_ITEM) return { key, max, tellsOfChanges: true };
  return { key: `${key}~${randomInt(ITEMS)}`, max: Math.ceil(max / ITEMS), tellsOfChanges: false };
}

/**
 * Tells the functions that know the client that its record changes: each call that they count reads it again, until they have
 * forgotten the former one. Call before the record is written, or a crash between the two would leave the former one in use.
 */
export function announceChange(ports: Using<'windowRecords.announce'>, clientId: string): Promise<void> {
  return ports.windowRecords.announce(clientKey(clientId), MINUTE_SECONDS, nowSeconds());
}

interface Announcement {
  /** Undefined when the call was not counted, or where its window does not tell. */
  readonly announced: boolean | undefined;
}

/**
 * Starts the count of a caller's call, one window for all operations. The returned promise settles the count and never
 * rejects; it tells whether a change of the client was announced. The count runs beside the operation and costs no time. The call that
 * spends the window is served; the next one in this container is refused without a call to the store. Each container may
 * serve one call too many a minute.
 * Errors: `rate_limited`, thrown at once.
 */
export function admitCaller(
  ports: Using<'windows.count'>,
  caller: CountedCaller,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<Announcement> {
  if (settings.rateLimits === 'off') return Promise.resolve({ announced: undefined });
  const { key, max, tellsOfChanges } = windowOf(caller);
  refuseWhileSpent(key, now);
  return ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], now).then(
    (outcome) => {
      if (!outcome.admitted) remember(key, now + outcome.retryAfterSeconds);
      else if (outcome.exhausted) remember(key, (Math.floor(now / MINUTE_SECONDS) + 1) * MINUTE_SECONDS);
      return { announced: tellsOfChanges ? outcome.announced === true : undefined };
    },
    // A count that cannot be made must not take logins down: what guards a person's codes is counted elsewhere.
    () => ({ announced: undefined }),
  );
}

type OAuthClient = Omit<CountedClient, 'network'> & { readonly tenant: Tenant } & Pick<
    ProvenClient,
    'confirm'
  >;

/**
 * Runs what a client of OAuth asks for, with its call counted beside, and answers only a client that is confirmed: by the
 * count, which tells of each change of the last minute, else by its record. A public client has a window of each network, where
 * none is told. Errors: `rate_limited`, `invalid_client`.
 */
export async function counted<Caller extends OAuthClient, T>(
  ports: Using<'windows.count'>,
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
