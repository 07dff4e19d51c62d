import { expect, test } from '@jest/globals';
import { FIXED_PRICES, fixedLines, sumOf } from '../../../lib/operator/cost/fixed-sum.ts';
import { environmentNames } from '../../../lib/stacks/environments/environment.ts';
import { readPage, section, tableRows } from '../../pages/support/markdown.ts';
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
  const priced = FIXED_PRICES.map(({ type }) => type);
  const unknown = new Set(types.filter((type) => !BY_USE.test(type) && !priced.includes(type)));
  expect([...unknown]).toEqual([]);
});

/** What an environment may cost in a month without a login, in US dollars. Raise it only with a word in the runbook. */
test.each([
  ['sandbox', 5],
  ['us', 16.25],
  ['us without a web ACL', 9],
] as const)('the fixed sum of %s is under $%i', (name, bound) => {
  const lines = fixedLines(synthesized(name === 'sandbox' ? name : 'us').templates);
  const counted = name.endsWith('web ACL') ? lines.filter(({ what }) => !/web ACL/i.test(what)) : lines;
  expect(sumOf(counted)).toBeLessThan(bound);
});

test('the runbook says the sums, and what each line buys', () => {
  const [sandbox, us] = (['sandbox', 'us'] as const).map((name) => fixedLines(synthesized(name).templates));
  const dollars = (lines: typeof us, wanted: (what: string) => boolean) => {
    const found = lines?.filter(({ what }) => wanted(what)) ?? [];
    return found.length === 0 ? '-' : sumOf(found).toFixed(2);
  };
  const sums = [
    ['Sum', () => true],
    ['Sum without the web ACL', (what: string) => !/web ACL/i.test(what)],
  ] as const;
  expect(tableRows(section(readPage('lib/RUNBOOK.md'), 'What each dollar buys'))).toEqual([
    ...(us ?? []).map(({ what, buys }) => {
      const isIt = (other: string) => other === what;
      return [what, dollars(sandbox, isIt), dollars(us, isIt), buys];
    }),
    ...sums.map(([name, isIn]) => [name, dollars(sandbox, isIn), dollars(us, isIn), '']),
  ]);
});

test('the sizing page begins with the sums', () => {
  const [sandbox, us] = (['sandbox', 'us'] as const).map((name) => fixedLines(synthesized(name).templates));
  const sum = (lines: typeof us = []) => sumOf(lines).toFixed(2);
  expect(tableRows(section(readPage('lib/SIZING.md'), 'A month without a login'))).toEqual([
    ['sandbox', sum(sandbox)],
    ['production', sum(us)],
    ['production without a web ACL', sum(us?.filter(({ what }) => !/web ACL/i.test(what)))],
  ]);
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
