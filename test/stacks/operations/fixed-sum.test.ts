import { expect, test } from '@jest/globals';
import { FIXED_PRICES, fixedLines, sumTotals } from '../../../lib/operator/preflight/fixed-sum.ts';
import { buildPlan, synthesizeTemplates } from '../../../lib/operator/preflight/plan.ts';
import { environments } from '../../../lib/stacks/environments/environments.ts';
import { readPage, section, tableRows } from '../../pages/support/markdown.ts';
import { type SwitchName, switches } from '../support/switches.ts';
import type { SynthesizeOptions } from '../support/synthesize.ts';
import { switchedTemplates, synthesized } from '../support/synthesized.ts';
import { environmentsInRun } from '../support/variants.ts';

/** Pattern of the resource types that are billed by use or not at all. */
const BY_USE =
  /^(?:Custom|AWS::(?:ApiGatewayV2|Backup|CertificateManager|CloudFront|CodeDeploy|DynamoDB|Events|IAM|Lambda|Logs|Route53|S3|SES|SNS|SQS|SSM))::|^AWS::KMS::Alias$/;

const isWebAcl = (what: string) => /web ACL/i.test(what);

test('every type of AWS resource in the stacks is billed by use or has a known monthly price', () => {
  const types = environmentsInRun.flatMap((name) =>
    Object.values(synthesized(name).templates).flatMap(({ Resources }) =>
      Object.values(Resources).map(({ Type }) => Type),
    ),
  );
  const priced = FIXED_PRICES.map(({ type }) => type);
  expect([...new Set(types)].filter((type) => !BY_USE.test(type) && !priced.includes(type))).toEqual([]);
});

// Maximum costs in US dollars per month. Raise a maximum only if lib/SIZING.md explains the reason.
test.each([
  ['sandbox', 5],
  ['us', 17.75],
  ['us without a web ACL', 9.75],
] as const)('without any logins, the environment %s costs less than $%d per month', (name, bound) => {
  const lines = fixedLines(synthesized(name === 'sandbox' ? name : 'us').templates);
  const counted = name.endsWith('web ACL') ? lines.filter(({ what }) => !isWebAcl(what)) : lines;
  expect(sumTotals(counted)).toBeLessThan(bound);
});

test('the page on sizing contains the monthly costs that this test calculates', () => {
  const [sandbox, us] = (['sandbox', 'us'] as const).map((name) => fixedLines(synthesized(name).templates));
  const dollars = (lines: typeof us, wanted: (what: string) => boolean) => {
    const found = lines?.filter(({ what }) => wanted(what)) ?? [];
    return found.length === 0 ? '-' : sumTotals(found).toFixed(2);
  };
  const row = (name: string, wanted: (what: string) => boolean) => [
    name,
    dollars(sandbox, wanted),
    dollars(us, wanted),
  ];
  const rows = tableRows(section(readPage('lib/SIZING.md'), 'What each dollar buys'));
  expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
    ...(us ?? []).map(({ what }) => row(what, (other) => other === what)),
    row('Sum', () => true),
    [
      'Sum without the web ACL and its alarm',
      sumTotals(sandbox ?? []).toFixed(2),
      sumTotals(fixedLines(switchedTemplates('OTL_WEB_ACL'))).toFixed(2),
    ],
  ]);
});

test('a setting changes the monthly costs only if it adds or removes a key, an alarm or the web ACL', () => {
  const sum = (templates: Parameters<typeof fixedLines>[0]) => sumTotals(fixedLines(templates));
  const usual = sum(switchedTemplates('unchanged'));
  const changes = (Object.keys(switches) as SwitchName[]).map(
    (name) => [name, Number((sum(switchedTemplates(name)) - usual).toFixed(2))] as const,
  );
  expect(changes.filter(([, change]) => change !== 0)).toEqual([
    // The key of the mode `kms-envelope`.
    ['signingModes', 1],
    ['OTL_ES256', 0.1],
    ['OTL_SYNTHETIC_LOGIN', 0.1],
    // The web ACL, its three rules and its alarm.
    ['OTL_WEB_ACL', -8.2],
  ]);
});

test('the deployment plan includes the price of the synthetic login, which requires an environment with alarms', () => {
  const [sandbox] = environments('sandbox', {});
  if (!sandbox) throw new Error('There is no sandbox.');
  const sum = (environment: typeof sandbox) =>
    buildPlan(environment, synthesized('sandbox').templates).at(-1)?.usd_a_month ?? 0;
  expect(sum({ ...sandbox, syntheticLogin: true }) - sum(sandbox)).toBeCloseTo(1.1);
  expect(() => synthesizeTemplates({ ...sandbox, syntheticLogin: true })).toThrow('needs alarms');
});

test('the deployment plan has a line for each setting that AWS bills by use, and the page on sizing names it', () => {
  const listLines = (name?: SwitchName) => {
    const { env = {}, change = {} }: SynthesizeOptions = name ? switches[name] : {};
    const [eu] = environments('eu', env);
    if (!eu) throw new Error('There is no environment eu.');
    return buildPlan({ ...eu, ...change }, {}).filter(({ billed_by_use }) => billed_by_use);
  };
  expect(listLines()).toEqual([]);
  const [, text = ''] = /- \*\*Settings billed by use:\*\*([^*]+)/.exec(readPage('lib/SIZING.md')) ?? [];
  const onPage = [...text.matchAll(/`(OTL_\w+)_EU\b/g)].map(([, name]) => name);
  const billed = (Object.keys(switches) as SwitchName[]).filter((name) => listLines(name).length === 1);
  expect(billed).toEqual(onPage.toSorted());
  expect(billed.length).toBeGreaterThan(0);
});

test('the monthly costs include each alarm metric and each web ACL rule', () => {
  const metric = (Id: string) => ({ Id, MetricStat: {} });
  const resources = [
    { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'one' } },
    { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [metric('a'), metric('b'), { Id: 'sum' }] } },
    {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: { Metrics: [metric('a'), { Id: 'band', Expression: 'ANOMALY_DETECTION_BAND(a, 3)' }] },
    },
    { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
    { Type: 'AWS::IAM::Role' },
  ];
  const lines = fixedLines({ stack: { Resources: Object.fromEntries(Object.entries(resources)) } });
  expect(lines.map(({ what, count, total }) => [what, count, Number(total.toFixed(2))])).toEqual([
    ['Metrics that alarms read', 6, 0.6],
    ['Web ACL', 1, 5],
    ['Rules of the web ACL', 2, 2],
  ]);
});
