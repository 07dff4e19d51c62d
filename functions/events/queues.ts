import { WEBHOOK_ATTEMPTS } from '../../shared/domain/sending/webhook.ts';
import { noticeEvents } from './notice-kinds.ts';

/** Definition of an SQS queue that receives events. The deployment and the local emulators use it. */
export interface EventQueue {
  readonly name: string;
  /** Name of the background function that reads the queue. */
  readonly entry: string;
  readonly description: string;
  /** Event types that enter the queue; undefined for all types. */
  readonly types?: readonly string[];
  /** Name of a field without which an event does not enter the queue. */
  readonly field?: string;
  /** Number of attempts after which a message moves to the dead-letter queue. */
  readonly attempts: number;
}

/**
 * Type of an event that contains another event that could not be forwarded. A rule of the event bus passes it to the forwarder
 * again.
 */
export const FAILED_EVENT = 'event.failed';

/** SQS queues that receive events from the event bus, each with a dead-letter queue. */
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
    description: 'events of which users are notified',
    types: noticeEvents,
    attempts: 5,
  },
] as const satisfies readonly EventQueue[];
