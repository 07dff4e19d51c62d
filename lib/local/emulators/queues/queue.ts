import { randomUUID } from 'node:crypto';
import type { EventQueue } from '../../../../functions/events/queues.ts';
import type { JournalEntry } from './queue-journal.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
  visibleAt: number;
  receives: number;
  handle: string;
}

/**
 * Emulated SQS queue with its dead-letter queue. `types` and `field` select the events that EventBridge puts into the queue.
 */
export interface Queue {
  readonly name: string;
  readonly types: readonly string[] | undefined;
  readonly field: string | undefined;
  readonly attempts: number;
  messages: Message[];
  dead: Message[];
}

export const createQueue = (
  name: string,
  { types, field, attempts }: Pick<EventQueue, 'types' | 'field' | 'attempts'>,
): Queue => ({
  name,
  types,
  field,
  attempts,
  messages: [],
  dead: [],
});

export const toJournalEntry = (
  { name }: Queue,
  { id, body, visibleAt, receives }: Message,
  dead = false,
): JournalEntry => ({
  queue: name,
  id,
  message: { body, visibleAt, receives, dead },
});

export function newMessage(body: string): Message {
  return { id: randomUUID(), body, visibleAt: Date.now(), receives: 0, handle: '' };
}
