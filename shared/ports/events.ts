import type { Page, PageRequest, RecordStore } from './directory.ts';

/** What happened to a user, after the fact: written by the forwarder of events, never in a request. */

/** A security-relevant event as its line in the log tells it; see operation.ts. */
export interface UserEvent {
  /** The same event has the same ID, however often it comes. */
  readonly eventId: string;
  readonly type: string;
  readonly userId: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  /** Further fields of the line, snake_case. */
  readonly detail: Readonly<Record<string, string | number>>;
}

/** Kept apart from the user's partition, so that whoever reads passkeys does not pay for it; erased with the user. */
export interface Timeline {
  /** An event that comes twice is kept once. `purgeAt`: epoch seconds. */
  add(event: UserEvent, purgeAt: number): Promise<void>;
  /** Newest first. */
  list(userId: string, page: PageRequest): Promise<Page<UserEvent>>;
  /** Forgets all events and devices of the user. */
  erase(userId: string): Promise<void>;
}

export interface SeenDevices {
  /**
   * Notes a device of the user; `device` is a hash. `first` when the user had none, `new` when this one is not among them:
   * of many callers exactly one gets `new`.
   */
  note(userId: string, device: string, at: number, purgeAt: number): Promise<'first' | 'new' | 'known'>;
}

/** Where events of a tenant, or of one application, are posted to. Configuration: in the directory. */
export interface Webhook {
  readonly webhookId: string;
  readonly tenantId: string;
  readonly applicationId?: string;
  readonly url: string;
  /** Types, or beginnings of types that end in `*`; empty: all. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** The versions of its secret that sign, newest last: two while receivers change over. */
  readonly secretVersions: readonly number[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type WebhookRecords = RecordStore<Webhook>;

/** Webhooks at the delivery of events; a change is seen at once. */
export interface Webhooks {
  find(webhookId: string): Promise<Webhook | undefined>;
  listOf(tenantId: string): Promise<readonly Webhook[]>;
}
