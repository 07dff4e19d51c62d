import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud } from './support/cloud.ts';
import { switchedTemplates, synthesized } from './support/synthesized.ts';

const { templates } = synthesized('eu');
const cloud = new Cloud(templates);
const rows: Readonly<Record<string, Operation>> = operations;
const toFunctionName = (entry: string) => `otl-eu-${entry.replaceAll('/', '-')}`;

/** Operations that are part of every login. */
const LOGIN_PATH = [
  ...['sendOtp', 'authenticateOtp', 'sendMagicLink', 'openMagicLink', 'authenticateMagicLink'],
  ...['token', 'retrieveTokens', 'authorize', 'loginPage', 'loginAct'],
].map((name) => rows[name]?.event ?? name);

const aliases = cloud.resources('AWS::Lambda::Alias');
const readFunctionName = ({ properties }: (typeof aliases)[number]) => String(properties.FunctionName);

describe('canary deployment of functions that log users in', () => {
  test('only functions that log users in have an alias for canary deployments', () => {
    expect(aliases.map(readFunctionName).toSorted()).toEqual(LOGIN_PATH.map(toFunctionName).toSorted());
  });

  test.each(aliases.map((alias) => [readFunctionName(alias), alias] as const))(
    'new code of the function %s receives only a tenth of the requests for the first five minutes',
    (_name, alias) => {
      const resource = templates[alias.stack]?.Resources[alias.id] as
        | { readonly UpdatePolicy?: unknown }
        | undefined;
      const update = resource?.UpdatePolicy as
        | { readonly CodeDeployLambdaAliasUpdate: Record<string, unknown> }
        | undefined;
      const group = cloud.resolve(alias.stack, update?.CodeDeployLambdaAliasUpdate.DeploymentGroupName);
      const found = cloud
        .resources('AWS::CodeDeploy::DeploymentGroup')
        .find(({ stack, id }) => stack === alias.stack && id === group);
      expect(found?.properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
        },
      });
    },
  );

  test('an alarm rolls a canary deployment back, and the alarms are deployed before the canary', () => {
    const known = cloud.resources('AWS::CloudWatch::Alarm').map(({ properties }) => properties.AlarmName);
    for (const { stack, properties } of cloud.resources('AWS::CodeDeploy::DeploymentGroup')) {
      const { Alarms } = properties.AlarmConfiguration as {
        readonly Alarms: readonly { readonly Name: string }[];
      };
      const names = Alarms.map(({ Name }) => Name);
      expect(names).toEqual(
        expect.arrayContaining(['otl-eu-error-rate', 'otl-eu-api-failures', 'otl-eu-slow']),
      );
      expect(known).toEqual(expect.arrayContaining(names));
      expect(synthesized('eu').stacks[stack]?.after).toContain('otl-eu-operations');
    }
  });

  test('stacks with canary deployments do not depend on each other, so that CDK can deploy them in parallel', () => {
    const { stacks } = synthesized('eu');
    const listEarlier = (stack: string): readonly string[] =>
      (stacks[stack]?.after ?? []).flatMap((each) => [each, ...listEarlier(each)]);
    const withCanary = new Set(aliases.map(({ stack }) => stack));
    expect(withCanary.size).toBe(3);
    for (const stack of withCanary)
      expect(listEarlier(stack).filter((earlier) => withCanary.has(earlier))).toEqual([]);
  });

  test('production keeps old function versions but deletes rolled-back versions, so that their code can be deployed again', () => {
    const policies = Object.values(templates)
      .flatMap(({ Resources }) => Object.values(Resources))
      .filter(({ Type }) => Type === 'AWS::Lambda::Version')
      .map(({ DeletionPolicy, UpdateReplacePolicy }) => [DeletionPolicy, UpdateReplacePolicy]);
    expect(policies).toEqual(aliases.map(() => ['RetainExceptOnCreate', 'Retain']));
  });

  test('the HTTP API and the function URLs call functions with canary deployments through their aliases', () => {
    const names = new Set(aliases.map(readFunctionName));
    const targets = cloud.routes().filter(({ target }) => names.has(target));
    expect(new Set(targets.map(({ target }) => target))).toEqual(names);
    for (const { targetArn } of targets) expect(targetArn).toMatch(/:live$/);
    const urls = cloud
      .resources('AWS::Lambda::Url')
      .filter(({ properties }) =>
        LOGIN_PATH.map(toFunctionName).some((name) => properties.TargetFunctionArn === `function:${name}`),
      );
    expect(urls.map(({ properties }) => properties.Qualifier)).toEqual(urls.map(() => 'live'));
    expect(urls.length).toBeGreaterThan(0);
  });
});

test('with OTL_IGNORE_ALARMS, a deployment releases all new code at once and ignores alarms', () => {
  const [usual, ignoring] = [switchedTemplates('unchanged'), switchedTemplates('OTL_IGNORE_ALARMS')];
  const groups = new Cloud(ignoring).resources('AWS::CodeDeploy::DeploymentGroup');
  expect(groups.length).toBeGreaterThan(1);
  const restored = structuredClone(ignoring) as Record<string, { Resources: Record<string, object> }>;
  for (const { stack, id, properties } of groups) {
    expect(properties).toMatchObject({
      AlarmConfiguration: { Enabled: false },
      DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
    });
    Object.assign(restored[stack]?.Resources ?? {}, { [id]: usual[stack]?.Resources[id] });
  }
  expect(restored).toEqual(usual);
});

test('a deployment to the sandbox environment releases new code without a canary', () => {
  const sandbox = new Cloud(synthesized('sandbox').templates);
  const found = sandbox.resources('AWS::Lambda::Alias');
  expect(found.map(({ stack, id }) => [stack.replace('sandbox', 'eu'), id])).toEqual(
    aliases.map(({ stack, id }) => [stack, id]),
  );
  for (const { stack, id } of found)
    expect(sandbox.templates[stack]?.Resources[id]).not.toHaveProperty('UpdatePolicy');
  for (const type of ['AWS::CodeDeploy::DeploymentGroup', 'AWS::CodeDeploy::Application'])
    expect(sandbox.resources(type)).toEqual([]);
});
