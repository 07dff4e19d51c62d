import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { ServiceError } from '../../../shared/errors/service-error.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { findRecord, type Json, type SettingsFile, type Tenant, useSettings } from '../support/settings.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });
const { otl, json } = otlAt(server);
const { apply, changed, exported, folder, plan, settings } = useSettings(server);

describe('invalid and malicious settings files', () => {
  const other = 'foreign-tenant';
  const moved = (tenant: Tenant, file: SettingsFile) => {
    const { applications, ...rest } = tenant;
    file.tenants.push({
      ...rest,
      tenant_id: other,
      applications,
      clients: [],
      resources: [],
      webhooks: [],
      organizations: [],
      reserved_hosts: [],
    });
    Object.assign(tenant, { applications: [] });
  };
  const onShop = (fields: Json) => (tenant: Tenant) => {
    Object.assign(findRecord(tenant.applications, 'name', 'Shop'), fields);
  };
  const onClient = (fields: Json) => (tenant: Tenant) => {
    Object.assign(findRecord(tenant.clients, 'name', 'Backend'), fields);
  };
  const files: readonly (readonly [string, string, () => unknown])[] = [
    ['is a JSON array instead of an object', 'format: must be', () => '[]'],
    [
      'has an object in place of the list of tenants',
      'tenants: must be a list',
      () => ({ ...settings, tenants: {} }),
    ],
    [
      'has null in place of a tenant',
      'tenants.0: must be an object',
      () => ({ ...settings, tenants: [null] }),
    ],
    [
      'has an unknown top-level field',
      'file.users: is not a known field',
      () => ({ ...settings, users: [] }),
    ],
    [
      'has an unknown field whose name contains a terminal escape sequence',
      'has an unknown field',
      () => changed(onShop({ '\u001b[2J': 1 })),
    ],
    [
      'has a field named __proto__',
      '__proto__: is not a known field',
      () => JSON.stringify(settings).replace('"name":"Shop"', '"name":"Shop","__proto__":{"admin":true}'),
    ],
    [
      'has the field tenant_id in an application',
      'tenant_id: is not a known field',
      () => changed(onShop({ tenant_id: other })),
    ],
    [
      'has a string in place of a boolean',
      'public_signup: must be true or false',
      () => changed(onShop({ public_signup: 'yes' })),
    ],
    ['has a number in place of a string', 'name: must be a string', () => changed(onShop({ name: 7 }))],
    [
      'has a string in place of a list',
      'redirect_uris: must be a list of strings',
      () => changed(onShop({ redirect_uris: 'x' })),
    ],
    [
      'has an unknown enum value',
      'session_preset: must be one of',
      () => changed(onShop({ session_preset: 'aal9' })),
    ],
    ['has an invalid time', 'created_at: must be a time', () => changed(onShop({ created_at: 'yesterday' }))],
    [
      'has an unpaired surrogate in a string',
      'name: must be a string',
      () => JSON.stringify(settings).replace('"name":"Shop"', '"name":"\\ud800"'),
    ],
    ['has an application without an ID', 'app_id: is required', () => changed(onShop({ app_id: undefined }))],
    ['has an ID with path traversal', 'must have an ID', () => changed(onShop({ app_id: '../../x' }))],
    [
      'has a javascript: URL as a redirect URI',
      'redirect_uris',
      () => changed(onShop({ redirect_uris: ['javascript:alert(1)'] })),
    ],
    [
      'has a link to a host of no redirect URI',
      'home_uri',
      () => changed(onShop({ home_uri: 'https://evil.example.com/' })),
    ],
    [
      'has login codes of one digit',
      'login_preferences.email.digits',
      () => changed(onShop({ login_preferences: { email: { digits: 1 } } })),
    ],
    [
      'has an RP ID that differs from the RP ID of existing passkeys',
      'rp_id',
      () => changed(onShop({ fixed_rp_id: 'a.example', rp_id: 'b.example' })),
    ],
    [
      'has two applications with the same ID',
      'has the same ID as',
      () => changed(({ applications }) => applications.push({ ...applications[0] })),
    ],
    [
      'has two resources with the same URI',
      'has the same URI as',
      () => changed(({ resources }) => resources.push({ ...resources[0], resource_id: 'x' })),
    ],
    ['moves records to another tenant', 'has the ID of a record of another tenant', () => changed(moved)],
    [
      'moves a client to another application',
      'cannot be changed',
      () =>
        changed(
          onClient({ app_id: settings.tenants[0]?.applications.find(({ name }) => name !== 'Shop')?.app_id }),
        ),
    ],
    [
      'has a webhook of an unknown application',
      'is not an application of the tenant',
      () => changed(({ webhooks }) => Object.assign(webhooks[0] ?? {}, { app_id: 'nothing' })),
    ],
    [
      'has an application that uses an unknown resource',
      'is not a resource of the tenant itself',
      () => changed(onShop({ resources: ['nothing'] })),
    ],
    [
      'turns a client into a management client',
      'app_id: is required',
      () => changed(onClient({ kind: 'management' })),
    ],
    [
      'has a client secret in place of its hash',
      'hash: must be a SHA-256 hash',
      () =>
        changed(
          onClient({ secrets: [{ secret_id: 'a', hash: 'secret', created_at: '2026-01-01T00:00:00Z' }] }),
        ),
    ],
    [
      'has too many secrets of one client',
      'secrets: must have at most',
      () =>
        changed(
          onClient({
            secrets: ['a', 'b', 'c'].map((secret_id) => ({
              secret_id,
              hash: 'A'.repeat(43),
              created_at: '2026-01-01T00:00:00Z',
            })),
          }),
        ),
    ],
    [
      'has a client key that is not public',
      'jwks',
      () => changed(onClient({ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } })),
    ],
    [
      'has a webhook that posts to a private IP address',
      'url',
      () => changed(({ webhooks }) => Object.assign(webhooks[0] ?? {}, { url: 'https://10.0.0.1/x' })),
    ],
    [
      'changes the tenant of the operators',
      'is the tenant of operators',
      () => changed((tenant) => Object.assign(tenant, { tenant_id: 'operators0000000000000000' })),
    ],
    [
      'has an invalid host name as a reserved host',
      'must be a host name in lower case',
      () => changed((tenant) => Object.assign(tenant, { reserved_hosts: ['a/b'] })),
    ],
    [
      'has 100,000 nested lists',
      'must be',
      () => `{"format":"one-time-login-config/1","tenants":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
  ];

  test.each(files)(
    'otl config apply rejects a file that %s with the message "%s"',
    async (_, message, file) => {
      const error = (await plan(file()).catch((caught: unknown) => caught)) as ServiceError;
      expect(error).toMatchObject({ key: 'system_invalid_input' });
      expect(error.detail.messages?.join('\n')).toContain(message);
      // A field name with escape sequences must not move the cursor of the operator's terminal.
      expect(error.detail.messages?.join('')).not.toContain('\u001b');
    },
  );

  test.each([
    ['has an unknown field', 'colour: is not a known field', () => changed(onShop({ colour: 'red' }))],
    ['is no JSON', 'must be JSON', () => '{'],
    ['is larger than the size limit', 'is larger than', () => `{"format":"${'x'.repeat(33 * 1024 * 1024)}"}`],
  ])('otl config apply exits with code 1 and changes nothing if the file %s', async (_, message, file) => {
    const { code, stdout, stderr } = await apply(file(), '--yes');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(await exported()).toEqual(settings);
  });

  test('otl config apply exits with code 2 if the file does not exist or is a folder', async () => {
    expect(await otl('config', 'apply', join(folder(), 'nothing.json'))).toMatchObject({ code: 2 });
    expect(await otl('config', 'apply', folder())).toMatchObject({ code: 2 });
  });

  test('otl config apply rejects a file with a reserved host or resource URI of another tenant', async () => {
    const { tenant_id } = await json('tenant', 'create', '--name', 'Other');
    const hosts = (tenant: Tenant) => {
      Object.assign(tenant, { reserved_hosts: [...(tenant.reserved_hosts as string[]), 'own.example.com'] });
    };
    expect(
      await otl('--tenant', String(tenant_id), 'resource', 'reserve-host', '--host', 'own.example.com'),
    ).toMatchObject({ code: 0 });
    await expect(plan(changed(hosts))).rejects.toThrow(
      `own.example.com is reserved for the tenant ${tenant_id}`,
    );
    const { uriOwnerRecords } = await server.ports(['uriOwnerRecords']);
    await uriOwnerRecords.freeHost(String(tenant_id), 'own.example.com');
    await uriOwnerRecords.assign(String(tenant_id), 'https://taken.example.com/', 1);
    const uri = ({ resources }: Tenant) => {
      Object.assign(resources[0] ?? {}, { uri: 'https://taken.example.com/' });
    };
    await expect(plan(changed(uri))).rejects.toThrow(`uri: belongs to the tenant ${tenant_id}`);
    await otl('tenant', 'delete', String(tenant_id), '--yes');
  });
});
