import { Dashboard, GraphWidget, type IMetric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { originOf, prefixOf } from '../environments/environment.ts';
import type { Watched } from './alarm-rule.ts';
import { kmsUse, math, of, own } from './metrics.ts';

const WIDTH = 8;
const FULL_WIDTH = 24;

/** Adds the dashboard: first requests, errors and durations, then messages and limits. */
export function addDashboard(scope: Construct, watched: Watched): void {
  const { environment, urlFunctions, tables } = watched;
  const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: WIDTH });
  const percentiles = ['p50', 'p90', 'p99'].map((statistic) => own(environment, 'duration', { statistic }));
  const perTable = (metric: string) =>
    Object.values(tables).map((TableName) => of('AWS/DynamoDB', metric, { TableName }));
  new Dashboard(scope, 'Dashboard', {
    dashboardName: prefixOf(environment),
    widgets: [
      [
        new TextWidget({
          markdown: `# One-Time Login, ${environment.name}: ${originOf(environment)}`,
          width: FULL_WIDTH,
          height: 1,
        }),
      ],
      [
        graph('Requests and failures', own(environment, 'requests'), own(environment, 'serverErrors')),
        graph('Response time in milliseconds', ...percentiles),
        graph('Refused by limits and locks', own(environment, 'rateLimited'), own(environment, 'lockouts')),
      ],
      [
        graph(
          'Mails: sent, used, refused',
          own(environment, 'sends', { channel: 'email' }),
          own(environment, 'verifications', { channel: 'email' }),
          own(environment, 'deliveryRefusals', { channel: 'email' }),
        ),
        graph(
          'SMS: sent, used, refused by SNS, parts, refused by limits',
          own(environment, 'sends', { channel: 'sms' }),
          own(environment, 'verifications', { channel: 'sms' }),
          own(environment, 'deliveryRefusals', { channel: 'sms' }),
          own(environment, 'smsParts'),
          own(environment, 'smsRefusals'),
        ),
        graph(
          'Requests that bypass CloudFront; highest use of an SMS budget in percent',
          own(environment, 'edgeBypasses'),
          own(environment, 'smsBudgetUsed', { statistic: 'Maximum' }),
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
          of('AWS/Lambda', 'Throttles'),
          of('AWS/Lambda', 'ConcurrentExecutions', {}, { statistic: 'Maximum' }),
        ),
        // The API is created later, so the graph searches for all APIs of the region.
        graph('HTTP API', math(`SEARCH('{AWS/ApiGateway,ApiId} MetricName=("4xx" OR "5xx")', 'Sum')`, {})),
      ],
      [
        graph(
          'Failed pages',
          ...urlFunctions.map((FunctionName) => of('AWS/Lambda', 'Url5xxCount', { FunctionName })),
        ),
        graph('Tables: reads', ...perTable('ConsumedReadCapacityUnits')),
        graph(
          'Tables: writes and expired items',
          ...perTable('ConsumedWriteCapacityUnits'),
          of('AWS/DynamoDB', 'TimeToLiveDeletedItemCount', { TableName: tables.flows }),
        ),
      ],
    ],
  });
}
