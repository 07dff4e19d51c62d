import { GetSMSAttributesCommand, SetSMSAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { CustomResourceEvent } from '../../../functions/deployment/custom-resource.ts';
import { environments } from '../../../lib/stacks/environments/environments.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { loadBackground } from '../../support/server/load-function.ts';
import { Cloud } from '../support/cloud.ts';
import { useCustomResources } from '../support/custom-resources.ts';
import { synthesized } from '../support/synthesized.ts';

const { noting, close } = noteForComparison();
const handler = noting('sms-settings', await loadBackground('sms-settings'));
const deployment = useCustomResources();
afterAll(close);

const settings = async () => (await new SNSClient({}).send(new GetSMSAttributesCommand({}))).attributes;
const set = (MonthlySpendLimit: string) =>
  new SNSClient({}).send(new SetSMSAttributesCommand({ attributes: { MonthlySpendLimit } }));
const refuse = (code: string, times: number) =>
  deployment.emulators().inject({
    ...{ service: 'sns', action: 'SetSMSAttributes', effect: 'error', message: 'over the quota' },
    ...{ code, times },
  });
const deployed = (change: Partial<CustomResourceEvent> = {}) =>
  deployment.send(handler, {
    ResourceType: 'Custom::SmsSettings',
    ResourceProperties: { MonthlySpendLimit: '100', Version: '1.0.0' },
    ...change,
  });

describe('SMS settings of an AWS account', () => {
  test('each deployment applies the SMS settings of its environment to the AWS account', async () => {
    expect(await deployed()).toMatchObject({
      Status: 'SUCCESS',
      Data: { Told: 'SMS of this account and region stop at 100 USD a month.' },
    });
    expect(await settings()).toEqual({ MonthlySpendLimit: '100', DefaultSMSType: 'Transactional' });
    await set('1000');
    await deployed({ RequestType: 'Update' });
    expect(await settings()).toMatchObject({ MonthlySpendLimit: '100' });
  });

  test('a deployment to a new AWS account with an SMS spending limit of 1 USD succeeds with a warning', async () => {
    await refuse('InvalidParameter', 1);
    const answer = await deployed();
    expect(answer).toMatchObject({ Status: 'SUCCESS' });
    expect(answer.Data.Told).toMatch(/^WARNING: SNS refused a limit of 100 USD .*the quota of the account/);
    expect(await settings()).toEqual({ DefaultSMSType: 'Transactional' });
    await set('1');
    await refuse('InvalidParameter', 1);
    expect((await deployed()).Data.Told).toContain('SMS stop at 1 USD a month');
    await set('100');
    await refuse('InvalidParameter', 1);
    expect((await deployed()).Data.Told).toContain('SMS stop at 100 USD a month');
  });

  test('a deployment fails if SNS rejects an SMS spending limit that is lower than the current limit', async () => {
    await set('500');
    await refuse('InvalidParameter', 1);
    expect(await deployed()).toMatchObject({
      Status: 'FAILED',
      Reason: 'Error: SNS refused a limit of 100 USD and keeps 500 USD: over the quota',
    });
  });

  test('a deployment fails if SNS denies an API call for SMS settings', async () => {
    const denied = { Status: 'FAILED', Reason: expect.stringMatching(/over the quota|not allowed/) };
    await refuse('AuthorizationError', 1);
    expect(await deployed()).toMatchObject(denied);
    await refuse('InvalidParameter', 1);
    await refuse('AuthorizationError', 1);
    expect(await deployed()).toMatchObject(denied);
    await refuse('InvalidParameter', 1);
    await deployment.emulators().inject({
      ...{ service: 'sns', action: 'GetSMSAttributes', effect: 'error', message: 'not allowed' },
      ...{ code: 'AuthorizationError', times: 1 },
    });
    expect(await deployed()).toMatchObject(denied);
  });
});

describe('SMS settings of an AWS account that uses End User Messaging', () => {
  const ResourceProperties = { MonthlySpendLimit: '100', Version: '1.0.0', Pool: 'arn:pool' };
  const fail = (code: string) =>
    deployment.emulators().inject({
      ...{ service: 'sms-voice', action: 'SetTextMessageSpendLimitOverride', effect: 'error' },
      ...{ code, times: 1 },
    });

  test('a deployment sets the spending limits of SNS and End User Messaging', async () => {
    expect(await deployed({ ResourceProperties })).toMatchObject({
      Status: 'SUCCESS',
      Data: {
        Told: expect.stringMatching(/^SMS of this account .* SMS of End User Messaging stop at 100 USD/),
      },
    });
    expect(await settings()).toMatchObject({ MonthlySpendLimit: '100', TextMessageSpendLimit: '100' });
  });

  test('a spending limit above the End User Messaging quota causes a warning, and a denied AWS call fails the deployment', async () => {
    await fail('ValidationException');
    expect(await deployed({ ResourceProperties })).toMatchObject({
      Status: 'SUCCESS',
      Data: { Told: expect.stringContaining('WARNING: End User Messaging refused a limit of 100 USD') },
    });
    await fail('AccessDeniedException');
    expect(await deployed({ ResourceProperties })).toMatchObject({ Status: 'FAILED' });
  });
});

describe('SMS delivery log of SNS', () => {
  const role = 'arn:aws:iam::111122223333:role/sns';
  const status = (RequestType: CustomResourceEvent['RequestType']) =>
    deployment.send(handler, {
      ...{ RequestType, ResourceType: 'Custom::SmsDeliveryStatus', ResourceProperties: { Role: role } },
      PhysicalResourceId: 'sms-delivery-status',
    });
  const limits = { MonthlySpendLimit: '100', DefaultSMSType: 'Transactional' };

  test('SNS logs each SMS delivery until the SMS stack is deleted', async () => {
    await deployed();
    await status('Create');
    const written = { DeliveryStatusIAMRole: role, DeliveryStatusSuccessSamplingRate: '100' };
    expect(await settings()).toEqual({ ...limits, ...written });
    expect(await status('Delete')).toMatchObject({ Status: 'SUCCESS' });
    const ended = { DeliveryStatusIAMRole: '', DeliveryStatusSuccessSamplingRate: '0' };
    expect(await settings()).toEqual({ ...limits, ...ended });
  });

  test('setting up the SMS delivery log is retried until SNS knows the new role', async () => {
    await refuse('InvalidParameter', 1);
    expect(await status('Create')).toMatchObject({ Status: 'SUCCESS' });
    expect(await settings()).toMatchObject({ DeliveryStatusIAMRole: role });
  });

  test('the SMS stack can be deleted even if SNS refuses to remove the log role', async () => {
    await refuse('InvalidParameter', 1);
    expect(await status('Delete')).toMatchObject({ Status: 'SUCCESS' });
  });
});

describe('resources and permissions of the SMS settings stack', () => {
  const { templates } = synthesized('eu');
  const cloud = (name: Parameters<typeof synthesized>[0]) => new Cloud(synthesized(name).templates);

  test('the custom resource for SMS settings contains the spending limit of the environment and the service version', () => {
    const [settings] = cloud('eu').resources('Custom::SmsSettings');
    expect(settings?.properties).toMatchObject({
      MonthlySpendLimit: '100',
      Version: expect.stringMatching(/^\d+\./),
    });
  });

  test('a second SMS stack in the same account and region fails, because both create the same parameter', () => {
    const parameters = (['sandbox', 'us'] as const).map((name) =>
      cloud(name)
        .resources('AWS::SSM::Parameter')
        .map(({ properties }) => [properties.Name, properties.Value]),
    );
    expect(parameters).toEqual([
      [['/one-time-login/sms-settings', 'sandbox']],
      [['/one-time-login/sms-settings', 'us']],
    ]);
    const template = templates['otl-eu-sms'];
    const resources = Object.entries(template?.Resources ?? {});
    const [owner] = resources.find(([, { Type }]) => Type === 'AWS::SSM::Parameter') ?? [];
    const [, settings] = resources.find(([, { Type }]) => Type === 'Custom::SmsSettings') ?? [];
    expect(JSON.stringify(settings)).toContain(`"DependsOn":["${owner}"]`);
    const [, status] = resources.find(([, { Type }]) => Type === 'Custom::SmsDeliveryStatus') ?? [];
    expect(JSON.stringify(status)).toContain(`"DependsOn":["${owner}"]`);
  });

  test('the function for SMS settings may call SNS only to read and change the SMS settings', () => {
    const set = cloud('eu')
      .functions()
      .find(({ name }) => name === 'otl-eu-sms-settings');
    expect(
      set?.statements
        .filter(({ Sid }) => !['OwnLog', 'Traces'].includes(Sid ?? ''))
        .map(({ Action }) => Action),
    ).toEqual([['sns:GetSMSAttributes', 'sns:SetSMSAttributes'], ['iam:PassRole']]);
    expect(set?.statements.find(({ Sid }) => Sid === 'SmsDeliveryRole')).toMatchObject({
      Resource: [expect.stringMatching(/^AWS::IAM::Role:DeliveryRole/)],
      Condition: { StringEqualsIfExists: { 'iam:PassedToService': 'sns.amazonaws.com' } },
    });
  });

  test('SNS may write delivery reports only to two log groups with a retention of one day', () => {
    const name = 'sns/eu-central-1/111122223333/DirectPublishToPhoneNumber';
    const ofStack = (type: string) =>
      cloud('eu')
        .resources(type)
        .filter(({ stack }) => stack === 'otl-eu-sms')
        .map(({ properties }) => properties);
    const named = ofStack('AWS::Logs::LogGroup').filter(({ LogGroupName }) => LogGroupName !== undefined);
    expect(named).toMatchObject([
      { LogGroupName: name, RetentionInDays: 1 },
      { LogGroupName: `${name}/Failure`, RetentionInDays: 1 },
    ]);
    const [role] = ofStack('AWS::IAM::Role').filter((each) =>
      JSON.stringify(each).includes('sns.amazonaws.com'),
    );
    expect(JSON.stringify(role?.Policies)).not.toContain('"*"');
  });
});

describe('environments that share an AWS account or region', () => {
  const accounts = { OTL_ACCOUNT_US: '111122223333', OTL_ACCOUNT_SANDBOX: '111122223333' };

  test('two environments with the same AWS account and region are rejected, and the error names both', () => {
    for (const only of [undefined, 'us', 'sandbox'])
      expect(() => environments(only, accounts)).toThrow(
        /(sandbox and us|us and sandbox) are both in us-east-1 of the account 111122223333/,
      );
    expect(environments('eu', accounts)).toHaveLength(1);
  });

  test('two environments may share an AWS account or a region, but not both', () => {
    expect(environments(undefined, { ...accounts, OTL_ACCOUNT_SANDBOX: '444455556666' })).toHaveLength(6);
    const shared = { OTL_ACCOUNT_US: '111122223333', OTL_ACCOUNT_EU: '111122223333' };
    expect(environments(undefined, shared)).toHaveLength(6);
  });
});
