import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { everyItem } from '../../shared/domain/basis/change-record.ts';
import { LIST_INDEX, listPartitions } from '../../shared/dynamo/keys.ts';
import type { PageRequest } from '../../shared/ports/directory.ts';
import type { AnyUse } from '../../shared/ports/uses.ts';
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

/**
 * How many calls of DynamoDB each operation makes, warm: the same with little and with much of everything, or by what they grow.
 * Much is 250 applications, organizations, resources and users of the tenant, 250 clients of the application and members of the
 * organization that the call names, and 15 sessions, passkeys, device keys, devices, memberships and events of each user.
 */

const server = useTestServer(EXTENDED);
const { successes, callFor } = successesAt(server);

/** Rows by the number of their calls. */
const CONSTANT: Readonly<Record<number, string>> = {
  0: `
    discovery jwks passkeyEndpoints relatedOrigins health openapi
  `,
  1: `
    openMagicLink token logout startPasskeyLogin
  `,
  2: `
    pushRequestRfc9126 pushRequest getResource getUser getLoginPreferences getApplication getClient
    createManagementClient getManagementClient getWebhook testWebhook createOrganization getOrganization
    listChanges
  `,
  3: `
    sendMagicLink sendOtp logoutSession listSessions listResources findResourceByUri grantRecovery
    hintPasskeyRegistration listPasskeys startApproval listDeliveries listUsers getUserByEmail
    getUserByPhoneNumber getUserByUsername clearPhoneRisk setPhoneRisk updateLoginPreferences
    createApplication listApplications updateApplication createClient listManagementClients listWebhooks
    deleteWebhook listWebhookDeliveries sendWebhookAgain updateWebhook addWebhookSecret listOrganizations updateOrganization getMember
    listOperators
  `,
  4: `
    sendCodeBasedLink sendEmailOtp sendSmsOtp userInfo revocation updateResource
    startPasskeyRegistration createWebhook createMember listMembers deleteMember updateMember putAdded
  `,
  5: `
    validateEmailOtp validateSmsOtp introspection refresh authenticateSession createResource
    listOwnPasskeys listDeviceKeys createUser readTestCode ownOperator
  `,
  6: `
    authenticateMagicLink authenticateOtp cancelErasure registerExternalPasskey renamePasskey findUsers
  `,
  7: `
    retrieveTokens renameOwnPasskey authenticateApproval createDeviceKey deleteDeviceKey
  `,
  8: `
    deletePasskey setOperatorRole
  `,
  9: `
    inviteOperator authenticatePasskey deleteOwnPasskey deleteClient updateClient addClientSecret
    revokeClientSecret deleteManagementClient updateManagementClient addManagementClientSecret
    revokeManagementClientSecret
  `,
  10: `
    registerPasskey confirmOperator
  `,
  11: `
    getStatistics exportUser removeOperator
  `,
};

interface Growth {
  readonly base: number;
  /** Calls for each of them. */
  readonly each: number;
  readonly by: 'applications' | 'clients' | 'members' | 'sessions';
}

const GROWING: Readonly<Record<string, Growth>> = {
  // A page of a hundred takes two.
  deleteResource: { base: 8, each: 0.02, by: 'applications' },
  // The first one makes the list worth reading.
  listClients: { base: 3, each: 0.01, by: 'clients' },
  endSessions: { base: 3, each: 1, by: 'sessions' },
  updateUser: { base: 3, each: 1, by: 'sessions' },
  unlockUser: { base: 15, each: 2.04, by: 'applications' },
  userTimeline: { base: 12, each: 2.04, by: 'applications' },
  deleteUser: { base: 50, each: 20.1, by: 'applications' },
  deleteApplication: { base: 10, each: 6.1, by: 'clients' },
  deleteOrganization: { base: 9, each: 1.04, by: 'members' },
};

const growing = sample(Object.entries(GROWING));
const constants = Object.entries(CONSTANT).flatMap(([calls, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, Number(calls)] as const),
);

/** Lists without a maximum. What a browser opens reads none. */
const ENDLESS: readonly AnyUse[] = [
  ...(['applicationRecords.list', 'clientRecords.list', 'resourceRecords.list', 'userRecords.list'] as const),
  ...(['organizationRecords.list', 'webhookRecords.list', 'tenantRecords.list', 'jobs.list'] as const),
  ...(['membershipRecords.listOfOrganization', 'formerApplications.listOf'] as const),
];

/** Their logins are by one factor, which is not enough beside a passkey. */
const WITHOUT_PASSKEYS = ['registerPasskey', 'deleteDeviceKey'];

const weighed = new Set<string>();

/** Users of the tenant that are not yet weighed. */
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

async function callsOnce(name: string, weigh?: Weigh): Promise<number> {
  const input = (await successes[name]?.()) ?? {};
  const call = await callFor(name, input);
  if (weigh) {
    for (const id of await newUsers()) await weigh(id, !WITHOUT_PASSKEYS.includes(name));
    const { appId, organizationId } = (input.path ?? {}) as Readonly<Record<string, string | undefined>>;
    if (appId) await weighApplication(server, appId);
    if (organizationId) await weighOrganization(server, organizationId);
  }
  server.resetMetrics();
  expect((await send(server, call)).status).toBeLessThan(400);
  const { calls = [] } = server.metrics()[name]?.last ?? {};
  return calls.filter((each) => each.startsWith('dynamodb.')).length;
}

/** Without what a cold function reads once. */
const callsOf = async (name: string, weigh?: Weigh): Promise<number> =>
  Math.min(await callsOnce(name, weigh), await callsOnce(name, weigh));

test('each operation has its number, or is opened by browsers and reads no list without a maximum', () => {
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

/** How many of what an operation grows by there are. */
async function sizeOf({ by }: Growth, weigh?: Weigh): Promise<number> {
  if (by === 'sessions') return 1 + (weigh ? OF_USER : 0);
  if (by !== 'applications') return 1 + (weigh ? MANY : 0);
  const { applicationRecords } = await server.ports(['applicationRecords.list']);
  let size = 0;
  const list = (page: PageRequest) => applicationRecords.list(server.environment.tenant_id, page);
  for await (const _ of everyItem(list)) size += 1;
  return size;
}

const small = new Map<string, number>();

describe('with little of everything', () => {
  beforeAll(async () => {
    // A list of none is not read.
    for (const name of ['createWebhook', 'createResource', 'createOrganization', 'createManagementClient'])
      await callsOnce(name);
  });

  test.each(sample(constants))('%s makes %i', async (name, calls) => {
    expect(await callsOf(name)).toBe(calls);
  });

  test.each(growing)('%s makes no more than it says', async (name, growth) => {
    const calls = await callsOf(name);
    small.set(name, calls);
    expect(calls).toBeLessThanOrEqual(growth.base + growth.each * (await sizeOf(growth)));
  });
});

describe('with much of everything', () => {
  let weigh: Weigh;
  beforeAll(async () => {
    await weighTenant(server);
    weigh = await userWeight(server);
    await newUsers();
  });

  test.each(sample(constants))('%s makes no more than %i', async (name, calls) => {
    expect(await callsOf(name, weigh)).toBeLessThanOrEqual(calls);
  });

  test.each(growing)('%s makes more, by what it says', async (name, growth) => {
    const calls = await callsOf(name, weigh);
    expect(calls).toBeGreaterThan(small.get(name) ?? 0);
    expect(calls).toBeLessThanOrEqual(growth.base + growth.each * (await sizeOf(growth, weigh)));
  });
});
