import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { readArea } from '../../lib/stacks/functions/functions-stack.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud } from './support/cloud.ts';
import { outputsIn } from './support/outputs.ts';
import { quotas } from './support/quotas.ts';
import { synthesized } from './support/synthesized.ts';
import { environmentsInRun, variants, variantsInRun } from './support/variants.ts';

/**
 * Resource types that may be in us-east-1. CloudFront reads certificates, web ACLs and log deliveries only there. AWS records
 * the metrics of CloudFront only there, so the alarms for these metrics are there too.
 */
const READ_BY_CLOUDFRONT = new Set([
  'AWS::CertificateManager::Certificate',
  'AWS::WAFv2::WebACL',
  'AWS::Logs::DeliverySource',
  'AWS::Logs::DeliveryDestination',
  'AWS::Logs::Delivery',
  'AWS::CloudWatch::Alarm',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
]);

const OPERATIONS_PER_STACK = 35;

const splitsAnOutput = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, part]) =>
    key === 'Fn::Split' ? outputsIn(part).length > 0 : splitsAnOutput(part),
  );

describe.each(environmentsInRun)('domain and region of the environment %s', (name) => {
  const { templates, stacks } = synthesized(name);

  test('the API stack, which checks domain changes, is deployed before all stacks that use the domain', () => {
    const domain = `login.${name}.example.com`;
    const api = `otl-${name}-api`;
    const isAfterApi = (stack: string): boolean =>
      (stacks[stack]?.after ?? []).some((before) => before === api || isAfterApi(before));
    const naming = Object.keys(templates).filter((stack) =>
      JSON.stringify(templates[stack]).includes(domain),
    );
    expect(naming.length).toBeGreaterThan(5);
    expect(naming.filter((stack) => stack !== api && !isAfterApi(stack))).toEqual([]);
  });

  test('outside of its region, an environment has only the resources that CloudFront needs in us-east-1', () => {
    const region = stacks[`otl-${name}-data`]?.region;
    const global = [`otl-${name}-global`, `otl-${name}-edge-log`];
    for (const [stack, found] of Object.entries(stacks))
      expect([stack, found.region]).toEqual([stack, global.includes(stack) ? 'us-east-1' : region]);
    const types = global.flatMap((stack) =>
      Object.values(templates[stack]?.Resources ?? {}).map(({ Type }) => Type),
    );
    expect(types.filter((type) => !READ_BY_CLOUDFRONT.has(type))).toEqual([]);
    const cloud = new Cloud(templates);
    const replicas = cloud
      .resources('AWS::DynamoDB::GlobalTable')
      .flatMap(({ properties }) => properties.Replicas as readonly { readonly Region: string }[]);
    expect(new Set(replicas.map((replica) => replica.Region))).toEqual(new Set([region]));
    expect(cloud.resources('AWS::KMS::ReplicaKey')).toEqual([]);
  });

  test('no stack exports outputs, because an output that another stack imports cannot be changed', () => {
    expect(JSON.stringify(templates)).not.toMatch(/Fn::ImportValue|"Export"/);
  });
});

describe.each(variantsInRun)('AWS quotas that apply to the environment %s', (name) => {
  const cloud = new Cloud(synthesized(name).templates);

  test.each(quotas)(
    'no resource of the environment exceeds the AWS quota of $max $what',
    ({ found, max }) => {
      expect(found(cloud).filter(([, size]) => size > max)).toEqual([]);
    },
  );
});

test('each AWS quota check applies to at least one resource', () => {
  const clouds = [new Cloud(synthesized('eu').templates)];
  for (const { what, found } of quotas)
    expect([what, clouds.flatMap(found).some(([, size]) => size > 0)]).toEqual([what, true]);
});

describe.each(variantsInRun)('references between the CDK stacks of the environment %s', (name) => {
  const { templates, stacks } = synthesized(name);
  const all = Object.entries(templates);

  test('a CDK stack references only stacks that are deployed before it', () => {
    for (const [stack, template] of all)
      for (const { StackName } of outputsIn(template))
        expect(stacks[stack]?.after).toContain(StackName.replace(/^.*stack\/([^/]+).*$/, '$1'));
    const prefix = `otl-${variants[name].environment}`;
    const areas = Object.keys(templates).filter((stack) => stack.startsWith(`${prefix}-api-`));
    expect(areas.length).toBeGreaterThan(0);
    expect(stacks[`${prefix}-routes`]?.after).toEqual(expect.arrayContaining(areas));
    expect(stacks[`${prefix}-edge`]?.after).toContain(`${prefix}-routes`);
  });

  test('routes and permissions reference no other stack, so that deployments do not replace them (aws-cdk#38829)', () => {
    const resources = all.flatMap(([, { Resources }]) => Object.entries(Resources));
    const routed = resources.filter(([, { Type }]) => /^AWS::(ApiGatewayV2::|Lambda::Permission)/.test(Type));
    expect(routed.length).toBeGreaterThan(5);
    expect(routed.filter(([, { Properties }]) => outputsIn(Properties).length > 0)).toEqual([]);
  });

  test('no template applies Fn::Split to a value from another stack', () => {
    expect(all.filter(([, template]) => splitsAnOutput(template)).map(([stack]) => stack)).toEqual([]);
  });
});

test('each service area has at most 35 operations', () => {
  const counts = Object.groupBy(Object.values<Operation>(operations), readArea);
  for (const [area, rows] of Object.entries(counts))
    expect([area, (rows?.length ?? 0) <= OPERATIONS_PER_STACK]).toEqual([area, true]);
});
