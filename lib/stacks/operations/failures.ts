import type { AlarmRule, Watched } from './alarm-rule.ts';
import { math, of, own } from './metrics.ts';

const step = 'INCIDENTS.md#logins-fail';

export const API_FAILURES = 'api-failures';

/** The alarm of the HTTP API, which is made after the functions that it rolls back. */
export const apiFailures = (apiId: string): AlarmRule => ({
  name: API_FAILURES,
  reason:
    'The HTTP API answers 5xx, also those that no function of ours wrote: crashes, time-outs, missing permissions.',
  first: 'see in its access log which routes fail, and integrationError.',
  step,
  metric: of('AWS/ApiGateway', '5xx', { ApiId: apiId }),
  above: 5,
  breaching: 2,
  periods: 3,
  rollsBack: true,
});

/** Errors that a caller gets, from the functions or from AWS. */
export function failures({ environment }: Watched): readonly AlarmRule[] {
  const [errors, requests] = [own(environment, 'serverErrors'), own(environment, 'requests')];
  return [
    {
      name: 'error-rate',
      reason: 'More than 1 % of the answers are 500 or more: people cannot log in.',
      first: 'if a deployment is under way or just done, go back to the version before.',
      step,
      metric: math('IF(requests > 20, 100 * FILL(errors, 0) / requests, 0)', { errors, requests }),
      above: 1,
      breaching: 3,
      periods: 5,
      rollsBack: true,
    },
    {
      name: 'function-failures',
      reason: 'Functions crash, time out or answer 500: links, login pages or work in the background fail.',
      first: 'see in the log which function fails, and with which error.',
      step,
      // All functions of the region: one metric, where each function has its own.
      metric: math('FILL(crashed, 0) + FILL(answered, 0)', {
        crashed: of('AWS/Lambda', 'Errors'),
        answered: errors,
      }),
      above: 5,
      breaching: 2,
      periods: 3,
      rollsBack: true,
    },
    {
      name: 'slow',
      reason: 'One answer in a hundred takes longer than 3 s.',
      first: 'look at the health page of AWS for KMS, DynamoDB, SES and SNS of the region.',
      step: 'INCIDENTS.md#logins-are-slow-or-refused',
      metric: own(environment, 'duration', { statistic: 'p99' }),
      above: 3000,
      breaching: 4,
      periods: 5,
      rollsBack: true,
    },
  ];
}
