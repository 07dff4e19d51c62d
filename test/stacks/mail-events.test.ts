import { describe, expect, test } from '@jest/globals';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const cloud = new Cloud(synthesized('eu').templates);
const only = (type: string) => {
  const [resource, ...others] = cloud.resources(type).filter(({ stack }) => stack === 'otl-eu-mail-events');
  expect(others).toEqual([]);
  return resource?.properties;
};
const [noting] = cloud.functions().filter(({ name }) => name === 'otl-eu-mail-events');

describe('N139 bounces and complaints of an environment', () => {
  test('lead to its function, and to no other that shares the account', () => {
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

  test('are kept where they cannot be handled', () => {
    expect(only('AWS::Lambda::EventInvokeConfig')).toMatchObject({
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: expect.stringMatching(/^AWS::SQS::Queue:/) } },
    });
    expect(only('AWS::SQS::Queue')).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
  });

  test('reach a function with the grants to mark addresses', () => {
    const allowed = noting?.statements.flatMap(({ Sid, Action }) =>
      Action.map((action) => `${Sid} ${action}`),
    );
    expect(allowed?.filter((each) => !each.startsWith('TableKey')).toSorted()).toEqual([
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
      'Users dynamodb:UpdateItem',
    ]);
    expect(noting?.variables).toMatchObject({ PEOPLE_TABLE: 'otl-eu-people', ENVIRONMENT: 'eu' });
  });
});
