import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type BackgroundName, background } from '../../../functions/background.ts';
import { portsIn } from '../../../shared/http/effective-ports.ts';
import type { Use } from '../../../shared/ports/uses.ts';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { deliveryLogsOf, type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { grantsOf } from './grants.ts';
import { ServiceFunction } from './service-function.ts';
import { letLogsCall, subscribe } from './subscription.ts';
import { variablesOf } from './variables.ts';

const RETRIES = 2;
/** The time to look at messages that could not be handled. */
const KEPT_DAYS = 14;
const TRIED_HOURS = 6;

const DESCRIPTIONS = {
  'mail-events': 'Files what became of mails, and marks addresses that take none',
  'sms-events': 'Files what became of texts',
} as const;
// Two ways to fail: the function cannot be reached, or it has failed each time.
const TRIES = { maxEventAge: Duration.hours(TRIED_HOURS), retryAttempts: RETRIES };

interface MailEventsProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly bundleOf: (entry: BackgroundName) => Bundle;
}

/**
 * Brings what became of mails from SES, by the default bus of EventBridge, to the function that files it and marks dead addresses.
 * The configuration set of SES publishes them there. What became of texts comes by the delivery log of SNS. Events that cannot
 * be handled wait in a queue, with an alarm.
 */
export class MailEventsStack extends Stack {
  /** Its length is an alarm. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, props: MailEventsProps) {
    const { environment } = props;
    super(scope, `${prefixOf(environment)}-mail-events`, stackPropsOf(environment, 'bounces and complaints'));
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(KEPT_DAYS),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue: of a rule and of functions, which the check does not look at.',
    });
    const mails = this.addFunction('Note', 'mail-events', props);
    new Rule(this, 'BouncesAndComplaints', {
      description: 'What became of mails of this environment',
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
    const [logGroups = '', ...others] = deliveryLogsOf(this.region, this.account);
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
    { environment, data, bundleOf }: MailEventsProps,
  ): ServiceFunction {
    const uses: readonly Use[] = background[name].uses;
    const ports = portsIn(uses);
    const service = new ServiceFunction(this, id, {
      environment,
      name,
      ports,
      description: DESCRIPTIONS[name],
      dir: bundleOf(name).dir,
      grants: [
        ...grantsOf(uses, environment, data),
        new PolicyStatement({
          sid: 'DeadLetters',
          actions: ['sqs:SendMessage'],
          resources: [this.deadLetters.queueArn],
        }),
      ],
      variables: variablesOf(ports, environment),
    });
    service.function.configureAsyncInvoke({ ...TRIES, onFailure: new SqsDestination(this.deadLetters) });
    return service;
  }
}
