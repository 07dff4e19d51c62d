import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import { kmsUse, math, of, own } from './metrics.ts';

export interface Watched {
  readonly environment: Environment;
  readonly apiId: string;
  /** Names of the functions behind function URLs. */
  readonly urlFunctions: readonly string[];
  readonly tables: Readonly<Record<'directory' | 'people' | 'flows', string>>;
  readonly deadLetters: string;
}

export interface AlarmRule {
  readonly name: string;
  /** What it means for whoever is woken, and where to look first. */
  readonly reason: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  /** So many of the last periods… */
  readonly breaching: number;
  /** …of so many. */
  readonly periods: number;
  /** New code that makes it ring is taken back. */
  readonly rollsBack?: true;
}

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);
const DAY = Duration.days(1);
/** An alarm reads ten metrics at most. */
const METRICS_PER_ALARM = 10;

/** Errors that a caller gets, whoever made them. */
function failures({ environment, apiId, urlFunctions }: Watched): readonly AlarmRule[] {
  const [errors, requests] = [own(environment, 'serverErrors'), own(environment, 'requests')];
  const share = 'IF(requests > 20, 100 * FILL(errors, 0) / requests, 0)';
  const chunks = Array.from({ length: Math.ceil(urlFunctions.length / METRICS_PER_ALARM) }, (_, index) =>
    urlFunctions.slice(index * METRICS_PER_ALARM, (index + 1) * METRICS_PER_ALARM),
  );
  return [
    {
      name: 'error-rate',
      reason:
        'More than 1 % of the answers are 500 or more: people cannot log in. Look for level "error" in the logs.',
      metric: math(share, { errors, requests }),
      above: 1,
      breaching: 3,
      periods: 5,
      rollsBack: true,
    },
    {
      name: 'api-failures',
      reason:
        'The HTTP API answers 5xx that no function of ours wrote: crashes, time-outs, missing permissions.',
      metric: of('AWS/ApiGateway', '5xx', { ApiId: apiId }),
      above: 5,
      breaching: 2,
      periods: 3,
      rollsBack: true,
    },
    ...chunks.map(
      (names, index): AlarmRule => ({
        name: `page-failures-${index + 1}`,
        reason: 'Function URLs answer 5xx: opened links or login pages fail. The dashboard tells which.',
        metric: math(
          `FILL(SUM(METRICS()), 0)`,
          Object.fromEntries(
            names.map((FunctionName, metric) => [
              `m${metric}`,
              of('AWS/Lambda', 'Url5xxCount', { FunctionName }),
            ]),
          ),
        ),
        above: 5,
        breaching: 2,
        periods: 3,
        rollsBack: true,
      }),
    ),
    {
      name: 'slow',
      reason:
        'One answer in a hundred takes longer than 3 s. Look at the round trips in the traces, then at AWS itself.',
      metric: own(environment, 'duration', { statistic: 'p99' }),
      above: 3000,
      breaching: 4,
      periods: 5,
      rollsBack: true,
    },
  ];
}

/** What has an end: concurrency, quotas, throughput, money. */
function limits({ environment, tables }: Watched): readonly AlarmRule[] {
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
      name: 'sms-spending',
      reason:
        'SMS have cost 80 % of what the environment reckons with in a month. Somebody may be pumping them: look at the share that is verified, by country.',
      metric: of('AWS/SNS', 'SMSMonthToDateSpentUSD', {}, { statistic: 'Maximum', period: FIVE_MINUTES }),
      above: 0.8 * environment.smsBudgetUsd,
      breaching: 1,
      periods: 1,
    },
  ];
}

/** Somebody tries something. */
function attacks({ environment }: Watched): readonly AlarmRule[] {
  const verifiedShare = (channel: 'email' | 'sms'): AlarmRule => ({
    name: `${channel}-not-verified`,
    reason: `Less than 20 % of what is sent by ${channel} is used. Either it does not arrive, or somebody sends it to people who want nothing.`,
    metric: math(
      'IF(FILL(sends, 0) > 50, 100 * FILL(verifications, 0) / sends, 100)',
      {
        sends: own(environment, 'sends', { channel, period: QUARTER }),
        verifications: own(environment, 'verifications', { channel, period: QUARTER }),
      },
      QUARTER,
    ),
    below: 20,
    breaching: 2,
    periods: 3,
  });
  return [
    {
      name: 'lockouts',
      reason:
        'More than 50 tries a minute meet a lock: somebody guesses passcodes of many people. The log tells from where.',
      metric: own(environment, 'lockouts'),
      above: 50,
      breaching: 3,
      periods: 5,
    },
    verifiedShare('sms'),
    verifiedShare('email'),
    {
      name: 'edge-bypassed',
      reason:
        'Requests come around the edge; they are refused. Their number costs: find out how the address became known.',
      metric: own(environment, 'edgeBypasses', { period: FIVE_MINUTES }),
      above: 100,
      breaching: 2,
      periods: 3,
    },
  ];
}

/** What goes on after an answer: mail, bounces, and the broom. */
function afterwards({ environment, tables, deadLetters }: Watched): readonly AlarmRule[] {
  const flows = { TableName: tables.flows };
  const reputation = (metric: string) =>
    of('AWS/SES', `Reputation.${metric}`, {}, { statistic: 'Average', period: QUARTER });
  return [
    {
      name: 'delivery-refused',
      reason:
        'SES or SNS refuses messages: a sandbox, a paused account, an unverified sender, a spending limit.',
      metric: own(environment, 'deliveryRefusals', { period: FIVE_MINUTES }),
      above: 5,
      breaching: 2,
      periods: 3,
    },
    {
      name: 'bounces',
      reason: 'More than 4 % of the mails come back; at 5 % AWS looks into it, at 10 % it stops the account.',
      metric: reputation('BounceRate'),
      above: 0.04,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'complaints',
      reason:
        'More than 0.08 % of the mails are called spam; at 0.1 % AWS looks into it, at 0.5 % it stops the account.',
      metric: reputation('ComplaintRate'),
      above: 0.0008,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'dead-letters',
      reason: 'A bounce or complaint could not be noted. The queue keeps it for 14 days.',
      metric: of(
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        { QueueName: deadLetters },
        { statistic: 'Maximum', period: FIVE_MINUTES },
      ),
      above: 0,
      breaching: 1,
      periods: 1,
    },
    {
      name: 'nothing-swept',
      reason:
        'flows is written to, and for a day DynamoDB has deleted nothing of what is over: expiry is checked by itself, but the table grows.',
      metric: math(
        'IF(FILL(writes, 0) > 10000 AND FILL(deleted, 0) < 1, 1, 0)',
        {
          writes: of('AWS/DynamoDB', 'ConsumedWriteCapacityUnits', flows, { period: DAY }),
          deleted: of('AWS/DynamoDB', 'TimeToLiveDeletedItemCount', flows, { period: DAY }),
        },
        DAY,
      ),
      above: 0,
      // Something must be over before it can be deleted, and the broom may take two days.
      breaching: 4,
      periods: 4,
    },
  ];
}

/** What wakes somebody, each with what it means. */
export const alarmRules = (watched: Watched): readonly AlarmRule[] => [
  ...failures(watched),
  ...limits(watched),
  ...attacks(watched),
  ...afterwards(watched),
];
