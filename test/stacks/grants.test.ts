import { describe, expect, test } from '@jest/globals';
import { WIDE_RESOURCES } from '../../lib/stacks/functions/grants.ts';
import { Cloud, type Statement } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

// Tests rules that hold for the IAM policies of all functions. `.ci/run` also compares each policy with the AWS calls that the
// function makes.

const cloud = new Cloud(synthesized('eu').templates);
const functions = cloud.functions();

/** Matches a resource by its logical ID. Ignores the hash that CDK adds. */
const named = (id: string): string => expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)) as never;

const allow = (sid: string, actions: readonly string[], ...resources: readonly string[]): Statement => ({
  Sid: sid,
  Effect: 'Allow',
  Action: actions,
  Resource: resources,
});

const OWN_LOG = allow(
  'OwnLog',
  ['logs:CreateLogStream', 'logs:PutLogEvents'],
  expect.stringMatching(/^AWS::Logs::LogGroup:/) as never,
);
const VIA_DYNAMODB = { StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' } };
const TABLE_KEY_READ: Statement = {
  ...allow('TableKeyRead', ['kms:Decrypt', 'kms:DescribeKey'], named('AWS::KMS::Key:TableKey')),
  Condition: VIA_DYNAMODB,
};
const TABLE_KEY: Statement = {
  ...TABLE_KEY_READ,
  Sid: 'TableKey',
  Action: [
    ...TABLE_KEY_READ.Action,
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ],
};
const MAILER: Statement = {
  ...allow(
    'Mailer',
    ['ses:SendRawEmail'],
    'arn:aws:ses:eu-central-1:111122223333:configuration-set/otl-eu',
    'arn:aws:ses:eu-central-1:111122223333:identity/eu.example.com',
  ),
  Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@eu.example.com' } },
};

describe('IAM permissions of every Lambda function', () => {
  test('IAM permissions for tables are limited to key prefixes and, if possible, to attributes', () => {
    for (const { statements } of functions)
      for (const { Action, Condition } of statements) {
        if (!Action.some((action) => action.startsWith('dynamodb:'))) continue;
        const { Null, ...conditions } = Condition as Record<string, Record<string, unknown>>;
        expect(conditions['ForAllValues:StringLike']).toEqual({
          'dynamodb:LeadingKeys': [expect.stringMatching(/^[a-z-]+(?:#\*)?$/)],
        });
        const limits = conditions['ForAllValues:StringEquals'] && { 'dynamodb:Attributes': 'false' };
        // A request without a key, such as a scan, would satisfy any `ForAllValues` condition, so the key must not be null.
        expect(Null).toEqual({ 'dynamodb:LeadingKeys': 'false', ...limits });
        expect(conditions.StringEqualsIfExists).toEqual(limits && { 'dynamodb:ReturnValues': 'NONE' });
      }
  });

  test('functions can sign only with the keys of their own environment', () => {
    const all = functions.flatMap(({ statements }) => statements);
    for (const { Condition } of all.filter(({ Sid }) => Sid === 'Signer'))
      expect(Condition).toEqual({
        StringEquals: { 'aws:ResourceTag/otl:environment': 'eu', 'aws:ResourceTag/otl:purpose': 'signing' },
      });
    const senders = all.filter(({ Action }) => Action.includes('sns:Publish'));
    expect(senders.length).toBeGreaterThan(1);
    for (const sender of senders)
      expect(sender).toEqual({
        Sid: 'SmsSender',
        Effect: 'Allow',
        Action: ['sns:Publish'],
        NotResource: ['arn:aws:sns:*:*:*'],
      });
  });

  test('IAM permissions name individual actions, and no permission allows a table scan', () => {
    for (const { statements } of functions)
      for (const { Effect, Action } of statements) {
        expect(Effect).toBe('Allow');
        for (const action of Action) expect(action).not.toMatch(/\*|Scan|PartiQL/);
      }
  });

  test('each Lambda function can write only to its own log group', () => {
    const logs = functions.map(({ statements }) => statements.filter(({ Sid }) => Sid === 'OwnLog'));
    expect(logs).toEqual(functions.map(() => [OWN_LOG]));
    expect(new Set(logs.flat().flatMap(({ Resource }) => Resource)).size).toBe(functions.length);
  });

  test('the IAM permissions of all functions include only the ten AWS services that the ports use', () => {
    const actions = functions.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    // The custom resource for SMS settings passes a role to SNS, with which SNS writes the SMS delivery log.
    expect(actions.filter((action) => action.startsWith('iam:'))).toEqual(['iam:PassRole']);
    for (const action of actions)
      expect(action).toMatch(/^(dynamodb|events|iam|kms|logs|secretsmanager|ses|sns|sqs|xray):/);
  });

  test('each IAM permission for all resources has a documented reason', () => {
    const inSesSandbox = new Cloud(synthesized('eu with its protection, in the SES sandbox').templates);
    const wide = [...functions, ...inSesSandbox.functions()].flatMap(({ statements }) =>
      statements.filter(
        ({ Resource, NotResource }) =>
          NotResource !== undefined || Resource?.some((each) => each.includes('*')),
      ),
    );
    expect(new Set(wide.map(({ Sid }) => Sid))).toEqual(new Set(Object.keys(WIDE_RESOURCES)));
    for (const reason of Object.values(WIDE_RESOURCES)) expect(reason.length).toBeGreaterThan(40);
  });

  test('IAM roles of functions have only the policies in their CloudFormation templates', () => {
    expect(cloud.resources('AWS::IAM::Policy')).toEqual([]);
    for (const { id } of cloud.resources('AWS::IAM::ManagedPolicy'))
      expect(id).toMatch(/^(Uses|Invokes|JobsMorePorts)\w+$/);
    expect(functions.flatMap(({ managedPolicies }) => managedPolicies)).toEqual([]);
  });
});

test('only in the SES sandbox may functions use SES identities other than that of the sender', () => {
  const resources = (variant: Parameters<typeof synthesized>[0]) =>
    new Cloud(synthesized(variant).templates)
      .functions()
      .flatMap(({ statements }) => statements.filter(({ Sid }) => Sid === 'Mailer'));
  const sandboxed = resources('eu with its protection, in the SES sandbox');
  expect(sandboxed.length).toBeGreaterThan(1);
  for (const statement of sandboxed)
    expect(statement).toEqual({
      ...MAILER,
      Resource: [
        'arn:aws:ses:eu-central-1:111122223333:configuration-set/otl-eu',
        'arn:aws:ses:eu-central-1:111122223333:identity/*',
      ],
    });
  for (const statement of resources('eu')) expect(statement).toEqual(MAILER);
});

test('permissions to read client secrets of identity providers are limited to the prefix of the secret names', () => {
  const found = functions.flatMap(({ statements }) =>
    statements.filter(({ Sid }) => Sid === 'ProviderSecrets'),
  );
  const secrets = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:otl-eu/providers/*';
  expect(found.length).toBeGreaterThan(0);
  for (const each of found)
    expect(each).toEqual(allow('ProviderSecrets', ['secretsmanager:GetSecretValue'], secrets));
});

test("only functions that write to tables may encrypt with the tables' KMS key, and only through DynamoDB", () => {
  for (const { statements } of functions) {
    const onTables = statements.flatMap(({ Action }) => Action).filter((each) => /^dynamodb:/.test(each));
    const writes = onTables.some((action) => !/:(?:GetItem|BatchGetItem|Query)$/.test(action));
    const expected = onTables.length === 0 ? [] : [writes ? TABLE_KEY : TABLE_KEY_READ];
    expect(statements.filter(({ Sid }) => Sid?.startsWith('TableKey'))).toEqual(expected);
  }
});

test('only functions with access to passcodes may compute MACs of passcodes', () => {
  const makers = functions.filter(({ statements }) => statements.some(({ Sid }) => Sid === 'CodeMac'));
  expect(makers.length).toBeGreaterThan(0);
  for (const { name, statements } of makers)
    expect([name, statements.some(({ Sid }) => Sid === 'Otps')]).toEqual([name, true]);
});
