import { Duration } from 'aws-cdk-lib';
import type { AlarmRule, Watched } from './alarm-rule.ts';
import { kmsUse, math, of, own } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);

/** Alarms of limits: concurrency, quotas, throughput, money. */
export function limits({ environment, tables }: Watched): readonly AlarmRule[] {
  const throttled = Object.values(tables).flatMap((TableName) => [
    of('AWS/DynamoDB', 'ReadThrottleEvents', { TableName }),
    of('AWS/DynamoDB', 'WriteThrottleEvents', { TableName }),
  ]);
  const near = (name: string, what: string, operations: Parameters<typeof kmsUse>[0]): AlarmRule => ({
    name,
    reason: `80 % of the KMS requests that the account may make a second (${what}) are in use. Ask for more in Service Quotas, or sign in the mode kms-envelope.`,
    metric: kmsUse(operations),
    above: 80,
    breaching: 3,
    periods: 5,
  });
  return [
    {
      name: 'functions-throttled',
      reason:
        'Lambda refuses calls: the concurrency of the account in this region is used up. Ask for more in Service Quotas.',
      metric: of('AWS/Lambda', 'Throttles'),
      above: 10,
      breaching: 2,
      periods: 5,
    },
    {
      name: 'tables-throttled',
      reason:
        'DynamoDB refuses calls: one key is asked for too often, or the table grew faster than it splits.',
      metric: math(
        'FILL(SUM(METRICS()), 0)',
        Object.fromEntries(throttled.map((metric, index) => [`m${index}`, metric])),
      ),
      above: 10,
      breaching: 2,
      periods: 5,
    },
    near('signatures-near-quota', 'RSA: signatures of tokens', 'CryptographicOperationsRsa'),
    near(
      'macs-near-quota',
      'symmetric: MACs of passcodes, keys of tables',
      'CryptographicOperationsSymmetric',
    ),
    {
      name: 'sms-budget',
      reason:
        'A tenant has used 70 % of the SMS that it may send in a day or in thirty days: at 80 % those of sign-ups stop, at 100 % all. Raise it with otl tenant update, or see who sends them.',
      metric: own(environment, 'smsBudgetUsed', { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 70,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'sms-spending',
      reason:
        'SMS have cost 80 % of what they may in a month, where SNS stops them. Somebody may be pumping them: look at the share that is verified, by country.',
      metric: of('AWS/SNS', 'SMSMonthToDateSpentUSD', {}, { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 0.8 * environment.sms.monthlySpendLimitUsd,
      breaching: 1,
      periods: 1,
    },
  ];
}
