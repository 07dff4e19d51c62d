import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { environmentNames } from '../../lib/stacks/environments/environment.ts';
import { areaOf } from '../../lib/stacks/functions/functions-stack.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud } from './support/cloud.ts';
import { findCycle } from './support/cycles.ts';
import { synthesized } from './support/synthesized.ts';

/** Certificates, rules, and where a log goes to. */
const READ_BY_CLOUDFRONT = new Set([
  'AWS::CertificateManager::Certificate',
  'AWS::WAFv2::WebACL',
  'AWS::Logs::DeliverySource',
  'AWS::Logs::DeliveryDestination',
  'AWS::Logs::Delivery',
]);

const OPERATIONS_PER_STACK = 35;
const RESOURCES_PER_STACK = 500;
const OUTPUTS_PER_STACK = 200;
const TEMPLATE_BYTES = 1_000_000;
/** Each is a call of the deployment, and CloudFormation answers about one a second. */
const DATA_REFERENCES_PER_STACK = 10;

describe.each(environmentNames)('environment %s', (name) => {
  const { templates, stacks } = synthesized(name);

  test('stays within the limits of CloudFormation', () => {
    for (const template of Object.values(templates)) {
      expect(Object.keys(template.Resources).length).toBeLessThan(RESOURCES_PER_STACK);
      expect(Object.keys(template.Outputs ?? {}).length).toBeLessThan(OUTPUTS_PER_STACK);
      expect(JSON.stringify(template).length).toBeLessThan(TEMPLATE_BYTES);
    }
  });

  test('no resource depends on itself', () => {
    for (const template of Object.values(templates)) expect(findCycle(template)).toBeUndefined();
  });

  test('stores nothing outside of its region: us-east-1 gets what CloudFront reads there', () => {
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
    const keys = cloud.resources('AWS::KMS::Key');
    expect(keys.filter(({ properties }) => properties.MultiRegion)).toEqual([]);
  });

  test('a stack asks for few values of the data stack', () => {
    for (const [stack, template] of Object.entries(templates)) {
      const references = JSON.stringify(template).split(`"StackName":"otl-${name}-data"`).length - 1;
      expect([stack, references <= DATA_REFERENCES_PER_STACK]).toEqual([stack, true]);
    }
  });

  test('no stack locks the outputs of another', () => {
    expect(JSON.stringify(templates)).not.toMatch(/Fn::ImportValue|"Export"/);
  });
});

test('an area has at most 35 operations', () => {
  const counts = Object.groupBy(Object.values<Operation>(operations), areaOf);
  for (const [area, rows] of Object.entries(counts))
    expect([area, (rows?.length ?? 0) <= OPERATIONS_PER_STACK]).toEqual([area, true]);
});

describe('a cycle is found', () => {
  const resource = (refers: unknown, DependsOn?: string) => ({
    Type: 'Test',
    Properties: { refers },
    ...(DependsOn === undefined ? {} : { DependsOn }),
  });

  test('through Ref, GetAtt, Sub and DependsOn', () => {
    const Resources = {
      A: resource({ Ref: 'B' }),
      B: resource({ 'Fn::GetAtt': ['C', 'Arn'] }),
      C: resource({ 'Fn::Sub': ['x-', '{D.Arn}'].join('$') }),
      D: resource('', 'A'),
    };
    expect(findCycle({ Resources })).toEqual(['A', 'B', 'C', 'D', 'A']);
  });

  test('and not where two paths lead to one resource', () => {
    const Resources = {
      A: resource([{ Ref: 'B' }, { Ref: 'C' }]),
      B: resource({ Ref: 'D' }),
      C: resource({ Ref: 'D' }),
      D: resource({ Ref: 'AWS::Region' }),
    };
    expect(findCycle({ Resources })).toBeUndefined();
  });
});
