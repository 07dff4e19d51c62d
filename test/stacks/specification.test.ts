import { describe, expect, test } from '@jest/globals';
import { environmentNames } from '../../lib/stacks/environments/environment.ts';
import { wrongResources } from './support/specification.ts';
import { synthesized } from './support/synthesized.ts';

test.each(environmentNames)('the templates of %s have the types and properties of CloudFormation', (name) => {
  const { templates } = synthesized(name);
  expect(Object.keys(templates).length).toBeGreaterThan(3);
  for (const [stack, template] of Object.entries(templates))
    expect([stack, ...wrongResources(template)]).toEqual([stack]);
});

describe('the comparison with the specification finds', () => {
  const found = (Type: string, Properties: Record<string, unknown>) =>
    wrongResources({ Resources: { X: { Type, Properties } } });
  const role = { AssumeRolePolicyDocument: {} };

  test.each([
    ['a type that does not exist', 'AWS::Logs::LogGroups', {}, 'X: AWS::Logs::LogGroups is no type'],
    ['a property that does not exist', 'AWS::Logs::LogGroup', { Retention: 7 }, 'X.Retention is no property'],
    ['a required property that is missing', 'AWS::IAM::Role', {}, 'X.AssumeRolePolicyDocument is missing'],
    [
      'a word where a number belongs',
      'AWS::Logs::LogGroup',
      { RetentionInDays: 'long' },
      'X.RetentionInDays is no integer',
    ],
    ['a list where text belongs', 'AWS::IAM::Role', { ...role, Path: ['/'] }, 'X.Path is no string'],
    ['text where a list belongs', 'AWS::IAM::Role', { ...role, Policies: 'all' }, 'X.Policies is no list'],
    [
      'a property inside of a list',
      'AWS::IAM::Role',
      { ...role, Policies: [{ PolicyName: 'x', PolicyDocument: {}, Name: 'x' }] },
      'X.Policies[0].Name is no property',
    ],
    [
      'what is missing inside of an object',
      'AWS::DynamoDB::GlobalTable',
      { Replicas: [{}], AttributeDefinitions: [], KeySchema: [] },
      'X.Replicas[0].Region is missing',
    ],
  ])('%s', (_, type, properties, complaint) => {
    expect(found(type, properties)).toContain(complaint);
  });

  test('nothing where an intrinsic function stands, or a custom resource', () => {
    expect(found('AWS::Logs::LogGroup', { RetentionInDays: { Ref: 'Days' } })).toEqual([]);
    expect(found('Custom::FirstSigningKey', { anything: 1 })).toEqual([]);
  });
});
