import { isDeepStrictEqual } from 'node:util';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, test } from '@jest/globals';
import { readPage } from '../pages/support/markdown.ts';
import { type SwitchName, switches } from './support/switches.ts';
import type { Resource, StackTemplate } from './support/synthesize.ts';
import { switchedTemplates } from './support/synthesized.ts';

type Templates = Readonly<Record<string, StackTemplate>>;

const unchanged = switchedTemplates('unchanged');

/** Resources that a deployment may remove while the service runs, as `<type> <stack> <logical ID>`. */
const UNNEEDED = [
  /^AWS::CloudWatch::Alarm /,
  /^AWS::SNS::Subscription /,
  /^AWS::CodeDeploy::/,
  /^AWS::IAM::Role \S+ CanaryRole/,
  // AWS deletes neither of them while CloudFront uses it, and neither has a name that would block its successor.
  /^AWS::CertificateManager::Certificate /,
  /^AWS::WAFv2::WebACL /,
  // The runbook removes a signing mode only when no key uses it, which `otl doctor` checks.
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

describe('settings that can be switched in a running environment', () => {
  const names = Object.keys(switches) as SwitchName[];

  test.each(names)('switching %s on and off removes nothing that a running route needs', (name) => {
    const switched = switchedTemplates(name);
    expect(switched).not.toEqual(unchanged);
    expect(listLost(unchanged, switched)).toEqual([]);
    expect(listLost(switched, unchanged)).toEqual([]);
  });

  test('the switching tests cover each documented setting that a running environment can change', () => {
    const page = readPage('lib/README.md');
    const documented = [...page.matchAll(/^\| `(OTL_\w+)_EU=/gm)].map(([, name = '']) => name);
    const fixed = ['OTL_ACCOUNT', 'OTL_DOMAIN', 'OTL_MAIL_DOMAIN', 'OTL_REGION'];
    expect([...fixed, ...names].toSorted()).toEqual(expect.arrayContaining(documented.toSorted()));
    expect(documented.length).toBeGreaterThan(fixed.length);
  });

  test('the comparison of stacks reports a removed alias and a function URL with another target', () => {
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

  test('a web ACL has no fixed name, so that an old web ACL cannot block its replacement', () => {
    const { Resources = {} } = unchanged['otl-eu-global'] ?? {};
    const acls = Object.values(Resources).filter(({ Type }) => Type === 'AWS::WAFv2::WebACL');
    expect(acls.map(({ Properties }) => Properties?.Name)).toEqual([undefined]);
  });
});
