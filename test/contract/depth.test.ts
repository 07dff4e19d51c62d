import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { iterateItems } from '../../shared/domain/basis/change-record.ts';
import { LIST_INDEX, listPartitions } from '../../shared/dynamo/keys.ts';
import type { PageRequest } from '../../shared/ports/directory.ts';
import type { PortOrMethod } from '../../shared/ports/uses.ts';
import { measureDepth } from '../support/server/depth.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { EXTENDED, rows, send } from '../support/tools/calls.ts';
import { sample } from '../support/tools/full-run.ts';
import {
  MANY,
  OF_USER,
  userWeight,
  weighApplication,
  weighOrganization,
  weighTenant,
} from '../support/tools/weight.ts';
import { successesAt } from './successes.ts';

// Limits the DynamoDB calls of each operation with warm caches. The number of calls must not depend on the number of stored
// records, except for the operations in GROWING. The longest chain of sequential AWS calls is also limited, because it
// determines the latency. `journeys/operations/round-trips` tests special cases of logins. "Many records" are 130 applications,
// organizations, resources and users of the tenant, 130 clients of the application and members of the organization, and 5
// sessions, passkeys, device keys, devices, memberships and events of each user.

const server = useTestServer(EXTENDED);
const { successes, callFor } = successesAt(server);

/** Operations whose number of calls is constant. Keys: maximum DynamoDB calls, and maximum length of a chain of AWS calls. */
const CONSTANT: Readonly<Record<string, string>> = {
  '0 0': 'discovery jwks passkeyEndpoints relatedOrigins assetLinks appSiteAssociation health openapi',
  '1 1': 'openMagicLink token logout startPasskeyLogin',
  '2 1': 'pushRequestRfc9126 pushRequest',
  '2 2': `
    getResource getUser getLoginPreferences getApplication getClient createManagementClient
    getManagementClient testWebhook createOrganization getOrganization listChanges bindSession
  `,
  '3 2': 'sendMagicLink logoutSession listSessions startApproval',
  '3 3': `
    listResources findResourceByUri grantRecovery hintPasskeyRegistration listPasskeys listDeliveries
    listUsers getUserByEmail getUserByPhoneNumber getUserByUsername clearPhoneRisk
    updateLoginPreferences createApplication listApplications updateApplication createClient
    listManagementClients getWebhook deleteWebhook listWebhookDeliveries sendWebhookAgain
    updateWebhook listOrganizations updateOrganization listOperators
  `,
  '3 4': 'addWebhookSecret',
  '4 1': 'userInfo',
  '4 3': 'sendOtp sendCodeBasedLink sendEmailOtp sendSmsOtp revocation putAdded',
  '4 4': `
    listWebhooks updateResource startPasskeyRegistration createMember getMember deleteMember updateMember
    reportDelivery setPhoneRisk
  `,
  '4 5': 'createWebhook',
  '5 1': 'introspection',
  '5 2': 'authenticateSession listOwnPasskeys listDeviceKeys ownOperator',
  '5 3': 'validateEmailOtp validateSmsOtp refresh',
  '5 5': 'createResource createUser readTestCode listMembers',
  '6 3': 'authenticateMagicLink authenticateOtp findUsers',
  '6 5': 'renamePasskey',
  '6 6': 'cancelErasure registerExternalPasskey',
  '7 3': 'retrieveTokens createDeviceKey deleteDeviceKey',
  '7 4': 'renameOwnPasskey authenticateApproval userTimeline',
  '8 4': 'setOperatorRole',
  '8 7': 'deletePasskey',
  '9 4': 'authenticatePasskey',
  '9 5': `
    inviteOperator deleteOwnPasskey deleteClient updateClient addClientSecret revokeClientSecret
    deleteManagementClient updateManagementClient addManagementClientSecret revokeManagementClientSecret
  `,
  '10 6': 'registerPasskey confirmOperator',
  '11 2': 'getStatistics',
  '11 4': 'exportUser',
  '11 7': 'removeOperator',
  '12 8': 'unlockUser',
};

interface Growth {
  readonly base: number;
  /** Number of calls per record. */
  readonly each: number;
  readonly by: 'applications' | 'clients' | 'members' | 'sessions';
}

const GROWING: Readonly<Record<string, Growth>> = {
  // Each page of 100 records takes two calls.
  deleteResource: { base: 8, each: 0.02, by: 'applications' },
  // One more call for each page of 100 clients.
  listClients: { base: 3, each: 0.01, by: 'clients' },
  endSessions: { base: 3, each: 1, by: 'sessions' },
  updateUser: { base: 4, each: 1, by: 'sessions' },
  deleteUser: { base: 50, each: 20.1, by: 'applications' },
  deleteApplication: { base: 10, each: 6.1, by: 'clients' },
  deleteOrganization: { base: 9, each: 1.04, by: 'members' },
};

const growing = sample(Object.entries(GROWING));
const constants = Object.entries(CONSTANT).flatMap(([numbers, names]) => {
  const [calls = 0, depth = 0] = numbers.split(' ').map(Number);
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, calls, depth] as const);
});

/** Port methods that read lists without a maximum length. An untested operation must not call these methods. */
const ENDLESS: readonly PortOrMethod[] = [
  ...(['applicationRecords.list', 'clientRecords.list', 'resourceRecords.list', 'userRecords.list'] as const),
  ...(['organizationRecords.list', 'webhookRecords.list', 'tenantRecords.list', 'jobs.list'] as const),
  ...(['membershipRecords.listOfOrganization', 'formerApplications.listOf'] as const),
];

/**
 * Operations that are tested with a user without passkeys. The tests log in with one factor, which is insufficient for a user
 * who has a passkey.
 */
const WITHOUT_PASSKEYS = ['registerPasskey', 'deleteDeviceKey'];

const weighed = new Set<string>();

/** Returns the IDs of the tenant's users for whom the test has not yet created many records. */
async function newUsers(): Promise<readonly string[]> {
  const client = new DynamoDBClient({});
  const query = {
    TableName: 'people',
    IndexName: LIST_INDEX,
    KeyConditionExpression: 'list_pk = :list',
    ExpressionAttributeValues: { ':list': { S: listPartitions.users(server.environment.tenant_id) } },
  };
  const found: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query))
    found.push(...Items.map(({ pk }) => String(pk?.S).slice('user#'.length)));
  client.destroy();
  return found.filter((id) => !weighed.has(id) && weighed.add(id));
}

type Weigh = Awaited<ReturnType<typeof userWeight>>;

/** Prepares a successful request of an operation, with all records that it needs. */
async function prepare(name: string, weigh?: Weigh) {
  const input = (await successes[name]?.()) ?? {};
  const call = await callFor(name, input);
  if (weigh) {
    for (const id of await newUsers()) await weigh(id, !WITHOUT_PASSKEYS.includes(name));
    const { appId, organizationId } = (input.path ?? {}) as Readonly<Record<string, string | undefined>>;
    if (appId) await weighApplication(server, appId);
    if (organizationId) await weighOrganization(server, organizationId);
  }
  return () => send(server, call);
}

async function callsOnce(name: string, weigh?: Weigh): Promise<number> {
  const request = await prepare(name, weigh);
  server.resetMetrics();
  expect((await request()).status).toBeLessThan(400);
  const { calls = [] } = server.metrics()[name]?.last ?? {};
  return calls.filter((each) => each.startsWith('dynamodb.')).length;
}

/**
 * Counts the DynamoDB calls of an operation. Repeats a count above `most` up to twice, because a cache may have been cold, or the
 * SDK may have repeated a call that was slow on a busy machine.
 */
async function countCalls(name: string, weigh?: Weigh, most = 0): Promise<number> {
  let calls = await callsOnce(name, weigh);
  for (let retries = 2; calls > most && retries > 0; retries -= 1)
    calls = Math.min(calls, await callsOnce(name, weigh));
  return calls;
}

test('each operation that reads a list of unlimited length has a test of its number of DynamoDB calls', () => {
  const named = [...constants.map(([name]) => name), ...Object.keys(GROWING)];
  expect(named.toSorted()).toEqual(
    rows
      .map(([name]) => name)
      .filter((name) => name in successes)
      .toSorted(),
  );
  const others = Object.entries(operations).filter(([name]) => !named.includes(name));
  const endless = others.filter(([, { uses }]) => uses.some((use) => ENDLESS.includes(use)));
  expect(endless.map(([name]) => name)).toEqual([]);
});

/** Returns the number of records of the type on which the operation's number of calls depends. */
async function countRecords({ by }: Growth, weigh?: Weigh): Promise<number> {
  if (by === 'sessions') return 1 + (weigh ? OF_USER : 0);
  if (by !== 'applications') return 1 + (weigh ? MANY : 0);
  const { applicationRecords } = await server.ports(['applicationRecords.list']);
  let size = 0;
  const list = (page: PageRequest) => applicationRecords.list(server.environment.tenant_id, page);
  for await (const _ of iterateItems(list)) size += 1;
  return size;
}

const small = new Map<string, number>();

describe('number of DynamoDB calls with few stored records', () => {
  beforeAll(async () => {
    // Each list gets one record, because reading an empty list takes fewer calls.
    for (const name of ['createWebhook', 'createResource', 'createOrganization', 'createManagementClient'])
      await callsOnce(name);
    // The first passkey makes the RP ID of the application permanent. Until caches expire, this takes one more call.
    await callsOnce('registerExternalPasskey');
    await server.advanceClock(61);
  });

  test.each(sample(constants))(
    'the operation %s makes at most %i DynamoDB calls, and at most %i of them sequentially',
    async (name, calls, depth) => {
      expect(await countCalls(name, undefined, calls)).toBeLessThanOrEqual(calls);
      const found = await measureDepth(
        server,
        async () => undefined,
        name,
        () => prepare(name),
        { budget: depth },
      );
      expect(found).toBeLessThanOrEqual(depth);
    },
  );

  test.each(growing)(
    'with few stored records, the operation %s makes at most the expected number of DynamoDB calls',
    async (name, growth) => {
      const calls = await countCalls(name);
      small.set(name, calls);
      expect(calls).toBeLessThanOrEqual(growth.base + growth.each * (await countRecords(growth)));
    },
  );
});

describe('number of DynamoDB calls with many stored records', () => {
  let weigh: Weigh;
  beforeAll(async () => {
    await weighTenant(server);
    weigh = await userWeight(server);
    await newUsers();
  });

  test.each(sample(constants))(
    'with many stored records, the operation %s makes at most %i DynamoDB calls',
    async (name, calls) => {
      expect(await countCalls(name, weigh, calls)).toBeLessThanOrEqual(calls);
    },
  );

  test.each(growing)(
    'with many stored records, the operation %s makes at most the expected number of DynamoDB calls',
    async (name, growth) => {
      const calls = await countCalls(name, weigh);
      expect(calls).toBeGreaterThan(small.get(name) ?? 0);
      expect(calls).toBeLessThanOrEqual(growth.base + growth.each * (await countRecords(growth, weigh)));
    },
  );
});
