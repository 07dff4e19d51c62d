import { type ListPrice, PAGES } from './prices.ts';

/** What an environment costs in a month in which nothing happens, counted in its templates. */

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** By stack name. */
export type Templates = Readonly<Record<string, { readonly Resources: Readonly<Record<string, Resource>> }>>;

/** For one a month. */
interface FixedPrice extends ListPrice {
  /** What the dollars buy. */
  readonly buys: string;
  readonly type: string;
  /** How many of it a resource counts for; absent: one. */
  readonly units?: (properties: Readonly<Record<string, unknown>>) => number;
  /** So many in an account cost nothing. */
  readonly free?: number;
}

export interface FixedLine {
  readonly what: string;
  readonly buys: string;
  readonly count: number;
  /** Of one. */
  readonly usd: number;
  readonly total: number;
}

/** Lambda keeps five long polls of 20 seconds open on an empty queue ("Understanding how AWS Lambda scales with SQS"). */
const POLLS_A_MONTH = (5 * 30 * 24 * 60 * 60) / 20;
const SQS_USD_PER_REQUEST = 0.4 / 1_000_000;

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

/** CloudWatch bills each metric that an alarm reads, those of an expression too. */
const metricsRead = ({ Metrics }: Readonly<Record<string, unknown>>): number =>
  Array.isArray(Metrics)
    ? Metrics.filter((query: { readonly MetricStat?: unknown }) => query.MetricStat !== undefined).length
    : 1;

const KEY_USD = 1;

/** What costs something while nothing happens. */
export const FIXED_PRICES: readonly FixedPrice[] = [
  {
    ...PAGES.kms,
    what: 'KMS keys',
    buys: 'tables, codes, webhook secrets and signatures that no copy of the data gives away',
    type: 'AWS::KMS::Key',
    usd: KEY_USD,
  },
  {
    ...PAGES.alarms,
    what: 'Metrics that alarms read',
    buys: 'a mail when logins fail, money runs out or an attack is under way',
    type: 'AWS::CloudWatch::Alarm',
    units: metricsRead,
    usd: 0.1,
  },
  {
    ...PAGES.alarms,
    what: 'Dashboard',
    buys: 'requests, failures, messages and limits on one page; three in an account cost nothing, more $3 each',
    type: 'AWS::CloudWatch::Dashboard',
    usd: 3,
    free: 3,
  },
  {
    ...PAGES.waf,
    what: 'Web ACL',
    buys: 'a limit for each address before a function is paid for; beside it $0.60 for a million requests',
    type: 'AWS::WAFv2::WebACL',
    usd: 5,
  },
  {
    ...PAGES.waf,
    what: 'Rules of the web ACL',
    buys: 'addresses of known attackers, floods of pages, floods of calls',
    type: 'AWS::WAFv2::WebACL',
    units: ({ Rules }) => lengthOf(Rules),
    usd: 1,
  },
  {
    ...PAGES.secrets,
    what: 'Secrets',
    buys: 'the secret by which functions know the edge',
    type: 'AWS::SecretsManager::Secret',
    usd: 0.4,
  },
  {
    ...PAGES.sqs,
    what: 'Polled queues',
    buys: 'webhooks and notices to users within a second: Lambda asks an empty queue 15 times a minute',
    type: 'AWS::Lambda::EventSourceMapping',
    usd: POLLS_A_MONTH * SQS_USD_PER_REQUEST,
  },
];

/** The key of ES256 is in no template: `otl keys prepare` makes it. */
export const ES256_KEY: FixedLine = {
  what: 'Key of ES256',
  buys: 'tokens by ES256, once otl keys prepare --algorithm ES256 has made it',
  count: 1,
  usd: KEY_USD,
  total: KEY_USD,
};

/** One line for each item that the templates have. */
export function fixedLines(templates: Templates): readonly FixedLine[] {
  const resources = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
  return FIXED_PRICES.flatMap(({ what, buys, type, units = () => 1, usd, free = 0 }) => {
    const count = resources
      .filter(({ Type }) => Type === type)
      .reduce((sum, { Properties = {} }) => sum + units(Properties), 0);
    return count === 0 ? [] : [{ what, buys, count, usd, total: Math.max(0, count - free) * usd }];
  });
}

export const sumOf = (lines: readonly FixedLine[]): number =>
  lines.reduce((sum, { total }) => sum + total, 0);
