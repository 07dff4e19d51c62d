import { createHash, randomUUID } from 'node:crypto';
import { type EventQueue, eventQueues, FAILED_EVENT } from '../../../../functions/events/queues.ts';
import { AwsError } from '../basis/aws-error.ts';
import { createQueue, type Message, newMessage, type Queue, toJournalEntry } from './queue.ts';
import { QueueJournal } from './queue-journal.ts';

/** Name of the local queue of log lines for the event forwarder. In AWS, a log subscription takes the place of this queue. */
export const LINES_QUEUE = 'lines';
/**
 * Name of the local queue of events that the forwarder failed to process. In AWS, a rule calls the forwarder again.
 */
export const FAILED_QUEUE = 'failed';
/** Number of times that Lambda tries an asynchronous invocation, including the first attempt. */
const LINES_ATTEMPTS = 3;
const KEPT = 500;
const VISIBILITY_SECONDS = 90;
const MILLISECONDS = 1000;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

type Input = Readonly<Record<string, unknown>>;

/** Emulator of the services that invoke our functions: EventBridge with the deployed rules, SQS and CloudWatch Logs. */
export class Queues {
  readonly #queues: ReadonlyMap<string, Queue> = new Map(
    [
      createQueue(LINES_QUEUE, { types: [], attempts: LINES_ATTEMPTS }),
      createQueue(FAILED_QUEUE, { types: [FAILED_EVENT], attempts: LINES_ATTEMPTS }),
      ...eventQueues.map((queue: EventQueue) => createQueue(queue.name, queue)),
    ].map((queue) => [queue.name, queue]),
  );
  readonly #published: unknown[] = [];
  readonly #operatorLines: string[] = [];
  readonly #journal: QueueJournal;

  private constructor(journal: QueueJournal) {
    this.#journal = journal;
  }

  /** Opens the queues. If a file is given, queued messages survive a restart, but published events are lost. */
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

  /** Handles PutEvents of EventBridge: adds each event to the queues of all rules whose pattern matches the event. */
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

  /** Handles a call to CloudWatch Logs. Log groups and streams need not be created first: any name is accepted. */
  async putLines(action: string, input: Input): Promise<object> {
    if (action === 'CreateLogStream') return {};
    if (action !== 'PutLogEvents')
      throw new AwsError('InvalidAction', `The local CloudWatch Logs does not support ${action}`);
    const { logEvents } = input as { readonly logEvents: readonly { readonly message: string }[] };
    const lines = logEvents.map(({ message }) => message);
    this.#operatorLines.push(...lines);
    this.#operatorLines.splice(0, this.#operatorLines.length - KEPT);
    // The deployed log subscription has the same filter.
    await this.#add(
      this.#require(LINES_QUEUE),
      lines.filter((line) => line.includes('"audit":[')),
    );
    return {};
  }

  /** Handles calls of the SQS operations that the functions and Lambda's event source mappings use. */
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
        await this.#journal.append(done.map(({ id }) => ({ queue: queue.name, id })));
        return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
      }
      case 'ChangeMessageVisibility': {
        const message = queue.messages.find(({ handle }) => handle === input.ReceiptHandle);
        if (!message) throw new AwsError('ReceiptHandleIsInvalid', 'The receipt handle is invalid');
        message.visibleAt = Date.now() + Number(input.VisibilityTimeout) * MILLISECONDS;
        await this.#journal.append([toJournalEntry(queue, message)]);
        return {};
      }
      default:
        throw new AwsError('InvalidAction', `The local SQS does not support ${action}`);
    }
  }

  /** Removes all published events, queued messages, dead letters and log lines. */
  async clear(): Promise<void> {
    this.#published.length = 0;
    this.#operatorLines.length = 0;
    for (const queue of this.#queues.values()) {
      const done = [...queue.messages, ...queue.dead];
      queue.messages = [];
      queue.dead.length = 0;
      await this.#journal.append(done.map(({ id }) => ({ queue: queue.name, id })));
    }
  }

  #require(name: string): Queue {
    const queue = this.#queues.get(name);
    if (!queue) throw new AwsError('QueueDoesNotExist', `The queue ${name} does not exist`);
    return queue;
  }

  async #add(queue: Queue, bodies: readonly string[]): Promise<readonly Message[]> {
    const added = bodies.map(newMessage);
    queue.messages.push(...added);
    await this.#journal.append(added.map((message) => toJournalEntry(queue, message)));
    return added;
  }

  async #receive(queue: Queue, max: number): Promise<object> {
    const now = Date.now();
    const visible = queue.messages.filter(({ visibleAt }) => visibleAt <= now);
    const exhausted = new Set(visible.filter(({ receives }) => receives >= queue.attempts));
    queue.dead.push(...exhausted);
    queue.messages = queue.messages.filter((message) => !exhausted.has(message));
    const taken = visible.filter((message) => !exhausted.has(message)).slice(0, max);
    for (const message of taken) {
      message.receives += 1;
      message.visibleAt = now + VISIBILITY_SECONDS * MILLISECONDS;
      message.handle = randomUUID();
    }
    await this.#journal.append([
      ...[...exhausted].map((message) => toJournalEntry(queue, message, true)),
      ...taken.map((message) => toJournalEntry(queue, message)),
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

  /** Returns the published events, the operator log, and the state and dead letters of every queue, for `/_local/events`. */
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
