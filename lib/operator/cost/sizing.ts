import { QUOTAS } from '../doctor/quotas.ts';
import { LOGINS, type LoginName, SIGNATURES_PER_LOGIN } from './logins.ts';
import { costsOf, type PriceItem, pricesOf } from './prices.ts';

/** What logins in a month cost, and which quota of AWS they meet first. */

export const REGION = 'us-east-1';
/** The fixed sum of a production environment with a web ACL; a test counts it in the templates. */
export const PRODUCTION_USD = 15.92;
/** Metrics of ours that a month with logins of one kind sends, at most, at $0.30 each. */
const METRICS_IN_USE = 12;
const METRIC_USD = 0.3;

const MONTH_SECONDS = 30 * 24 * 60 * 60;
const DAYS = 30;
/** The busiest second has so many times the logins of the mean one. */
export const PEAK = 10;

const TRACE_USD = 5 / 1_000_000;
/** Lambda traces one request a second of a function, and so much of the others. */
const TRACED_SHARE = 0.05;

/** Examples of what one part of an SMS costs, carrier's fee included. They change often: look them up. */
export const SMS_USD = { 'the United States': 0.0085, Germany: 0.11 } as const;

function tracesOf(requests: number, functions: number): number {
  const each = requests / functions;
  return functions * (Math.min(each, MONTH_SECONDS) + TRACED_SHARE * Math.max(0, each - MONTH_SECONDS));
}

/** US dollars of one login by item. */
export const costOfLogin = (name: LoginName): Readonly<Record<PriceItem, number>> =>
  costsOf(LOGINS[name], pricesOf(REGION));

/** US dollars a month: the fixed sum, metrics, traces, and what the calls cost; without what an SMS costs. */
export function monthlyUsd(name: LoginName, logins: number): number {
  const login = Object.values(costOfLogin(name)).reduce((sum, usd) => sum + usd, 0);
  const { requests } = LOGINS[name];
  const traces = tracesOf(logins * requests, requests) * TRACE_USD;
  return PRODUCTION_USD + METRICS_IN_USE * METRIC_USD + traces + logins * login;
}

interface Need {
  readonly what: string;
  /** Of so many a quota has… */
  readonly fresh: number;
  /** …and one of an account in use. */
  readonly usual: number;
  readonly needed: number;
}

/** Quotas of an account and what the busiest second or day needs of them. */
function needsOf(name: LoginName, logins: number): readonly Need[] {
  const { lambdaGbSeconds, mails, requests } = LOGINS[name];
  const peak = (logins / MONTH_SECONDS) * PEAK;
  const of = (quota: keyof typeof QUOTAS, fresh: number, needed: number): Need => ({
    what: quota,
    fresh,
    usual: QUOTAS[quota].wanted,
    needed,
  });
  return [
    // Functions have 1 GB: their GB-seconds are seconds.
    of('functions at once', 10, peak * lambdaGbSeconds),
    of('RSA operations a second', 500, peak * SIGNATURES_PER_LOGIN),
    of('mails a second', 1, peak * mails),
    of('mails a day', 200, (logins / DAYS) * mails),
    { what: 'requests a second to the HTTP API', fresh: 10_000, usual: 10_000, needed: peak * requests },
  ];
}

/** AWS: writes a second of an on-demand table that nothing has raised, and of one partition, so of one item at most. */
const TABLE_WRITES = 40_000;
const PARTITION_WRITES = 1000;
/** Measured by `npm run bench -- --only items`: of a login through a client, what its hottest item takes; a test holds it. */
export const WRITES_OF_HOTTEST_ITEM = 0.25;
/** Each call of a client with more than 12,000 a minute reads its record: what was revoked is refused at once. */
export const READS_OF_CLIENT = 2;
const PARTITION_READS = 3000;

export interface SecondLimit {
  readonly what: string;
  readonly quota: number;
  readonly needed: number;
  /** What moves the limit. */
  readonly moved: string;
}

/** What logins by mailed passcode in each second need of the limits of a region. */
export function limitsOfSecond(perSecond: number): readonly SecondLimit[] {
  const { lambdaGbSeconds, mails, requests, writeUnits, events } = LOGINS['Passcode by email'];
  const of = (what: keyof typeof QUOTAS, each: number, moved: string): SecondLimit => ({
    what,
    quota: QUOTAS[what].wanted,
    needed: perSecond * each,
    moved,
  });
  const limit = (what: string, quota: number, each: number, moved: string): SecondLimit => ({
    what,
    quota,
    needed: perSecond * each,
    moved,
  });
  return [
    of('mails a second', mails, 'a request to AWS; passkeys need none'),
    of(
      'RSA operations a second',
      SIGNATURES_PER_LOGIN,
      '`otl keys prepare --mode kms-envelope`: the functions sign, KMS is not asked; or a request to AWS',
    ),
    of('functions at once', lambdaGbSeconds, 'a request to AWS'),
    limit('requests a second to the HTTP API', 10_000, requests, 'a request to AWS'),
    limit(
      'events a second to the bus',
      10_000,
      events,
      'a request to AWS: 10,000 in the largest regions, fewer elsewhere',
    ),
    limit(
      'writes a second to a table',
      TABLE_WRITES,
      writeUnits,
      'a request to AWS; before a launch, warm throughput',
    ),
    limit(
      'writes a second to the hottest item',
      PARTITION_WRITES,
      WRITES_OF_HOTTEST_ITEM,
      'more clients: each has a window of its own, in eight items',
    ),
    limit(
      'reads a second of the hottest item',
      PARTITION_READS,
      READS_OF_CLIENT,
      'more clients: it is the record of one',
    ),
  ];
}

export interface FirstQuota {
  readonly what: string;
  readonly quota: number;
  /** Above 1: the quota has to be raised. */
  readonly share: number;
}

/** The quota of which the largest share is in use. */
export function firstQuota(name: LoginName, logins: number, account: 'fresh' | 'usual'): FirstQuota {
  const [first] = needsOf(name, logins)
    .map((need) => ({ what: need.what, quota: need[account], share: need.needed / need[account] }))
    .toSorted((one, other) => other.share - one.share);
  if (!first) throw new Error('there are no quotas');
  return first;
}
