import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  CHANNEL_DIMENSION,
  ENVIRONMENT_DIMENSION,
  METRIC_NAMESPACE,
  metrics as ours,
} from '../../../shared/http/metrics.ts';
import type { PasscodeChannel } from '../../../shared/records/channels.ts';
import type { Environment } from '../environments/environment.ts';

type Ours = keyof typeof ours;

interface Of {
  readonly statistic?: string;
  readonly period?: Duration;
}

const MINUTE = Duration.minutes(1);

/** Returns a metric of this environment that our functions publish with their log lines, by default the sum for each minute. */
export function createServiceMetric(
  { name }: Environment,
  metric: Ours,
  { channel, statistic = 'Sum', period = MINUTE }: Of & { readonly channel?: PasscodeChannel } = {},
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: ours[metric].name,
    dimensionsMap: {
      [ENVIRONMENT_DIMENSION]: name,
      ...(channel === undefined ? {} : { [CHANNEL_DIMENSION]: channel }),
    },
    statistic,
    period,
  });
}

/** Returns a metric from the namespace of an AWS service, by default the sum for each minute. */
export const createAwsMetric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string> = {},
  { statistic = 'Sum', period = MINUTE }: Of = {},
): Metric => new Metric({ namespace, metricName, dimensionsMap, statistic, period });

export const createMetricExpression = (
  expression: string,
  usingMetrics: Record<string, IMetric>,
  period = MINUTE,
) => new MathExpression({ expression, usingMetrics, period });

/** Returns the percentage of a KMS request quota that is used. The quota is the account's current value in Service Quotas. */
export function kmsUse(kind: 'Rsa' | 'Ecc' | 'Symmetric') {
  const calls = createAwsMetric('AWS/Usage', 'CallCount', {
    Service: 'KMS',
    Type: 'API',
    Resource: `CryptographicOperations${kind}`,
    Class: 'None',
  });
  // The ID must be unique, because one graph may contain several of these expressions.
  const id = `calls${kind}`;
  return createMetricExpression(`100 * (${id} / PERIOD(${id})) / SERVICE_QUOTA(${id})`, { [id]: calls });
}
