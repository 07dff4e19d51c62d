import { Duration } from 'aws-cdk-lib';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import type { AlarmRule, Watched } from './alarm-rule.ts';
import { kmsUse, math, of, own } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);

/** Alarms of limits: concurrency, quotas, throughput, money. */
export function limits({ environment, tables }: Watched): readonly AlarmRule[] {
  // Functions keep what they read of directory, and operators alone write it.
  // What an index refuses is counted under its own name alone. Its reads are lists and searches, which no login waits for.
  const throttled = (['people', 'flows'] as const).flatMap((name) => {
    const TableName = tables[name];
    const indexes = tableLayouts[name].indexes.map((index) => ({ GlobalSecondaryIndexName: index.name }));
    return [
      of('AWS/DynamoDB', 'ReadThrottleEvents', { TableName }),
      ...[{}, ...indexes].map((index) => of('AWS/DynamoDB', 'WriteThrottleEvents', { TableName, ...index })),
    ];
  });
  const near = (name: string, what: string, kind: Parameters<typeof kmsUse>[0]): AlarmRule => ({
    name,
    reason: `80 % of the KMS requests that the account may make a second (${what}) are in use.`,
    first: 'ask for more in Service Quotas, and look whether the logins are real.',
    step: 'INCIDENTS.md#the-kms-quota-is-used-up',
    metric: kmsUse(kind),
    above: 80,
    breaching: 3,
    periods: 5,
  });
  return [
    {
      name: 'functions-throttled',
      reason: 'Lambda refuses calls: the concurrency of the account in this region is used up.',
      first: 'ask for more in Service Quotas, and see which function runs most.',
      step: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: of('AWS/Lambda', 'Throttles'),
      above: 10,
      breaching: 2,
      periods: 5,
    },
    {
      name: 'tables-throttled',
      reason:
        'DynamoDB refuses calls: one key is asked for too often, or the table grew faster than it splits.',
      first: 'wait five minutes while the table splits; if it stays, find the one user or client.',
      step: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: math(
        'FILL(SUM(METRICS()), 0)',
        Object.fromEntries(throttled.map((metric, index) => [`m${index}`, metric])),
      ),
      above: 10,
      breaching: 2,
      periods: 5,
    },
    near('signatures-near-quota', 'RSA: signatures of tokens', 'Rsa'),
    ...(environment.es256
      ? [near('es256-signatures-near-quota', 'elliptic curves: signatures of tokens', 'Ecc')]
      : []),
    near('macs-near-quota', 'symmetric: keys of passcodes, tables and webhooks', 'Symmetric'),
    {
      name: 'sms-budget',
      reason:
        'A tenant has used 70 % of the SMS that it may send in a day or in thirty days: at 80 % those of sign-ups stop, at 100 % all.',
      first: 'find the tenant by sms_budget_percent in the log, and whether its codes are used.',
      step: 'INCIDENTS.md#sms-pumping',
      metric: own(environment, 'smsBudgetUsed', { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 70,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'sms-spending',
      reason: 'SMS have cost 80 % of what they may in a month, where SNS stops them.',
      first: 'see whether the codes are used: if not, stop the pumping; if so, raise the limit.',
      step: 'INCIDENTS.md#sms-pumping',
      metric: of('AWS/SNS', 'SMSMonthToDateSpentUSD', {}, { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 0.8 * environment.sms.monthlySpendLimitUsd,
      breaching: 1,
      periods: 1,
    },
  ];
}
