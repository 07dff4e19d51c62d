import { Duration } from 'aws-cdk-lib';
import type { AlarmRule, Watched } from './alarm-rule.ts';
import { math, of, own } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);
const DAY = Duration.days(1);

/** Alarms of background work: delivery, bounces, TTL cleanup, dead letters. */
export function backgroundWork({ environment, tables, deadLetters }: Watched): readonly AlarmRule[] {
  const flows = { TableName: tables.flows };
  const reputation = (metric: string) =>
    of('AWS/SES', `Reputation.${metric}`, {}, { statistic: 'Average', period: QUARTER });
  return [
    {
      name: 'delivery-refused',
      reason:
        'SES or SNS refuses messages: a sandbox, a paused account, an unverified sender, a spending limit.',
      first: 'run otl doctor: it asks SES and SNS what they would say.',
      step: 'INCIDENTS.md#messages-do-not-arrive',
      metric: own(environment, 'deliveryRefusals', { period: FIVE_MINUTES }),
      above: 5,
      breaching: 2,
      periods: 3,
    },
    {
      name: 'bounces',
      reason: 'More than 4 % of the mails come back; at 5 % AWS looks into it, at 10 % it stops the account.',
      first: 'find the client that sends to addresses that are not there, and narrow it.',
      step: 'INCIDENTS.md#mail-comes-back',
      metric: reputation('BounceRate'),
      above: 0.04,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'complaints',
      reason:
        'More than 0.08 % of the mails are called spam; at 0.1 % AWS looks into it, at 0.5 % it stops the account.',
      first: 'find the client that sends to people who did not ask, and narrow it.',
      step: 'INCIDENTS.md#mail-comes-back',
      metric: reputation('ComplaintRate'),
      above: 0.0008,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'dead-letters',
      reason:
        'What became of a message, or an event for others, could not be handled. Its queue keeps it for 14 days.',
      first: 'nothing is lost tonight: see which of the three queues it is, and the log of its function.',
      step: 'INCIDENTS.md#dead-letters',
      metric: math(
        'FILL(SUM(METRICS()), 0)',
        Object.fromEntries(
          deadLetters.map((QueueName, index) => [
            `m${index}`,
            of('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, { statistic: 'Maximum' }),
          ]),
        ),
      ),
      above: 0,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'nothing-swept',
      reason:
        'flows is written to, and for a day DynamoDB has deleted nothing of what is over: expiry is checked by itself, but the table grows.',
      first: 'run otl doctor: it says whether the table has lost its TTL.',
      step: 'INCIDENTS.md#nothing-expires',
      metric: math(
        'IF(FILL(writes, 0) > 10000 AND FILL(deleted, 0) < 1, 1, 0)',
        {
          writes: of('AWS/DynamoDB', 'ConsumedWriteCapacityUnits', flows, { period: DAY }),
          deleted: of('AWS/DynamoDB', 'TimeToLiveDeletedItemCount', flows, { period: DAY }),
        },
        DAY,
      ),
      above: 0,
      // Items expire before they are deleted, and TTL may take two days.
      breaching: 4,
      periods: 4,
    },
  ];
}
