import { isDeepStrictEqual } from 'node:util';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, test } from '@jest/globals';
import { readPage } from '../pages/support/markdown.ts';
import { type SwitchName, switches, table } from './support/switches.ts';
import { type Resource, type StackTemplate, synthesize } from './support/synthesize.ts';
import { switchedTemplates } from './support/synthesized.ts';

type Templates = Readonly<Record<string, StackTemplate>>;

const unchanged = switchedTemplates('unchanged');

/** Patterns of resources (`<type> <stack> <logical ID>`) that a deployment may remove while the service runs. */
const UNNEEDED = [
  /^AWS::CloudWatch::Alarm /,
  /^AWS::SNS::Subscription /,
  /^AWS::CodeDeploy::/,
  /^AWS::IAM::Role \S+ CanaryRole/,
  // AWS does not delete certificates and web ACLs that CloudFront uses. They have no fixed name that could block a replacement.
  /^AWS::CertificateManager::Certificate /,
  /^AWS::WAFv2::WebACL /,
  // Only messages to a sender function need this policy. If it is removed too early, a last message fails with 503.
  /^AWS::IAM::ManagedPolicy \S+ UsesWebhookMac\w+$/,
  // The documentation of the deployment says that the console is unavailable while its API is removed.
  / otl-eu-routes Console(?:Api|Stage|Invoke)\w*$/,
  /^AWS::ApiGatewayV2::(?:Route|Integration) otl-eu-routes \w*console\w*$/,
  // The documentation of the deployment says that a zone that is no longer set loses the DNS records of the console.
  /^AWS::Route53::RecordSet otl-eu-console-edge /,
  // The selection of the tables that AWS Backup copies every night. No route needs the selection.
  /^AWS::Backup::BackupSelection /,
  // Without a pool, no message is sent whose delivery report this rule could carry. No route needs the rule.
  / otl-eu-mail-events TextOutcomes\w+$/,
  // The runbook removes a signing mode only if no signing key uses the mode, which `otl doctor` checks.
  / EnvelopeKeyAlias\w+$/,
  / UsesSignerEnvelope\w+$/,
];

const spec = loadAwsServiceSpecSync();

/** Returns true if CloudFormation replaces the resource, which gives it another ARN or URL. */
function isReplaced(before: Resource, after: Resource): boolean {
  const [type] = spec.lookup('resource', 'cloudFormationType', 'equals', before.Type);
  return Object.entries(type?.properties ?? {}).some(
    ([name, { causesReplacement = 'no' }]) =>
      causesReplacement !== 'no' && !isDeepStrictEqual(before.Properties?.[name], after.Properties?.[name]),
  );
}

const isKept = ({ DeletionPolicy = 'Delete' }: Resource): boolean => DeletionPolicy.startsWith('Retain');

/** Returns the resources that a deployment deletes or replaces although running routes may need them. */
function listLost(before: Templates, after: Templates): readonly string[] {
  return Object.entries(before).flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).flatMap(([id, resource]) => {
      const next = after[stack]?.Resources[id];
      const isLost = next ? isReplaced(resource, next) : !isKept(resource);
      const name = `${resource.Type} ${stack} ${id}`;
      return isLost && !UNNEEDED.some((each) => each.test(name)) ? [name] : [];
    }),
  );
}

/** Synthesizes `eu` without function URLs. JSON removes properties that are undefined, as CloudFormation does. */
const withoutFunctionUrls = (): Templates =>
  JSON.parse(JSON.stringify(synthesize('eu', { table, change: { functionUrls: 'off' } }).templates));

describe('settings that can be switched in a running environment', () => {
  const names = Object.keys(switches) as SwitchName[];

  test.each(names)(
    'switching %s on or off removes no resource that routes of the running service may need',
    (name) => {
      const switched = switchedTemplates(name);
      expect(switched).not.toEqual(unchanged);
      expect(listLost(unchanged, switched)).toEqual([]);
      expect(listLost(switched, unchanged)).toEqual([]);
    },
  );

  test('a test switches each documented setting that can be changed in a running environment', () => {
    const page = readPage('lib/README.md');
    const documented = [...page.matchAll(/^\| `(OTL_\w+)_EU=/gm)].map(([, name = '']) => name);
    const fixed = ['OTL_ACCOUNT', 'OTL_DOMAIN', 'OTL_MAIL_DOMAIN', 'OTL_REGION'];
    expect([...fixed, ...names].toSorted()).toEqual(expect.arrayContaining(documented.toSorted()));
    expect(documented.length).toBeGreaterThan(fixed.length);
  });

  test('with OTL_FUNCTION_URLS=unused, CloudFront stops using the function URLs that the value "off" removes', () => {
    const unused = switchedTemplates('OTL_FUNCTION_URLS');
    const off = withoutFunctionUrls();
    const lost = listLost(unused, off);
    expect(lost.length).toBeGreaterThan(0);
    for (const resource of lost) expect(resource).toMatch(/^AWS::Lambda::(?:Url|Permission) /);
    for (const edge of ['otl-eu-edge', 'otl-eu-console-edge']) {
      expect(JSON.stringify(unchanged[edge])).toContain('Host');
      expect(unused[edge]).toEqual(off[edge]);
    }
    expect(listLost(off, unchanged).filter((each) => !each.includes('otl-eu-routes'))).toEqual([]);
  });

  test('without function URLs, no function is public, and console operations have their own HTTP API', () => {
    const templates = withoutFunctionUrls();
    const text = JSON.stringify(templates);
    for (const word of ['AWS::Lambda::Url', 'FunctionUrlAuthType', 'InvokedViaFunctionUrl', '.lambda-url.'])
      expect([word, text.includes(word)]).toEqual([word, false]);
    const { Resources = {} } = templates['otl-eu-routes'] ?? {};
    const routes = Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route');
    const ofConsole = routes.filter(({ Properties }) => String(Properties?.RouteKey).includes('/console/'));
    const apis = new Set(ofConsole.map(({ Properties }) => JSON.stringify(Properties?.ApiId)));
    expect(ofConsole.map(({ Properties }) => Properties?.RouteKey)).toEqual(
      expect.arrayContaining(['GET /console/', 'POST /console/{path+}', 'GET /console/login']),
    );
    expect(apis.size).toBe(1);
    const users = routes.filter((route) => !ofConsole.includes(route));
    for (const { Properties } of users) expect(apis.has(JSON.stringify(Properties?.ApiId))).toBe(false);
  });

  test('key policies and deployed code use CDK bootstrap resources with the qualifier from OTL_QUALIFIER', () => {
    const text = JSON.stringify(switchedTemplates('OTL_QUALIFIER'));
    expect(text).toContain(':role/cdk-corp1-cfn-exec-role-');
    expect(text).toContain('cdk-corp1-assets-');
    expect(text).not.toContain('hnb659fds');
  });

  test('Lambda writes system log lines for invocations only if OTL_REPORT_LINES is set', () => {
    const levels = (templates: Templates) => {
      const resources = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
      const configs = resources.flatMap(({ Properties: { LoggingConfig } = {} }) => LoggingConfig ?? []);
      return new Set((configs as { SystemLogLevel?: string }[]).map(({ SystemLogLevel }) => SystemLogLevel));
    };
    expect([...levels(unchanged)]).toEqual(['WARN']);
    expect([...levels(switchedTemplates('OTL_REPORT_LINES'))]).toEqual(['INFO']);
  });

  test('the comparison of stacks reports a removed alias and a function URL with a new target', () => {
    const stack = 'otl-eu-api-one-time';
    const { Resources } = unchanged[stack] as StackTemplate;
    const find = (type: string) => Object.entries(Resources).find(([, { Type }]) => Type === type) ?? [''];
    const [alias] = find('AWS::Lambda::Alias');
    const [url, found] = find('AWS::Lambda::Url');
    const moved = { ...found, Properties: { ...found?.Properties, Qualifier: 'other' } } as Resource;
    const { [alias]: _, ...others } = { ...Resources, [url]: moved };
    expect(listLost(unchanged, { ...unchanged, [stack]: { Resources: others } })).toEqual([
      `AWS::Lambda::Alias ${stack} ${alias}`,
      `AWS::Lambda::Url ${stack} ${url}`,
    ]);
  });

  test('a web ACL has no fixed name, so that an existing web ACL cannot block its replacement', () => {
    const { Resources = {} } = unchanged['otl-eu-global'] ?? {};
    const acls = Object.values(Resources).filter(({ Type }) => Type === 'AWS::WAFv2::WebACL');
    expect(acls.map(({ Properties }) => Properties?.Name)).toEqual([undefined]);
  });
});
