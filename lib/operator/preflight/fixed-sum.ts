interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** CloudFormation templates by stack name. */
export type Templates = Readonly<Record<string, { readonly Resources: Readonly<Record<string, Resource>> }>>;

export interface FixedLine {
  readonly what: string;
  readonly count: number;
  /** US dollars a month for all of them. */
  readonly total: number;
}

interface FixedPrice {
  readonly what: string;
  readonly type: string;
  /** US dollars a month for one unit. */
  readonly usd: number;
  /** Units that one resource is billed for; absent: one. */
  readonly units?: (properties: Readonly<Record<string, unknown>>) => number;
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

/** CloudWatch bills each metric that an alarm reads, including those of an expression. */
const metricsRead = ({ Metrics }: Readonly<Record<string, unknown>>): number =>
  Array.isArray(Metrics)
    ? Metrics.filter((query: { readonly MetricStat?: unknown }) => query.MetricStat !== undefined).length
    : 1;

/** What is billed without a login, at list prices of us-east-1. lib/SIZING.md has the source of each price. */
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
    units: ({ Rules }) => lengthOf(Rules),
  },
  { what: 'Secrets', type: 'AWS::SecretsManager::Secret', usd: 0.4 },
  // Lambda polls an empty queue 15 times a minute, at $0.40 for a million requests.
  { what: 'Polled queues', type: 'AWS::Lambda::EventSourceMapping', usd: (15 * 60 * 24 * 30 * 0.4) / 1e6 },
];

/** `otl keys prepare` makes the key of ES256, so no template has it. */
export const ES256_KEY: FixedLine = { what: 'Key of ES256', count: 1, total: 1 };

/** Counts what the templates make of each entry of the price table. */
export function fixedLines(templates: Templates): readonly FixedLine[] {
  const resources = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
  return FIXED_PRICES.flatMap(({ what, type, usd, units = () => 1 }) => {
    const count = resources
      .filter(({ Type }) => Type === type)
      .reduce((sum, { Properties = {} }) => sum + units(Properties), 0);
    return count === 0 ? [] : [{ what, count, total: count * usd }];
  });
}

export const sumOf = (lines: readonly FixedLine[]): number =>
  lines.reduce((sum, { total }) => sum + total, 0);
