import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { gzipSync } from 'node:zlib';
import { eventQueues } from '../../functions/events/queues.ts';
import { JOBS_MINUTES } from '../../shared/domain/basis/limits.ts';
import { log } from '../../shared/http/log.ts';
import { callJson } from './emulators/basis/call-json.ts';
import { FAILED_QUEUE, LINES_QUEUE } from './emulators/queues/queues.ts';
import type { Emulators } from './emulators/start.ts';
import { loadBackground } from './load-function.ts';

/** Calls the functions that no request calls, like Lambda: with log lines and with messages of queues. */
export interface EventSources {
  /** Settles when nothing is due at this time of the clock. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Received {
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
const SCHEDULE_MILLISECONDS = JOBS_MINUTES * LONGEST_TIMER_MILLISECONDS;

/** The event with which a subscription of a log calls the forwarder. */
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

/** With a data folder: an earlier run may have left lines and messages. */
export function startEventSources(
  emulators: Pick<Emulators, 'endpoint' | 'url'>,
  { dataDir, loadBackground: load = loadBackground }: EventSourceOptions,
): EventSources {
  /** Runs outside of the request that caused it, so that request's counters do not count it. */
  const outside = AsyncLocalStorage.snapshot();
  const lines: string[] = [];
  let last = Promise.resolve();
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let callsAt = Date.now() + SCHEDULE_MILLISECONDS;

  // Lines come later and in batches, as in the cloud: requests go first.
  const settleSoon = () => outside(() => setTimeout(() => void settle(), LINES_WAIT_MILLISECONDS).unref());
  const hear = (line: unknown) => {
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

  /** Keeps lines until they are forwarded: after a failure or a stop they are forwarded again. */
  async function keepLines(): Promise<void> {
    const Entries = lines.splice(0).map((line, index) => ({ Id: String(index), MessageBody: line }));
    if (Entries.length > 0) await callQueue(LINES_QUEUE, 'SendMessageBatch', { Entries });
  }

  /** One batch of a queue; false when it is empty. */
  async function drain(
    name: string,
    batch: number,
    handle: (event: QueueEvent) => Promise<QueueAnswer>,
  ): Promise<boolean> {
    const { Messages } = await callQueue<{ Messages: readonly Received[] }>(name, 'ReceiveMessage', {
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

  /** One at a time: the next one waits for no other that fails. */
  async function forwardFailed({ Records: [record] }: QueueEvent): Promise<QueueAnswer> {
    const { messageId = '', body = '' } = record ?? {};
    const forward = await load('event-forwarder');
    const isDone = await forward(JSON.parse(body)).then(
      () => true,
      () => false,
    );
    return { batchItemFailures: isDone ? [] : [{ itemIdentifier: messageId }] };
  }

  /** The function that reads a queue. */
  function readerOf(entry: (typeof eventQueues)[number]['entry']) {
    return async (event: QueueEvent) => (await (await load(entry))(event)) as QueueAnswer;
  }

  /** What a clock calls in the cloud. */
  async function callOnTime(): Promise<void> {
    if (Date.now() < callsAt) return;
    callsAt = Date.now() + SCHEDULE_MILLISECONDS;
    await (await load('jobs'))({});
  }

  async function work(): Promise<void> {
    await callOnTime();
    for (let busy = true; busy && !stopped; ) {
      await keepLines();
      busy = await drain(LINES_QUEUE, LINES_BATCH, forwardLines);
      if (await drain(FAILED_QUEUE, 1, forwardFailed)) busy = true;
      for (const { name, entry } of eventQueues) if (await drain(name, BATCH, readerOf(entry))) busy = true;
    }
    if (!stopped) await wakeAgain();
  }

  /** When the next message or call is due; the clock may be moved before. */
  async function wakeAgain(): Promise<void> {
    const { queues } = (await (await fetch(`${emulators.url}/events`)).json()) as {
      readonly queues: Readonly<Record<string, { readonly next_at: number | null }>>;
    };
    const due = Object.values(queues).flatMap(({ next_at }) => next_at ?? []);
    clearTimeout(timer);
    const wait = Math.min(Math.max(0, Math.min(callsAt, ...due) - Date.now()), LONGEST_TIMER_MILLISECONDS);
    timer = setTimeout(() => void settle(), wait).unref();
  }

  /** One after the other, so no message is handled twice at a time. */
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

  subscribe('otl:log', hear);
  if (dataDir !== undefined) settleSoon();
  return {
    settle: () => outside(settle),
    async stop() {
      stopped = true;
      unsubscribe('otl:log', hear);
      clearTimeout(timer);
      await last;
      await keepLines();
    },
  };
}
