import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  applicationKey,
  clientKey,
  type Key,
  memberKey,
  messageKey,
  organizationKey,
  passkeyKey,
  resourceKey,
  seenDeviceKey,
  sessionKey,
  signingDeviceKey,
  type TableName,
  timelineKey,
  userKey,
} from '../../../shared/dynamo/keys.ts';
import { made, madeApplication, madeClient, madeMember, resourceFields } from '../fixtures/managed.ts';
import { someDeviceKey, somePasskey } from '../fixtures/signing-records.ts';
import { someMembership, someSession } from '../server/records.ts';
import type { TestServer } from '../server/test-server.ts';
import { copyItem, withRawTables } from './copies.ts';

// Creates many records of each type whose number can grow, for a tenant, an application, an organization or a user.

/** Number of records, which is more than fits on one page of a list. */
export const MANY = 130;
/** Number of records of each type per user. If an operation made a call for each record, it would exceed its call limit. */
export const OF_USER = 5;

/** Stores many applications, organizations, resources and users in the demo tenant. */
export async function weighTenant(server: TestServer): Promise<void> {
  const applicationId = await madeApplication(server);
  await copyItem('directory', applicationKey(applicationId), applicationId, MANY);
  const { organizationId, userId } = await madeMember(server);
  await copyItem('directory', organizationKey(organizationId), organizationId, MANY);
  await copyItem('people', userKey(userId), userId, MANY);
  const { resource_id } = await made<{ resource_id: string }>(server, '/v1/resources', resourceFields());
  await copyItem('directory', resourceKey(resource_id), resource_id, MANY);
}

export async function weighApplication(server: TestServer, applicationId: string): Promise<void> {
  const { client_id } = await madeClient(server, {}, applicationId);
  await copyItem('directory', clientKey(client_id), client_id, MANY);
}

export async function weighOrganization(server: TestServer, organizationId: string): Promise<void> {
  const token = await server.adminToken();
  const { userId } = await madeMember(server);
  const path = `/v1/organizations/${organizationId}/members`;
  await server.post(path, { user_id: userId }, { token });
  await copyItem('people', memberKey(userId, organizationId), userId, MANY);
}

const [USER, ITEM, TIME] = ['weight-user', 'weight-item', '2026-01-02T03:04:05.006Z'];

/**
 * Stores one item of each type as a template. Returns a function that gives a user `OF_USER` sessions, passkeys, device keys,
 * memberships, devices and events.
 */
export async function userWeight(
  server: TestServer,
): Promise<(userId: string, hasPasskeys: boolean) => Promise<void>> {
  const { tenant_id: tenantId, app_id: applicationId, client_id: clientId } = server.environment;
  const ports = await server.ports([
    ...(['sessions.start', 'passkeyRecords.put', 'deviceKeys.put', 'membershipRecords.put'] as const),
    ...(['timeline.add', 'timeline.addMessage', 'seenDevices'] as const),
  ]);
  const [at, end, sessionId] = [nowSeconds(), nowSeconds() + 100_000, `${USER}.${ITEM}`];
  const own = { userId: USER, tenantId };
  const times = { startedAt: at, expiresAt: end, endsAt: end };
  const event = { eventId: ITEM, type: 'login.failed', time: TIME, detail: {} };
  await ports.sessions.start(
    someSession({ ...own, sessionId, applicationId, clientId, ...times, families: [] }),
  );
  await ports.passkeyRecords.put(somePasskey({ ...own, credentialId: ITEM }));
  await ports.deviceKeys.put(someDeviceKey({ ...own, keyId: ITEM }));
  await ports.membershipRecords.put(someMembership({ ...own, organizationId: ITEM }));
  await ports.timeline.add({ ...event, userId: USER }, end);
  await ports.timeline.addMessage(USER, event, end);
  await ports.seenDevices.note(USER, { device: ITEM, eventId: ITEM, at, purgeAt: end });
  const hash = hashSecret(ITEM);
  const passkey = passkeyKey(USER, hash);
  const stored: readonly (readonly [TableName, Key])[] = [
    ['flows', sessionKey(sessionId)],
    ['people', passkey],
    ['people', signingDeviceKey(USER, ITEM)],
    ['people', memberKey(USER, ITEM)],
    ['people', timelineKey(USER, TIME, ITEM)],
    ['people', messageKey(USER, TIME, ITEM)],
    ['people', seenDeviceKey(USER, ITEM)],
  ];
  return (userId, hasPasskeys) =>
    withRawTables(async ({ readItemText, write }) => {
      const written = stored.map(async ([table, key]) => {
        if (key === passkey && !hasPasskeys) return;
        const text = (await readItemText(table, key)).replaceAll(USER, userId);
        const name = (n: number) => text.replaceAll(ITEM, `item-${n}`).replaceAll(hash, `hash-${n}`);
        await write(
          table,
          Array.from({ length: OF_USER }, (_, n) => name(n)),
        );
      });
      await Promise.all(written);
    });
}
