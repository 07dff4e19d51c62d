import type { CreateInput, RecordView, StoredRecord, UpdateInput } from '../records/field.ts';
import type { webhookFields } from '../records/webhook.ts';
import type { MessageSubject } from './delivery.ts';
import type { Page, PageRequest, RecordStore } from './directory.ts';

/** Security event from the log line of a request or command. It is sent to the event bus, timelines and webhooks. */
export interface SecurityEvent {
  /** Unique ID of the event. A repetition of the event has the same ID. */
  readonly id: string;
  readonly type: string;
  /** Time of the event, RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly [field: string]: string | number | undefined;
}

export interface EventBus {
  /**
   * Publishes events. If an event could not be published, the promise rejects, and the caller must publish all events again.
   */
  publish(events: readonly SecurityEvent[]): Promise<void>;
}

/** Queue of webhook messages. */
export interface DeliveryQueue {
  send(bodies: readonly string[]): Promise<void>;
  /** Hides a message of the queue for the given number of seconds. */
  delay(receiptHandle: string, seconds: number): Promise<void>;
}

/** Event in a timeline. Only background functions write it, never the function of a request. */
export interface TimelineEvent {
  /** Unique ID of the event. A repetition of the event has the same ID. */
  readonly eventId: string;
  readonly type: string;
  /** Time of the event, RFC 3339 UTC with milliseconds. */
  readonly time: string;
  /** Other fields of the log line, with names in snake_case. */
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface UserEvent extends TimelineEvent {
  readonly userId: string;
}

/** Tenant in which a message failed, and the user to whom it was sent, if the user is known. */
export interface FailedMessage {
  readonly tenantId: string;
  readonly userId?: string | undefined;
}

/** Change made by an administrative call. `detail` contains the record's type and `changes` as JSON. */
export interface ChangeEvent extends TimelineEvent {
  readonly tenantId: string;
  /** ID of the user that the change is about. */
  readonly userId?: string | undefined;
}

/**
 * Timelines of users and tenants. They are not stored in the user's partition, so that queries for passkeys do not read (and
 * bill) events. A user's timeline is erased with the user.
 */
export interface Timeline {
  /**
   * Adds an event. A repeated event is stored once.
   * @param purgeAt Time of deletion in epoch seconds
   */
  add(event: UserEvent, purgeAt: number): Promise<void>;
  /**
   * Adds an event about a message. `subject` is a user's ID, or the HMAC of an address that belongs to no user. With `failure`,
   * also adds the event to the tenant's list of failed messages, from which an erasure of the subject removes it.
   */
  addMessage(subject: string, event: TimelineEvent, purgeAt: number, failure?: FailedMessage): Promise<void>;
  /** Stores which timeline an SMS belongs to, because the provider's later delivery reports contain only the message ID. */
  rememberText(messageId: string, subject: MessageSubject, purgeAt: number): Promise<void>;
  findText(messageId: string): Promise<MessageSubject | undefined>;
  /** Adds a change to the timeline of its tenant and of the person that it is about. A repeated event is stored once. */
  addChange(event: ChangeEvent, purgeAt: number): Promise<void>;
  /**
   * Lists the changes to a tenant or to one person that `keep` accepts, newest first. Each call reads a limited number of
   * changes, so a page may be short or empty even if there is a next page.
   */
  listChanges(
    of: { readonly tenantId: string; readonly userId?: string | undefined },
    page: PageRequest,
    keep: (event: ChangeEvent) => boolean,
  ): Promise<Page<ChangeEvent>>;
  /** Lists the user's events except messages, newest first. */
  list(userId: string, page: PageRequest): Promise<Page<UserEvent>>;
  /** Lists the messages of all given subjects that `keep` accepts, newest first. Pages work as in `listChanges`. */
  listMessages(
    subjects: readonly string[],
    page: PageRequest,
    keep?: ((event: TimelineEvent) => boolean) | undefined,
  ): Promise<Page<TimelineEvent>>;
  /**
   * Finds the event of a failed request by its request ID and returns its user's ID, or the HMAC of an address that belonged to
   * no user. The read is eventually consistent.
   */
  findSubjectOfRequest(requestId: string): Promise<string | undefined>;
  /**
   * Lists a tenant's messages that have failed since `since` and that `keep` accepts, newest first. Pages work as in
   * `listChanges`.
   */
  listFailures(
    of: { readonly tenantId: string; readonly since: string },
    page: PageRequest,
    keep?: ((event: TimelineEvent) => boolean) | undefined,
  ): Promise<Page<TimelineEvent>>;
  /** Lists the user's events and the messages of all given subjects that `keep` accepts, newest first. */
  listWithMessages(
    userId: string,
    subjects: readonly string[],
    page: PageRequest,
    keep?: ((event: TimelineEvent) => boolean) | undefined,
  ): Promise<Page<TimelineEvent>>;
  /** Erases all events, messages, changes and devices of the user. */
  erase(userId: string): Promise<void>;
  /** Erases a subject's messages and the entries that `rememberText` stored for them. */
  eraseMessages(subject: string): Promise<void>;
}

export interface SeenDevices {
  /**
   * Records a device of the user; `device` is a hash. Returns `first` if the user had no device, and `new` if this device was
   * unknown. Exactly one of several concurrent events gets `new`; a repetition of that event gets `new` again. Removes the
   * oldest devices beyond the maximum.
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

/** Webhook to which the events of a tenant or of one application are posted. It is configuration, stored in the directory. */
export interface Webhook extends StoredRecord<typeof webhookFields> {}
/** Health of a webhook as operators see it. */
export interface WebhookHealthRecord {
  readonly state: 'delivered' | 'failing' | 'unused';
  readonly last_attempt_at?: string;
  readonly failing_since?: string;
  readonly status?: number;
  readonly error?: string;
}
export interface WebhookRecord extends RecordView<typeof webhookFields> {
  readonly health?: WebhookHealthRecord;
}
export interface NewWebhookFields extends CreateInput<typeof webhookFields> {}
export interface WebhookFields extends UpdateInput<typeof webhookFields> {}

export type WebhookRecords = RecordStore<Webhook>;

/** One attempt to post an event: the HTTP status of the response, or the name of the error if there was no response. */
export interface DeliveryAttempt {
  readonly at: number;
  /** Number of the attempt, starting at 1. It restarts when the event is redelivered on request. */
  readonly attempt: number;
  readonly status?: number;
  readonly error?: string;
}

/** Event that is delivered to a webhook, with all delivery attempts. */
export interface WebhookDelivery {
  readonly webhookId: string;
  /** ID of the delivery. IDs sort by the time of the event. */
  readonly deliveryId: string;
  readonly event: SecurityEvent;
  readonly attempts: readonly DeliveryAttempt[];
}

/** Result of the last attempt to post to a webhook, kept for 7 days. */
export interface WebhookHealth {
  readonly lastAt: number;
  readonly status?: number;
  readonly error?: string;
  /** Time of the first failed attempt since the last successful one. Undefined if the last attempt succeeded. */
  readonly failingSince?: number;
}

/** Webhook deliveries, kept for 7 days after the last attempt. */
export interface WebhookDeliveries {
  /** Adds an attempt to a delivery and to the health of its webhook. A delivery stores a limited number of attempts. */
  note(delivery: Omit<WebhookDelivery, 'attempts'>, attempt: DeliveryAttempt): Promise<void>;
  find(webhookId: string, deliveryId: string): Promise<WebhookDelivery | undefined>;
  /** Lists the deliveries of a webhook, newest event first. */
  list(webhookId: string, page: PageRequest): Promise<Page<WebhookDelivery>>;
  /** Returns the health of the given webhooks (at most 100). Omits those to which no event was posted in the last 7 days. */
  healthOf(webhookIds: readonly string[], at: number): Promise<ReadonlyMap<string, WebhookHealth>>;
}

/** Webhooks for the delivery of events. Reads are uncached, so that a change takes effect immediately. */
export interface Webhooks {
  find(webhookId: string): Promise<Webhook | undefined>;
  listOf(tenantId: string): Promise<readonly Webhook[]>;
}
