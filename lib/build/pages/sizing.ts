import { FIXED_PRICES } from '../../operator/cost/fixed-sum.ts';
import { limitsOf } from '../../operator/cost/login-limits.ts';
import { LOGINS } from '../../operator/cost/logins.ts';
import { costsOf, type ListPrice, PRICES, type Usage } from '../../operator/cost/prices.ts';

const THOUSAND = 1000;

const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const dollars = (usd: number): string => (usd === 0 ? '-' : usd.toFixed(4));

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

/** US dollars of a thousand logins of each kind. */
export function costTable(logins: readonly (readonly [name: string, usage: Usage])[]): string {
  const services = [...new Set(PRICES.map(({ service }) => service))];
  return table(
    ['US dollars for 1,000', ...services, 'Total'],
    logins.map(([name, usage]) => {
      const costs = costsOf(usage);
      const total = [...costs.values()].reduce((sum, usd) => sum + usd, 0);
      return [name, ...services.map((service) => costs.get(service) ?? 0), total].map((cell) =>
        typeof cell === 'number' ? dollars(THOUSAND * cell) : cell,
      );
    }),
  );
}

/** How many logins of one kind meet each quota. */
export const limitTable = (login: Usage): string =>
  table(
    ['Quota', 'Fresh account', 'Usual account', 'Logins, fresh', 'Logins, usual', 'What moves it'],
    limitsOf(login).map(({ what, fresh, usual, needed, moved }) => [
      what,
      whole(fresh),
      whole(usual),
      ...[fresh, usual].map((quota) => whole(Math.floor(quota / needed))),
      moved,
    ]),
  );

const priceRow = (unit: string, { what, usd, source, read }: ListPrice): readonly string[] => [
  what,
  `${Number(usd.toPrecision(6))} ${unit}`,
  `[${new URL(source).pathname}](${source})`,
  read,
];

/** `lib/SIZING.md`. */
export const sizingPage = (): string => `<!-- Made by npm run pages. -->

# Sizing

What logins cost, and which quota of AWS they meet first. The calls of a login were measured on the local server, with
DynamoDB Local behind it, and a test measures them again.

## A month without a login

| Environment | US dollars |
|---|---|
| sandbox | 4.92 |
| production | 16.12 |
| production without a web ACL | 8.12 |

[What each dollar buys](RUNBOOK.md#what-each-dollar-buys) is in the runbook.

## A thousand logins

${costTable(Object.entries(LOGINS))}

The functions behind a login, which file its events, are in it, and so are writes to indexes. How long a function waits
is assumed. With [keys in envelopes](../bin/README.md#signing-keys) the column of KMS costs nothing.

The statistics take one write for each batch of events, two for most logins. An item that counts more than 100 batches
of its quarter of an hour takes a unit more for each 128. The day on which a secret of a client was used last takes one
write a day: $0.02 a month for 1,000 secrets.

Not in it: the edge, traces, webhooks, storage, codes that are sent and not used, and what an SMS costs,
which is more than all the rest. [AWS lists](https://aws.amazon.com/end-user-messaging/pricing/) it by country.

## The first quotas

How many logins by mailed passcode, in the time that the quota names, meet a quota of one region, the first first. A
fresh account has what [the runbook](RUNBOOK.md#first-deployment) says; a usual one has what \`otl doctor\` tells you to
ask for. With ten times the mean in the busiest second, a million logins a month are 4 a second.

${limitTable(LOGINS['Passcode by email'])}

- **Passkeys** need no mail: a fresh account meets \`functions at once\` first, a usual one the RSA operations.
- **SMS** meet a limit of money: $1 a month in a fresh account, then \`sms.monthlySpendLimitUsd\`.
- **No item** and no partition of an index is written by every login of an application. The index of lists holds keys
  alone, so it does not change with a login. \`npm run bench -- --only items\` sends logins of each kind through one
  client, counts on DynamoDB Local, and prints what the hottest item of each kind takes. The hottest is the client's
  window of calls in a minute. A limit of more than 12,000 spreads it over eight items; each call of such a client
  reads its record then, to find what was revoked. A count that DynamoDB refuses lets the call pass. A window of a
  recipient or of a network is hot for those that it should stop.
- **Texts** write two items that others share: the budget of the tenant once, and the beginning of the number twice.

## Prices

List prices of us-east-1, without free tiers and discounts. The month is the one in which a copy of AWS's page, or a
guide to it, was last read: look at the page before you rely on one.

${table(
  ['What', 'US dollars', 'Page', 'Read'],
  [
    ...FIXED_PRICES.map((price) => priceRow('a month', price)),
    ...PRICES.map((price) => priceRow(price.per === 1 ? 'each' : `for ${whole(price.per)}`, price)),
  ],
)}
`;
