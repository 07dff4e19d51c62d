import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { gzipSync } from 'node:zlib';
import { eventQueues } from '../../functions/events/queues.ts';
import { JOBS_INTERVAL_MINUTES } from '../../shared/domain/basis/limits.ts';
import { log } from '../../shared/http/log.ts';
import { callJson } from './emulators/basis/call-json.ts';
import { FAILED_QUEUE, LINES_QUEUE } from './emulators/queues/queues.ts';
import type { Emulators } from './emulators/start.ts';
import { loadBackground } from './load-function.ts';

/** Emulator of event sources in AWS. Calls the background functions with log lines, with queued messages and on a schedule. */
export interface EventSources {
  /** Calls the background functions for all work that is due, and resolves when no work is left. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface ReceivedMessage {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly Attributes: { readonly ApproximateReceiveCount: string };
}

interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}
interface QueueAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const BATCH = 10;
const LINES_BATCH = 500;
const LINES_WAIT_MILLISECONDS = 500;
const LONGEST_TIMER_MILLISECONDS = 60_000;
const SCHEDULE_MILLISECONDS = JOBS_INTERVAL_MINUTES * LONGEST_TIMER_MILLISECONDS;

/** Creates the event with which a CloudWatch Logs subscription invokes the event forwarder. */
function logsEvent({ Records }: QueueEvent): object {
  const logEvents = Records.map(({ messageId, body }) => ({
    id: messageId,
    timestamp: Date.now(),
    message: body,
  }));
  const batch = { messageType: 'DATA_MESSAGE', logGroup: 'local', logStream: 'local', logEvents };
  return { awslogs: { data: gzipSync(JSON.stringify(batch)).toString('base64') } };
}

interface EventSourceOptions {
  readonly dataDir?: string;
  readonly loadBackground?: typeof loadBackground;
}

/**
 * Starts to call the background functions. With a data folder, work that is left over from an earlier run of the server is done
 * soon after the start.
 */
export function startEventSources(
  emulators: Pick<Emulators, 'endpoint' | 'url'>,
  { dataDir, loadBackground: load = loadBackground }: EventSourceOptions,
): EventSources {
  /**
   * Runs a function outside the async context of the current request, so that its AWS calls are not counted for that request.
   */
  const outside = AsyncLocalStorage.snapshot();
  const lines: string[] = [];
  let last = Promise.resolve();
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let callsAt = Date.now() + SCHEDULE_MILLISECONDS;

  // In AWS, log lines arrive later and in batches. The delay also lets pending requests finish first.
  const settleSoon = () => outside(() => setTimeout(() => void settle(), LINES_WAIT_MILLISECONDS).unref());
  const onLogLine = (line: unknown) => {
    if (stopped || typeof line !== 'string' || !/"(?:audit":\[|secret_used":)/.test(line)) return;
    lines.push(line);
    if (scheduled) return;
    scheduled = true;
    settleSoon();
  };

  const callQueue = <Answer>(name: string, action: string, input: object) =>
    callJson<Answer>(emulators.endpoint('sqs'), `AmazonSQS.${action}`, {
      QueueUrl: `${emulators.endpoint('sqs')}/${name}`,
      ...input,
    });

  /** Moves the collected log lines to a queue, so that lines that are not forwarded yet survive a failure or a restart. */
  async function queueLines(): Promise<void> {
    const Entries = lines.splice(0).map((line, index) => ({ Id: String(index), MessageBody: line }));
    if (Entries.length > 0) await callQueue(LINES_QUEUE, 'SendMessageBatch', { Entries });
  }

  /** Handles one batch of messages and deletes those that succeeded. Returns false if the queue has no visible message. */
  async function drain(
    name: string,
    batch: number,
    handle: (event: QueueEvent) => Promise<QueueAnswer>,
  ): Promise<boolean> {
    const { Messages } = await callQueue<{ Messages: readonly ReceivedMessage[] }>(name, 'ReceiveMessage', {
      MaxNumberOfMessages: batch,
    });
    if (Messages.length === 0) return false;
    const Records = Messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: Attributes,
    }));
    const { batchItemFailures } = await handle({ Records });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const Entries = Messages.filter(({ MessageId }) => !failed.has(MessageId)).map(
      ({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }),
    );
    if (Entries.length > 0) await callQueue(name, 'DeleteMessageBatch', { Entries });
    return true;
  }

  async function forwardLines(event: QueueEvent): Promise<QueueAnswer> {
    const forward = await load('event-forwarder');
    await forward(logsEvent(event));
    return { batchItemFailures: [] };
  }

  /** Forwards one failed event again. The batch size is 1, so that an event that keeps failing does not block others. */
  async function forwardFailed({ Records: [record] }: QueueEvent): Promise<QueueAnswer> {
    const { messageId = '', body = '' } = record ?? {};
    const forward = await load('event-forwarder');
    const isDone = await forward(JSON.parse(body)).then(
      () => true,
      () => false,
    );
    return { batchItemFailures: isDone ? [] : [{ itemIdentifier: messageId }] };
  }

  /** Returns a handler that passes a batch of messages to the function with this name. */
  function handlerFor(entry: (typeof eventQueues)[number]['entry']) {
    return async (event: QueueEvent) => (await (await load(entry))(event)) as QueueAnswer;
  }

  /** Calls the scheduled function if its next run is due. In AWS, an EventBridge schedule calls the function. */
  async function callOnTime(): Promise<void> {
    if (Date.now() < callsAt) return;
    callsAt = Date.now() + SCHEDULE_MILLISECONDS;
    await (await load('jobs'))({});
  }

  async function work(): Promise<void> {
    await callOnTime();
    for (let busy = true; busy && !stopped; ) {
      await queueLines();
      busy = await drain(LINES_QUEUE, LINES_BATCH, forwardLines);
      if (await drain(FAILED_QUEUE, 1, forwardFailed)) busy = true;
      for (const { name, entry } of eventQueues) if (await drain(name, BATCH, handlerFor(entry))) busy = true;
    }
    if (!stopped) await wakeAgain();
  }

  /**
   * Sets a timer for the time at which the next message or scheduled call is due. The timer lasts at most a minute, because the
   * local clock can be moved forward.
   */
  async function wakeAgain(): Promise<void> {
    const { queues } = (await (await fetch(`${emulators.url}/events`)).json()) as {
      readonly queues: Readonly<Record<string, { readonly next_at: number | null }>>;
    };
    const due = Object.values(queues).flatMap(({ next_at }) => next_at ?? []);
    clearTimeout(timer);
    const wait = Math.min(Math.max(0, Math.min(callsAt, ...due) - Date.now()), LONGEST_TIMER_MILLISECONDS);
    timer = setTimeout(() => void settle(), wait).unref();
  }

  /** Does all due work after the previous run has finished, so that no message is handled twice at the same time. */
  function settle(): Promise<void> {
    last = last
      .then(() => {
        scheduled = false;
        return work();
      })
      .catch((error: unknown) => {
        const name = error instanceof Error ? error.name : typeof error;
        if (!stopped) log('error', { event: 'events_failed', name });
      });
    return last;
  }

  subscribe('otl:log', onLogLine);
  if (dataDir !== undefined) settleSoon();
  return {
    settle: () => outside(settle),
    async stop() {
      stopped = true;
      unsubscribe('otl:log', onLogLine);
      clearTimeout(timer);
      await last;
      await queueLines();
    },
  };
}
