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

describe('the SMS settings of an account', () => {
  test('are set by the deployment, and again by the next one', async () => {
    expect(await deployed()).toMatchObject({
      Status: 'SUCCESS',
      Data: { Told: 'SMS of this account and region stop at 100 USD a month.' },
    });
    expect(await settings()).toEqual({ MonthlySpendLimit: '100', DefaultSMSType: 'Transactional' });
    await set('1000');
    await deployed({ RequestType: 'Update' });
    expect(await settings()).toMatchObject({ MonthlySpendLimit: '100' });
  });

  test('a new account may spend 1 USD: the deployment goes on, and says so', async () => {
    await refuse('InvalidParameter', 1);
    const answer = await deployed();
    expect(answer).toMatchObject({ Status: 'SUCCESS' });
    expect(answer.Data.Told).toMatch(/^WARNING: SNS refused a limit of 100 USD .*the quota of the account/);
    expect(await settings()).toEqual({ DefaultSMSType: 'Transactional' });
    await set('1');
    await refuse('InvalidParameter', 1);
    expect((await deployed()).Data.Told).toContain('SMS stop at 1 USD a month');
  });

  test('a refusal that leaves a higher limit fails the deployment', async () => {
    await set('500');
    await refuse('InvalidParameter', 1);
    expect(await deployed()).toMatchObject({
      Status: 'FAILED',
      Reason: 'Error: SNS refused a limit of 100 USD and keeps 500 USD: over the quota',
    });
  });

  test('so does an SNS that denies access, at each of its calls', async () => {
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

describe('the delivery log', () => {
  const role = 'arn:aws:iam::111122223333:role/sns';
  const status = (RequestType: CustomResourceEvent['RequestType']) =>
    deployment.send(handler, {
      ...{ RequestType, ResourceType: 'Custom::SmsDeliveryStatus', ResourceProperties: { Role: role } },
      PhysicalResourceId: 'sms-delivery-status',
    });
  const limits = { MonthlySpendLimit: '100', DefaultSMSType: 'Transactional' };

  test('is written of every text, beside the spending limit, and ends with the stack', async () => {
    await deployed();
    await status('Create');
    const written = { DeliveryStatusIAMRole: role, DeliveryStatusSuccessSamplingRate: '100' };
    expect(await settings()).toEqual({ ...limits, ...written });
    expect(await status('Delete')).toMatchObject({ Status: 'SUCCESS' });
    const ended = { DeliveryStatusIAMRole: '', DeliveryStatusSuccessSamplingRate: '0' };
    expect(await settings()).toEqual({ ...limits, ...ended });
  });

  test('waits for a role that SNS does not know yet', async () => {
    await refuse('InvalidParameter', 1);
    expect(await status('Create')).toMatchObject({ Status: 'SUCCESS' });
    expect(await settings()).toMatchObject({ DeliveryStatusIAMRole: role });
  });

  test('does not hold up the deletion of its stack where SNS refuses to forget the role', async () => {
    await refuse('InvalidParameter', 1);
    expect(await status('Delete')).toMatchObject({ Status: 'SUCCESS' });
  });
});

describe('the stack of SMS settings', () => {
  const { templates } = synthesized('eu');
  const cloud = (name: Parameters<typeof synthesized>[0]) => new Cloud(synthesized(name).templates);

  test('names the limit of its environment, and the version so that upgrades set it again', () => {
    const [settings] = cloud('eu').resources('Custom::SmsSettings');
    expect(settings?.properties).toMatchObject({
      MonthlySpendLimit: '100',
      Version: expect.stringMatching(/^\d+\./),
    });
  });

  test('is the only one of an account and region: its parameter has the same name everywhere, and comes first', () => {
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

  test('allows reading and setting these settings, and nothing else of SNS', () => {
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

  test('lets SNS write what became of texts into two logs that are kept for a day, and nowhere else', () => {
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

describe('two environments of one account and region', () => {
  const accounts = { OTL_ACCOUNT_US: '111122223333', OTL_ACCOUNT_SANDBOX: '111122223333' };

  test('are refused by name, whichever is deployed', () => {
    for (const only of [undefined, 'us', 'sandbox'])
      expect(() => environments(only, accounts)).toThrow(
        /(sandbox and us|us and sandbox) are both in us-east-1 of the account 111122223333/,
      );
    expect(environments('eu', accounts)).toHaveLength(1);
  });

  test('may share an account in two regions, and a region in two accounts', () => {
    expect(environments(undefined, { ...accounts, OTL_ACCOUNT_SANDBOX: '444455556666' })).toHaveLength(6);
    const shared = { OTL_ACCOUNT_US: '111122223333', OTL_ACCOUNT_EU: '111122223333' };
    expect(environments(undefined, shared)).toHaveLength(6);
  });
});
