import { describe, expect, test } from '@jest/globals';
import { ENVELOPE_KEY_ID, MAC_KEY_ID, SIGNING_KEY_ID, WEBHOOK_KEY_ID } from '../../lib/local/demo.ts';
import { PROVIDER_SECRETS } from '../../lib/local/function-environment.ts';
import type { AwsCall } from '../../lib/local/playground/aws-call.ts';
import { Cloud, type DeployedFunction, type Statement } from '../stacks/support/cloud.ts';
import { synthesized } from '../stacks/support/synthesized.ts';
import { allEntries, deployedFunctions, forbiddenCalls, unusedActions } from './support/compare.ts';
import { allows, ON_BEHALF, refusedBy, toPolicyRequest, unusedIn } from './support/policy.ts';

const functions = deployedFunctions(allEntries);
const deployedAs = (entry: string): DeployedFunction => {
  const found = functions.get(entry);
  if (!found) throw new Error(entry);
  return found;
};
const sendOtp = deployedAs('one-time/send-otp');
const call = (action: string, resource: string, leadingKey?: string): AwsCall => ({
  action,
  resource,
  ...(leadingKey !== undefined && { leadingKey }),
});

describe('contents of the IAM policies of Lambda functions', () => {
  test.each([
    ['another action on the same table', 'one-time/send-otp', call('dynamodb:Scan', 'flows', 'otp#')],
    ['the same action on another table', 'one-time/send-otp', call('dynamodb:UpdateItem', 'people', 'otp#')],
    [
      'an item of the same table whose key has another prefix',
      'one-time/send-otp',
      call('dynamodb:UpdateItem', 'flows', 'code#'),
    ],
    [
      'a partition key that only begins like an allowed partition key',
      'tokens/token',
      call('dynamodb:Query', 'directory', 'signing-key#'),
    ],
    ['querying an index', 'one-time/send-otp', call('dynamodb:Query', 'people/by-parent', 'users-of#')],
    ['a database call without a key', 'one-time/send-otp', call('dynamodb:GetItem', 'flows', '')],
    ['using the MAC key of webhooks', 'one-time/send-otp', call('kms:GenerateMac', WEBHOOK_KEY_ID)],
    [
      'reading a secret with another name prefix',
      'social/callback',
      call('secretsmanager:GetSecretValue', 'local/other/google'),
    ],
    ['creating a secret', 'social/callback', call('secretsmanager:CreateSecret', PROVIDER_SECRETS)],
    ['signing', 'one-time/open-magic-link', call('kms:Sign', SIGNING_KEY_ID)],
    ['sending mail', 'tokens/token', call('ses:SendRawEmail', 'no-reply@login.example')],
    ['publishing to another event bus', 'event-forwarder', call('events:PutEvents', 'default')],
    ['publishing to any event bus', 'webhooks', call('events:PutEvents', 'local')],
    ['sending a message to another queue', 'webhooks', call('sqs:SendMessage', 'notices')],
    [
      'sending a message to the queue that triggers the function',
      'notices',
      call('sqs:SendMessage', 'notices'),
    ],
    ['reading the public key of another KMS key', 'first-signing-key', call('kms:GetPublicKey', MAC_KEY_ID)],
    [
      'reading the secret of a social provider',
      'edge-records',
      call('secretsmanager:GetSecretValue', `${PROVIDER_SECRETS}/app/google`),
    ],
    [
      'publishing to an SNS topic',
      'one-time/send-otp',
      call('sns:Publish', 'arn:aws:sns:eu-central-1:111122223333:topic'),
    ],
  ])('the IAM policy of a Lambda function does not allow %s', (_, entry, made) => {
    expect(refusedBy(deployedAs(entry), [made])).toEqual([made]);
  });

  test('the IAM policy of a Lambda function does not allow emails from another sender', () => {
    const mail = call('ses:SendRawEmail', 'no-reply@login.example');
    const request = toPolicyRequest(mail, sendOtp);
    const [statement] = sendOtp.statements.filter(({ Sid }) => Sid === 'Mailer');
    expect(allows(statement as Statement, request)).toBe(true);
    const context = { 'ses:FromAddress': 'ceo@eu.example.com' };
    expect(allows(statement as Statement, { ...request, context })).toBe(false);
  });
});

test('the IAM policy evaluator of the tests throws on statements that it does not support', () => {
  const statement: Statement = { Effect: 'Deny', Action: ['kms:Sign'], Resource: ['*'] };
  const request = { action: 'kms:Sign', resource: 'x', context: {} };
  expect(() => allows(statement, request)).toThrow('Deny');
  const unknown = { ...statement, Effect: 'Allow', Condition: { DateLessThan: {} } };
  expect(() => allows(unknown, request)).toThrow('DateLessThan');
});

describe('comparison of recorded AWS calls with IAM policies', () => {
  const open = 'one-time/open-magic-link';
  const reads = call('dynamodb:GetItem', 'flows', 'link#');

  test('the comparison of AWS calls with IAM policies reports forbidden calls and functions that were never called', () => {
    const signs = call('kms:Sign', SIGNING_KEY_ID);
    expect(forbiddenCalls([open], { [open]: [reads, signs] })).toEqual([
      `${open}: its policy does not allow the call that it makes: ${JSON.stringify(signs)}`,
    ]);
    expect(forbiddenCalls([open], {})).toEqual([`${open}: no journey calls it`]);
  });

  test('the comparison of AWS calls with IAM policies accepts calls that only one of the two signing modes allows', () => {
    const first = 'first-signing-key';
    const asks = [
      call('kms:GetPublicKey', SIGNING_KEY_ID),
      call('kms:GenerateDataKeyPairWithoutPlaintext', ENVELOPE_KEY_ID),
    ];
    expect(forbiddenCalls([first], { [first]: asks })).toEqual([]);
    expect(refusedBy(deployedAs(first), asks)).toEqual(asks.slice(1));
  });

  test('the comparison of AWS calls with IAM policies covers every deployed function', () => {
    const deployed = new Cloud(synthesized('eu').templates).functions();
    expect([...functions.values()].map(({ name }) => name).toSorted()).toEqual(
      deployed.map(({ name }) => name).toSorted(),
    );
  });

  test('an IAM permission that AWS uses on behalf of a function is not reported as unused', () => {
    const sids = [...functions.values()].flatMap(({ statements }) => statements.map(({ Sid }) => Sid));
    expect(Object.keys(ON_BEHALF).filter((sid) => !sids.includes(sid))).toEqual([]);
    expect(unusedIn(deployedAs('webhooks'), []).toSorted()).toEqual([
      'Clients dynamodb:GetItem',
      'Queue sqs:ChangeMessageVisibility',
      'Queue sqs:SendMessage',
      'Signer kms:Sign',
      'SigningKeys dynamodb:Query',
      'WebhookDeliveries dynamodb:GetItem',
      'WebhookDeliveries dynamodb:UpdateItem',
      'WebhookMac kms:GenerateMac',
      'Webhooks dynamodb:BatchGetItem',
      'Webhooks dynamodb:GetItem',
      'WebhooksList dynamodb:Query',
    ]);
  });

  test('the comparison of AWS calls with IAM policies reports unused permissions', () => {
    const complaint = `${open}: allowed and never needed: Links dynamodb:GetItem`;
    expect(unusedActions([open], {})).toContain(complaint);
    expect(unusedActions([open], { [open]: [call('dynamodb:GetItem', 'flows', 'otp#')] })).toContain(
      complaint,
    );
    expect(unusedActions([open], { [open]: [reads] })).not.toContain(complaint);
    const everything = call('dynamodb:GetItem', 'directory', 'app#');
    expect(unusedActions([open], { [open]: [reads, everything] })).toEqual([]);
  });
});
