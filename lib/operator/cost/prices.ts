/** What one flow uses of AWS. */
export interface Usage {
  /** Calls of functions, and of the gateway and the edge in front of them. */
  readonly requests: number;
  readonly lambdaGbSeconds: number;
  /** Those of indexes included. */
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Each a signature: warm functions ask KMS for nothing else. */
  readonly kmsCalls: number;
  readonly mails: number;
  readonly logBytes: number;
  /** Calls of functions behind it: the forwarder for each log line with events, and the report on each message. */
  readonly behind: number;
  /** Security-relevant events on the bus; what is told of messages goes over none. */
  readonly events: number;
  readonly transferBytes: number;
}

/** Of us-east-1, in US dollars, without free tiers and discounts for volume. */
export interface ListPrice {
  readonly what: string;
  readonly usd: number;
  /** The page of AWS. */
  readonly source: string;
  /** The month in which a copy of that page, or a guide to it, was last read. */
  readonly read: string;
}

interface UsagePrice extends ListPrice {
  readonly service: string;
  readonly of: readonly (keyof Usage)[];
  /** So many units cost that. */
  readonly per: number;
}

const MILLION = 1_000_000;
const GB = 1e9;
const LAMBDA = { service: 'Lambda', source: 'https://aws.amazon.com/lambda/pricing/', read: '2026-05' };
const DYNAMODB = {
  service: 'DynamoDB',
  source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  read: '2025-07',
};

/** Functions are arm64, tables on demand. What has no dated source is left out: requests of the edge, traces, SMS. */
export const PRICES: readonly UsagePrice[] = [
  { ...DYNAMODB, what: 'write units', of: ['writeUnits'], usd: 0.625, per: MILLION },
  { ...DYNAMODB, what: 'read units', of: ['readUnits'], usd: 0.125, per: MILLION },
  {
    ...{ service: 'KMS', what: 'calls of KMS', of: ['kmsCalls'], usd: 0.03, per: 10_000 },
    ...{ source: 'https://aws.amazon.com/kms/pricing/', read: '2026-03' },
  },
  {
    ...{ service: 'SES', what: 'mails', of: ['mails'], usd: 0.1, per: 1000 },
    ...{ source: 'https://aws.amazon.com/ses/pricing/', read: '2026-11' },
  },
  { ...LAMBDA, what: 'calls of functions', of: ['requests', 'behind'], usd: 0.2, per: MILLION },
  { ...LAMBDA, what: 'GB-seconds of functions', of: ['lambdaGbSeconds'], usd: 0.0000133334, per: 1 },
  {
    ...{ service: 'API Gateway', what: 'requests to the HTTP API', of: ['requests'], usd: 1, per: MILLION },
    ...{ source: 'https://aws.amazon.com/api-gateway/pricing/', read: '2026-11' },
  },
  {
    ...{ service: 'CloudFront', what: 'bytes to browsers', of: ['transferBytes'], usd: 0.085, per: GB },
    ...{ source: 'https://aws.amazon.com/cloudfront/pricing/', read: '2026-11' },
  },
  {
    ...{ service: 'WAF', what: 'requests through the web ACL', of: ['requests'], usd: 0.6, per: MILLION },
    ...{ source: 'https://aws.amazon.com/waf/pricing/', read: '2026-11' },
  },
  {
    ...{ service: 'EventBridge', what: 'events', of: ['events'], usd: 1, per: MILLION },
    ...{ source: 'https://aws.amazon.com/eventbridge/pricing/', read: '2026-06' },
  },
  {
    ...{ service: 'CloudWatch', what: 'bytes of logs', of: ['logBytes'], usd: 0.5, per: GB },
    ...{ source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-06' },
  },
];

/** US dollars of one flow, by service. */
export function costsOf(usage: Usage): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { service, of, usd, per } of PRICES) {
    const units = of.reduce((sum, unit) => sum + usage[unit], 0);
    costs.set(service, (costs.get(service) ?? 0) + (units * usd) / per);
  }
  return costs;
}
