import type { Given, Made, Shown, Stored } from '../records/field.ts';
import type { webhookFields } from '../records/webhook.ts';
import type { MessageSubject } from './delivery.ts';
import type { Page, PageRequest, RecordStore } from './directory.ts';

/** A security-relevant event, read from the log line of its request or command: on the event bus, in timelines, at webhooks. */
export interface SecurityEvent {
  /** A repeated event has the same ID. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly [field: string]: string | number | undefined;
}

export interface EventBus {
  /** Rejects when any event was not published: the caller publishes all of them again. */
  publish(events: readonly SecurityEvent[]): Promise<void>;
}

/** The queue that webhook messages are read from. */
export interface DeliveryQueue {
  send(bodies: readonly string[]): Promise<void>;
  /** Hides the message for so many seconds. */
  delay(receiptHandle: string, seconds: number): Promise<void>;
}

/** An event of a timeline. Background functions write it, never a request. */
export interface TimelineEvent {
  /** A repeated event has the same ID. */
  readonly eventId: string;
  readonly type: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  /** Further fields of the line, snake_case. */
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface UserEvent extends TimelineEvent {
  readonly userId: string;
}

/** What management has changed: `detail` has the kind of the record, and `changes` as JSON. */
export interface ChangeEvent extends TimelineEvent {
  readonly tenantId: string;
  /** The person whom it is about. */
  readonly userId?: string | undefined;
}

/** Outside the user's partition, because a read of passkeys would pay for it. Erased with the user. */
export interface Timeline {
  /** A repeated event is kept once. `purgeAt`: epoch seconds. */
  add(event: UserEvent, purgeAt: number): Promise<void>;
  /** What became of a message; `subject` is a user's ID or the HMAC of an address without a user. */
  addMessage(subject: string, event: TimelineEvent, purgeAt: number): Promise<void>;
  /** In whose timeline the text stands: its provider tells later what became of it, and names the ID alone. */
  rememberText(messageId: string, subject: MessageSubject, purgeAt: number): Promise<void>;
  findText(messageId: string): Promise<MessageSubject | undefined>;
  /** Files a change for its tenant, and for the person whom it is about. A repeated event is kept once. */
  addChange(event: ChangeEvent, purgeAt: number): Promise<void>;
  /**
   * The changes of a tenant, or those of one person, newest first: those that `keep` takes. One call looks at a bounded number:
   * a page may be short, or empty, and have a next one.
   */
  listChanges(
    of: { readonly tenantId: string; readonly userId?: string | undefined },
    page: PageRequest,
    keep: (event: ChangeEvent) => boolean,
  ): Promise<Page<ChangeEvent>>;
  /** Newest first, without messages. */
  list(userId: string, page: PageRequest): Promise<Page<UserEvent>>;
  /** Newest first: the messages of all subjects that `keep` takes, paged as in `listChanges`. */
  listMessages(
    subjects: readonly string[],
    page: PageRequest,
    keep?: ((event: TimelineEvent) => boolean) | undefined,
  ): Promise<Page<TimelineEvent>>;
  /** Newest first: the events of the user and the messages of all subjects that `keep` takes. */
  listWithMessages(
    userId: string,
    subjects: readonly string[],
    page: PageRequest,
    keep?: ((event: TimelineEvent) => boolean) | undefined,
  ): Promise<Page<TimelineEvent>>;
  /** Forgets all events, messages, changes and devices of the user. */
  erase(userId: string): Promise<void>;
  /** With what `rememberText` keeps of them. */
  eraseMessages(subject: string): Promise<void>;
}

export interface SeenDevices {
  /**
   * Notes a device of the user; `device` is a hash. `first` when the user had none, `new` when this one is not among them:
   * of concurrent events exactly one gets `new`, and gets it again when it is repeated. Forgets the oldest of too many.
   */
  note(
    userId: string,
    seen: {
      readonly device: string;
      readonly eventId: string;
      readonly at: number;
      readonly purgeAt: number;
    },
  ): Promise<'first' | 'new' | 'known'>;
}

/** Where events of a tenant, or of one application, are posted to. Configuration: in the directory. */
export interface Webhook extends Stored<typeof webhookFields> {}
export interface WebhookRecord extends Shown<typeof webhookFields> {}
export interface NewWebhookFields extends Made<typeof webhookFields> {}
export interface WebhookFields extends Given<typeof webhookFields> {}

export type WebhookRecords = RecordStore<Webhook>;

/** An attempt to post an event: the status of the answer, or the name of the error without one. */
export interface DeliveryAttempt {
  readonly at: number;
  /** Counts from 1, anew where it is sent again. */
  readonly attempt: number;
  readonly status?: number;
  readonly error?: string;
}

/** An event at a webhook, with each attempt to post it. */
export interface WebhookDelivery {
  readonly webhookId: string;
  /** Sorts by the time of the event. */
  readonly deliveryId: string;
  readonly event: SecurityEvent;
  readonly attempts: readonly DeliveryAttempt[];
}

/** Kept for seven days after the last attempt. */
export interface WebhookDeliveries {
  /** Adds an attempt; those above the limit are not kept. */
  note(delivery: Omit<WebhookDelivery, 'attempts'>, attempt: DeliveryAttempt): Promise<void>;
  find(webhookId: string, deliveryId: string): Promise<WebhookDelivery | undefined>;
  /** Newest event first. */
  list(webhookId: string, page: PageRequest): Promise<Page<WebhookDelivery>>;
}

/** Webhooks at the delivery of events; a change is seen at once. */
export interface Webhooks {
  find(webhookId: string): Promise<Webhook | undefined>;
  listOf(tenantId: string): Promise<readonly Webhook[]>;
}
