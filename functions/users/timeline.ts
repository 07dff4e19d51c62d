import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { readAnyAddress } from '../../shared/domain/identifiers/identifier.ts';
import { isFailure, isMessageEvent } from '../../shared/domain/support/message-events.ts';
import { findDeliveries, findHolds, readTimeline } from '../../shared/domain/support/support-view.ts';
import { requireTenantAccess, requireUserAccess } from '../../shared/domain/users/authority.ts';
import { toTimelineRecord, toUserTimelineRecord } from '../../shared/domain/users/timeline-record.ts';
import { invalidInput } from '../../shared/errors/service-error.ts';
import type { AdminCaller, ClientCaller, UseCase } from '../../shared/operation.ts';
import type { TimelineEvent } from '../../shared/ports/events.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type * as rows from './rows.ts';

type DeliveriesRequest = Parameters<UseCase<typeof rows.listDeliveries>>[0]['query'];

const seenBy = (caller: ClientCaller | AdminCaller) =>
  caller.kind === 'admin' && caller.operator ? toTimelineRecord : toUserTimelineRecord;

/**
 * Returns the filter for the events that the caller may see. A client sees the events of its own application, and the user's
 * events without an application. A client sees no messages without an application, because any application of the tenant may
 * have sent them.
 */
function visibleTo(caller: ClientCaller | AdminCaller): ((event: TimelineEvent) => boolean) | undefined {
  if (caller.kind === 'admin') return undefined;
  const { applicationId } = caller.application;
  return ({ type, detail: { application_id } }) =>
    application_id === applicationId || (application_id === undefined && !isMessageEvent(type));
}

/** Returns the events of a user, with the locks and limits that currently keep the user's codes from working. */
export const userTimeline: UseCase<typeof rows.userTimeline> = async (
  { path, query, caller, request, audit },
  ports,
) => {
  const { tenant } = caller;
  const user = await requireUser(ports.users, tenant, path.userId);
  audit({ userId: user.userId });
  requireUserAccess(caller, user, 'users:read');
  const asked = { ...readPageQuery(query), keep: visibleTo(caller) };
  const page = await readTimeline(ports, tenant, user, asked);
  const holds = await findHolds(ports, tenant, user, request.now);
  return { json: { ...toListRecord(page, seenBy(caller)), holds: [...holds] } };
};

/** Converts `since` to the ISO 8601 format of stored events. Without `since`, returns a time before all events. */
function readSince({ since = '1970-01-01T00:00:00Z' }: DeliveriesRequest): string {
  const at = new Date(since);
  if (Number.isNaN(at.getTime())) throw invalidInput('since: is not a date and time (RFC 3339)');
  return at.toISOString();
}

/**
 * Lists the messages of the caller's tenant that have failed since `since`. Without `since`, lists all stored failed messages.
 */
async function listFailures(
  { timeline }: PortsWith<'timeline.listFailures'>,
  caller: ClientCaller | AdminCaller,
  query: DeliveriesRequest,
) {
  requireTenantAccess(caller, 'users:read');
  const failed = { tenantId: caller.tenant.tenantId, since: readSince(query) };
  const page = await timeline.listFailures(failed, readPageQuery(query), visibleTo(caller));
  return { json: toListRecord(page, seenBy(caller)) };
}

/** Returns the messages that were sent to an address, or the failed messages of the tenant. */
export const listDeliveries: UseCase<typeof rows.listDeliveries> = async ({ query, caller }, ports) => {
  const { to, status } = query;
  if (to === undefined && status === undefined) throw invalidInput('to: is required unless status is failed');
  if (to === undefined) return listFailures(ports, caller, query);
  const address = readAnyAddress(to);
  if (!address) throw invalidInput('to: is not an email address or a phone number in international form');
  const isVisible = visibleTo(caller);
  const since = readSince(query);
  const keep = (event: TimelineEvent) =>
    event.time >= since && (status === undefined || isFailure(event)) && (isVisible?.(event) ?? true);
  const asked = { ...readPageQuery(query), keep };
  const { page, user } = await findDeliveries(ports, caller.tenant, address, asked);
  if (user) requireUserAccess(caller, user, 'users:read');
  return { json: { ...toListRecord(page, seenBy(caller)), ...(user && { user_id: user.userId }) } };
};
