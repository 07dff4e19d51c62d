import { costTable, limitTable, table } from '../../lib/build/pages/sizing.ts';
import { fixedLines, sumOf } from '../../lib/operator/cost/fixed-sum.ts';
import type { Environment } from '../../lib/stacks/environments/environment.ts';
import { synthesize } from '../stacks/support/synthesize.ts';
import { measureUsage } from './cost/measure.ts';

/**
 * `npm run cost`: what an environment costs in a month without a login, counted in its templates; what 1,000 logins cost and
 * which quotas they meet first, from the calls that each makes. `lib/SIZING.md` says with which prices, and what is not in it.
 */
const FIXED: readonly (readonly [string, string, Partial<Environment>])[] = [
  ['sandbox', 'sandbox', {}],
  ['production', 'us', {}],
  ['production without a web ACL', 'us', { webAcl: false }],
];

const measured = (await measureUsage()).map(({ flow, usage }) => [flow.name, usage] as const);
const units = Object.keys(measured[0]?.[1] ?? {});

const tables = [
  ...FIXED.map(([name, environment, change]) => {
    const lines = fixedLines(synthesize(environment, { change }).templates);
    const rows = lines.map(({ what, count, total, buys }) => [what, String(count), total.toFixed(2), buys]);
    return table(
      [name, 'count', 'US dollars a month', 'what it buys'],
      [...rows, ['Sum', '', sumOf(lines).toFixed(2), '']],
    );
  }),
  table(
    ['one', ...units],
    measured.map(([name, usage]) => [name, ...Object.values(usage).map(String)]),
  ),
  costTable(measured),
  ...measured.slice(0, 1).map(([, usage]) => limitTable(usage)),
];
process.stdout.write(`${tables.join('\n\n')}\n`);
