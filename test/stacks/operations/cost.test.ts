import { expect, test } from '@jest/globals';
import { FIXED_PRICE_TYPES, fixedLines, sumOf } from '../../../lib/operator/cost/fixed-sum.ts';
import { environmentNames } from '../../../lib/stacks/environments/environment.ts';
import { synthesized } from '../support/synthesized.ts';

/** Services of which the templates have only what is paid for by use, or not at all. */
const BY_USE =
  /^(?:Custom|AWS::(?:ApiGatewayV2|Backup|CertificateManager|CloudFront|CodeDeploy|DynamoDB|Events|IAM|Lambda|Logs|Route53|S3|SES|SNS|SQS|SSM))::|^AWS::KMS::Alias$/;

test('every resource is paid for by use, or has its price a month', () => {
  const types = environmentNames.flatMap((name) =>
    Object.values(synthesized(name).templates).flatMap(({ Resources }) =>
      Object.values(Resources).map(({ Type }) => Type),
    ),
  );
  const unknown = new Set(types.filter((type) => !BY_USE.test(type) && !FIXED_PRICE_TYPES.includes(type)));
  expect([...unknown]).toEqual([]);
});

test('a sum counts each metric of an alarm, each rule, and dashboards from the fourth', () => {
  const metric = (Id: string) => ({ Id, MetricStat: {} });
  const resources = [
    { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'one' } },
    { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [metric('a'), metric('b'), { Id: 'sum' }] } },
    { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
    { Type: 'AWS::KMS::Key' },
    { Type: 'AWS::IAM::Role' },
    ...Array.from({ length: 4 }, () => ({ Type: 'AWS::CloudWatch::Dashboard' })),
  ];
  const lines = fixedLines({ stack: { Resources: Object.fromEntries(Object.entries(resources)) } });
  expect(lines.map(({ what, count, total }) => [what, count, Number(total.toFixed(2))])).toEqual([
    ['KMS keys', 1, 1],
    ['Metrics that alarms read', 3, 0.3],
    ['Dashboard', 4, 3],
    ['Web ACL', 1, 5],
    ['Rules of the web ACL', 2, 2],
  ]);
  expect(sumOf(lines)).toBeCloseTo(11.3);
});
