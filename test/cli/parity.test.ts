import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandGroups } from '../../bin/otl/command-groups.ts';
import { operations } from '../../functions/operations.ts';
import { authOf } from '../../shared/http/effective-ports.ts';
import { newPerson, registerPasskey } from '../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { tokensDirect } from '../support/fixtures/tokens.ts';
import { otlAt } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/** What a management client can do over HTTP an operator can do with the command line, and nearly all the other way round. */

type Json = Readonly<Record<string, unknown>>;

/** Each operation that takes an admin token, and the command that does the same. */
const COMMANDS: Readonly<Record<string, string>> = {
  createUser: 'user create',
  listUsers: 'user list',
  findUsers: 'user find',
  getUser: 'user show',
  exportUser: 'user export',
  userTimeline: 'user timeline',
  listDeliveries: 'deliveries list',
  listChanges: 'changes list',
  getStatistics: 'statistics show',
  getUserByUsername: 'user show',
  getUserByEmail: 'user show',
  getUserByPhoneNumber: 'user show',
  updateUser: 'user update',
  setPhoneRisk: 'user phone-risk',
  grantRecovery: 'user recover',
  cancelErasure: 'user cancel-erasure',
  clearPhoneRisk: 'user clear-phone-risk',
  unlockUser: 'user unlock',
  readTestCode: 'user test-code',
  deleteUser: 'user delete',
  listSessions: 'session list',
  endSessions: 'session delete',
  listPasskeys: 'passkey list',
  renamePasskey: 'passkey update',
  deletePasskey: 'passkey delete',
  createApplication: 'application create',
  listApplications: 'application list',
  getApplication: 'application show',
  updateApplication: 'application update',
  deleteApplication: 'application delete',
  getLoginPreferences: 'application show',
  updateLoginPreferences: 'application update',
  createClient: 'client create',
  listClients: 'client list',
  getClient: 'client show',
  updateClient: 'client update',
  deleteClient: 'client delete',
  addClientSecret: 'client rotate-secret',
  revokeClientSecret: 'client revoke-secret',
  createManagementClient: 'client create',
  listManagementClients: 'client list',
  getManagementClient: 'client show',
  updateManagementClient: 'client update',
  deleteManagementClient: 'client delete',
  addManagementClientSecret: 'client rotate-secret',
  revokeManagementClientSecret: 'client revoke-secret',
  createWebhook: 'webhook create',
  listWebhooks: 'webhook list',
  getWebhook: 'webhook show',
  updateWebhook: 'webhook update',
  deleteWebhook: 'webhook delete',
  addWebhookSecret: 'webhook rotate-secret',
  listWebhookDeliveries: 'webhook deliveries',
  testWebhook: 'webhook test',
  sendWebhookAgain: 'webhook send-again',
  createOrganization: 'organization create',
  listOrganizations: 'organization list',
  getOrganization: 'organization show',
  updateOrganization: 'organization update',
  deleteOrganization: 'organization delete',
  createMember: 'member create',
  listMembers: 'member list',
  getMember: 'member show',
  updateMember: 'member update',
  deleteMember: 'member delete',
  createResource: 'resource create',
  listResources: 'resource list',
  findResourceByUri: 'resource show',
  getResource: 'resource show',
  updateResource: 'resource update',
  deleteResource: 'resource delete',
};

/** Of the whole service, of files, of secrets that no function may write, of what SMS may cost, of what a user alone may do over HTTP. */
const WITHOUT_OPERATION = [
  ...[
    'first-tenant first-tenant',
    'tenant create',
    'tenant list',
    'tenant show',
    'tenant update',
    'tenant delete',
  ],
  'jobs list',
  ...[
    'keys list',
    'keys prepare',
    'keys rotate',
    'keys retire',
    'restore check',
    'restore copy',
    'restore vault',
  ],
  ...[
    'application add-redirect-uri',
    'application preview',
    'application confirm-host',
    'application free-host',
  ],
  ...['application take-sessions', 'application refuse-sessions'],
  ...['application set-provider', 'application remove-provider', 'application unblock-sms'],
  'resource move-uri',
  ...['resource reserve-host', 'resource list-hosts', 'resource free-host'],
  ...['user cancel-recovery', 'user import', 'session end'],
  ...['device-key list', 'device-key delete'],
  ...['operator invite', 'operator list', 'operator confirm', 'operator set-role'],
  ...['operator remove', 'operator reset'],
];

describe('every operation of a management client has its command', () => {
  const commands = commandGroups.flatMap((group) =>
    group.commands.map(({ verb }) => `${group.name} ${verb}`),
  );
  const ofAdmins = Object.entries(operations).filter(([, row]) => authOf(row).includes('admin'));

  test.each(ofAdmins)('%s', (name) => {
    expect(commands).toContain(COMMANDS[name]);
  });

  test('and every command its operation, but for those of the operator alone', () => {
    const served = new Set(Object.values(COMMANDS));
    expect(commands.filter((command) => !served.has(command)).toSorted()).toEqual(
      WITHOUT_OPERATION.toSorted(),
    );
    for (const name of Object.keys(COMMANDS)) expect(operations).toHaveProperty(name);
  });
});

describe('the same records as over HTTP', () => {
  const server = useTestServer({ rateLimits: 'off' });
  let admin: string;
  beforeAll(async () => {
    admin = await server.adminToken();
  });

  const { otl, json } = otlAt(server, '--json');
  const http = async (path: string) => (await server.get<Json>(path, { token: admin })).body;

  test('sessions of a user, and their end', async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const { refresh_token } = await tokensDirect(server, user_id);
    const path = `/v1/auth/users/${user_id}/sessions`;
    const sessions = await json<Json[]>('session', 'list', '--user', user_id);
    expect(sessions).toHaveLength(1);
    expect(await http(path)).toEqual(sessions);
    expect((await otl('session', 'delete', '--user', user_id, '--yes')).code).toBe(0);
    expect(await http(path)).toEqual([]);
    const token = await server.clientToken();
    expect((await server.post('/v1/auth/token/refresh', { refresh_token }, { token })).status).toBe(400);
  });

  test('one session of a user ends and the other goes on', async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const ends = await tokensDirect(server, user_id);
    const stays = await tokensDirect(server, user_id);
    const other = await json<{ tenant_id: string }>('tenant', 'create', '--name', 'Other');
    const foreign = await otl('session', 'end', ends.session_id, '--tenant', other.tenant_id);
    expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') });
    expect((await otl('session', 'end', ends.session_id)).code).toBe(0);
    expect((await otl('session', 'end', ends.session_id)).code).toBe(1);
    const left = await http(`/v1/auth/users/${user_id}/sessions`);
    expect(left).toMatchObject([{ session_id: stays.session_id }]);
  });

  test('passkeys and device keys of a user', async () => {
    const person = await newPerson(server);
    const user = ['--user', person.user.user_id];
    const { id } = await registerPasskey(server, person);
    const credential = id.toString('base64url');
    const path = `/v1/users/${person.user.user_id}/webauthn-credentials`;
    expect(await http(path)).toEqual(await json('passkey', 'list', ...user));
    expect(await json('passkey', 'update', credential, ...user, '--name', 'Laptop')).toMatchObject({
      name: 'Laptop',
    });
    expect((await otl('passkey', 'delete', credential, ...user, '--yes')).code).toBe(0);
    expect(await http(path)).toEqual({ result: [] });
    expect((await otl('passkey', 'delete', credential, ...user, '--yes')).stderr).toContain('not found');

    // One ID of 64 begins with a dash.
    for (const dashed of ['-iGQ7xk0Vw1bTq_Zr4mPdA', '--Q7xk0Vw1bTq_Zr4mPdA'])
      expect(await otl('passkey', 'delete', dashed, ...user, '--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('not found'),
      });
    for (const foreign of ['--not-an-option', '--sms-per-30-days'])
      expect(await otl('passkey', 'delete', foreign, ...user, '--yes')).toMatchObject({ code: 2 });

    const own = { token: person.tokens.access_token };
    const key = { public_key: newKey().jwk, name: 'Phone' };
    expect((await server.post('/v1/auth/device-keys', key, own)).status).toBe(201);
    const keys = await json<{ result: Json[] }>('device-key', 'list', ...user);
    expect((await server.get<Json>('/v1/auth/device-keys', own)).body).toEqual(keys);
    const [{ key_id } = {}] = keys.result;
    expect((await otl('device-key', 'delete', String(key_id), ...user, '--yes')).code).toBe(0);
    expect(await json('device-key', 'list', ...user)).toEqual({ result: [] });
  });

  test('users that fit a search, and a resource by its URI', async () => {
    const group = `group-${newEmail()}`;
    const email = newEmail('Searched');
    await createUser(server, { email, groups: [group] });
    await createUser(server, { email: newEmail(), groups: [group] });
    const found = await json<{ result: Json[] }>(
      'user',
      'list',
      '--search',
      email.toUpperCase(),
      '--group',
      group,
    );
    expect(found.result).toMatchObject([{ email: { value: email } }]);
    expect(await http(`/v1/users?q=${encodeURIComponent(email)}&group=${encodeURIComponent(group)}`)).toEqual(
      found,
    );
    expect(await json('user', 'list', '--group', group, '--status', 'Disabled')).toEqual({ result: [] });
    expect((await otl('user', 'list', '--status', 'Gone')).code).toBe(1);

    const uri = 'https://api.example.com/parity';
    const ttls = ['--access-token-ttl', '600', '--refresh-token-ttl', '3600', '--max-refresh-rotate', '7200'];
    const resource = await json('resource', 'create', '--name', 'Parity', '--uri', uri, ...ttls);
    expect(await json('resource', 'show', '--uri', uri)).toEqual(resource);
    expect((await otl('resource', 'show')).code).toBe(2);
  });
});
