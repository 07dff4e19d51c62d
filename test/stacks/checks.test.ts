import { describe, expect, test } from '@jest/globals';
import { CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { newApp, synthesize } from './support/synthesize.ts';

/** Synthesis also validates against the schemas of CloudFormation (`validateAgainstDefaultRules` in cdk.json). */
function checkedApp() {
  const app = newApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

describe('templates pass the AWS Solutions pack and the schemas of CloudFormation', () => {
  test.each([
    ['eu', {}],
    ['eu', { OTL_ACCOUNT_EU: '111122223333' }],
    ['sandbox', {}],
  ])('%s %j', (name, env) => {
    expect(() => synthesize(name, { app: checkedApp(), env })).not.toThrow();
  });
});

describe('the checks find', () => {
  const planting = (plant: (stack: Stack) => void) => () => {
    const app = checkedApp();
    plant(new Stack(app, 'Planted'));
    app.synth();
  };

  test('a property that does not exist', () => {
    const properties = { Retention: 7 };
    expect(
      planting((stack) => new CfnResource(stack, 'Log', { type: 'AWS::Logs::LogGroup', properties })),
    ).toThrow("'Retention' was unexpected");
  });

  test('a policy for everything', () => {
    const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
    const policyDocument = { Version: '2012-10-17', Statement: [statement] };
    expect(
      planting(
        (stack) => new CfnPolicy(stack, 'All', { policyName: 'all', policyDocument, roles: ['role'] }),
      ),
    ).toThrow('wildcard permissions');
  });

  test('nothing in a resource that is right', () => {
    expect(planting((stack) => new CfnLogGroup(stack, 'Log', { retentionInDays: 7 }))).not.toThrow();
  });
});
