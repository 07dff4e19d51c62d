import { describe, expect, test } from '@jest/globals';
import { WIDE_RESOURCES } from '../../lib/stacks/functions/grants.ts';
import { userItem } from '../../shared/dynamo/people/user-item.ts';
import { Cloud, type Statement, tableArnOf } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

/**
 * The complete policies of some functions, written out. test/bundles compares the policies of all of them with the calls
 * that the code makes.
 */

const cloud = new Cloud(synthesized('eu').templates);
const functions = cloud.functions();

/** A resource by its logical ID, without the hash that CDK adds. */
const named = (id: string): string => expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)) as never;

const allow = (sid: string, actions: readonly string[], ...resources: readonly string[]): Statement => ({
  Sid: sid,
  Effect: 'Allow',
  Action: actions,
  Resource: resources,
});

/** Actions on the items of a table or an index, and no others, that begin with this key. */
const items = (sid: string, table: string, key: string, actions: string): Statement => ({
  ...allow(sid, actions.replace(/\w+/g, 'dynamodb:$&').split(' '), tableArnOf(`otl-eu-${table}`)),
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key] },
    // A request without a key, such as a scan, matches any `ForAllValues`.
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
});

/** The same for a write that names these attributes alone, and shows nothing of the item. */
const naming = (attributes: readonly string[], granted: Statement): Statement => ({
  ...granted,
  Condition: {
    ...(granted.Condition as object),
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
  },
});

const OF_USER = [
  ...['pk', 'sk', 'list_pk', 'list_sk', 'version', 'written_by', 'find_pk', 'find_sk'],
  ...userItem.attributes,
];
const OF_CONSENT = [
  ...['pk', 'sk', 'user_id', 'key', 'mark', 'given_by', 'tenant_id', 'application_id', 'client_id'],
  ...['redirect_uri', 'resource', 'scopes', 'stays_connected', 'given_at', 'used_at'],
  ...['expires_at', 'purge_at'],
];

const OWN_LOG = allow(
  'OwnLog',
  ['logs:CreateLogStream', 'logs:PutLogEvents'],
  expect.stringMatching(/^AWS::Logs::LogGroup:/) as never,
);
const TRACES = allow('Traces', ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*');
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
/** Phone numbers: every ARN of SNS is excluded. */
const SMS: Statement = {
  Sid: 'SmsSender',
  Effect: 'Allow',
  Action: ['sns:Publish'],
  NotResource: ['arn:aws:sns:*:*:*'],
};
/** Only keys that carry the tags of the environment. */
const SIGNER: Statement = {
  ...allow('Signer', ['kms:Sign'], 'arn:aws:kms:eu-central-1:111122223333:key/*'),
  Condition: {
    StringEquals: { 'aws:ResourceTag/otl:environment': 'eu', 'aws:ResourceTag/otl:purpose': 'signing' },
  },
};

const CODE_MAC = allow('CodeMac', ['kms:GenerateMac'], named('AWS::KMS::Key:CodeMacKey'));
/** Whatever a client asks for. */
const SERVED: readonly Statement[] = [
  ...[OWN_LOG, TRACES, TABLE_KEY],
  items('Clients', 'directory', 'client#*', 'GetItem'),
  items('Tenants', 'directory', 'tenant#*', 'GetItem'),
  items('Windows', 'flows', 'window#*', 'UpdateItem'),
];
/** The same where it shows a token, perhaps with a proof of its key. */
const BY_TOKEN: readonly Statement[] = [
  ...SERVED,
  items('Replays', 'flows', 'jti#*', 'PutItem'),
  items('SigningKeys', 'directory', 'signing-key', 'Query'),
];

const POLICIES: Readonly<Record<string, readonly Statement[]>> = {
  // The console: the sessions of its operators, and nothing else.
  'console-screen': [
    ...[OWN_LOG, TRACES, TABLE_KEY],
    items('ConsoleSessions', 'flows', 'console-session#*', 'DeleteItem GetItem UpdateItem'),
  ],
  'console-login': [
    ...[OWN_LOG, TRACES, TABLE_KEY],
    items('ConsoleSessions', 'flows', 'console-session#*', 'PutItem'),
  ],
  /** A sender. */
  'one-time-send-otp': [
    ...BY_TOKEN,
    CODE_MAC,
    MAILER,
    SMS,
    items('Applications', 'directory', 'app#*', 'GetItem'),
    items('Identifiers', 'people', 'identifier#*', 'GetItem'),
    items('Otps', 'flows', 'otp#*', 'UpdateItem'),
    items('TestCodes', 'flows', 'test-code#*', 'PutItem'),
    items('Users', 'people', 'user#*', 'GetItem'),
  ],
  /** An authenticator. */
  'one-time-authenticate-otp': [
    ...BY_TOKEN,
    CODE_MAC,
    SIGNER,
    items('Applications', 'directory', 'app#*', 'GetItem'),
    items('Guesses', 'flows', 'guesses#*', 'DeleteItem UpdateItem'),
    items('Memberships', 'people', 'user#*', 'GetItem'),
    items('Organizations', 'directory', 'org#*', 'GetItem'),
    items('Otps', 'flows', 'otp#*', 'UpdateItem'),
    items('Passkeys', 'people', 'user#*', 'Query'),
    items('Resources', 'directory', 'resource-uri#*', 'GetItem'),
    items('Resources2', 'directory', 'resource#*', 'GetItem'),
    items('Sessions', 'flows', 'session#*', 'GetItem PutItem Query UpdateItem'),
    items('Users', 'people', 'user#*', 'GetItem UpdateItem'),
  ],
  /** A management operation. */
  'management-update-application': [
    ...BY_TOKEN,
    items('ApplicationRecords', 'directory', 'app#*', 'GetItem PutItem'),
    items('ApplicationRecords2', 'directory', 'rp#*', 'DeleteItem PutItem'),
    items('ResourceRecords', 'directory', 'resource#*', 'GetItem'),
    items('Operators', 'directory', 'operator#*', 'GetItem'),
    items('RevokedTokens', 'flows', 'revoked#*', 'GetItem'),
    items('Sessions', 'flows', 'session#*', 'GetItem'),
    items('Users', 'people', 'user#*', 'GetItem'),
  ],
  /** A form of the hosted login. */
  'browser-login-act': [
    ...SERVED,
    CODE_MAC,
    MAILER,
    SMS,
    items('Applications', 'directory', 'app#*', 'GetItem'),
    items('Codes', 'flows', 'code#*', 'PutItem'),
    items('Consents', 'people', 'user#*', 'GetItem Query'),
    naming(OF_CONSENT, items('ConsentsLimited', 'people', 'user#*', 'PutItem')),
    items('Guesses', 'flows', 'guesses#*', 'DeleteItem UpdateItem'),
    items('IdentifierReservations', 'people', 'identifier#*', 'DeleteItem PutItem'),
    items('Identifiers', 'people', 'identifier#*', 'GetItem'),
    items('KnownDevices', 'flows', 'device#*', 'GetItem UpdateItem'),
    items('LoginTransactions', 'flows', 'login#*', 'GetItem UpdateItem'),
    items('MembershipRecords', 'people', 'user#*', 'Query'),
    items('Memberships', 'people', 'user#*', 'GetItem'),
    items('NoticeLinks', 'flows', 'notice-link#*', 'GetItem PutItem'),
    naming(
      ['pk', 'sk', 'expires_at', 'purge_at'],
      items('NoticeLinksLimited', 'flows', 'notice-link#*', 'UpdateItem'),
    ),
    items('Organizations', 'directory', 'org#*', 'GetItem'),
    items('Otps', 'flows', 'otp#*', 'UpdateItem'),
    items('Passkeys', 'people', 'user#*', 'Query UpdateItem'),
    items('Sessions', 'flows', 'session#*', 'GetItem PutItem Query UpdateItem'),
    items('TestCodes', 'flows', 'test-code#*', 'PutItem'),
    items('UserRecords', 'people', 'user#*', 'GetItem'),
    naming(OF_USER, items('UserRecordsLimited', 'people', 'user#*', 'PutItem')),
    items('Users', 'people', 'user#*', 'GetItem UpdateItem'),
  ],
  /** A function of events. */
  webhooks: [
    OWN_LOG,
    TRACES,
    allow('WebhookMac', ['kms:GenerateMac'], named('AWS::KMS::Key:WebhookMacKey')),
    SIGNER,
    items('Clients', 'directory', 'client#*', 'GetItem'),
    items('SigningKeys', 'directory', 'signing-key', 'Query'),
    items('Webhooks', 'directory', 'webhook#*', 'BatchGetItem GetItem'),
    items('WebhooksList', 'directory/index/by-parent', 'webhooks-of#*', 'Query'),
    items('WebhookDeliveries', 'flows', 'webhook-delivery#*', 'GetItem UpdateItem'),
    TABLE_KEY,
    allow(
      'Poller',
      ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      named('AWS::SQS::Queue:WebhooksQueue'),
    ),
    allow(
      'Queue',
      ['sqs:ChangeMessageVisibility', 'sqs:SendMessage'],
      named('AWS::SQS::Queue:WebhooksQueue'),
    ),
  ],
  /** A custom resource. */
  'first-signing-key': [
    OWN_LOG,
    TRACES,
    items('SigningKeyRecords', 'directory', 'signing-key', 'PutItem Query'),
    TABLE_KEY,
    allow('PublicKey', ['kms:GetPublicKey'], named('AWS::KMS::Key:SigningKey')),
  ],
};

const bySid = (statements: readonly Statement[]): readonly Statement[] =>
  statements.toSorted((one, other) => (one.Sid ?? '').localeCompare(other.Sid ?? ''));

test.each(Object.entries(POLICIES))('the policy of %s is this one', (name, statements) => {
  const deployed = functions.find((each) => each.name === `otl-eu-${name}`);
  expect(bySid(deployed?.statements ?? [])).toEqual(bySid(statements));
  // The path names the signing key and the keys of MACs: a function without their ports cannot pass their policies.
  if (name === 'first-signing-key') expect(deployed?.rolePath).toBe('/otl/eu/');
});

describe('every policy', () => {
  test('allows single actions, never a scan', () => {
    for (const { statements } of functions)
      for (const { Effect, Action } of statements) {
        expect(Effect).toBe('Allow');
        for (const action of Action) expect(action).not.toMatch(/\*|Scan|PartiQL/);
      }
  });

  test('lets the function write to its own log alone', () => {
    const logs = functions.map(({ statements }) => statements.filter(({ Sid }) => Sid === 'OwnLog'));
    expect(logs).toEqual(functions.map(() => [OWN_LOG]));
    expect(new Set(logs.flat().flatMap(({ Resource }) => Resource)).size).toBe(functions.length);
  });

  test('reaches the services of ports, and no others', () => {
    const actions = functions.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    // The custom resource of SMS settings hands SNS the role of its delivery log.
    expect(actions.filter((action) => action.startsWith('iam:'))).toEqual(['iam:PassRole']);
    for (const action of actions)
      expect(action).toMatch(/^(dynamodb|events|iam|kms|logs|secretsmanager|ses|sns|sqs|xray):/);
  });

  test('holds a wildcard resource only where grants say why', () => {
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

  test('is in the template itself: no policy is attached from outside', () => {
    expect(cloud.resources('AWS::IAM::Policy')).toEqual([]);
    for (const { id } of cloud.resources('AWS::IAM::ManagedPolicy'))
      expect(id).toMatch(/^(Uses|Invokes)\w+$/);
    expect(functions.flatMap(({ managedPolicies }) => managedPolicies)).toEqual([]);
  });
});

test('Mailer allows any recipient in the SES sandbox alone, and one sender everywhere', () => {
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

test('each statement of the secrets of providers names their prefix', () => {
  const found = functions.flatMap(({ statements }) =>
    statements.filter(({ Sid }) => Sid === 'ProviderSecrets'),
  );
  const secrets = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:otl-eu/providers/*';
  expect(found.length).toBeGreaterThan(0);
  for (const each of found)
    expect(each).toEqual(allow('ProviderSecrets', ['secretsmanager:GetSecretValue'], secrets));
});

test('TableKey is used through DynamoDB alone, and encrypts only where the function writes', () => {
  for (const { statements } of functions) {
    const onTables = statements.flatMap(({ Action }) => Action).filter((each) => /^dynamodb:/.test(each));
    const writes = onTables.some((action) => !/:(?:GetItem|BatchGetItem|Query)$/.test(action));
    const expected = onTables.length === 0 ? [] : [writes ? TABLE_KEY : TABLE_KEY_READ];
    expect(statements.filter(({ Sid }) => Sid?.startsWith('TableKey'))).toEqual(expected);
  }
});

test('only operations that read passcodes can make their MACs', () => {
  const makers = functions.filter(({ statements }) => statements.some(({ Sid }) => Sid === 'CodeMac'));
  expect(makers.length).toBeGreaterThan(0);
  for (const { name, statements } of makers)
    expect([name, statements.some(({ Sid }) => Sid === 'Otps')]).toEqual([name, true]);
});
