import { Duration } from 'aws-cdk-lib';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { createAwsMetric, createMetricExpression, createServiceMetric } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);
const DAY = Duration.days(1);

/** Returns the alarms for background work: delivery, bounces, TTL deletion and dead letters. */
export function backgroundWork({ environment, tables, deadLetters }: AlarmContext): readonly AlarmRule[] {
  const flows = { TableName: tables.flows };
  const reputation = (metric: string) =>
    createAwsMetric('AWS/SES', `Reputation.${metric}`, {}, { statistic: 'Average', period: QUARTER });
  return [
    {
      name: 'delivery-refused',
      reason:
        'SES or SNS rejects messages. Causes are a sandbox, a paused account, an unverified sender or a spending limit.',
      firstStep: 'run otl doctor, which asks SES and SNS for the cause.',
      runbookSection: 'INCIDENTS.md#messages-do-not-arrive',
      metric: createServiceMetric(environment, 'deliveryRefusals', { period: FIVE_MINUTES }),
      above: 5,
      breachingPeriods: 2,
      periods: 3,
    },
    {
      name: 'bounces',
      reason: 'More than 4 % of the mails bounce. At 5 % AWS reviews the account, at 10 % it pauses sending.',
      firstStep: 'find the client that sends to addresses that do not exist, and limit it.',
      runbookSection: 'INCIDENTS.md#mail-comes-back',
      metric: reputation('BounceRate'),
      above: 0.04,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'complaints',
      reason:
        'More than 0.08 % of the mails are reported as spam. At 0.1 % AWS reviews the account, at 0.5 % it pauses sending.',
      firstStep: 'find the client that sends to people who did not ask, and limit it.',
      runbookSection: 'INCIDENTS.md#mail-comes-back',
      metric: reputation('ComplaintRate'),
      above: 0.0008,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'dead-letters',
      reason:
        'A delivery report or an event could not be handled. Its dead-letter queue keeps it for 14 days.',
      firstStep:
        'nothing is lost tonight. Find out which of the three queues it is, and look at the log of its function.',
      runbookSection: 'INCIDENTS.md#dead-letters',
      metric: createMetricExpression(
        'FILL(SUM(METRICS()), 0)',
        Object.fromEntries(
          deadLetters.map((QueueName, index) => [
            `m${index}`,
            createAwsMetric(
              'AWS/SQS',
              'ApproximateNumberOfMessagesVisible',
              { QueueName },
              { statistic: 'Maximum' },
            ),
          ]),
        ),
      ),
      above: 0,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'nothing-swept',
      reason:
        'The table flows is written to, but DynamoDB has deleted no expired items for a day. Expiry is checked independently, but the table grows.',
      firstStep: 'run otl doctor, which says whether the table has lost its TTL.',
      runbookSection: 'INCIDENTS.md#nothing-expires',
      metric: createMetricExpression(
        'IF(FILL(writes, 0) > 10000 AND FILL(deleted, 0) < 1, 1, 0)',
        {
          writes: createAwsMetric('AWS/DynamoDB', 'ConsumedWriteCapacityUnits', flows, { period: DAY }),
          deleted: createAwsMetric('AWS/DynamoDB', 'TimeToLiveDeletedItemCount', flows, { period: DAY }),
        },
        DAY,
      ),
      above: 0,
      // DynamoDB may take two days to delete expired items.
      breachingPeriods: 4,
      periods: 4,
    },
  ];
}
