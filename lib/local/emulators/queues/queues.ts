import { createHash, randomUUID } from 'node:crypto';
import { type EventQueue, eventQueues, FAILED_EVENT } from '../../../../functions/events/queues.ts';
import { AwsError } from '../basis/aws-error.ts';
import { entryOf, type Message, newMessage, type Queue, queueOf } from './queue.ts';
import { QueueJournal } from './queue-journal.ts';

/** Log lines on their way to the forwarder: stands for subscriptions of logs, not for a queue of the deployment. */
export const LINES_QUEUE = 'lines';
/** Events at which the forwarder failed: stands for a rule that calls it. */
export const FAILED_QUEUE = 'failed';
/** Lambda's own attempts at an asynchronous invocation, the first one included. */
const LINES_ATTEMPTS = 3;
const KEPT = 500;
const VISIBILITY_SECONDS = 90;
const MILLISECONDS = 1000;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

type Input = Readonly<Record<string, unknown>>;

/** The sources of Lambda's events: EventBridge with the rules of the deployment, SQS with its queues, CloudWatch Logs. */
export class Queues {
  readonly #queues: ReadonlyMap<string, Queue> = new Map(
    [
      queueOf(LINES_QUEUE, { types: [], attempts: LINES_ATTEMPTS }),
      queueOf(FAILED_QUEUE, { types: [FAILED_EVENT], attempts: LINES_ATTEMPTS }),
      ...eventQueues.map((queue: EventQueue) => queueOf(queue.name, queue)),
    ].map((queue) => [queue.name, queue]),
  );
  readonly #published: unknown[] = [];
  readonly #operatorLines: string[] = [];
  readonly #journal: QueueJournal;

  private constructor(journal: QueueJournal) {
    this.#journal = journal;
  }

  /** With a file, waiting messages survive a restart; published events do not. */
  static async open(file?: string): Promise<Queues> {
    const [journal, kept] = await QueueJournal.open(file);
    const queues = new Queues(journal);
    for (const { queue: name, id, message } of kept) {
      const { dead, ...rest } = message;
      const queue = queues.#queues.get(name);
      queue?.[dead ? 'dead' : 'messages'].push({ ...rest, id, handle: '' });
    }
    return queues;
  }

  /** EventBridge: PutEvents. Each rule with a matching pattern puts the event into its queue. */
  async putEvents(input: Input): Promise<object> {
    const entries = (input.Entries ?? []) as readonly Readonly<Record<string, string>>[];
    const events = entries.map((entry) => ({
      version: '0',
      id: randomUUID(),
      source: entry.Source,
      'detail-type': entry.DetailType,
      time: new Date(Number(entry.Time) * MILLISECONDS).toISOString(),
      detail: JSON.parse(entry.Detail ?? '{}'),
    }));
    this.#published.push(...events);
    this.#published.splice(0, this.#published.length - KEPT);
    for (const queue of this.#queues.values()) {
      const wanted = events.filter(
        (event) =>
          (queue.types?.includes(event['detail-type'] ?? '') ?? true) &&
          (queue.field === undefined || event.detail[queue.field] !== undefined),
      );
      await this.#add(
        queue,
        wanted.map((event) => JSON.stringify(event)),
      );
    }
    return { FailedEntryCount: 0, Entries: events.map(({ id }) => ({ EventId: id })) };
  }

  /** CloudWatch Logs: groups and streams of any name exist. */
  async putLines(action: string, input: Input): Promise<object> {
    if (action === 'CreateLogStream') return {};
    if (action !== 'PutLogEvents') throw new AwsError('InvalidAction', `Logs have no ${action} here`);
    const { logEvents } = input as { readonly logEvents: readonly { readonly message: string }[] };
    const lines = logEvents.map(({ message }) => message);
    this.#operatorLines.push(...lines);
    this.#operatorLines.splice(0, this.#operatorLines.length - KEPT);
    // Like the filter of the subscription.
    await this.#add(
      this.#require(LINES_QUEUE),
      lines.filter((line) => line.includes('"audit":[')),
    );
    return {};
  }

  /** SQS, as far as the functions and Lambda's pollers ask. */
  async answer(action: string, input: Input): Promise<object> {
    const queue = this.#require(String(input.QueueUrl).split('/').at(-1) ?? '');
    switch (action) {
      case 'SendMessageBatch': {
        const entries = input.Entries as readonly { readonly Id: string; readonly MessageBody: string }[];
        const added = await this.#add(
          queue,
          entries.map(({ MessageBody }) => MessageBody),
        );
        const Successful = added.map(({ id, body }, index) => ({
          Id: entries[index]?.Id,
          MessageId: id,
          MD5OfMessageBody: md5(body),
        }));
        return { Successful, Failed: [] };
      }
      case 'ReceiveMessage':
        return this.#receive(queue, Number(input.MaxNumberOfMessages ?? 1));
      case 'DeleteMessageBatch': {
        const entries = input.Entries as readonly { readonly Id: string; readonly ReceiptHandle: string }[];
        const handles = new Set(entries.map(({ ReceiptHandle }) => ReceiptHandle));
        const done = queue.messages.filter(({ handle }) => handles.has(handle));
        queue.messages = queue.messages.filter((message) => !done.includes(message));
        await this.#journal.note(done.map(({ id }) => ({ queue: queue.name, id })));
        return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
      }
      case 'ChangeMessageVisibility': {
        const message = queue.messages.find(({ handle }) => handle === input.ReceiptHandle);
        if (!message) throw new AwsError('ReceiptHandleIsInvalid', 'The message is gone');
        message.visibleAt = Date.now() + Number(input.VisibilityTimeout) * MILLISECONDS;
        await this.#journal.note([entryOf(queue, message)]);
        return {};
      }
      default:
        throw new AwsError('InvalidAction', `SQS has no ${action} here`);
    }
  }

  /** Removes published events, messages, dead letters and lines. */
  async clear(): Promise<void> {
    this.#published.length = 0;
    this.#operatorLines.length = 0;
    for (const queue of this.#queues.values()) {
      const done = [...queue.messages, ...queue.dead];
      queue.messages = [];
      queue.dead.length = 0;
      await this.#journal.note(done.map(({ id }) => ({ queue: queue.name, id })));
    }
  }

  #require(name: string): Queue {
    const queue = this.#queues.get(name);
    if (!queue) throw new AwsError('QueueDoesNotExist', `There is no queue ${name}`);
    return queue;
  }

  async #add(queue: Queue, bodies: readonly string[]): Promise<readonly Message[]> {
    const added = bodies.map(newMessage);
    queue.messages.push(...added);
    await this.#journal.note(added.map((message) => entryOf(queue, message)));
    return added;
  }

  async #receive(queue: Queue, max: number): Promise<object> {
    const now = Date.now();
    const visible = queue.messages.filter(({ visibleAt }) => visibleAt <= now);
    const worn = new Set(visible.filter(({ receives }) => receives >= queue.attempts));
    queue.dead.push(...worn);
    queue.messages = queue.messages.filter((message) => !worn.has(message));
    const taken = visible.filter((message) => !worn.has(message)).slice(0, max);
    for (const message of taken) {
      message.receives += 1;
      message.visibleAt = now + VISIBILITY_SECONDS * MILLISECONDS;
      message.handle = randomUUID();
    }
    await this.#journal.note([
      ...[...worn].map((message) => entryOf(queue, message, true)),
      ...taken.map((message) => entryOf(queue, message)),
    ]);
    return {
      Messages: taken.map(({ id, body, handle, receives }) => ({
        MessageId: id,
        ReceiptHandle: handle,
        Body: body,
        MD5OfBody: md5(body),
        Attributes: { ApproximateReceiveCount: String(receives) },
      })),
    };
  }

  /** For people and tests: published events, waiting messages, dead letters. */
  report(): object {
    return {
      events: this.#published,
      operator_log: this.#operatorLines.map((line) => JSON.parse(line)),
      queues: Object.fromEntries(
        [...this.#queues].map(([name, { messages, dead }]) => [
          name,
          {
            waiting: messages.length,
            next_at: messages.length === 0 ? null : Math.min(...messages.map(({ visibleAt }) => visibleAt)),
            dead_letters: dead.map(({ body }) => JSON.parse(body)),
          },
        ]),
      ),
    };
  }
}
