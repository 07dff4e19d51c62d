import { ConditionalCheckFailedException, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

export type Refusal = readonly [
  service: 'dynamodb' | 'events' | 'kms' | 'secrets' | 'ses' | 'sns' | 'sqs',
  error: string,
  status: number,
];

export const SECRET = 'secret';

/** Makes an AWS call that fails. Returns all parts of the error that the service reads. */
export async function refusedCall(endpoint: string, [service]: Refusal): Promise<object> {
  const settings = {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'id', secretAccessKey: SECRET },
    maxAttempts: 1,
  };
  const calls = {
    dynamodb: () => new DynamoDBClient(settings).send(new GetItemCommand({ TableName: 't', Key: {} })),
    events: () =>
      new EventBridgeClient(settings).send(
        new PutEventsCommand({ Entries: [{ Source: 'é', Detail: '{}' }] }),
      ),
    kms: () =>
      new KMSClient(settings).send(
        new SignCommand({ KeyId: 'k', Message: Buffer.from('m'), SigningAlgorithm: 'ECDSA_SHA_256' }),
      ),
    secrets: () => new SecretsManagerClient(settings).send(new GetSecretValueCommand({ SecretId: 's' })),
    ses: () =>
      new SESClient(settings).send(new SendRawEmailCommand({ RawMessage: { Data: Buffer.from('m') } })),
    sns: () => new SNSClient(settings).send(new PublishCommand({ Message: 'm' })),
    sqs: () => new SQSClient(settings).send(new SendMessageBatchCommand({ QueueUrl: endpoint, Entries: [] })),
  };
  try {
    return await calls[service]();
  } catch (error) {
    const { name, message, Item, $fault, $retryable, $metadata } = error as Record<string, unknown>;
    return {
      ...{
        name,
        message,
        Item,
        $fault,
        $retryable,
        status: ($metadata as { httpStatusCode?: number })?.httpStatusCode,
      },
      isCondition: error instanceof ConditionalCheckFailedException,
      isMissing: error instanceof ResourceNotFoundException,
    };
  }
}
