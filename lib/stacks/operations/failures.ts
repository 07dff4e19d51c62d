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
      // This metric covers all functions of the region, because one alarm cannot read a separate metric for each function.
      metric: createMetricExpression('FILL(crashed, 0) + FILL(answered, 0)', {
        crashed: createAwsMetric('AWS/Lambda', 'Errors'),
        answered: errors,
      }),
      above: 5,
      breachingPeriods: 2,
      periods: 3,
      rollsBack: true,
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
