import { parseArgs } from 'node:util';
import { ASSUMED_MILLISECONDS, measureUsage } from './cost/measure.ts';
import { costsOf, type PriceItem, pricesOf, regions } from './cost/prices.ts';

/** `npm run cost`: what 1,000 logins cost, from the calls that each makes and the list prices of `cost/prices.ts`. */
const LOGINS = 1000;

const COLUMNS: readonly (readonly [string, readonly PriceItem[]])[] = [
  ['DynamoDB', ['writeUnits', 'readUnits']],
  ['KMS', ['kmsCalls']],
  ['SES', ['mails']],
  ['Lambda', ['lambdaRequests', 'lambdaGbSeconds']],
  ['API and edge', ['apiRequests', 'edgeRequests', 'transferBytes']],
  ['Logs', ['logBytes']],
];

const dollars = (usd: number): string => usd.toFixed(usd < 0.0995 ? 4 : 3);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const { values } = parseArgs({ options: { region: { type: 'string', default: 'us-east-1' } } });
const prices = pricesOf(values.region);
const measured = await measureUsage();
const unread = Object.entries(prices).filter(([, { read }]) => read === undefined);

const lines = [
  row([`1,000 × (${values.region})`, ...COLUMNS.map(([name]) => name), 'US dollars']),
  row(Array.from({ length: COLUMNS.length + 2 }, () => '---')),
  ...measured.map(({ flow, usage }) => {
    const costs = costsOf(usage, prices);
    const of = (items: readonly PriceItem[]) => LOGINS * items.reduce((sum, item) => sum + costs[item], 0);
    const total = of(COLUMNS.flatMap(([, items]) => items));
    return row([flow.name, ...COLUMNS.map(([, items]) => dollars(of(items))), dollars(total)]);
  }),
  '',
  row(['one', 'requests', 'write units', 'read units', 'KMS calls', 'log bytes', 'Lambda GB-s']),
  row(Array.from({ length: 7 }, () => '---')),
  ...measured.map(({ flow, usage }) =>
    row([
      flow.name,
      String(usage.requests),
      String(usage.writeUnits),
      String(usage.readUnits),
      String(usage.kmsCalls),
      String(usage.logBytes),
      usage.lambdaGbSeconds.toFixed(3),
    ]),
  ),
  '',
  `What an SMS costs beside that depends on country, carrier and sender, and changes often: https://aws.amazon.com/end-user-messaging/pricing/. Each message that the network makes of it costs (sms_parts in the log).`,
  `Without free tiers, the price of SMS, the client's token (one an hour), storage, keys ($1 each a month), alarms and metrics.`,
  `Assumed, in milliseconds of a function: ${Object.entries(ASSUMED_MILLISECONDS)
    .map(([name, ms]) => `${name} ${ms}`)
    .join(', ')}.`,
  `Prices without a source at hand when they were written down: ${unread.map(([item]) => item).join(', ') || 'none'}. Look them up before you rely on them.`,
  `Regions: ${regions.join(', ')} (--region).`,
];
process.stdout.write(`${lines.join('\n')}\n`);
