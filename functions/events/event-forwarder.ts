import { createHash } from 'node:crypto';
import { eventBus } from '../../shared/aws/event-bus.ts';
import { requireVariable } from '../../shared/aws/settings.ts';
import { awaitAll, inBatches } from '../../shared/domain/basis/await-all.ts';
import {
  CHANGES_KEPT_SECONDS,
  PARALLEL_WRITES,
  SECONDS_PER_DAY,
  SEEN_DEVICE_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { storeSecretUse } from '../../shared/domain/oauth/secret-use.ts';
import { isSubscribed } from '../../shared/domain/sending/webhook.ts';
import { surplusSessions } from '../../shared/domain/sessions/session-limit.ts';
import { addMessageEvent, isMessageEvent } from '../../shared/domain/support/message-events.ts';
import { countBatch } from '../../shared/domain/support/statistics.ts';
import { isLinkDelayed } from '../../shared/domain/trust/changes.ts';
import { toFactorType } from '../../shared/domain/trust/factor-types.ts';
import { cancelRecovery, cancelsRecovery } from '../../shared/domain/users/pending-recovery.ts';
import { cancelUndoRequest } from '../../shared/domain/users/undo-change.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { EventBus, SecurityEvent, UserEvent } from '../../shared/ports/events.ts';
import type { AuthenticationMethod } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { createLogoutDue, mayEndSessions } from './logout-event.ts';
import { type LogsEvent, readLines } from './logs-event.ts';
import { FAILED_EVENT } from './queues.ts';
import { readSecretUses, readSecurityEvents } from './security-event.ts';

interface ForwardPorts extends BackgroundPorts<'event-forwarder'> {
  readonly bus: EventBus;
}

const MILLISECONDS = 1000;
const pickDefined = (detail: Readonly<Record<string, string | number | undefined>>) =>
  Object.fromEntries(
    Object.entries(detail).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
const toSeconds = (event: SecurityEvent) => Math.floor(Date.parse(event.time) / MILLISECONDS);

/**
 * Stores message events, such as a bounce, in the timelines of their users. If no user is known, the event is stored under the
 * HMAC of the address. Returns the IDs of the known users.
 */
async function fileMessages(
  ports: ForwardPorts,
  events: readonly SecurityEvent[],
): Promise<readonly string[]> {
  const users = await Promise.all(
    events.map(
      async ({ id: eventId, type, time, user_id, recipient_hash, tenant_id: tenantId, ...detail }) => {
        if (!isMessageEvent(type)) return [];
        const userId = user_id;
        const applicationId = detail.application_id?.toString();
        const subject = {
          ...(userId === undefined ? { recipientHash: String(recipient_hash) } : { userId }),
          ...{ applicationId, tenantId },
        };
        await addMessageEvent(ports, subject, { eventId, type, time, detail: pickDefined(detail) });
        return userId === undefined ? [] : [userId];
      },
    ),
  );
  return users.flat();
}

function toUserEvent(event: SecurityEvent): UserEvent {
  const { id, type, time, user_id, record_kind: _, person_id: __, changes: ___, ...detail } = event;
  return { eventId: id, type, userId: user_id ?? '', time, detail: pickDefined(detail) };
}

/**
 * Returns true if an event belongs in the tenant's change log. Erasures are left out, because no data of the user may remain.
 */
const isLoggedChange = ({ type, record_kind }: SecurityEvent) =>
  type === 'management.changed' || (record_kind !== undefined && type !== 'user.erased');

/** Returns the ID of the user that an event concerns. The change of a membership names the member in `person_id`. */
const findPersonId = ({ user_id, person_id }: SecurityEvent) => (person_id ?? user_id)?.toString();

/**
 * Stores each change in the change logs of the user and of the tenant. Changes without a tenant go to the operators' tenant.
 */
async function fileChanges({ timeline }: ForwardPorts, events: readonly SecurityEvent[]): Promise<void> {
  await Promise.all(
    events.filter(isLoggedChange).map(async (event) => {
      const { id: eventId, type, time, tenant_id, user_id: _, person_id: __, ...detail } = event;
      const tenantId = tenant_id ?? OPERATORS_TENANT_ID;
      const change = {
        eventId,
        type,
        time,
        tenantId,
        userId: findPersonId(event),
        detail: pickDefined(detail),
      };
      await timeline.addChange(change, toSeconds(event) + CHANGES_KEPT_SECONDS);
    }),
  );
}

/**
 * Returns the hash that identifies a device: the hash of the event's `device_id` or, without one, of the browser's cookie or
 * else of the user agent.
 */
function hashDevice(event: SecurityEvent): string | undefined {
  const name = event.device_id ?? event.browser ?? event.user_agent;
  return name === undefined ? undefined : createHash('sha256').update(String(name)).digest('base64url');
}

/** Returns a `login.new_device` event if a user who has known devices has logged in from an unknown device. */
async function newDevice(
  { seenDevices }: ForwardPorts,
  event: SecurityEvent,
): Promise<readonly SecurityEvent[]> {
  const device = event.type === 'login.succeeded' ? hashDevice(event) : undefined;
  if (device === undefined || event.user_id === undefined) return [];
  const at = toSeconds(event);
  const seen = await seenDevices.note(event.user_id, {
    device,
    eventId: event.id,
    at,
    purgeAt: at + SEEN_DEVICE_SECONDS,
  });
  const type = 'login.new_device';
  return seen === 'new' ? [{ ...event, type, id: `${event.request_id}/${type}` }] : [];
}

/** Event that is published before its side effect runs. If the batch fails in between, a retry repeats both. */
interface PendingEvent {
  readonly event: SecurityEvent;
  readonly act: () => Promise<void>;
}

/**
 * Returns `session.ended` events for the user's sessions above the limit. The sessions end here and not in the login, to keep
 * logins fast.
 */
async function surplusEnds(
  ports: ForwardPorts,
  userId: string,
  events: readonly SecurityEvent[],
): Promise<readonly PendingEvent[]> {
  const login = events.find(({ type, user_id }) => type === 'login.succeeded' && user_id === userId);
  if (!login) return [];
  const { tenant_id, time } = login;
  const { active } = await ports.sessions.review(userId, nowSeconds());
  return surplusSessions(active).map(({ sessionId, applicationId, clientId }) => ({
    event: {
      // The event ID does not contain the login's ID, so two logins that find the same surplus session publish only one event.
      id: `${sessionId}/session.ended`,
      type: 'session.ended',
      time,
      operation: 'event-forwarder',
      ...(tenant_id === undefined ? {} : { tenant_id }),
      user_id: userId,
      application_id: applicationId,
      client_id: clientId,
      session_id: sessionId,
    },
    act: async () => {
      await ports.sessions.end(sessionId, nowSeconds());
    },
  }));
}

/** Waits for the end of a pending recovery or undo. Ignores the error if another request has ended it in the meantime. */
async function ignoreAlreadyEnded(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'notice_link_over') throw error;
  }
}

/**
 * Returns `user.recovery_cancelled` events for pending recoveries that a login disproves. If the user logs in with a factor
 * that was reported lost, an attacker requested the recovery or the user no longer needs it. A pending undo ends with a login
 * by any factor type except email, because its link was sent by email. Runs here and not in the login, to keep logins fast.
 */
function disprovedEnds(
  ports: ForwardPorts,
  { userId, tenantId, recovery, changes }: User,
  events: readonly SecurityEvent[],
): readonly PendingEvent[] {
  const logins = events.filter(({ type, user_id }) => type === 'login.succeeded' && user_id === userId);
  const type = 'user.recovery_cancelled';
  const endedBy = (login: SecurityEvent | undefined, act: () => Promise<unknown>): readonly PendingEvent[] =>
    login
      ? [
          {
            event: { ...login, type, id: `${login.request_id}/${type}` },
            act: () => ignoreAlreadyEnded(act()),
          },
        ]
      : [];
  const disproving = logins.find(
    ({ method, time }) =>
      recovery !== undefined &&
      Date.parse(time) >= recovery.since * MILLISECONDS &&
      cancelsRecovery(recovery, method as AuthenticationMethod, Date.parse(time) / MILLISECONDS),
  );
  const byOther = logins.find(({ method }) => {
    const kind = toFactorType(method as AuthenticationMethod);
    return kind !== undefined && kind !== 'mail';
  });
  return [
    ...endedBy(disproving, () => cancelRecovery(ports, { tenantId, userId }, nowSeconds(), recovery?.since)),
    ...changes
      .filter(isLinkDelayed)
      .flatMap(({ changeId }) =>
        endedBy(byOther, () => cancelUndoRequest(ports, { tenantId }, userId, changeId)),
      ),
  ];
}

/** Adds the number of subscribed webhooks to each event that has any. Only events with this number enter the webhook queue. */
async function markWebhooks(
  { webhooks }: ForwardPorts,
  events: readonly SecurityEvent[],
): Promise<readonly SecurityEvent[]> {
  const tenantIds = new Set(events.flatMap(({ tenant_id }) => tenant_id ?? []));
  const known = new Map(
    await Promise.all([...tenantIds].map(async (id) => [id, await webhooks.listOf(id)] as const)),
  );
  return events.map((event) => {
    const wanting = known.get(event.tenant_id ?? '')?.filter((webhook) => isSubscribed(webhook, event)) ?? [];
    return wanting.length === 0 ? event : { ...event, webhooks: wanting.length };
  });
}

/**
 * Publishes a `logout.due` event for each client that must be notified of an ended session. A retry publishes the events again.
 */
async function publishDueLogouts(ports: ForwardPorts, events: readonly SecurityEvent[]): Promise<void> {
  const at = nowSeconds();
  const ends = new Map(events.filter(mayEndSessions).map((event) => [event.user_id, event]));
  for (const [userId = '', { tenant_id = '' }] of ends) {
    const { unnotified } = await ports.sessions.review(userId, at);
    const due = unnotified.flatMap(({ sessionId, clientIds }) =>
      clientIds.map((clientId) => ({ sessionId, clientId })),
    );
    const clients = await Promise.all(due.map(({ clientId }) => ports.clients.find(clientId)));
    const notified = due.filter((_, index) => {
      const client = clients[index];
      return client?.tenantId === tenant_id && client.backchannelLogoutUri !== undefined;
    });
    await ports.bus.publish(
      notified.map(({ sessionId, clientId }) =>
        createLogoutDue({ tenant_id, userId, sessionId, clientId, at }),
      ),
    );
    // Sessions without a client to notify are recorded as well. Otherwise every later event of the user would examine them
    // again.
    await inBatches(unnotified, PARALLEL_WRITES, ({ sessionId }) =>
      ports.sessions.markClientsNotified(sessionId, at),
    );
  }
}

/**
 * Adds events to the timelines of their users and publishes them, except events of messages, which are only stored. A repeated
 * event is stored once and keeps its ID on the event bus. Looks the users up after the write and erases the timelines of erased
 * users, because an erasure between a look-up and a later write would leave a timeline behind.
 * @param timelineSeconds how long timelines keep an event
 */
export async function forward(
  ports: ForwardPorts,
  events: readonly SecurityEvent[],
  timelineSeconds: number,
): Promise<void> {
  const all: SecurityEvent[] = [];
  const toldUsers = await fileMessages(
    ports,
    events.filter(({ type }) => isMessageEvent(type)),
  );
  for (const event of events.filter(({ type }) => !isMessageEvent(type)))
    all.push(event, ...(await newDevice(ports, event)));
  const ofUsers = all.filter(({ user_id, type }) => user_id !== undefined && type !== 'user.erased');
  const fileInTimelines = (filed: readonly SecurityEvent[]) =>
    Promise.all(
      filed.map((event) => ports.timeline.add(toUserEvent(event), toSeconds(event) + timelineSeconds)),
    );
  await fileInTimelines(ofUsers);
  await fileChanges(ports, all);
  // Users who are already erased are included: events that arrived during the erasure may have recreated their timelines.
  const users = new Set([
    ...all.flatMap((event) => [event.user_id, findPersonId(event)].filter((id) => id !== undefined)),
    ...toldUsers,
  ]);
  // Follow-up events of logins, which report the end of pending recoveries and of sessions above the limit. They are published
  // before the recoveries and sessions end.
  const found = await Promise.all(
    [...users].map(async (userId) => {
      const user = await ports.users.find(userId);
      if (user)
        return [...disprovedEnds(ports, user, ofUsers), ...(await surplusEnds(ports, userId, ofUsers))];
      await ports.timeline.erase(userId);
      return [];
    }),
  );
  const pending = found.flat();
  const ends = pending.map(({ event }) => event);
  await fileInTimelines(ends);
  await ports.bus.publish(await markWebhooks(ports, [...all, ...ends]));
  await Promise.all(pending.map(({ act }) => act()));
  await publishDueLogouts(ports, [...all, ...ends]);
}

/** Returns the key by which a failed batch of events is split: the user, the address of a message, or else the event itself. */
const toBatchKey = ({ id, user_id, recipient_hash }: SecurityEvent) => user_id ?? recipient_hash ?? id;

/** Wraps an event that the forwarder failed to forward. A rule of the event bus passes the wrapper to the forwarder again. */
const failedEvent = (event: SecurityEvent): SecurityEvent => ({
  ...{ id: `${event.id}/${FAILED_EVENT}`, type: FAILED_EVENT, time: event.time },
  ...{ operation: 'event-forwarder', failed: JSON.stringify(event) },
});

/**
 * Forwards a batch of events. If that fails, forwards the events of each user separately, so that one bad event cannot block
 * the events of other users. Events that fail again are published for a separate retry. If all events fail, rejects, and Lambda
 * repeats the batch.
 */
async function forwardSeparately(
  ports: ForwardPorts,
  events: readonly SecurityEvent[],
  timelineSeconds: number,
): Promise<void> {
  try {
    await forward(ports, events, timelineSeconds);
  } catch (error) {
    const failed: SecurityEvent[] = [];
    await inBatches([...Map.groupBy(events, toBatchKey).values()], PARALLEL_WRITES, (group) =>
      forward(ports, group, timelineSeconds).catch(() => failed.push(...group)),
    );
    if (failed.length === events.length) throw error;
    await ports.bus.publish(failed.map(failedEvent));
  }
}

/** Input from EventBridge: an event that the forwarder failed to forward. */
interface RetryEvent {
  /** Wrapper whose field `failed` contains the original event as JSON. */
  readonly detail: { readonly failed: string };
}

/** Forwards the security events in the logs of all operations, and retries failed events. Lambda repeats rejected batches. */
export const create: CreateBackground<'event-forwarder', LogsEvent | RetryEvent> = (ports, env) => {
  const bus = eventBus(requireVariable(env, 'EVENT_BUS'));
  const timelineSeconds = Number(requireVariable(env, 'TIMELINE_DAYS')) * SECONDS_PER_DAY;
  return (event) => {
    if ('detail' in event)
      return forwardSeparately({ ...ports, bus }, [JSON.parse(event.detail.failed)], timelineSeconds);
    const lines = readLines(event);
    const events = readSecurityEvents(lines);
    // Statistics are counted here only: a retried event was already counted with its batch.
    return awaitAll(
      countBatch(ports, events),
      forwardSeparately({ ...ports, bus }, events, timelineSeconds),
      inBatches(readSecretUses(lines), PARALLEL_WRITES, (use) => storeSecretUse(ports, use)),
    );
  };
};
