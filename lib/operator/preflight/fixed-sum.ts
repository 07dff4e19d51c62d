interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** CloudFormation templates by stack name. */
export type Templates = Readonly<Record<string, { readonly Resources: Readonly<Record<string, Resource>> }>>;

export interface FixedLine {
  readonly what: string;
  readonly count: number;
  /** Price of all units of this line together, in US dollars a month. */
  readonly total: number;
}

interface FixedPrice {
  readonly what: string;
  readonly type: string;
  /** Price of one unit in US dollars a month. */
  readonly usd: number;
  /** Returns the number of units that AWS bills for one resource. Default: one. */
  readonly units?: (properties: Readonly<Record<string, unknown>>) => number;
}

const countEntries = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

interface AlarmQuery {
  readonly Expression?: string;
  readonly MetricStat?: unknown;
}

/**
 * Returns the number of metrics that an alarm reads. CloudWatch bills each metric, even one that is part of an expression, and
 * two more for the bounds of an anomaly detection band.
 */
function metricsRead({ Metrics }: Readonly<Record<string, unknown>>): number {
  if (!Array.isArray(Metrics)) return 1;
  const queries = Metrics as readonly AlarmQuery[];
  const bands = queries.filter(({ Expression }) => Expression?.startsWith('ANOMALY_DETECTION_BAND'));
  return queries.filter(({ MetricStat }) => MetricStat !== undefined).length + 2 * bands.length;
}

/** Monthly prices of resources that AWS bills even without logins, at list prices of us-east-1 (sources: lib/SIZING.md). */
export const FIXED_PRICES: readonly FixedPrice[] = [
  { what: 'KMS keys', type: 'AWS::KMS::Key', usd: 1 },
  { what: 'Metrics that alarms read', type: 'AWS::CloudWatch::Alarm', usd: 0.1, units: metricsRead },
  // The first three dashboards of an account are free.
  { what: 'Dashboard', type: 'AWS::CloudWatch::Dashboard', usd: 0 },
  { what: 'Web ACL', type: 'AWS::WAFv2::WebACL', usd: 5 },
  {
    what: 'Rules of the web ACL',
    type: 'AWS::WAFv2::WebACL',
    usd: 1,
    units: ({ Rules }) => countEntries(Rules),
  },
  { what: 'Secrets', type: 'AWS::SecretsManager::Secret', usd: 0.4 },
  // Lambda polls an empty queue 15 times a minute, at $0.40 for a million requests.
  { what: 'Polled queues', type: 'AWS::Lambda::EventSourceMapping', usd: (15 * 60 * 24 * 30 * 0.4) / 1e6 },
];

/** Price line for the ES256 key. `otl keys prepare` creates the key, so no template contains it. */
export const ES256_KEY: FixedLine = { what: 'ES256 key', count: 1, total: 1 };

/**
 * Price line for the synthetic login: its secret, which operators create, its metric and its logins. The templates contain its
 * alarm.
 */
export const SYNTHETIC_LOGIN: FixedLine = { what: 'Synthetic login', count: 1, total: 1.1 };

/** Returns one line for each entry of the price table, with the number of units that the templates contain. */
export function fixedLines(templates: Templates): readonly FixedLine[] {
  const resources = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
  return FIXED_PRICES.flatMap(({ what, type, usd, units = () => 1 }) => {
    const count = resources
      .filter(({ Type }) => Type === type)
      .reduce((sum, { Properties = {} }) => sum + units(Properties), 0);
    return count === 0 ? [] : [{ what, count, total: count * usd }];
  });
}

export const sumTotals = (lines: readonly FixedLine[]): number =>
  lines.reduce((sum, { total }) => sum + total, 0);
