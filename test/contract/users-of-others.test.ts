import { beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import type { PortOrMethod } from '../../shared/ports/uses.ts';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { made, madeApplication, madeClient, toCredentials } from '../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { createCall, expectError, type Input, send, withHeaders } from '../support/tools/calls.ts';

// A client must not change or read a user of another application. The tested operations come from the operation table, so
// a new operation that accesses users fails this test until REQUESTS contains a request for it.

const server = useTestServer({ rateLimits: 'off' });

/** Pattern of port methods that read or change users. `OF_ANYBODY` lists the exceptions. */
const PEOPLE =
  /^(users|userRecords|identifierReservations|passkeys|passkeyRecords|deviceKeys|membershipRecords|sessions|guesses|jobs|timeline|knownDeviceRecords)\b/;

/** Port methods that clients may use for any user: reads for lists, and writes of logins and of newly created users. */
const OF_ANYBODY: readonly PortOrMethod[] = [
  ...(['users.find', 'userRecords.find', 'userRecords.list', 'userRecords.put'] as const),
  'userRecords.listByBeginning',
  ...(['users.recordLogin', 'users.noteWrongGuess'] as const),
  ...(['identifierReservations.reserve', 'identifierReservations.takeOver'] as const),
  ...(['identifierReservations.release'] as const),
  ...(['passkeys.find', 'passkeys.findOwner', 'passkeys.listOf', 'passkeys.recordUse'] as const),
  ...([
    'passkeys.updateTrust',
    'passkeyRecords.listOf',
    'passkeyRecords.put',
    'passkeyRecords.reserve',
  ] as const),
  ...(['deviceKeys.find', 'deviceKeys.listOf', 'deviceKeys.updateTrust'] as const),
  ...(['membershipRecords.listOfUser'] as const),
  ...(['sessions.find', 'sessions.listOf', 'sessions.start', 'sessions.join', 'sessions.end'] as const),
  ...(['sessions.endFamily', 'sessions.rotate', 'sessions.renew'] as const),
  ...(['guesses.count', 'guesses.clear', 'guesses.clearBelow', 'guesses.areFull'] as const),
];

/**
 * Returns true if a client can read or change users with an operation. Operations that accept a credential are excluded,
 * because the user's own login is the permission.
 */
const reachesPeople = (row: Operation): boolean =>
  listAuth(row).includes('client') &&
  !row.checksCredential &&
  row.uses.some((use) => PEOPLE.test(use) && !OF_ANYBODY.includes(use));

interface Victim {
  readonly userId: string;
  readonly email: string;
  /** Phone number that the user has verified. */
  readonly phone: string;
  readonly credentialId: string;
}

/** Requests that read or change the victim, by operation. An operation with several functions has several requests. */
const REQUESTS: Readonly<Record<string, (victim: Victim) => readonly Input[]>> = {
  findUsers: () => ['locked', 'failed_login'].map((has_problem) => ({ query: { has_problem } })),
  endSessions: ({ userId }) => [{ path: { userId } }],
  cancelErasure: ({ userId }) => [{ path: { userId } }],
  grantRecovery: ({ userId }) => [{ path: { userId } }],
  renamePasskey: ({ userId, credentialId }) => [{ path: { userId, credentialId }, json: { name: 'Mine' } }],
  deletePasskey: ({ userId, credentialId }) => [{ path: { userId, credentialId } }],
  exportUser: ({ userId }) => [{ path: { userId } }],
  userTimeline: ({ userId }) => [{ path: { userId } }],
  listDeliveries: ({ email }) => [{ query: { to: email } }],
  updateUser: ({ userId, phone }) =>
    [
      { email: newEmail() },
      { phone_number: phone, phone_number_verified: true },
      { phone_number: newPhoneNumber() },
      { username: newEmail() },
      { custom_identifiers: [{ type: 'card', value: newEmail() }] },
      { external_user_id: newEmail() },
      { groups: ['staff'] },
      { status: 'Disabled' },
    ].map((json) => ({ path: { userId }, json })),
  setPhoneRisk: ({ userId }) => [{ path: { userId }, json: { signal: 'sim_swap' } }],
  clearPhoneRisk: ({ userId }) => [{ path: { userId } }],
  unlockUser: ({ userId }) => [{ path: { userId } }],
  deleteUser: ({ userId }) => [{ path: { userId } }],
};

const GIVEN = ['create', 'read', 'edit', 'delete', 'recover', 'verify'].map((verb) => `users:${verb}`);
const main = {} as ReturnType<typeof applicationClient>;
/**
 * Clients of the attacker's application: without a permission list, with permissions for its own application, and with
 * `users:…` permissions for all users of the tenant.
 */
const side = {} as Readonly<Record<'plain' | 'listed' | 'given', ReturnType<typeof applicationClient>>>;

beforeAll(async () => {
  const { redirect_uris, client_id: clientId, client_secret: clientSecret } = server.environment;
  Object.assign(main, applicationClient(server, { clientId, clientSecret }));
  const appId = await madeApplication(server, { name: 'Side', redirect_uris });
  const createClient = async (fields: { readonly permissions?: readonly string[] }) => {
    return applicationClient(server, toCredentials(await madeClient(server, fields, appId)));
  };
  const verbs = ['create', 'read', 'edit', 'delete', 'execute'];
  const own = ['apps', appId].flatMap((noun) => verbs.map((verb) => `${noun}:${verb}`));
  Object.assign(side, {
    plain: await createClient({}),
    listed: await createClient({ permissions: [...own, 'users:verify'] }),
    given: await createClient({ permissions: [...own, ...GIVEN] }),
  });
});

async function newVictim(): Promise<Victim> {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  const fields = {
    email,
    phone_number: phone,
    phone_number_verified: true,
    applications: [server.environment.app_id],
  };
  const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', fields);
  await main.byCode(email);
  const { passkey } = await main.registerFor(userId);
  return { userId, email, phone, credentialId: passkey.id.toString('base64url') };
}

/** Returns the data export of a user without the timeline, because rejected attempts add events to the timeline. */
async function readEverything({ userId }: Victim): Promise<object> {
  const token = await server.adminToken();
  const { body } = await server.get<{ result: object }>(`/v1/users/${userId}/export`, { token });
  return { ...body.result, timeline: [] };
}

test.each(Object.entries(operations).filter(([, row]) => reachesPeople(row)))(
  'with the operation %s, a client cannot read or change a user of another application',
  async (name, row: Operation) => {
    const victim = await newVictim();
    const requests = REQUESTS[name]?.(victim) ?? [];
    expect(requests).not.toEqual([]);
    const ask = async (client: typeof main, input: Input) =>
      send(server, withHeaders(createCall(row, input), { authorization: `Bearer ${await client.token()}` }));
    const before = await readEverything(victim);
    expect(before).toMatchObject({ sessions: [{}], passkeys: [{}] });
    for (const input of requests)
      for (const client of [side.plain, side.listed])
        expectError(await ask(client, input), row.dialect, 'insufficient_permission');
    expect(await readEverything(victim)).toEqual(before);

    // The same request succeeds if the client has the `users:…` permissions.
    for (const input of requests) expect((await ask(side.given, input)).status).toBeLessThan(300);
  },
);
