import { environments } from '../../../lib/stacks/environments/environments.ts';
import { ACCOUNT, type Cloud } from './cloud.ts';
import { outputsIn } from './outputs.ts';

/** AWS quota that templates must not exceed, with the AWS page that documents the quota. */
export interface Quota {
  readonly what: string;
  readonly source: string;
  readonly max: number;
  /** Returns the name and the number or size of each template item that the quota limits. */
  readonly found: (cloud: Cloud) => readonly (readonly [name: string, size: number])[];
}

type Fields = Readonly<Record<string, unknown>>;
type Sizes = ReturnType<Quota['found']>;

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
/** Returns the size in bytes of the value as JSON without white space, which AWS does not count. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? ''));

const ofEach =
  (type: string, size: (properties: Fields, stack: string) => number) =>
  (cloud: Cloud): Sizes =>
    cloud.resources(type).map(({ stack, id, properties }) => [`${stack} ${id}`, size(properties, stack)]);

const [LONGEST_REGION = ''] = environments(undefined, {})
  .map(({ region }) => region)
  .toSorted((one, other) => other.length - one.length);

/**
 * Returns the size of a policy in the worst case, in characters: in the region with the longest name, with restored tables,
 * and with names as long as those that CloudFormation chooses.
 */
const sizeOfPolicy = (value: unknown, stack: string): number =>
  JSON.stringify(value ?? '')
    .replaceAll(/:(?:us|eu|ca|ap)-[a-z]+-\d:/g, `:${LONGEST_REGION}:`)
    .replaceAll(/(:table\/\w+-\w+-(?:directory|people))(?=["/])/g, '$1-restored')
    .replaceAll(
      /AWS::\w+::\w+:(\w+)/g,
      (_, id) => `arn:aws:logs:${LONGEST_REGION}:${ACCOUNT}:log-group:${stack}-${id}-123456789012:*`,
    ).length;

/** Returns every value with the given name, at any depth. */
function named(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...(key === name ? [part] : []),
    ...named(part, name),
  ]);
}

/** Returns the largest value with the given name in each web ACL. */
const inWebAcls = (name: string, size: (value: unknown) => number) =>
  ofEach('AWS::WAFv2::WebACL', (acl) => Math.max(0, ...named(acl, name).map(size)));

/** Adds up the weights of the resources of a type for each value of a property. The default weight is 1. */
const perValue =
  (type: string, property: string, weight: (properties: Fields) => number = () => 1) =>
  (cloud: Cloud): Sizes => {
    const sums = new Map<string, number>();
    for (const { properties } of cloud.resources(type)) {
      const key = String(properties[property]);
      sums.set(key, (sums.get(key) ?? 0) + weight(properties));
    }
    return [...sums];
  };

const perStack =
  (size: (template: Cloud['templates'][string]) => number, wanted: RegExp) =>
  ({ templates }: Cloud): Sizes =>
    Object.entries(templates)
      .filter(([stack]) => wanted.test(stack))
      .map(([stack, template]) => [stack, size(template)]);

const distribution = (key: string) =>
  ofEach(
    'AWS::CloudFront::Distribution',
    ({ DistributionConfig }) => list((DistributionConfig as Fields)[key]).length,
  );

const EVERY = /^/;
const CLOUDFORMATION = 'AWS CloudFormation quotas';
const WAF = 'AWS WAF quotas';
const CLOUDFRONT = 'Amazon CloudFront, Quotas';
const API_GATEWAY = 'Quotas for configuring and running an HTTP API in API Gateway';
const IAM = 'IAM and AWS STS quotas';
const LAMBDA = 'Lambda quotas';

export const quotas: readonly Quota[] = [
  {
    what: 'resources of a stack',
    source: CLOUDFORMATION,
    max: 500,
    found: perStack(({ Resources }) => Object.keys(Resources).length, EVERY),
  },
  {
    what: 'outputs of a stack',
    source: CLOUDFORMATION,
    max: 200,
    found: perStack(({ Outputs = {} }) => Object.keys(Outputs).length, EVERY),
  },
  { what: 'bytes of a template', source: CLOUDFORMATION, max: 1_000_000, found: perStack(sizeOf, EVERY) },
  {
    // A deployment resolves each reference with a call. CloudFormation makes about one call per second, and 75 get throttled.
    what: 'references of a stack to outputs of others',
    source: 'aws-cdk#38010',
    max: 10,
    found: perStack((template) => outputsIn(template).length, /(?<!-edge)$/),
  },
  {
    // The edge stacks need more references: each origin needs the random host name of its function URL, and the secret.
    what: 'references of the edge',
    source: 'aws-cdk#38010',
    max: 30,
    found: perStack((template) => outputsIn(template).length, /-edge$/),
  },
  {
    what: 'characters of a regex pattern',
    source: WAF,
    max: 200,
    found: inWebAcls('RegexString', (text) => String(text).length),
  },
  {
    what: 'characters of a string match',
    source: WAF,
    max: 200,
    found: inWebAcls('SearchString', (text) => String(text).length),
  },
  {
    what: 'rate-based rules of a web ACL',
    source: WAF,
    max: 10,
    found: ofEach('AWS::WAFv2::WebACL', (acl) => named(acl, 'RateBasedStatement').length),
  },
  {
    what: 'bytes of a custom response body',
    source: WAF,
    max: 4096,
    found: inWebAcls('Content', (text) => Buffer.byteLength(String(text))),
  },
  {
    what: 'headers of a custom response',
    source: WAF,
    max: 10,
    found: inWebAcls('ResponseHeaders', (headers) => list(headers).length),
  },
  {
    // Up to 5,000 are possible at an additional price. 225 stands for the managed rule group and room for another group.
    what: 'capacity units of a web ACL without a surcharge',
    source: 'Web ACL capacity units (WCUs) in AWS WAF',
    max: 1500,
    found: ofEach(
      'AWS::WAFv2::WebACL',
      (acl) =>
        225 +
        3 * named(acl, 'RegexMatchStatement').length +
        20 * named(acl, 'ByteMatchStatement').length +
        2 * named(acl, 'RateBasedStatement').length,
    ),
  },
  {
    // The quota is 75 for new accounts, but older accounts may still have 25.
    what: 'behaviors of a distribution',
    source: CLOUDFRONT,
    max: 25,
    found: distribution('CacheBehaviors'),
  },
  { what: 'origins of a distribution', source: CLOUDFRONT, max: 25, found: distribution('Origins') },
  { what: 'names of a distribution', source: CLOUDFRONT, max: 100, found: distribution('Aliases') },
  {
    what: 'bytes of a function of CloudFront',
    source: CLOUDFRONT,
    max: 10_240,
    found: ofEach('AWS::CloudFront::Function', ({ FunctionCode }) => String(FunctionCode).length),
  },
  {
    what: 'headers that a response headers policy removes',
    source: CLOUDFRONT,
    max: 10,
    found: ofEach(
      'AWS::CloudFront::ResponseHeadersPolicy',
      (policy) => named(policy, 'RemoveHeadersConfig').flatMap((each) => named(each, 'Header')).length,
    ),
  },
  {
    what: 'routes of an API',
    source: API_GATEWAY,
    max: 300,
    found: perValue('AWS::ApiGatewayV2::Route', 'ApiId'),
  },
  {
    what: 'integrations of an API',
    source: API_GATEWAY,
    max: 300,
    found: perValue('AWS::ApiGatewayV2::Integration', 'ApiId'),
  },
  {
    what: 'bytes of the permissions of a function',
    source: LAMBDA,
    max: 20_480,
    // Lambda adds a statement to the function's policy for each permission. A statement has about 200 additional bytes.
    found: perValue('AWS::Lambda::Permission', 'FunctionName', (permission) => sizeOf(permission) + 200),
  },
  {
    what: 'bytes of the variables of a function',
    source: LAMBDA,
    max: 4096,
    found: ofEach('AWS::Lambda::Function', ({ Environment }) => sizeOf(Environment)),
  },
  {
    // IAM allows 10,240 characters. The difference is room for the longer names of restored tables.
    what: 'characters of the inline policies of a role',
    source: IAM,
    max: 9240,
    found: ofEach('AWS::IAM::Role', ({ Policies }, stack) =>
      list(Policies).reduce<number>(
        (sum, policy) => sum + sizeOfPolicy((policy as Fields).PolicyDocument, stack),
        0,
      ),
    ),
  },
  {
    what: 'characters of a trust policy',
    source: IAM,
    max: 2048,
    found: ofEach('AWS::IAM::Role', ({ AssumeRolePolicyDocument }) => sizeOf(AssumeRolePolicyDocument)),
  },
  {
    what: 'managed policies of a role',
    source: IAM,
    max: 10,
    found: ofEach('AWS::IAM::Role', ({ ManagedPolicyArns }) => list(ManagedPolicyArns).length),
  },
  {
    what: 'characters of a managed policy',
    source: IAM,
    max: 6144,
    found: ofEach('AWS::IAM::ManagedPolicy', ({ PolicyDocument }, stack) =>
      sizeOfPolicy(PolicyDocument, stack),
    ),
  },
  {
    what: 'bytes of a key policy',
    source: 'AWS KMS resource quotas',
    max: 32_768,
    found: ofEach('AWS::KMS::Key', ({ KeyPolicy }) => sizeOf(KeyPolicy)),
  },
  {
    what: 'bytes of a bucket policy',
    source: 'Bucket policies for Amazon S3',
    max: 20_480,
    found: ofEach('AWS::S3::BucketPolicy', ({ PolicyDocument }) => sizeOf(PolicyDocument)),
  },
  {
    what: 'characters of an event pattern',
    source: 'Amazon EventBridge quotas',
    max: 2048,
    found: ofEach('AWS::Events::Rule', ({ EventPattern }) => sizeOf(EventPattern)),
  },
  {
    what: 'targets of a rule',
    source: 'Amazon EventBridge quotas',
    max: 5,
    found: ofEach('AWS::Events::Rule', ({ Targets }) => list(Targets).length),
  },
  {
    what: 'subscription filters of a log group',
    source: 'CloudWatch Logs quotas',
    max: 2,
    found: perValue('AWS::Logs::SubscriptionFilter', 'LogGroupName'),
  },
  {
    what: 'characters of the description of an alarm',
    source: 'PutMetricAlarm, Amazon CloudWatch API Reference',
    max: 1024,
    found: ofEach('AWS::CloudWatch::Alarm', ({ AlarmDescription }) => String(AlarmDescription).length),
  },
];
