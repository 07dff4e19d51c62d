import { Duration } from 'aws-cdk-lib';
import type { Environment } from '../environments/environment.ts';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { createAwsMetric, createMetricExpression, createServiceMetric } from './metrics.ts';

const step = 'INCIDENTS.md#logins-fail';

/** Advice for a KMS key that stopped working. */
export const UNUSABLE_KEY = {
  firstStep:
    'run otl doctor, which names the keys that are disabled. Then run aws kms enable-key, or for a key that is pending deletion first aws kms cancel-key-deletion.',
  runbookSection: 'INCIDENTS.md#a-kms-key-is-unusable',
} as const;

export const API_FAILURES = 'api-failures';

/**
 * Returns the alarm for errors of the HTTP API, which rolls back deployments of functions. The alarm is created together with
 * the API, after the functions.
 */
export const apiFailures = (apiId: string): AlarmRule => ({
  name: API_FAILURES,
  reason:
    'The HTTP API responds with 5xx. This includes responses that AWS sends instead of our functions: crashes, timeouts, missing permissions.',
  firstStep: 'look in its access log for the routes that fail and for integrationError.',
  runbookSection: step,
  metric: createAwsMetric('AWS/ApiGateway', '5xx', { ApiId: apiId }),
  above: 5,
  breachingPeriods: 2,
  periods: 3,
  rollsBack: true,
});

/** Percentage of authentications that may be slow or fail. The service promises 99.95 % (test/ASSURANCE.md). */
const PROMISE_BUDGET = 0.05;

/**
 * Returns the alarm for authentications that are slow or fail so often that the error budget for 30 days will soon be used up
 * ("Alerting on SLOs", Google SRE Workbook).
 * @param burnRate ratio of the measured rate to the rate that uses up the error budget in exactly 30 days
 */
const promiseBurning = (
  environment: Environment,
  { name, hours, burnRate, used }: { name: string; hours: number; burnRate: number; used: string },
): AlarmRule => {
  const period = Duration.hours(hours);
  const [breaks, all] = (['promiseBreaks', 'authentications'] as const).map((metric) =>
    createServiceMetric(environment, metric, { period }),
  );
  return {
    name,
    reason: `More than ${(burnRate * PROMISE_BUDGET).toFixed(2)} % of the authentications of ${hours} hours took longer than 2 s or failed without a 503. That is ${used} of what the promise allows in 30 days.`,
    firstStep: 'find the operation that fails or is slow in the log, and the AWS call that makes it so.',
    runbookSection: 'INCIDENTS.md#logins-are-slow-or-refused',
    // A single slow authentication at night is no incident.
    metric: createMetricExpression(
      'IF(FILL(breaks, 0) > 4, 100 * breaks / all, 0)',
      { ...(breaks && { breaks }), ...(all && { all }) },
      period,
    ),
    above: burnRate * PROMISE_BUDGET,
    breachingPeriods: 1,
    periods: 1,
  };
};

/** Returns the alarm for a synthetic user who cannot log in through the public host. */
const syntheticLogin = (environment: Environment): AlarmRule => ({
  name: 'synthetic-login',
  reason:
    'For 15 minutes the synthetic user could not log in through the public host, or the function watch did not run.',
  firstStep:
    'look in the log of otl-<environment>-watch at the field result, which names the request that failed.',
  runbookSection: 'INCIDENTS.md#no-requests-arrive',
  metric: createServiceMetric(environment, 'syntheticLogins', {
    statistic: 'Maximum',
    period: Duration.minutes(5),
  }),
  below: 1,
  breachingPeriods: 3,
  periods: 3,
  withoutData: 'trigger',
});

/** Returns the alarms for errors that callers receive, from the functions or from AWS. */
export function failures({ environment }: AlarmContext): readonly AlarmRule[] {
  const [errors, requests] = [
    createServiceMetric(environment, 'serverErrors'),
    createServiceMetric(environment, 'requests'),
  ];
  return [
    {
      name: 'error-rate',
      reason: 'More than 1 % of the responses have a status of 500 or above: users cannot log in.',
      firstStep: 'if a deployment is in progress or has just ended, roll back to the previous version.',
      runbookSection: step,
      metric: createMetricExpression('IF(requests > 20, 100 * FILL(errors, 0) / requests, 0)', {
        errors,
        requests,
      }),
      above: 1,
      breachingPeriods: 3,
      periods: 5,
      rollsBack: true,
    },
    {
      name: 'function-failures',
      reason: 'Functions crash, time out or respond with 500: links, login pages or background work fail.',
      firstStep: 'look in the log for the function that fails and its error.',
      runbookSection: step,
      // The metric covers all functions of the region, because one alarm cannot read a separate metric for each function.
      metric: createMetricExpression('FILL(crashed, 0) + FILL(answered, 0)', {
        crashed: createAwsMetric('AWS/Lambda', 'Errors'),
        answered: errors,
      }),
      above: 5,
      breachingPeriods: 2,
      periods: 3,
      rollsBack: true,
    },
    promiseBurning(environment, { name: 'promise-fast-burn', hours: 1, burnRate: 14.4, used: '2 %' }),
    promiseBurning(environment, { name: 'promise-slow-burn', hours: 6, burnRate: 6, used: '5 %' }),
    ...(environment.syntheticLogin ? [syntheticLogin(environment)] : []),
    {
      name: 'no-requests',
      reason:
        'For 30 minutes far fewer requests have arrived than usual at this hour and weekday, or none. Users may not reach the service.',
      firstStep: 'open the login page yourself, and look at the DNS records of the host.',
      runbookSection: 'INCIDENTS.md#no-requests-arrive',
      metric: createServiceMetric(environment, 'requests', { period: Duration.minutes(15) }),
      deviationsBelow: 3,
      breachingPeriods: 2,
      periods: 2,
    },
    {
      name: 'key-unusable',
      reason:
        'Requests fail with 503, because a KMS key is disabled or pending deletion. After seven days DynamoDB archives the tables.',
      ...UNUSABLE_KEY,
      metric: createServiceMetric(environment, 'unusableKeys'),
      above: 0,
      breachingPeriods: 1,
      periods: 1,
    },
    {
      name: 'slow',
      reason: 'One response in a hundred takes longer than 3 s.',
      firstStep: 'look at the AWS health page for KMS, DynamoDB, SES and SNS in the region.',
      runbookSection: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: createServiceMetric(environment, 'duration', { statistic: 'p99' }),
      above: 3000,
      breachingPeriods: 4,
      periods: 5,
      rollsBack: true,
    },
  ];
}
