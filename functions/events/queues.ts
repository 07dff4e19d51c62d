import { WEBHOOK_ATTEMPTS } from '../../shared/domain/sending/webhook.ts';
import { toldEvents } from './notice-kinds.ts';

/** A queue of events, for the deployment and the local cloud. */
export interface EventQueue {
  readonly name: string;
  /** The background function that reads the queue. */
  readonly entry: string;
  readonly description: string;
  /** The event types of the queue. Absent: all. */
  readonly types?: readonly string[];
  /** A field that events of the queue have. */
  readonly field?: string;
  /** After this many attempts a message becomes a dead letter. */
  readonly attempts: number;
}

/** The type of an event on the bus that holds another: the forwarder failed at it, and a rule hands it to the forwarder again. */
export const FAILED_EVENT = 'event.failed';

export const eventQueues = [
  {
    name: 'webhooks',
    entry: 'webhooks',
    description: 'events on their way to webhooks',
    field: 'webhooks',
    attempts: WEBHOOK_ATTEMPTS,
  },
  {
    name: 'notices',
    entry: 'notices',
    description: 'events that users are told of',
    types: toldEvents,
    attempts: 5,
  },
] as const satisfies readonly EventQueue[];
