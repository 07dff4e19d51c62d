import { createHash, randomUUID } from 'node:crypto';
import { type EventQueue, eventQueues } from '../../event-forwarder/queues.ts';
import { AwsError } from './aws-error.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  visibleAt: number;
  receives: number;
  handle: string;
}

const VISIBILITY_SECONDS = 90;
const MILLISECONDS = 1000;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

type Input = Readonly<Record<string, unknown>>;

/** EventBridge with the rules of the deployment, and SQS with its queues: what Lambda is fed from. In memory. */
export class Queues {
  readonly #queues = new Map<string, { readonly queue: EventQueue; messages: Message[]; dead: string[] }>(
    eventQueues.map((queue) => [queue.name, { queue, messages: [], dead: [] }]),
  );
  readonly #published: unknown[] = [];

  /** EventBridge: PutEvents. Each rule whose pattern fits puts the event into its queue. */
  putEvents(input: Input): object {
    const entries = (input.Entries ?? []) as readonly Readonly<Record<string, string>>[];
    const Entries = entries.map((entry) => {
      const event = {
        version: '0',
        id: randomUUID(),
        source: entry.Source,
        'detail-type': entry.DetailType,
        time: new Date(Number(entry.Time) * MILLISECONDS).toISOString(),
        detail: JSON.parse(entry.Detail ?? '{}'),
      };
      this.#published.push(event);
      for (const { queue, messages } of this.#queues.values()) {
        const types: readonly string[] | undefined = queue.types;
        if (types === undefined || types.includes(entry.DetailType ?? ''))
          messages.push(newMessage(JSON.stringify(event)));
      }
      return { EventId: event.id };
    });
    return { FailedEntryCount: 0, Entries };
  }

  /** SQS, as far as the functions and Lambda's pollers ask. */
  answer(action: string, input: Input): object {
    const name = String(input.QueueUrl).split('/').at(-1) ?? '';
    const found = this.#queues.get(name);
    if (!found) throw new AwsError('QueueDoesNotExist', `There is no queue ${name}`);
    switch (action) {
      case 'SendMessageBatch': {
        const entries = input.Entries as readonly { readonly Id: string; readonly MessageBody: string }[];
        const Successful = entries.map(({ Id, MessageBody }) => {
          const message = newMessage(MessageBody);
          found.messages.push(message);
          return { Id, MessageId: message.id, MD5OfMessageBody: md5(MessageBody) };
        });
        return { Successful, Failed: [] };
      }
      case 'ReceiveMessage':
        return this.#receive(name, Number(input.MaxNumberOfMessages ?? 1));
      case 'DeleteMessage':
        found.messages = found.messages.filter(({ handle }) => handle !== input.ReceiptHandle);
        return {};
      case 'ChangeMessageVisibility': {
        const message = found.messages.find(({ handle }) => handle === input.ReceiptHandle);
        if (!message) throw new AwsError('ReceiptHandleIsInvalid', 'The message is gone');
        message.visibleAt = Date.now() + Number(input.VisibilityTimeout) * MILLISECONDS;
        return {};
      }
      default:
        throw new AwsError('InvalidAction', `SQS has no ${action} here`);
    }
  }

  #receive(name: string, max: number): object {
    const found = this.#queues.get(name);
    if (!found) return { Messages: [] };
    const now = Date.now();
    const visible = found.messages.filter(({ visibleAt }) => visibleAt <= now);
    const worn = visible.filter(({ receives }) => receives >= found.queue.attempts);
    found.dead.push(...worn.map(({ body }) => body));
    found.messages = found.messages.filter((message) => !worn.includes(message));
    const taken = visible.filter((message) => !worn.includes(message)).slice(0, max);
    for (const message of taken) {
      message.receives += 1;
      message.visibleAt = now + VISIBILITY_SECONDS * MILLISECONDS;
      message.handle = randomUUID();
    }
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

  /** For people and tests: what was published, what waits, what nobody took. */
  report(): object {
    return {
      events: this.#published,
      queues: Object.fromEntries(
        [...this.#queues].map(([name, { messages, dead }]) => [
          name,
          {
            waiting: messages.length,
            next_at: messages.length === 0 ? null : Math.min(...messages.map(({ visibleAt }) => visibleAt)),
            dead_letters: dead.map((body) => JSON.parse(body)),
          },
        ]),
      ),
    };
  }
}

function newMessage(body: string): Message {
  return { id: randomUUID(), body, visibleAt: Date.now(), receives: 0, handle: '' };
}
