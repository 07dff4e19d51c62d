import { WEBHOOK_ATTEMPTS } from '../../shared/domain/sending/webhook.ts';

/** Which events go on into which queue: read by the deployment and by the local cloud. */
export interface EventQueue {
  readonly name: string;
  /** The function that reads the queue: its entry below lib/. */
  readonly entry: string;
  readonly description: string;
  /** Absent: events of every type. */
  readonly types?: readonly string[];
  /** After so many attempts a message is a dead letter. */
  readonly attempts: number;
}

export const eventQueues = [
  {
    name: 'webhooks',
    entry: 'webhooks',
    description: 'events on their way to webhooks',
    attempts: WEBHOOK_ATTEMPTS,
  },
  {
    name: 'notices',
    entry: 'notices',
    description: 'events that users are told of by mail',
    types: ['login.new_device', 'login.locked', 'user.phone_changed'],
    attempts: 5,
  },
] as const satisfies readonly EventQueue[];
