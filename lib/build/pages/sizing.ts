import { LOGINS, type LoginName } from '../../operator/cost/logins.ts';
import { COST_COLUMNS, type PriceItem } from '../../operator/cost/prices.ts';
import {
  costOfLogin,
  type FirstQuota,
  firstQuota,
  limitsOfSecond,
  monthlyUsd,
  PEAK,
  PRODUCTION_USD,
  REGION,
  SMS_USD,
} from '../../operator/cost/sizing.ts';

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const;

const THOUSAND = 1000;

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const small = (usd: number): string => (usd === 0 ? '-' : usd.toFixed(usd < 0.0995 ? 4 : 3));
const percent = (share: number): string => (share < 0.01 ? 'under 1 %' : `${whole(share * 100)} %`);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const ruler = (columns: number): string => `|${'---|'.repeat(columns)}`;

function priceRow(name: LoginName): string {
  const costs = costOfLogin(name);
  const of = (items: readonly PriceItem[]) => THOUSAND * items.reduce((sum, item) => sum + costs[item], 0);
  const total = of(COST_COLUMNS.flatMap(([, items]) => items));
  return row([name, ...COST_COLUMNS.map(([, items]) => small(of(items))), small(total)]);
}

const bySms = (logins: number, country: keyof typeof SMS_USD): number =>
  monthlyUsd('Passcode by SMS', logins) + logins * SMS_USD[country];

const met = ({ what, quota, share }: FirstQuota): string =>
  share > 1
    ? `**${whole(quota)} ${what}:** ${share < 10 ? share.toFixed(1) : whole(share)} times as many`
    : `${what}: ${percent(share)}`;

const quotaRow = (logins: number): string =>
  row([
    whole(logins),
    ...(['fresh', 'usual'] as const).flatMap((account) =>
      (['Passkey', 'Passcode by email'] as const).map((name) => met(firstQuota(name, logins, account))),
    ),
  ]);

const SECONDS = [100, 1000, 10_000] as const;

const limitRows = (): readonly string[] => {
  const bySize = SECONDS.map((perSecond) => limitsOfSecond(perSecond));
  return (bySize[0] ?? []).map(({ what, quota, moved }, index) =>
    row([
      `${whole(quota)} ${what}`,
      ...bySize.map((limits) => {
        const { needed, quota: has } = limits[index] ?? { needed: 0, quota: 1 };
        return needed > has ? `**${(needed / has).toFixed(1)} times**` : percent(needed / has);
      }),
      moved,
    ]),
  );
};

/** `lib/SIZING.md`. */
export const sizingPage = (): string => `# Sizing

What a number of logins costs, and which quota of AWS it meets first. \`npm run pages\` makes this page of
\`lib/operator/cost/\`: the calls of a login were measured on the local server, and a test measures them again. Prices are
the list prices of ${REGION} in November 2026, without free tiers and discounts. What an environment costs without a
login is in [the runbook](RUNBOOK.md#what-each-dollar-buys).

## A month

US dollars of a production environment with a web ACL: its fixed sum of ${PRODUCTION_USD}, metrics, traces, and the logins.

${row(['Logins a month', 'Passkey: no message', 'Passcode by email', ...Object.keys(SMS_USD).map((country) => `Passcode by SMS to ${country}`)])}
${ruler(5)}
${SIZES.map((logins) =>
  row([
    ...[whole(logins), whole(monthlyUsd('Passkey', logins)), whole(monthlyUsd('Passcode by email', logins))],
    ...(['the United States', 'Germany'] as const).map((country) => whole(bySms(logins, country))),
  ]),
).join('\n')}

- **SMS** are examples, at $${SMS_USD['the United States']} and $${SMS_USD.Germany} for a message of one part.
  [AWS lists](https://aws.amazon.com/end-user-messaging/pricing/) what they cost today.
- **Not in it:** storage, about $4 a month for a gigabyte of users: the table, its recovery and 35 daily copies. Codes
  that are sent and not used cost as well.
- **Traces** cost $5 for a million. Lambda traces one request a second of each function and 5 % of the others, so a
  small environment pays for each.

## The quota that is met first

The busiest second is taken as ${PEAK} times the mean. A fresh account has what [the runbook](RUNBOOK.md#first-deployment)
says; a usual one has what \`otl doctor\` tells you to ask for. Bold: it has to be raised first.

${row(['Logins a month', 'Fresh account, passkeys', 'Fresh account, mail', 'Usual account, passkeys', 'Usual account, mail'])}
${ruler(5)}
${SIZES.map(quotaRow).join('\n')}

By SMS the first quota is money at each size: $1 a month in a fresh account, then \`sms.monthlySpendLimitUsd\`. The limit
of 100 pays for ${whole(100 / SMS_USD['the United States'])} messages to the United States, or ${whole(100 / SMS_USD.Germany)} to Germany.

## What a second bears

Logins by mailed passcode in each second of one region, in an account that has what \`otl doctor\` tells you to ask for:
how much of each limit they need. Bold: it has to be moved first. Calls were measured, the time of functions is assumed.

${row(['Limit', ...SECONDS.map((perSecond) => `${whole(perSecond)} a second`), 'What moves it'])}
${ruler(SECONDS.length + 2)}
${limitRows().join('\n')}

No item is written by every login of an application. \`npm run bench -- --only items\` shows it: many logins come
through one client of one application, and it prints what the hottest item of each kind takes. The hottest is the
client's window of calls in a minute. A limit of more than 12,000 spreads it over eight items; each call of such a
client reads its record then, to find what was revoked. A count that DynamoDB refuses lets the call pass. A window of
a recipient or of a network is hot for those that it should stop.

## A thousand logins

${row(['US dollars for 1,000', ...COST_COLUMNS.map(([name]) => name), 'Total'])}
${ruler(COST_COLUMNS.length + 2)}
${(Object.keys(LOGINS) as LoginName[]).map(priceRow).join('\n')}

The functions behind a login, which file its events, are in it. Events that webhooks want cost 0.0016 more, and as much
for each webhook. How long a function waits is assumed, and traces are not in it. With
[keys in envelopes](../bin/README.md#signing-keys) the signatures, 0.0060 of each row, cost nothing.
`;
