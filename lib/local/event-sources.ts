import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { gzipSync } from 'node:zlib';
import { log } from '../../shared/http/log.ts';
import { eventQueues } from '../event-forwarder/queues.ts';
import { loadOther } from './load-function.ts';
import { callJson } from './stand-ins/call-json.ts';
import type { StandIns } from './stand-ins/start.ts';

/** What Lambda does for functions that no request calls: hands them lines of the log, and messages of queues. */
export interface EventSources {
  /** Until nothing is left to hand over at this time of the clock. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Received {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly Attributes: { readonly ApproximateReceiveCount: string };
}

interface QueueAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const BATCH = 10;
const LINES_WAIT_MILLISECONDS = 500;
const LONGEST_TIMER_MILLISECONDS = 60_000;

export function startEventSources(
  standIns: Pick<StandIns, 'endpoint' | 'url'>,
  load = loadOther,
): EventSources {
  /** Nothing that a request has begun is its own any more: no counter of a request counts it. */
  const outside = AsyncLocalStorage.snapshot();
  const lines: string[] = [];
  let last = Promise.resolve();
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const hear = (line: unknown) => {
    if (stopped || typeof line !== 'string' || !line.includes('"audit":[')) return;
    lines.push(line);
    if (scheduled) return;
    scheduled = true;
    // As in the cloud lines come some time later and together: requests go first.
    outside(() => setTimeout(() => void settle(), LINES_WAIT_MILLISECONDS).unref());
  };

  async function forwardLines(): Promise<void> {
    const forward = await load('event-forwarder');
    const logEvents = lines
      .splice(0)
      .map((message, index) => ({ id: String(index), timestamp: Date.now(), message }));
    const batch = { messageType: 'DATA_MESSAGE', logGroup: 'local', logStream: 'local', logEvents };
    await forward({ awslogs: { data: gzipSync(JSON.stringify(batch)).toString('base64') } });
  }

  /** One batch of a queue; false when nothing was there. */
  async function drain(name: string, entry: string): Promise<boolean> {
    const call = <Answer>(action: string, input: object) =>
      callJson<Answer>(standIns.endpoint('sqs'), `AmazonSQS.${action}`, {
        QueueUrl: `${standIns.endpoint('sqs')}/${name}`,
        ...input,
      });
    const { Messages } = await call<{ Messages: readonly Received[] }>('ReceiveMessage', {
      MaxNumberOfMessages: BATCH,
    });
    if (Messages.length === 0) return false;
    const handle = await load(entry);
    const Records = Messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: Attributes,
    }));
    const { batchItemFailures } = (await handle({ Records })) as QueueAnswer;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { MessageId, ReceiptHandle } of Messages)
      if (!failed.has(MessageId)) await call('DeleteMessage', { ReceiptHandle });
    return true;
  }

  async function work(): Promise<void> {
    for (let busy = true; busy && !stopped; ) {
      busy = false;
      if (lines.length > 0) {
        await forwardLines();
        busy = true;
      }
      for (const { name, entry } of eventQueues) if (await drain(name, entry)) busy = true;
    }
    if (!stopped) await wakeAgain();
  }

  /** When the next message is due; the clock may be moved before. */
  async function wakeAgain(): Promise<void> {
    const { queues } = (await (await fetch(`${standIns.url}/events`)).json()) as {
      readonly queues: Readonly<Record<string, { readonly next_at: number | null }>>;
    };
    const due = Object.values(queues).flatMap(({ next_at }) => next_at ?? []);
    clearTimeout(timer);
    if (due.length === 0) return;
    const wait = Math.min(Math.max(0, Math.min(...due) - Date.now()), LONGEST_TIMER_MILLISECONDS);
    timer = setTimeout(() => void settle(), wait).unref();
  }

  /** One after the other, so that no message is handled twice at a time. */
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
  return {
    settle: () => outside(settle),
    async stop() {
      stopped = true;
      unsubscribe('otl:log', hear);
      clearTimeout(timer);
      await last;
    },
  };
}
