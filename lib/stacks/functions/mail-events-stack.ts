import { Duration, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type BackgroundName, background } from '../../../functions/background.ts';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { type Environment, listDeliveryLogs, toStackArguments } from '../environments/environment.ts';
import { addDeadLetters, deadLettersTo } from './dead-letters.ts';
import { ServiceFunction } from './service-function.ts';
import { letLogsCall, subscribe } from './subscription.ts';

const RETRIES = 2;
const TRIED_HOURS = 6;

const DESCRIPTIONS = {
  'mail-events': 'Stores delivery reports of mail, and marks addresses that refuse it',
  'sms-events': 'Stores delivery reports of text messages',
} as const;
// The limits cover two failures: Lambda cannot invoke the function, or the function fails each time.
const TRIES = { maxEventAge: Duration.hours(TRIED_HOURS), retryAttempts: RETRIES };

interface MailEventsProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly findBundle: (entry: BackgroundName) => Bundle;
}

/**
 * Stack that carries the delivery reports of messages to the functions that store them and flag undeliverable addresses.
 * Reports about mail come from SES through the default EventBridge bus. Reports about SMS come from the delivery log of SNS, or
 * through the default bus from AWS End User Messaging if it sends SMS.
 * Events that cannot be handled go to a dead-letter queue with an alarm.
 */
export class MailEventsStack extends Stack {
  /** Dead-letter queue, with an alarm on its length. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, props: MailEventsProps) {
    const { environment } = props;
    super(scope, ...toStackArguments(environment, 'mail-events', 'bounces and complaints'));
    this.deadLetters = addDeadLetters(this, 'DeadLetters');
    const mails = this.addFunction('Note', 'mail-events', props);
    new Rule(this, 'BouncesAndComplaints', {
      description: 'Delivery reports of mail of this environment',
      eventPattern: {
        source: ['aws.ses'],
        detailType: [
          'Email Bounced',
          'Email Complaint Received',
          'Email Delivered',
          'Email Delivery Delayed',
          'Email Rejected',
        ],
        detail: { mail: { tags: { environment: [environment.name] } } },
      },
      targets: [new LambdaFunction(mails.function, { ...TRIES, deadLetterQueue: this.deadLetters })],
    });
    const texts = this.addFunction('Texts', 'sms-events', props);
    if (environment.sms.pool)
      new Rule(this, 'TextOutcomes', {
        description: 'Final delivery reports of SMS that AWS End User Messaging has sent',
        eventPattern: {
          source: ['aws.sms-voice'],
          detailType: ['Text Message Delivery Status Updated'],
          detail: { isFinal: [true] },
        },
        targets: [new LambdaFunction(texts.function, { ...TRIES, deadLetterQueue: this.deadLetters })],
      });
    const [logGroups = '', ...others] = listDeliveryLogs(this.region, this.account);
    letLogsCall(texts.function, 'Logs', `${logGroups}*`);
    // CloudWatch tests the permission before it accepts the subscription.
    for (const [id, logGroupName] of Object.entries({ Deliveries: logGroups, Failures: others.join() }))
      subscribe(this, id, {
        environment,
        name: 'sms-events',
        logGroupName,
        filterPattern: '{ $.notification.messageId = "*" }',
      }).node.addDependency(texts.function);
  }

  private addFunction(
    id: string,
    name: keyof typeof DESCRIPTIONS,
    { environment, data, findBundle }: MailEventsProps,
  ): ServiceFunction {
    const service = new ServiceFunction(this, id, {
      environment,
      name,
      description: DESCRIPTIONS[name],
      bundle: findBundle(name),
      uses: background[name].uses,
      data,
      grants: [deadLettersTo(this.deadLetters)],
    });
    service.function.configureAsyncInvoke({ ...TRIES, onFailure: new SqsDestination(this.deadLetters) });
    return service;
  }
}
