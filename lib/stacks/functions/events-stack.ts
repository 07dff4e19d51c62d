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
import { JOBS_INTERVAL_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { listPorts } from '../../../shared/http/effective-ports.ts';
import type { PortMethod } from '../../../shared/ports/uses.ts';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge, toWildcardFindingId } from '../environments/acknowledge.ts';
import {
  type Environment,
  toNamePrefix,
  toOperatorLogName,
  toStackArguments,
} from '../environments/environment.ts';
import { addDeadLetters, deadLettersTo } from './dead-letters.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { ServiceFunction } from './service-function.ts';
import { forwardEvents, letLogsCall } from './subscription.ts';
import { buildVariables } from './variables.ts';
import { addWatch } from './watch.ts';

/** Names of the queues whose function not only reads messages but also sends messages back to the queue. */
const REQUEUING: readonly string[] = ['webhooks'];

/** Visibility timeout of the queues in seconds: six times the timeout of a function, as AWS recommends. */
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
  readonly findBundle: (entry: BackgroundName) => Bundle;
}

/**
 * Stack that carries security events from the logs to timelines and to an EventBridge bus, and from the bus through queues to
 * their functions. Messages that cannot be handled go to a dead-letter queue with an alarm. The stack also contains the
 * scheduled functions.
 */
export class EventsStack extends Stack {
  readonly bus: EventBus;
  readonly forwarder: ServiceFunction;
  /** Dead-letter queues. Each has an alarm on the number of its messages. */
  readonly deadLetters: readonly Queue[];

  constructor(scope: Construct, props: EventsProps) {
    const { environment, data, findBundle } = props;
    super(scope, ...toStackArguments(environment, 'events', 'security events'));
    this.bus = new EventBus(this, 'Bus', { eventBusName: toNamePrefix(environment) });
    const lost = addDeadLetters(this, 'ForwarderDeadLetters');
    this.forwarder = this.addForwarder(environment, data, findBundle('event-forwarder'), lost);
    this.addOperatorLog(environment);
    const dead = addDeadLetters(this, 'QueueDeadLetters');
    for (const queue of eventQueues) this.addQueue(queue, props, dead);
    this.addJobs(environment, data, findBundle('jobs'), lost);
    if (environment.alarms) addWatch(this, environment, findBundle('watch'));
    else if (environment.syntheticLogin)
      throw new Error(`The synthetic login of ${environment.name} needs alarms: set an alarm address.`);
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
      description: 'Writes security events to timelines and publishes them',
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
        ...buildVariables(listPorts(uses), environment),
        EVENT_BUS: this.bus.eventBusName,
        TIMELINE_DAYS: String(environment.timelineDays),
      },
    });
    forwarder.function.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(lost) });
    new Rule(this, 'FailedEventsRule', {
      description: 'Events that the forwarder failed on, to be forwarded again one by one',
      eventBus: this.bus,
      eventPattern: { source: ['one-time-login'], detailType: [FAILED_EVENT] },
      targets: [new LambdaFunction(forwarder.function, { deadLetterQueue: lost })],
    });
    letLogsCall(forwarder.function, 'Logs', `${toNamePrefix(environment)}-api-*`);
    return forwarder;
  }

  /** Creates the log group of the operator audit log. The command line writes to it with the operator's own credentials. */
  private addOperatorLog(environment: Environment): void {
    const logGroup = new LogGroup(this, 'OperatorLog', {
      logGroupName: toOperatorLogName(environment),
      retention: environment.operatorLogRetention,
      removalPolicy: environment.removalPolicy,
    });
    letLogsCall(this.forwarder.function, 'OperatorLog', `${toOperatorLogName(environment)}:*`);
    // CloudWatch tests the permission before it accepts the subscription.
    forwardEvents(logGroup, logGroup, environment).node.addDependency(this.forwarder.function);
  }

  /**
   * Creates the scheduled function that runs jobs. Failed jobs stay in the list for the next run. A failed run becomes a dead
   * letter, which triggers an alarm.
   */
  private addJobs(environment: Environment, data: DataStack, bundle: Bundle, lost: Queue): void {
    const jobs = new ServiceFunction(this, 'Jobs', {
      environment,
      name: 'jobs',
      description: 'Erases users whose deletion is due, and finishes work that was too long for one call',
      bundle,
      uses: background.jobs.uses,
      data,
      grants: [deadLettersTo(lost)],
    });
    jobs.function.configureAsyncInvoke({ retryAttempts: 0, onFailure: new SqsDestination(lost) });
    // This function also logs events, so its log group must call the event forwarder.
    letLogsCall(this.forwarder.function, 'Jobs', `${jobs.logGroup.logGroupName}:*`);
    forwardEvents(jobs, jobs.logGroup, environment).node.addDependency(this.forwarder.function);
    new Rule(this, 'JobsRule', {
      description: 'Starts the jobs that are due',
      schedule: Schedule.rate(Duration.minutes(JOBS_INTERVAL_MINUTES)),
      targets: [new LambdaFunction(jobs.function, { retryAttempts: 0 })],
    });
  }

  /**
   * Creates a queue with the rule that fills it and the function that reads it. All queues share a dead-letter queue, because
   * SQS records the original queue of a dead letter.
   */
  private addQueue(
    queue: EventQueue & { readonly entry: BackgroundName },
    { environment, data, findBundle }: EventsProps,
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
    const uses: readonly PortMethod[] = background[queue.entry].uses;
    const ports = listPorts(uses);
    const requeues = REQUEUING.includes(queue.name);
    const service = new ServiceFunction(this, id, {
      environment,
      name: queue.entry,
      description: `Handles ${queue.description}`,
      bundle: findBundle(queue.entry),
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
        ...buildVariables(ports, environment),
        ...(requeues ? { WEBHOOK_QUEUE_URL: waiting.queueUrl } : {}),
      },
    });
    acknowledge(service, {
      [toWildcardFindingId(this, 'kms', 'key/*')]: WIDE_RESOURCES.Signer,
      [toWildcardFindingId(this, 'ses', 'identity/*')]: WIDE_RESOURCES.Mailer,
    });
    if (requeues) {
      // This function also logs events, so its log group must call the event forwarder.
      letLogsCall(this.forwarder.function, id, `${service.logGroup.logGroupName}:*`);
      forwardEvents(service, service.logGroup, environment).node.addDependency(this.forwarder.function);
    }
    new CfnEventSourceMapping(service, 'Source', {
      eventSourceArn: waiting.queueArn,
      functionName: service.function.functionArn,
      batchSize: BATCH,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: environment.queueConcurrency },
    }).node.addDependency(service.function.role ?? service.function);
  }
}
