import type { AlarmRule, Watched } from './alarm-rule.ts';
import { math, of, own } from './metrics.ts';

/** An alarm reads ten metrics at most. */
const METRICS_PER_ALARM = 10;

export const API_FAILURES = 'api-failures';

/** The alarm of the HTTP API, which is made after the functions that it rolls back. */
export const apiFailures = (apiId: string): AlarmRule => ({
  name: API_FAILURES,
  reason: 'The HTTP API answers 5xx that no function of ours wrote: crashes, time-outs, missing permissions.',
  metric: of('AWS/ApiGateway', '5xx', { ApiId: apiId }),
  above: 5,
  breaching: 2,
  periods: 3,
  rollsBack: true,
});

/** Errors that a caller gets, from the functions or from AWS. */
export function failures({ environment, urlFunctions }: Watched): readonly AlarmRule[] {
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
