import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { DataStack } from '../../lib/stacks/data/data-stack.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { listGrants } from '../../lib/stacks/functions/grants.ts';
import { buildVariables } from '../../lib/stacks/functions/variables.ts';

const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:sender:live';

function readEnvironment(env: Readonly<Record<string, string>>) {
  const [environment] = environments('eu', env);
  if (!environment) throw new Error('there is no environment eu');
  return environment;
}

describe("environments in which the operator's own Lambda function sends emails or SMS", () => {
  test("functions that send messages may invoke the operator's sender function but may not call SES or SNS", () => {
    const environment = readEnvironment({ OTL_MAIL_FUNCTION_EU: arn, OTL_SMS_FUNCTION_EU: arn });
    const data = new DataStack(new App(), environment);
    const statements = listGrants(['mailer', 'smsSender', 'webhookMac'], environment, data);
    const found = statements.map((statement) => statement.toStatementJson());
    const invoke = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn };
    expect(found).toEqual([
      { Sid: 'MailFunction', ...invoke },
      expect.objectContaining({ Sid: 'WebhookMac', Action: 'kms:GenerateMac' }),
      { Sid: 'SmsFunction', ...invoke },
    ]);
    expect(buildVariables(['mailer', 'smsSender'], environment)).toMatchObject({
      MAIL_FUNCTION: arn,
      SMS_FUNCTION: arn,
    });
  });

  test("if the operator's sender function sends only SMS, emails are still sent with SES", () => {
    const environment = readEnvironment({ OTL_SMS_FUNCTION_EU: arn });
    const data = new DataStack(new App(), environment);
    expect(listGrants(['mailer'], environment, data).map(({ sid }) => sid)).toEqual(['Mailer']);
    expect(buildVariables(['mailer'], environment)).not.toHaveProperty('MAIL_FUNCTION');
  });

  test.each([
    ['has a wildcard', arn.replace('sender', '*')],
    ['has no account', arn.replace('111122223333', '')],
    ['is of another service', arn.replace('lambda', 'states')],
    ['is in another region', arn.replace('eu-central-1', 'us-east-1')],
  ])('the ARN of a sender function is rejected if it %s', (_, wrong) => {
    expect(() => readEnvironment({ OTL_SMS_FUNCTION_EU: wrong })).toThrow(/function/i);
  });
});

describe('environments in which AWS End User Messaging sends SMS', () => {
  const pool = 'arn:aws:sms-voice:eu-central-1:111122223333:pool/pool-1';

  test('functions that send SMS may use only the configured SMS pool, the configuration set and the sender IDs of the account', () => {
    const environment = readEnvironment({
      OTL_ACCOUNT_EU: '111122223333',
      OTL_SMS_POOL_EU: pool,
      OTL_SMS_CONFIGURATION_SET_EU: 'login',
    });
    const data = new DataStack(new App(), environment);
    const [statement, ...others] = listGrants(['smsSender'], environment, data);
    expect(others).toEqual([]);
    const { Action, Resource } = data.resolve(statement?.toStatementJson());
    expect(Action).toBe('sms-voice:SendTextMessage');
    expect(Resource.map((resource: unknown) => JSON.stringify(resource))).toEqual([
      JSON.stringify(pool),
      expect.stringContaining(':sms-voice:eu-central-1:111122223333:sender-id/*"'),
      expect.stringContaining(':sms-voice:eu-central-1:111122223333:configuration-set/login"'),
    ]);
    expect(buildVariables(['smsSender'], environment)).toMatchObject({
      SMS_POOL: pool,
      SMS_CONFIGURATION_SET: 'login',
    });
  });

  test.each([
    ['has a wildcard', { OTL_SMS_POOL_EU: pool.replace('pool-1', '*') }],
    ['is of another service', { OTL_SMS_POOL_EU: pool.replace('sms-voice', 'sns') }],
    ['is in another region', { OTL_SMS_POOL_EU: pool.replace('eu-central-1', 'us-east-1') }],
    ['is combined with the ARN of a sender function', { OTL_SMS_POOL_EU: pool, OTL_SMS_FUNCTION_EU: arn }],
  ])('an SMS pool is rejected if its ARN %s', (_, env) => {
    expect(() => readEnvironment(env)).toThrow(/pool/i);
  });

  test('an SMS configuration set is rejected if no SMS pool is configured', () => {
    expect(() => readEnvironment({ OTL_SMS_CONFIGURATION_SET_EU: 'login' })).toThrow(/pool/i);
  });
});
