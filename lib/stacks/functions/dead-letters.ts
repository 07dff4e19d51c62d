import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../environments/acknowledge.ts';

/** Number of days for which failed messages are kept for inspection. */
const KEPT_DAYS = 14;

/** Creates a dead-letter queue for messages that could not be handled. An alarm watches the number of messages in the queue. */
export function addDeadLetters(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(KEPT_DAYS),
  });
  acknowledge(queue, {
    SQS3: 'This is a dead-letter queue of rules, queues and functions, which the check does not recognise.',
  });
  return queue;
}

/** Allows a function to send messages that it could not handle to a dead-letter queue. */
export const deadLettersTo = (lost: Queue) =>
  new PolicyStatement({ sid: 'DeadLetters', actions: ['sqs:SendMessage'], resources: [lost.queueArn] });
