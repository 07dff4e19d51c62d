import { QUOTAS } from '../doctor/quotas.ts';
import type { Usage } from './prices.ts';

/** A quota of an account and region, or a limit of AWS, that many logins meet. */
export interface LoginLimit {
  readonly what: string;
  /** Of so many a new account has… */
  readonly fresh: number;
  /** …and one that has got what `otl doctor` tells to ask for. */
  readonly usual: number;
  /** By one login. */
  readonly needed: number;
  /** What moves the limit. */
  readonly moved: string;
}

/** Measured by `npm run bench -- --only items`: what the hottest item takes of a login through a client; a test holds it. */
export const WRITES_OF_HOTTEST_ITEM = 0.25;
/** Each call of a client with more than 12,000 a minute reads its record: what was revoked is refused at once. */
export const READS_OF_CLIENT = 2;

/** Those of one region, the first to be met first. */
export function limitsOf({ lambdaGbSeconds, mails, kmsCalls, requests, writeUnits, events }: Usage) {
  const of = (what: keyof typeof QUOTAS, fresh: number, needed: number, moved = ''): LoginLimit => ({
    what,
    fresh,
    usual: QUOTAS[what].wanted,
    needed,
    moved: `a request to AWS${moved}`,
  });
  const same = (what: string, quota: number, needed: number, moved: string): LoginLimit => ({
    what,
    fresh: quota,
    usual: quota,
    needed,
    moved,
  });
  return [
    of('mails a day', 200, mails, '; passkeys need none'),
    of('mails a second', 1, mails, '; passkeys need none'),
    // Functions have 1 GB: their GB-seconds are seconds.
    of('functions at once', 10, lambdaGbSeconds),
    of(
      'RSA operations a second',
      500,
      kmsCalls,
      ', or `otl keys prepare --mode kms-envelope`: the functions sign',
    ),
    same(
      'reads a second of the hottest item',
      3000,
      READS_OF_CLIENT,
      'more clients: it is the record of one',
    ),
    same(
      'writes a second to a table',
      40_000,
      writeUnits,
      'a request to AWS; before a launch, warm throughput',
    ),
    same(
      'writes a second to the hottest item',
      1000,
      WRITES_OF_HOTTEST_ITEM,
      'more clients: each has a window of its own, in eight items',
    ),
    same('requests a second to the HTTP API', 10_000, requests, 'a request to AWS'),
    same('events a second to the bus', 10_000, events, 'a request to AWS; small regions have fewer'),
  ].filter(({ needed }) => needed > 0);
}
