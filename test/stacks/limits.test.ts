import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { environmentNames } from '../../lib/environments.ts';
import { folderOf } from '../../lib/functions-stack.ts';
import type { Operation } from '../../shared/operation.ts';
import { findCycle } from './support/cycles.ts';
import { synthesized } from './support/synthesized.ts';

const OPERATIONS_PER_STACK = 35;
const RESOURCES_PER_STACK = 500;
const OUTPUTS_PER_STACK = 200;
const TEMPLATE_BYTES = 1_000_000;

describe.each(environmentNames)('environment %s', (name) => {
  const { templates } = synthesized(name);

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

  test('no stack locks the outputs of another', () => {
    expect(JSON.stringify(templates)).not.toMatch(/Fn::ImportValue|"Export"/);
  });
});

test('a folder of functions has at most 35 operations', () => {
  const counts = Object.groupBy(Object.values<Operation>(operations), folderOf);
  for (const [folder, rows] of Object.entries(counts))
    expect([folder, (rows?.length ?? 0) <= OPERATIONS_PER_STACK]).toEqual([folder, true]);
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
