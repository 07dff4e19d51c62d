import type { Consent } from '../../ports/consents.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { iterateItems } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { toWireDate } from '../basis/time.ts';
import { deviceKeyRecord } from '../credentials/device-keys.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { memberRecord } from '../organizations/members.ts';
import { passkeyRecord } from '../passkeys/passkey-record.ts';
import { formerAddresses } from '../trust/changes.ts';
import { toUserChangeRecord, toUserTimelineRecord } from './timeline-record.ts';
import { toUserRecord } from './user-record.ts';

/** Converts a session for the data export, including the data about its user and device. */
function sessionExport(session: Session) {
  const record = {
    session_id: session.sessionId,
    app_id: session.applicationId,
    methods: session.methods.map(({ method, at }) => ({ method, at: toWireDate(at) })),
    device_id: session.deviceId,
    user_agent: session.userAgent,
    ip_address: session.ipAddress,
    start_time: toWireDate(session.startedAt),
    expiration_time: toWireDate(Math.min(session.expiresAt, session.endsAt)),
  };
  return omitUndefined<typeof record>(record);
}

/** Converts a consent for the data export: what the user allows a client identified by a metadata document to do. */
function consentExport(consent: Consent) {
  const { clientId, redirectUri, applicationId, resource, scopes, staysConnected, ...times } = consent;
  const record = {
    client_id: clientId,
    redirect_uri: redirectUri,
    app_id: applicationId,
    resource,
    scopes: [...scopes],
    stays_connected: staysConnected,
    given_at: toWireDate(times.grantedAt),
    last_used_at: times.usedAt === undefined ? undefined : toWireDate(times.usedAt),
    expiration_time: toWireDate(times.expiresAt),
  };
  return omitUndefined<typeof record>(record);
}

async function readAllPages<T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of iterateItems(list)) items.push(item);
  return items;
}

/**
 * Exports all data about a user that is kept for longer than a login, without secrets and hashes of secrets (GDPR Article 15).
 * Errors: `user_not_found`.
 */
export async function exportUser(
  ports: PortsWith<
    | 'users.find'
    | 'membershipRecords.listOfUser'
    | 'passkeyRecords.listOf'
    | 'deviceKeys.listOf'
    | 'consents.listOf'
    | 'sessions.listOf'
    | 'timeline.listWithMessages'
    | 'timeline.listChanges'
  >,
  tenant: Tenant,
  userId: string,
  at: number,
) {
  const user = await requireUser(ports.users, tenant, userId);
  const [memberships, passkeys, keys, consents, sessions, events, changes] = await awaitAll(
    ports.membershipRecords.listOfUser(userId),
    ports.passkeyRecords.listOf(userId),
    ports.deviceKeys.listOf(userId),
    ports.consents.listOf(userId, at),
    ports.sessions.listOf(userId, at),
    // Messages sent to an address before it belonged to the user are excluded: any other person may have requested them.
    readAllPages((page) => ports.timeline.listWithMessages(userId, [userId], page)),
    readAllPages((page) =>
      ports.timeline.listChanges({ tenantId: tenant.tenantId, userId }, page, () => true),
    ),
  );
  return {
    user: toUserRecord(user),
    former_addresses: formerAddresses(user).map(({ value, changedAt, until }) => ({
      value,
      changed_at: toWireDate(changedAt),
      kept_until: toWireDate(until),
    })),
    memberships: memberships.map(memberRecord),
    passkeys: passkeys.map(passkeyRecord),
    device_keys: keys.map(deviceKeyRecord),
    consents: consents.map(consentExport),
    sessions: sessions.map(sessionExport),
    timeline: events.map(toUserTimelineRecord),
    changes: changes.map(toUserChangeRecord),
  };
}
