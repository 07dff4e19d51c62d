import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type BackgroundName, background } from '../../../functions/background.ts';
import { type EventQueue, eventQueues, FAILED_EVENT } from '../../../functions/events/queues.ts';
import { JOBS_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { portsIn } from '../../../shared/http/effective-ports.ts';
import type { Use } from '../../../shared/ports/uses.ts';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge, wideResource } from '../environments/acknowledge.ts';
import { type Environment, operatorLogOf, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { addDeadLetters, deadLettersTo } from './dead-letters.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { ServiceFunction } from './service-function.ts';
import { forwardEvents, letLogsCall } from './subscription.ts';
import { variablesOf } from './variables.ts';

/** Functions that put messages into the queue themselves. */
const REQUEUING: readonly string[] = ['webhooks'];

/** Six times the timeout of a function, as AWS advises for queues of functions. */
const VISIBILITY_SECONDS = 90;
const BATCH = 10;

const requeueing = (queue: Queue) =>
  new PolicyStatement({
    sid: 'Queue',
    actions: ['sqs:ChangeMessageVisibility', 'sqs:SendMessage'],
    resources: [queue.queueArn],
  });

interface EventsProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly bundleOf: (entry: BackgroundName) => Bundle;
}

/**
 * Brings events from the logs to timelines and to a bus of EventBridge, and from there by queues to their functions. Messages
 * that cannot be handled wait in a dead-letter queue, with an alarm. Here too is what a clock calls.
 */
export class EventsStack extends Stack {
  readonly bus: EventBus;
  readonly forwarder: ServiceFunction;
  /** The length of each is an alarm. */
  readonly deadLetters: readonly Queue[];

  constructor(scope: Construct, props: EventsProps) {
    const { environment, data, bundleOf } = props;
    super(scope, `${prefixOf(environment)}-events`, stackPropsOf(environment, 'security-relevant events'));
    this.bus = new EventBus(this, 'Bus', { eventBusName: prefixOf(environment) });
    const lost = addDeadLetters(this, 'ForwarderDeadLetters');
    this.forwarder = this.addForwarder(environment, data, bundleOf('event-forwarder'), lost);
    this.addOperatorLog(environment);
    const dead = addDeadLetters(this, 'QueueDeadLetters');
    for (const queue of eventQueues) this.addQueue(queue, props, dead);
    this.addJobs(environment, data, bundleOf('jobs'), lost);
    this.deadLetters = [lost, dead];
  }

  private addForwarder(
    environment: Environment,
    data: DataStack,
    bundle: Bundle,
    lost: Queue,
  ): ServiceFunction {
    const { uses } = background['event-forwarder'];
    const forwarder = new ServiceFunction(this, 'Forwarder', {
      environment,
      name: 'event-forwarder',
      description: 'Files security-relevant events in timelines and publishes them',
      bundle,
      uses,
      data,
      grants: [
        new PolicyStatement({
          sid: 'EventBus',
          actions: ['events:PutEvents'],
          resources: [this.bus.eventBusArn],
        }),
        deadLettersTo(lost),
      ],
      variables: {
        ...variablesOf(portsIn(uses), environment),
        EVENT_BUS: this.bus.eventBusName,
        TIMELINE_DAYS: String(environment.timelineDays),
      },
    });
    forwarder.function.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(lost) });
    new Rule(this, 'FailedEventsRule', {
      description: 'Events at which the forwarder failed, to be forwarded by themselves',
      eventBus: this.bus,
      eventPattern: { source: ['one-time-login'], detailType: [FAILED_EVENT] },
      targets: [new LambdaFunction(forwarder.function, { deadLetterQueue: lost })],
    });
    letLogsCall(forwarder.function, 'Logs', `${prefixOf(environment)}-api-*`);
    return forwarder;
  }

  /** The operator audit log. The command line writes to it with the operator's own credentials. */
  private addOperatorLog(environment: Environment): void {
    const logGroup = new LogGroup(this, 'OperatorLog', {
      logGroupName: operatorLogOf(environment),
      retention: environment.operatorLogRetention,
      removalPolicy: environment.removalPolicy,
    });
    letLogsCall(this.forwarder.function, 'OperatorLog', `${operatorLogOf(environment)}:*`);
    // CloudWatch tests the permission before it accepts the subscription.
    forwardEvents(logGroup, logGroup, environment).node.addDependency(this.forwarder.function);
  }

  /** The one function that a clock calls. What it has failed at is still there at the next call; a letter raises the alarm. */
  private addJobs(environment: Environment, data: DataStack, bundle: Bundle, lost: Queue): void {
    const jobs = new ServiceFunction(this, 'Jobs', {
      environment,
      name: 'jobs',
      description: 'Erases users when their time is up, and ends what was too long for a call',
      bundle,
      uses: background.jobs.uses,
      data,
      grants: [deadLettersTo(lost)],
    });
    jobs.function.configureAsyncInvoke({ retryAttempts: 0, onFailure: new SqsDestination(lost) });
    // Its lines have events as well.
    letLogsCall(this.forwarder.function, 'Jobs', `${jobs.logGroup.logGroupName}:*`);
    forwardEvents(jobs, jobs.logGroup, environment).node.addDependency(this.forwarder.function);
    new Rule(this, 'JobsRule', {
      description: 'Looks for jobs that are due',
      schedule: Schedule.rate(Duration.minutes(JOBS_MINUTES)),
      targets: [new LambdaFunction(jobs.function, { retryAttempts: 0 })],
    });
  }

  /** A queue with its rule and its function. SQS knows from which queue each dead letter came. */
  private addQueue(
    queue: EventQueue & { readonly entry: BackgroundName },
    { environment, data, bundleOf }: EventsProps,
    dead: Queue,
  ): void {
    const id = `${queue.name[0]?.toUpperCase()}${queue.name.slice(1)}`;
    const waiting = new Queue(this, `${id}Queue`, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(VISIBILITY_SECONDS),
      retentionPeriod: Duration.days(2),
      deadLetterQueue: { queue: dead, maxReceiveCount: queue.attempts },
    });
    new Rule(this, `${id}Rule`, {
      description: `The ${queue.description}`,
      eventBus: this.bus,
      eventPattern: {
        source: ['one-time-login'],
        ...(queue.types ? { detailType: [...queue.types] } : {}),
        detail: { [queue.field ?? 'tenant_id']: [{ exists: true }] },
      },
      targets: [new SqsQueue(waiting, { deadLetterQueue: dead })],
    });
    const uses: readonly Use[] = background[queue.entry].uses;
    const ports = portsIn(uses);
    const requeues = REQUEUING.includes(queue.name);
    const service = new ServiceFunction(this, id, {
      environment,
      name: queue.entry,
      description: `Handles ${queue.description}`,
      bundle: bundleOf(queue.entry),
      uses,
      data,
      grants: [
        new PolicyStatement({
          sid: 'Poller',
          actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
          resources: [waiting.queueArn],
        }),
        ...(requeues ? [requeueing(waiting)] : []),
      ],
      variables: {
        ...variablesOf(ports, environment),
        ...(requeues ? { WEBHOOK_QUEUE_URL: waiting.queueUrl } : {}),
      },
    });
    acknowledge(service, {
      [wideResource(this, 'kms', 'key/*')]: WIDE_RESOURCES.Signer,
      [wideResource(this, 'ses', 'identity/*')]: WIDE_RESOURCES.Mailer,
    });
    if (requeues) {
      // Its lines have events as well.
      letLogsCall(this.forwarder.function, id, `${service.logGroup.logGroupName}:*`);
      forwardEvents(service, service.logGroup, environment).node.addDependency(this.forwarder.function);
    }
    new CfnEventSourceMapping(service, 'Source', {
      eventSourceArn: waiting.queueArn,
      functionName: service.function.functionArn,
      batchSize: BATCH,
      functionResponseTypes: ['ReportBatchItemFailures'],
    }).node.addDependency(service.function.role ?? service.function);
  }
}
