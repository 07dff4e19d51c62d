/** What one flow uses of AWS. */
export interface Usage {
  /** Calls of functions, and of the gateway and the edge in front of them. */
  readonly requests: number;
  readonly lambdaGbSeconds: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly kmsCalls: number;
  readonly mails: number;
  readonly logBytes: number;
  /** Calls of functions behind it: the forwarder for each log line with events, and the report on each message. */
  readonly behind: number;
  /** Security-relevant events on the bus; what is told of messages goes over none. */
  readonly events: number;
  /** Those of them that a webhook wants: each waits in a queue. */
  readonly queued: number;
  readonly transferBytes: number;
}

export interface Price {
  readonly usd: number;
  /** So many units cost that. */
  readonly per: number;
  readonly source: string;
  /** When the source was read, or what it says of itself; absent: noted without a source at hand, to be looked up. */
  readonly read?: string;
}

/** Requests are priced by what is in front of functions, and by Lambda itself. */
export type PriceItem =
  | Exclude<keyof Usage, 'requests' | 'behind' | 'queued'>
  | 'lambdaRequests'
  | 'apiRequests'
  | 'edgeRequests'
  | 'webAclRequests'
  | 'queueRequests';
export type PriceList = Readonly<Record<PriceItem, Price>>;

/** The columns of a table of costs. */
export const COST_COLUMNS: readonly (readonly [string, readonly PriceItem[]])[] = [
  ['DynamoDB', ['writeUnits', 'readUnits']],
  ['KMS', ['kmsCalls']],
  ['SES', ['mails']],
  ['Lambda', ['lambdaRequests', 'lambdaGbSeconds']],
  ['API and edge', ['apiRequests', 'edgeRequests', 'transferBytes']],
  ['Web ACL', ['webAclRequests']],
  ['Events', ['events', 'queueRequests']],
  ['Logs', ['logBytes']],
];

const MILLION = 1_000_000;
const GB = 1e9;
const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const GATEWAY = 'https://aws.amazon.com/api-gateway/pricing/';
const CLOUDFRONT = 'https://aws.amazon.com/cloudfront/pricing/';
/** The page itself, as an archive has it. */
const COPY = '2026-11, in a copy of the page without a date';
const LOGS = 'https://aws.amazon.com/cloudwatch/pricing/';

/** List prices in US dollars, without free tiers and without discounts for volume. Functions are arm64, tables on demand. */
const usEast1: PriceList = {
  lambdaRequests: { usd: 0.2, per: MILLION, source: LAMBDA, read: '2026-05, in notes on the cost of Lambda' },
  lambdaGbSeconds: { usd: 0.0000133334, per: 1, source: LAMBDA, read: '2026-05, in the same notes' },
  writeUnits: { usd: 0.625, per: MILLION, source: DYNAMODB, read: '2025-07' },
  readUnits: { usd: 0.125, per: MILLION, source: DYNAMODB, read: '2025-07' },
  kmsCalls: {
    usd: 0.03,
    per: 10_000,
    source: 'https://aws.amazon.com/kms/pricing/',
    read: '2026-03, in a guide to the price of KMS',
  },
  mails: {
    usd: 0.1,
    per: 1000,
    source: 'https://aws.amazon.com/ses/pricing/',
    read: '2026-11, in a tutorial without a date',
  },
  apiRequests: { usd: 1, per: MILLION, source: GATEWAY, read: '2026-11, in the white paper on private APIs' },
  edgeRequests: { usd: 0.01, per: 10_000, source: CLOUDFRONT },
  transferBytes: { usd: 0.085, per: GB, source: CLOUDFRONT, read: COPY },
  logBytes: { usd: 0.5, per: GB, source: LOGS, read: '2026-06' },
  events: { usd: 1, per: MILLION, source: 'https://aws.amazon.com/eventbridge/pricing/' },
  webAclRequests: {
    usd: 0.6,
    per: MILLION,
    source: 'https://aws.amazon.com/waf/pricing/',
    read: '2026-11, in a guide without a date',
  },
  queueRequests: {
    usd: 0.4,
    per: MILLION,
    source: 'https://aws.amazon.com/sqs/pricing/',
    read: '2026-11, in a guide without a date',
  },
};

type Region = string;

/** Where a region differs from us-east-1. */
const differences: Readonly<Record<Region, Partial<PriceList>>> = {
  'us-east-1': {},
  'eu-central-1': {
    writeUnits: { usd: 0.7625, per: MILLION, source: DYNAMODB },
    readUnits: { usd: 0.1525, per: MILLION, source: DYNAMODB },
    apiRequests: { usd: 1.2, per: MILLION, source: GATEWAY },
    edgeRequests: { usd: 0.012, per: 10_000, source: CLOUDFRONT },
    logBytes: { usd: 0.63, per: GB, source: LOGS },
  },
  'ca-central-1': {
    writeUnits: { usd: 0.6875, per: MILLION, source: DYNAMODB },
    readUnits: { usd: 0.1375, per: MILLION, source: DYNAMODB },
    apiRequests: { usd: 1.11, per: MILLION, source: GATEWAY },
    logBytes: { usd: 0.55, per: GB, source: LOGS },
  },
  'ap-southeast-2': {
    writeUnits: { usd: 0.71155, per: MILLION, source: DYNAMODB },
    readUnits: { usd: 0.1423, per: MILLION, source: DYNAMODB },
    apiRequests: { usd: 1.29, per: MILLION, source: GATEWAY },
    edgeRequests: { usd: 0.0125, per: 10_000, source: CLOUDFRONT },
    transferBytes: { usd: 0.114, per: GB, source: CLOUDFRONT, read: COPY },
    logBytes: { usd: 0.67, per: GB, source: LOGS },
  },
  'ap-northeast-1': {
    writeUnits: { usd: 0.71345, per: MILLION, source: DYNAMODB },
    readUnits: { usd: 0.1425, per: MILLION, source: DYNAMODB },
    apiRequests: { usd: 1.29, per: MILLION, source: GATEWAY },
    edgeRequests: { usd: 0.012, per: 10_000, source: CLOUDFRONT },
    transferBytes: { usd: 0.114, per: GB, source: CLOUDFRONT, read: COPY },
    logBytes: { usd: 0.76, per: GB, source: LOGS, read: '2026-11, in an article on the price of logs' },
  },
};

/** Regions with prices here. */
export const regions: readonly Region[] = Object.keys(differences);

/** @throws for a region without prices here */
export function pricesOf(region: Region): PriceList {
  const different = differences[region];
  if (!different)
    throw new Error(`There are no prices of ${region}; there are those of ${regions.join(', ')}.`);
  return { ...usEast1, ...different };
}

/** A message is sent, received and deleted. */
const QUEUE_REQUESTS_PER_MESSAGE = 3;

/** US dollars. What costs by request costs four times: at the web ACL, the edge, the gateway, and in Lambda. */
export function costsOf(usage: Usage, prices: PriceList): Readonly<Record<PriceItem, number>> {
  const { requests, behind, queued, ...rest } = usage;
  const amounts = {
    ...rest,
    lambdaRequests: requests + behind + queued,
    apiRequests: requests,
    edgeRequests: requests,
    webAclRequests: requests,
    queueRequests: queued * QUEUE_REQUESTS_PER_MESSAGE,
  };
  return Object.fromEntries(
    Object.entries(amounts).map(([item, amount]) => {
      const { usd, per } = prices[item as PriceItem];
      return [item, (amount * usd) / per];
    }),
  ) as Record<PriceItem, number>;
}
