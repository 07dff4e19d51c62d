import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { applyPlan } from '../../../lib/operator/config/apply-plan.ts';
import { exportSettings } from '../../../lib/operator/config/export-settings.ts';
import { planChanges } from '../../../lib/operator/config/plan.ts';
import { operatorDirectory } from '../../../shared/domain/operators/operators.ts';
import {
  made,
  madeApplication,
  madeClient,
  madeManager,
  madeWebhook,
  resourceFields,
} from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { managerToken } from '../../support/fixtures/tokens.ts';
import { otlAt } from '../../support/server/otl.ts';
import type { TestServer } from '../../support/server/test-server.ts';

export type Json = Record<string, unknown>;
export type Tenant = Json & { readonly tenant_id: string } & Record<
    'applications' | 'clients' | 'resources' | 'webhooks' | 'organizations',
    Json[]
  >;
/** Content of a file of `otl config export`. */
export interface SettingsFile extends Json {
  readonly tenants: Tenant[];
}

const PORTS = [
  ...(['tenantRecords', 'applicationRecords', 'clientRecords', 'resourceRecords'] as const),
  ...(['organizationRecords', 'webhookRecords', 'uriOwners', 'uriOwnerRecords'] as const),
  ...(['windowRecords', 'providerSecretRecords'] as const),
];
const terms = () => ({ at: Math.floor(Date.now() / 1000), environment: { es256: true, loopback: true } });

/** Returns true if `otl config` exports the record with this key. Records of the operators' tenant are not exported. */
function isSetting(pk = ''): boolean {
  const { tenant, application, clients } = operatorDirectory(0);
  const [{ tenantId }, { applicationId }] = [tenant, application];
  const ofOperators = [tenantId, applicationId, ...clients.map(({ clientId }) => clientId)];
  return (
    /^(?:tenant|app|client|org|resource|resource-uri|uri-owner|webhook|rp)#|^reserved-host$/.test(pk) &&
    !ofOperators.some((id) => pk.endsWith(`#${id}`))
  );
}

export const findRecord = (list: readonly Json[], key: string, value: unknown): Json =>
  list.find(({ [key]: own }) => own === value) ?? {};

async function createRecords(server: TestServer) {
  const token = await managerToken(server);
  const shared = await made<{ resource_id: string }>(server, '/v1/resources', resourceFields(), token);
  const appId = await madeApplication(server, {
    name: 'Shop',
    redirect_uris: ['https://shop.example.com/complete'],
    post_logout_redirect_uris: ['https://shop.example.com/'],
    login_preferences: { email: { digits: 8 }, google: { client_id: 'g' } },
    openid_providers: [{ name: 'acme', label: 'Acme', issuer: 'https://id.example.com', client_id: 'a' }],
    roles: [{ name: 'clerk', permissions: ['users:read'] }],
    resources: [shared.resource_id],
    brand: {
      primary_color: '#123456',
      help_uri: 'https://shop.example.com/help',
      texts: { de: { title: 'Hallo' } },
    },
    home_uri: 'https://shop.example.com/',
    notices: { locked: false },
    rate_limits: { sends_per_minute: 3 },
    rp_id: 'shop.example.com',
    origins: ['https://shop.example.com'],
    session_preset: 'aal2',
  });
  const permissions = ['users:create', 'auth:execute'];
  const fields = { name: 'Backend', roles: ['clerk'], permissions, trusted: true };
  const backend = await madeClient(server, fields, appId);
  await madeClient(server, { name: 'App', auth_method: 'none', require_pkce: true }, appId);
  const scopes = [{ name: 'orders:read', sentence: { en: 'Read' } }];
  await made(server, '/v1/resources', resourceFields({ scopes }), await server.clientToken());
  const manager = await madeManager(server);
  const { webhook_id: webhookId } = await madeWebhook(server, { app_id: appId, events: ['login.*'] });
  await made(server, '/v1/organizations', { name: 'Acme' }, token);
  const email = newEmail('person');
  await createUser(server, { email });
  return { backend, manager, webhookId, email };
}

/** Creates records of each type on the server, and returns functions that export and apply them. */
export function useSettings(server: TestServer) {
  const { otl } = otlAt(server);
  const records = {} as Awaited<ReturnType<typeof createRecords>>;
  const settings = {} as SettingsFile;
  let folder: string;
  const ports = () => server.ports(PORTS);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'otl-config-'));
    Object.assign(records, await createRecords(server));
    await otl('resource', 'reserve-host', '--host', 'api.example.com');
    const { code, stdout } = await otl('config', 'export');
    expect(code).toBe(0);
    Object.assign(settings, JSON.parse(stdout));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Computes the changes that a file would make to the server's tables, without starting `otl`. */
  const plan = async (file: unknown) =>
    planChanges(await ports(), typeof file === 'string' ? file : JSON.stringify(file), terms());

  return {
    records,
    /** Settings of the server after the records were created, as `otl config export` prints them. */
    settings,
    plan,
    folder: () => folder,
    exported: async () => JSON.parse(JSON.stringify(await exportSettings(await ports()))) as SettingsFile,
    /** Applies a file without starting `otl`. Calls `onChange` after each written record. */
    write: async (file: unknown, onChange: () => Promise<void> = async () => undefined) =>
      applyPlan(await ports(), await plan(file), onChange),

    /** Writes a configuration file and applies it with `otl` and the given options. */
    async apply(file: unknown, ...options: readonly string[]) {
      const path = join(folder, 'config.json');
      await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file));
      return otl('config', 'apply', path, ...options);
    },

    /** Removes all settings, like a loss of the region. Operators and signing keys remain, as in a new deployment. */
    async loseSettings(): Promise<void> {
      const client = new DynamoDBClient({});
      const TableName = 'directory';
      for await (const { Items = [] } of paginateScan({ client }, { TableName }))
        for (const { pk, sk } of Items)
          if (pk && sk && isSetting(pk.S))
            await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
      client.destroy();
      // Functions cache records for a minute.
      await server.advanceClock(120);
    },

    /** Returns a copy of the settings after a change to its first tenant. */
    changed(change: (tenant: Tenant, file: SettingsFile) => void): SettingsFile {
      const file = structuredClone(settings);
      const [tenant] = file.tenants;
      if (tenant) change(tenant, file);
      return file;
    },
  };
}
