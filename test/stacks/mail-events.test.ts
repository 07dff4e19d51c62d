import { describe, expect, test } from '@jest/globals';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const cloud = new Cloud(synthesized('eu').templates);
const all = (type: string) =>
  cloud
    .resources(type)
    .filter(({ stack }) => stack === 'otl-eu-mail-events')
    .map(({ properties }) => properties);
const only = (type: string) => {
  const [properties, ...others] = all(type);
  expect(others).toEqual([]);
  return properties;
};
const deployed = (entry: string) => cloud.functions().find(({ name }) => name === `otl-eu-${entry}`);
const noting = deployed('mail-events');
const texts = deployed('sms-events');
const listAllowed = (found: typeof noting) =>
  found?.statements
    .flatMap(({ Sid, Action }) => Action.map((action) => `${Sid} ${action}`))
    .filter((each) => !each.startsWith('TableKey'))
    .toSorted();

describe('N139 processing of bounces and complaints about emails', () => {
  test('in a shared AWS account, each environment processes only bounces and complaints about its own emails', () => {
    expect(only('AWS::Events::Rule')).toMatchObject({
      EventPattern: {
        source: ['aws.ses'],
        'detail-type': [
          ...['Email Bounced', 'Email Complaint Received', 'Email Delivered'],
          ...['Email Delivery Delayed', 'Email Rejected'],
        ],
        detail: { mail: { tags: { environment: ['eu'] } } },
      },
      Targets: [
        {
          Arn: 'function:otl-eu-mail-events',
          RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 21_600 },
          DeadLetterConfig: { Arn: expect.stringMatching(/^AWS::SQS::Queue:/) },
        },
      ],
    });
    expect(noting?.permissions).toMatchObject([
      { Principal: 'events.amazonaws.com', SourceArn: expect.stringMatching(/^AWS::Events::Rule:/) },
    ]);
  });

  test('bounces and complaints that cannot be processed stay in a dead-letter queue', () => {
    const kept = {
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: expect.stringMatching(/^AWS::SQS::Queue:/) } },
    };
    expect(all('AWS::Lambda::EventInvokeConfig')).toMatchObject([kept, kept]);
    expect(only('AWS::SQS::Queue')).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
  });

  test('the function for bounces and complaints has the IAM permissions to mark addresses as undeliverable', () => {
    expect(listAllowed(noting)).toEqual([
      'DeadLetters sqs:SendMessage',
      'Identifiers dynamodb:GetItem',
      'OwnLog logs:CreateLogStream',
      'OwnLog logs:PutLogEvents',
      'Timeline2 dynamodb:DeleteItem',
      'Timeline2 dynamodb:PutItem',
      'Timeline2 dynamodb:Query',
      'Traces xray:PutTelemetryRecords',
      'Traces xray:PutTraceSegments',
      'Users dynamodb:GetItem',
      'UsersLimited dynamodb:UpdateItem',
    ]);
    expect(noting?.variables).toMatchObject({ PEOPLE_TABLE: 'otl-eu-people', ENVIRONMENT: 'eu' });
  });
});

describe('functions for SMS delivery reports', () => {
  const logs = 'sns/eu-central-1/111122223333/DirectPublishToPhoneNumber';

  test('both SMS delivery logs of SNS may invoke the function for delivery reports', () => {
    const records = {
      FilterPattern: '{ $.notification.messageId = "*" }',
      DestinationArn: 'arn:aws:lambda:eu-central-1:111122223333:function:otl-eu-sms-events',
    };
    expect(all('AWS::Logs::SubscriptionFilter')).toMatchObject([
      { LogGroupName: logs, ...records },
      { LogGroupName: `${logs}/Failure`, ...records },
    ]);
    expect(texts?.permissions).toMatchObject([
      {
        Principal: 'logs.amazonaws.com',
        SourceArn: `arn:aws:logs:eu-central-1:111122223333:log-group:${logs}*`,
      },
    ]);
  });

  test('the function for delivery reports has the IAM permissions to store the reports', () => {
    expect(listAllowed(texts)).toEqual([
      'DeadLetters sqs:SendMessage',
      'OwnLog logs:CreateLogStream',
      'OwnLog logs:PutLogEvents',
      'Timeline2 dynamodb:DeleteItem',
      'Timeline2 dynamodb:GetItem',
      'Timeline2 dynamodb:PutItem',
      'Timeline2 dynamodb:Query',
      'Traces xray:PutTelemetryRecords',
      'Traces xray:PutTraceSegments',
      'Users dynamodb:GetItem',
    ]);
  });
});
