import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../environments/acknowledge.ts';

/** The time to look at messages that could not be handled. */
const KEPT_DAYS = 14;

/** Where messages wait that could not be handled. Its length is an alarm. */
export function addDeadLetters(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(KEPT_DAYS),
  });
  acknowledge(queue, {
    SQS3: 'It is a dead-letter queue: of rules, queues and functions, which the check does not look at.',
  });
  return queue;
}

/** Lets a function leave there what it could not handle. */
export const deadLettersTo = (lost: Queue) =>
  new PolicyStatement({ sid: 'DeadLetters', actions: ['sqs:SendMessage'], resources: [lost.queueArn] });
