import { Dashboard, GraphWidget, type IMetric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { toNamePrefix, toOrigin } from '../environments/environment.ts';
import type { AlarmContext } from './alarm-rule.ts';
import { createAwsMetric, createMetricExpression, createServiceMetric, kmsUse } from './metrics.ts';

const WIDTH = 8;
const FULL_WIDTH = 24;

/** Adds the dashboard, which shows requests, errors and durations first, then messages and limits. */
export function addDashboard(scope: Construct, watched: AlarmContext): void {
  const { environment, urlFunctions, tables } = watched;
  const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: WIDTH });
  const percentiles = ['p50', 'p90', 'p99'].map((statistic) =>
    createServiceMetric(environment, 'duration', { statistic }),
  );
  const perTable = (metric: string) =>
    Object.values(tables).map((TableName) => createAwsMetric('AWS/DynamoDB', metric, { TableName }));
  new Dashboard(scope, 'Dashboard', {
    dashboardName: toNamePrefix(environment),
    widgets: [
      [
        new TextWidget({
          markdown: `# One-Time Login, ${environment.name}: ${toOrigin(environment)}`,
          width: FULL_WIDTH,
          height: 1,
        }),
      ],
      [
        graph(
          'Requests and failures',
          createServiceMetric(environment, 'requests'),
          createServiceMetric(environment, 'serverErrors'),
          createServiceMetric(environment, 'unusableKeys'),
          createServiceMetric(environment, 'authentications'),
          createServiceMetric(environment, 'promiseBreaks'),
          createServiceMetric(environment, 'syntheticLogins'),
        ),
        graph('Response time in milliseconds', ...percentiles),
        graph(
          'Refused by limits and locks',
          createServiceMetric(environment, 'rateLimited'),
          createServiceMetric(environment, 'lockouts'),
        ),
      ],
      [
        graph(
          'Mails: sent, used, refused',
          createServiceMetric(environment, 'sends', { channel: 'email' }),
          createServiceMetric(environment, 'verifications', { channel: 'email' }),
          createServiceMetric(environment, 'deliveryRefusals', { channel: 'email' }),
        ),
        graph(
          'SMS: sent, used, refused by SNS, parts, refused by limits',
          createServiceMetric(environment, 'sends', { channel: 'sms' }),
          createServiceMetric(environment, 'verifications', { channel: 'sms' }),
          createServiceMetric(environment, 'deliveryRefusals', { channel: 'sms' }),
          createServiceMetric(environment, 'smsParts'),
          createServiceMetric(environment, 'smsRefusals'),
        ),
        graph(
          'Requests that bypass CloudFront; use of the mail quota and of the most used SMS budget in percent',
          createServiceMetric(environment, 'edgeBypasses'),
          createServiceMetric(environment, 'mailQuotaUsed', { statistic: 'Maximum' }),
          createServiceMetric(environment, 'smsBudgetUsed', { statistic: 'Maximum' }),
        ),
      ],
      [
        graph(
          'KMS, percentage of the quota',
          kmsUse('Rsa'),
          ...(environment.es256 ? [kmsUse('Ecc')] : []),
          kmsUse('Symmetric'),
        ),
        graph(
          'Lambda',
          createAwsMetric('AWS/Lambda', 'Throttles'),
          createAwsMetric('AWS/Lambda', 'ConcurrentExecutions', {}, { statistic: 'Maximum' }),
        ),
        // The API is created later, so the graph searches the metrics of all APIs in the region.
        graph(
          'HTTP API',
          createMetricExpression(`SEARCH('{AWS/ApiGateway,ApiId} MetricName=("4xx" OR "5xx")', 'Sum')`, {}),
        ),
      ],
      [
        graph(
          'Failed pages',
          ...urlFunctions.map((FunctionName) =>
            createAwsMetric('AWS/Lambda', 'Url5xxCount', { FunctionName }),
          ),
        ),
        graph('Tables: reads', ...perTable('ConsumedReadCapacityUnits')),
        graph(
          'Tables: writes and expired items',
          ...perTable('ConsumedWriteCapacityUnits'),
          createAwsMetric('AWS/DynamoDB', 'TimeToLiveDeletedItemCount', { TableName: tables.flows }),
        ),
      ],
    ],
  });
}
