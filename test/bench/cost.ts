import { parseArgs } from 'node:util';
import { type FixedLine, fixedLines, sumOf } from '../../lib/operator/cost/fixed-sum.ts';
import { COST_COLUMNS, costsOf, type PriceItem, pricesOf, regions } from '../../lib/operator/cost/prices.ts';
import type { Environment } from '../../lib/stacks/environments/environment.ts';
import { synthesize } from '../stacks/support/synthesize.ts';
import { ASSUMED_MILLISECONDS, measureUsage } from './cost/measure.ts';

/**
 * `npm run cost`: what an environment costs in a month without a login, counted in its templates, and what 1,000 logins
 * cost, from the calls that each makes; with the list prices of `lib/operator/cost/`.
 */
const LOGINS = 1000;

const FIXED: readonly (readonly [string, string, Partial<Environment>])[] = [
  ['sandbox', 'sandbox', {}],
  ['production', 'us', {}],
  ['without a web ACL', 'us', { webAcl: false }],
];

const dollars = (usd: number): string => usd.toFixed(usd < 0.0995 ? 4 : 3);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const { values } = parseArgs({ options: { region: { type: 'string', default: 'us-east-1' } } });
const prices = pricesOf(values.region);
const measured = await measureUsage();
const unread = Object.entries(prices).filter(([, { read }]) => read === undefined);

const fixed = FIXED.map(([, name, change]) => fixedLines(synthesize(name, { change }).templates));
const fixedOf = (lines: readonly FixedLine[], wanted: string): string => {
  const found = lines.find(({ what }) => what === wanted);
  return found ? `${found.count} = ${found.total.toFixed(2)}` : '-';
};
const items = new Map(fixed.flat().map(({ what, buys }) => [what, buys]));

const lines = [
  row(['US dollars a month (us-east-1)', ...FIXED.map(([heading]) => heading), 'what it buys']),
  row(Array.from({ length: FIXED.length + 2 }, () => '---')),
  ...[...items].map(([what, buys]) => row([what, ...fixed.map((each) => fixedOf(each, what)), buys])),
  row(['Sum', ...fixed.map((each) => sumOf(each).toFixed(2)), '']),
  '',
  row([`1,000 × (${values.region})`, ...COST_COLUMNS.map(([name]) => name), 'US dollars']),
  row(Array.from({ length: COST_COLUMNS.length + 2 }, () => '---')),
  ...measured.map(({ flow, usage }) => {
    const costs = costsOf(usage, prices);
    const of = (items: readonly PriceItem[]) => LOGINS * items.reduce((sum, item) => sum + costs[item], 0);
    const total = of(COST_COLUMNS.flatMap(([, items]) => items));
    return row([flow.name, ...COST_COLUMNS.map(([, items]) => dollars(of(items))), dollars(total)]);
  }),
  '',
  row(['one', 'requests', 'write units', 'read units', 'KMS calls', 'events', 'log bytes', 'Lambda GB-s']),
  row(Array.from({ length: 8 }, () => '---')),
  ...measured.map(({ flow, usage }) =>
    row([
      flow.name,
      String(usage.requests),
      String(usage.writeUnits),
      String(usage.readUnits),
      String(usage.kmsCalls),
      String(usage.events),
      String(usage.logBytes),
      usage.lambdaGbSeconds.toFixed(3),
    ]),
  ),
  '',
  `What an SMS costs beside that depends on country, carrier and sender, and changes often: https://aws.amazon.com/end-user-messaging/pricing/. Each message that the network makes of it costs (sms_parts in the log).`,
  `Without free tiers, the price of SMS, the client's token (one an hour), storage, traces and metrics of ours ($0.30 each a month); lib/SIZING.md has these.`,
  `Assumed, in milliseconds of a function: ${Object.entries(ASSUMED_MILLISECONDS)
    .map(([name, ms]) => `${name} ${ms}`)
    .join(', ')}.`,
  `Prices without a source at hand when they were written down: ${unread.map(([item]) => item).join(', ') || 'none'}. Look them up before you rely on them.`,
  `Regions: ${regions.join(', ')} (--region).`,
];
process.stdout.write(`${lines.join('\n')}\n`);
