import { randomUUID } from 'node:crypto';
import type { Input } from './calls.ts';
import type { World } from './world.ts';

/** Inputs with which the operations of administration succeed, each with records of its own. */

type Fields = Readonly<Record<string, unknown>>;

/** Makes a record by the HTTP API. */
export async function made<Result = Fields>(
  world: World,
  path: string,
  json: Fields,
  token?: string,
): Promise<Result> {
  const options = { token: token ?? (await world.adminToken()) };
  const { status, body } = await world.post<{ readonly result: Result }>(path, json, options);
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.result;
}

export const resourceFields = (change: Fields = {}): Fields => ({
  name: 'Orders',
  uri: `https://api.example.com/${randomUUID()}`,
  access_token_ttl: 600,
  refresh_token_ttl: 3600,
  max_refresh_rotate: 7200,
  ...change,
});

type Successes = Readonly<Record<string, () => Input | Promise<Input>>>;

export interface WireClient extends Fields {
  readonly client_id: string;
  readonly app_id: string;
  readonly client_secret: string;
  readonly secrets: readonly { readonly secret_id: string }[];
}

export async function madeApplication(world: World, fields: Fields = {}, token?: string): Promise<string> {
  const { app_id } = await made<{ app_id: string }>(
    world,
    '/v1/applications',
    { name: 'Shop', ...fields },
    token,
  );
  return app_id;
}

/** A client of an application of its own, or of the one that is named. */
export async function madeClient(
  world: World,
  fields: Fields = {},
  applicationId?: string,
  token?: string,
): Promise<WireClient> {
  const appId = applicationId ?? (await madeApplication(world, {}, token));
  return made(world, `/v1/applications/${appId}/clients`, { name: 'Backend', ...fields }, token);
}

export function madeManager(world: World, fields: Fields = {}, token?: string): Promise<WireClient> {
  return made(world, '/v1/management-clients', { name: 'Provisioning', ...fields }, token);
}

export function managementSuccesses(world: () => World): Successes {
  const application = async () => ({ appId: await madeApplication(world()) });
  const client = async () => {
    const { app_id, client_id, secrets } = await madeClient(world());
    return { appId: app_id, clientId: client_id, secretId: secrets[0]?.secret_id };
  };
  const manager = async () => {
    const { client_id, secrets } = await madeManager(world());
    return { clientId: client_id, secretId: secrets[0]?.secret_id };
  };
  return {
    createApplication: () => ({ json: { name: 'Shop', login_preferences: { link: {} } } }),
    listApplications: () => ({ query: { limit: 1 } }),
    getApplication: async () => ({ path: await application() }),
    updateApplication: async () => ({ path: await application(), json: { public_signup: true } }),
    deleteApplication: async () => ({ path: await application() }),
    getLoginPreferences: async () => ({ path: await application() }),
    updateLoginPreferences: async () => ({ path: await application(), json: { email: { digits: 8 } } }),
    createClient: async () => ({ path: await application(), json: { name: 'Backend' } }),
    listClients: async () => ({ path: await application() }),
    getClient: async () => ({ path: await client() }),
    updateClient: async () => ({ path: await client(), json: { permissions: ['[appId]:read'] } }),
    deleteClient: async () => ({ path: await client() }),
    addClientSecret: async () => ({ path: await client() }),
    revokeClientSecret: async () => ({ path: await client() }),
    createManagementClient: () => ({ json: { name: 'Provisioning' } }),
    listManagementClients: () => ({ query: { limit: 1 } }),
    getManagementClient: async () => ({ path: await manager() }),
    updateManagementClient: async () => ({ path: await manager(), json: { name: 'Other' } }),
    deleteManagementClient: async () => ({ path: await manager() }),
    addManagementClientSecret: async () => ({ path: await manager() }),
    revokeManagementClientSecret: async () => ({ path: await manager() }),
  };
}

/** A webhook of the tenant. */
export function madeWebhook(world: World, fields: Fields = {}, token?: string) {
  const url = 'https://hooks.example.com/logins';
  return made<{ webhook_id: string; secret: string }>(world, '/v1/webhooks', { url, ...fields }, token);
}

export function webhookSuccesses(world: () => World): Successes {
  const path = async () => ({ webhookId: (await madeWebhook(world())).webhook_id });
  return {
    createWebhook: () => ({ json: { url: 'https://hooks.example.com/', events: ['login.*'] } }),
    listWebhooks: () => ({ query: { limit: 1 } }),
    getWebhook: async () => ({ path: await path() }),
    updateWebhook: async () => ({ path: await path(), json: { enabled: false } }),
    deleteWebhook: async () => ({ path: await path() }),
    addWebhookSecret: async () => ({ path: await path() }),
  };
}

export function resourceSuccesses(world: () => World): Successes {
  const resource = async () => {
    const token = await world().clientToken();
    return made<{ resource_id: string; uri: string }>(world(), '/v1/resources', resourceFields(), token);
  };
  const path = async () => ({ resourceId: (await resource()).resource_id });
  return {
    createResource: () => ({ json: resourceFields() }),
    listResources: () => ({ query: { limit: 1 } }),
    findResourceByUri: async () => ({ query: { resourceUri: (await resource()).uri } }),
    getResource: async () => ({ path: await path() }),
    updateResource: async () => ({ path: await path(), json: { name: 'New' } }),
    deleteResource: async () => ({ path: await path() }),
  };
}

/** An organization with a member. */
export async function madeMember(world: World, fields: Fields = {}, token?: string) {
  const { org_id: organizationId } = await made<{ org_id: string }>(
    world,
    '/v1/organizations',
    { name: 'Acme' },
    token,
  );
  const { user_id: userId } = await made<{ user_id: string }>(
    world,
    '/v1/users',
    { username: `member-${randomUUID()}` },
    token,
  );
  await made(world, `/v1/organizations/${organizationId}/members`, { user_id: userId, ...fields }, token);
  return { organizationId, userId };
}

export function organizationSuccesses(world: () => World): Successes {
  const path = async () => {
    const { organizationId } = await madeMember(world());
    return { organizationId };
  };
  const newUser = () => made<{ user_id: string }>(world(), '/v1/users', { username: `user-${randomUUID()}` });
  return {
    createOrganization: () => ({ json: { name: 'Acme' } }),
    listOrganizations: () => ({ query: { limit: 1 } }),
    getOrganization: async () => ({ path: await path() }),
    updateOrganization: async () => ({ path: await path(), json: { name: 'Acme Ltd' } }),
    deleteOrganization: async () => ({ path: await path() }),
    createMember: async () => ({
      path: await path(),
      json: { user_id: (await newUser()).user_id, roles: ['buyer'] },
    }),
    listMembers: async () => ({ path: await path() }),
    getMember: async () => ({ path: await madeMember(world()) }),
    updateMember: async () => ({ path: await madeMember(world()), json: { roles: ['buyer'] } }),
    deleteMember: async () => ({ path: await madeMember(world()) }),
  };
}
