import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomResourceEvent } from '../../functions/deployment/custom-resource.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { noteForComparison } from '../support/server/aws-calls.ts';
import { loadBackground } from '../support/server/load-function.ts';
import { Cloud } from './support/cloud.ts';
import { useCustomResourceCloud } from './support/custom-resource-cloud.ts';
import { synthesized } from './support/synthesized.ts';

interface Answer {
  readonly Status: string;
  readonly Reason: string;
  readonly PhysicalResourceId: string;
  readonly Data: { readonly Told?: string };
}

/** What the SNS of these tests keeps of an account: its quota, its settings, and whether it lets anybody in. */
interface Account {
  quota: number;
  settings: Record<string, string>;
  refuses?: { readonly status: number; readonly code: string };
}

const { noting, close } = noteForComparison();
const handler = noting('sms-settings', await loadBackground('sms-settings'));

let account: Account;
let calls: string[];

const xml = (operation: string, result: string) =>
  `<${operation}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${operation}Result>${result}</${operation}Result></${operation}Response>`;

/** The query protocol of SNS: `attributes.entry.1.key=…&attributes.entry.1.value=…`. */
function sns(form: URLSearchParams): { readonly status: number; readonly body: string } {
  const failed = (status: number, code: string, message: string) => ({
    status,
    body: `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  });
  const operation = form.get('Action') ?? '';
  calls.push(operation);
  if (account.refuses) return failed(account.refuses.status, account.refuses.code, 'refused');
  if (operation === 'GetSMSAttributes') {
    const entries = Object.entries(account.settings).map(
      ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
    );
    return { status: 200, body: xml(operation, `<attributes>${entries.join('')}</attributes>`) };
  }
  const set = Object.fromEntries(
    [1, 2]
      .map((n) => [form.get(`attributes.entry.${n}.key`), form.get(`attributes.entry.${n}.value`)])
      .filter(([key]) => key !== null),
  ) as Record<string, string>;
  if (Number(set.MonthlySpendLimit ?? 0) > account.quota)
    return failed(400, 'InvalidParameter', 'over the quota');
  Object.assign(account.settings, set);
  return { status: 200, body: xml(operation, '') };
}

const cloud = useCustomResourceCloud<Answer>('AWS_ENDPOINT_URL_SNS', (body) => ({
  ...sns(new URLSearchParams(body)),
  type: 'text/xml',
}));
afterAll(close);
beforeEach(() => {
  account = { quota: 1000, settings: {} };
  calls = [];
});

async function deployed(change: Partial<CustomResourceEvent> = {}): Promise<Answer | undefined> {
  await handler({
    RequestType: 'Create',
    ResourceType: 'Custom::SmsSettings',
    ResponseURL: cloud.responseUrl(),
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Settings',
    ResourceProperties: { MonthlySpendLimit: '100', Version: '1.0.0' },
    ...change,
  });
  return cloud.lastAnswer();
}

describe('the SMS settings of an account', () => {
  test('are set by the deployment, and again by the next one', async () => {
    expect(await deployed()).toMatchObject({
      Status: 'SUCCESS',
      Data: { Told: 'SMS of this account and region stop at 100 USD a month.' },
    });
    expect(account.settings).toEqual({ MonthlySpendLimit: '100', DefaultSMSType: 'Transactional' });
    account.settings.MonthlySpendLimit = '1000';
    await deployed({ RequestType: 'Update' });
    expect(account.settings.MonthlySpendLimit).toBe('100');
  });

  test('a new account may spend 1 USD: the deployment goes on, and says so', async () => {
    account.quota = 1;
    const answer = await deployed();
    expect(answer).toMatchObject({ Status: 'SUCCESS' });
    expect(answer?.Data.Told).toMatch(/^WARNING: SNS refused a limit of 100 USD .*the quota of the account/);
    expect(account.settings).toEqual({ DefaultSMSType: 'Transactional' });
    account.settings.MonthlySpendLimit = '1';
    expect((await deployed())?.Data.Told).toContain('SMS stop at 1 USD a month');
  });

  test('a refusal that leaves a higher limit fails the deployment', async () => {
    account = { quota: 50, settings: { MonthlySpendLimit: '500' } };
    expect(await deployed()).toMatchObject({
      Status: 'FAILED',
      Reason: 'Error: SNS refused a limit of 100 USD and keeps 500 USD: over the quota',
    });
  });

  test('so does an SNS that denies access', async () => {
    account.refuses = { status: 403, code: 'AuthorizationError' };
    expect(await deployed()).toMatchObject({ Status: 'FAILED' });
  });

  test('stay when the stack goes', async () => {
    await deployed();
    calls = [];
    expect(await deployed({ RequestType: 'Delete' })).toMatchObject({ Status: 'SUCCESS' });
    expect(calls).toEqual([]);
  });
});

describe('the stack of SMS settings', () => {
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
    const template = synthesized('eu').templates['otl-eu-sms'];
    const resources = Object.entries(template?.Resources ?? {});
    const [owner] = resources.find(([, { Type }]) => Type === 'AWS::SSM::Parameter') ?? [];
    const [, settings] = resources.find(([, { Type }]) => Type === 'Custom::SmsSettings') ?? [];
    expect(JSON.stringify(settings)).toContain(`"DependsOn":["${owner}"]`);
  });

  test('allows reading and setting these settings, and nothing else of SNS', () => {
    const set = cloud('eu')
      .functions()
      .find(({ name }) => name === 'otl-eu-sms-settings');
    expect(
      set?.statements
        .filter(({ Sid }) => !['OwnLog', 'Traces'].includes(Sid ?? ''))
        .map(({ Action }) => Action),
    ).toEqual([['sns:GetSMSAttributes', 'sns:SetSMSAttributes']]);
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
