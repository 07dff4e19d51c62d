import { Duration } from 'aws-cdk-lib';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { createAwsMetric, createMetricExpression, createServiceMetric, kmsUse } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);

/** Returns the alarms for limits: concurrency, quotas, throughput and costs. */
export function limits({ environment, tables }: AlarmContext): readonly AlarmRule[] {
  const [smsNamespace, smsCosts] = environment.sms.pool
    ? ['AWS/SMSVoice', 'TextMessageMonthlySpend']
    : ['AWS/SNS', 'SMSMonthToDateSpentUSD'];
  // The table `directory` is left out: functions cache its records, and only operators write to it. Throttled writes to an
  // index are counted only under the index's own name. Reads of an index are left out, because they serve lists and searches,
  // which no login waits for.
  const throttled = (['people', 'flows'] as const).flatMap((name) => {
    const TableName = tables[name];
    const indexes = tableLayouts[name].indexes.map((index) => ({ GlobalSecondaryIndexName: index.name }));
    return [
      createAwsMetric('AWS/DynamoDB', 'ReadThrottleEvents', { TableName }),
      ...[{}, ...indexes].map((index) =>
        createAwsMetric('AWS/DynamoDB', 'WriteThrottleEvents', { TableName, ...index }),
      ),
    ];
  });
  const near = (name: string, what: string, kind: Parameters<typeof kmsUse>[0]): AlarmRule => ({
    name,
    reason: `The account uses 80 % of its quota of KMS requests per second (${what}).`,
    firstStep: 'request a higher quota in Service Quotas, and check whether the logins are real.',
    runbookSection: 'INCIDENTS.md#the-kms-quota-is-used-up',
    metric: kmsUse(kind),
    above: 80,
    breachingPeriods: 3,
    periods: 5,
  });
  return [
    {
      name: 'functions-throttled',
      reason: 'Lambda rejects calls, because the concurrency of the account in this region is used up.',
      firstStep: 'request a higher quota in Service Quotas, and find the function that runs most.',
      runbookSection: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: createAwsMetric('AWS/Lambda', 'Throttles'),
      above: 10,
      breachingPeriods: 2,
      periods: 5,
    },
    {
      name: 'tables-throttled',
      reason:
        'DynamoDB rejects calls. Either one key is requested too often, or the load grew faster than the table can split.',
      firstStep:
        'wait five minutes while the table splits. If the alarm stays, find the user or client that causes the load.',
      runbookSection: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: createMetricExpression(
        'FILL(SUM(METRICS()), 0)',
        Object.fromEntries(throttled.map((metric, index) => [`m${index}`, metric])),
      ),
      above: 10,
      breachingPeriods: 2,
      periods: 5,
    },
    near('signatures-near-quota', 'RSA: signatures of tokens', 'Rsa'),
    ...(environment.es256
      ? [near('es256-signatures-near-quota', 'elliptic curve: signatures of tokens', 'Ecc')]
      : []),
    near('macs-near-quota', 'symmetric: passcodes, tables and webhooks', 'Symmetric'),
    {
      name: 'mail-quota',
      reason: 'SES has sent 80 % of the mails that it sends in 24 hours. At 100 % logins by mail fail.',
      firstStep:
        'request a higher quota in Service Quotas, and check whether the codes are used (email-not-verified).',
      runbookSection: 'INCIDENTS.md#messages-do-not-arrive',
      metric: createServiceMetric(environment, 'mailQuotaUsed', {
        statistic: 'Maximum',
        period: FIVE_MINUTES,
      }),
      above: 80,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'sms-budget',
      reason:
        'A tenant has used 70 % of the SMS that it may send in a day or in 30 days. At 80 % SMS for sign-ups stop, at 100 % all SMS stop.',
      firstStep: 'find the tenant by sms_budget_percent in the log, and check whether its codes are used.',
      runbookSection: 'INCIDENTS.md#sms-pumping',
      metric: createServiceMetric(environment, 'smsBudgetUsed', {
        statistic: 'Maximum',
        period: FIVE_MINUTES,
      }),
      above: 70,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'sms-spending',
      reason: 'SMS have cost 80 % of the monthly spending limit, at which AWS stops sending.',
      firstStep: 'check whether the codes are used. If not, stop the SMS pumping; if so, raise the limit.',
      runbookSection: 'INCIDENTS.md#sms-pumping',
      metric: createAwsMetric(smsNamespace, smsCosts, {}, { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 0.8 * environment.sms.monthlySpendLimitUsd,
      breachingPeriods: 1,
      periods: 1,
    },
  ];
}
