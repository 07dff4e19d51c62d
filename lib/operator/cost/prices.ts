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
}

interface PricePage {
  /** Of AWS. */
  readonly source: string;
  /** The month in which a copy of that page, or a guide to it, was last read. */
  readonly read: string;
}

/** Of us-east-1, in US dollars, without free tiers and discounts for volume. */
export interface ListPrice extends PricePage {
  readonly what: string;
  readonly usd: number;
}

interface UsagePrice extends ListPrice {
  readonly service: string;
  readonly of: readonly (keyof Usage)[];
  /** So many units cost that. */
  readonly per: number;
}

/** What has no dated source is left out: the edge, traces, SMS. */
export const PAGES = {
  dynamodb: { source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/', read: '2025-07' },
  kms: { source: 'https://aws.amazon.com/kms/pricing/', read: '2026-03' },
  ses: { source: 'https://aws.amazon.com/ses/pricing/', read: '2026-11' },
  lambda: { source: 'https://aws.amazon.com/lambda/pricing/', read: '2026-05' },
  apiGateway: { source: 'https://aws.amazon.com/api-gateway/pricing/', read: '2026-11' },
  waf: { source: 'https://aws.amazon.com/waf/pricing/', read: '2026-11' },
  eventBridge: { source: 'https://aws.amazon.com/eventbridge/pricing/', read: '2026-06' },
  logs: { source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-06' },
  alarms: { source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-02' },
  secrets: { source: 'https://aws.amazon.com/secrets-manager/pricing/', read: '2026-11' },
  sqs: { source: 'https://aws.amazon.com/sqs/pricing/', read: '2026-11' },
} as const satisfies Readonly<Record<string, PricePage>>;

const MILLION = 1_000_000;
const LAMBDA = { ...PAGES.lambda, service: 'Lambda' };
const DYNAMODB = { ...PAGES.dynamodb, service: 'DynamoDB' };
const API = { ...PAGES.apiGateway, service: 'API Gateway' };
const WAF = { ...PAGES.waf, service: 'WAF' };
const EVENTS = { ...PAGES.eventBridge, service: 'EventBridge' };
const LOGS = { ...PAGES.logs, service: 'CloudWatch' };

/** Functions are arm64, tables on demand. */
export const PRICES: readonly UsagePrice[] = [
  { ...DYNAMODB, what: 'write units', of: ['writeUnits'], usd: 0.625, per: MILLION },
  { ...DYNAMODB, what: 'read units', of: ['readUnits'], usd: 0.125, per: MILLION },
  { ...PAGES.kms, service: 'KMS', what: 'calls of KMS', of: ['kmsCalls'], usd: 0.03, per: 10_000 },
  { ...PAGES.ses, service: 'SES', what: 'mails', of: ['mails'], usd: 0.1, per: 1000 },
  { ...LAMBDA, what: 'calls of functions', of: ['requests', 'behind'], usd: 0.2, per: MILLION },
  { ...LAMBDA, what: 'GB-seconds of functions', of: ['lambdaGbSeconds'], usd: 0.0000133334, per: 1 },
  { ...API, what: 'requests to the HTTP API', of: ['requests'], usd: 1, per: MILLION },
  { ...WAF, what: 'requests through the web ACL', of: ['requests'], usd: 0.6, per: MILLION },
  { ...EVENTS, what: 'events', of: ['events'], usd: 1, per: MILLION },
  { ...LOGS, what: 'bytes of logs', of: ['logBytes'], usd: 0.5, per: 1e9 },
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
