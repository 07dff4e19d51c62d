import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { background } from '../../../functions/background.ts';
import { portsIn } from '../../../shared/http/effective-ports.ts';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { grantsOf } from './grants.ts';
import { ServiceFunction } from './service-function.ts';
import { variablesOf } from './variables.ts';

const USES = background['mail-events'].uses;
const PORTS = portsIn(USES);
const RETRIES = 2;
/** The time to look at messages that could not be handled. */
const KEPT_DAYS = 14;
const TRIED_HOURS = 6;

/**
 * Brings what became of mails from SES, by the default bus of EventBridge, to the function that files it and marks dead addresses.
 * The configuration set of SES publishes them there. Events that cannot be handled wait in a queue, with an alarm.
 */
export class MailEventsStack extends Stack {
  /** Its length is an alarm. */
  readonly deadLetters: Queue;
  readonly handler: ServiceFunction;

  constructor(
    scope: Construct,
    props: { readonly environment: Environment; readonly data: DataStack; readonly bundle: Bundle },
  ) {
    const { environment, data, bundle } = props;
    super(scope, `${prefixOf(environment)}-mail-events`, stackPropsOf(environment, 'bounces and complaints'));
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(KEPT_DAYS),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue: of a rule and of a function, which the check does not look at.',
    });
    this.handler = new ServiceFunction(this, 'Note', {
      environment,
      name: 'mail-events',
      description: 'Files what became of mails, and marks addresses that take none',
      dir: bundle.dir,
      ports: PORTS,
      grants: [
        ...grantsOf(USES, environment, data),
        new PolicyStatement({
          sid: 'DeadLetters',
          actions: ['sqs:SendMessage'],
          resources: [this.deadLetters.queueArn],
        }),
      ],
      variables: variablesOf(PORTS, environment),
    });
    // Two ways to fail: the function cannot be reached, or it has failed each time.
    const tries = { maxEventAge: Duration.hours(TRIED_HOURS), retryAttempts: RETRIES };
    this.handler.function.configureAsyncInvoke({ ...tries, onFailure: new SqsDestination(this.deadLetters) });
    new Rule(this, 'BouncesAndComplaints', {
      description: 'What became of mails of this environment',
      eventPattern: {
        source: ['aws.ses'],
        detailType: [
          ...['Email Bounced', 'Email Complaint Received', 'Email Delivered'],
          ...['Email Delivery Delayed', 'Email Rejected'],
        ],
        detail: { mail: { tags: { environment: [environment.name] } } },
      },
      targets: [new LambdaFunction(this.handler.function, { ...tries, deadLetterQueue: this.deadLetters })],
    });
  }
}
