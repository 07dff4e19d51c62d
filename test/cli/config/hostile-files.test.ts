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

describe('invalid and hostile settings files', () => {
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
    ['is no JSON', 'must be JSON', () => '{'],
    ['has another format', 'format: must be', () => '[]'],
    ['has a number as format', 'format: must be', () => ({ format: 1 })],
    ['has tenants that are no list', 'tenants: must be a list', () => ({ ...settings, tenants: {} })],
    [
      'has a tenant that is no object',
      'tenants.0: must be an object',
      () => ({ ...settings, tenants: [null] }),
    ],
    ['has an unknown part', 'file.users: is not a known field', () => ({ ...settings, users: [] })],
    ['has an unknown field', 'colour: is not a known field', () => changed(onShop({ colour: 'red' }))],
    [
      'has an unknown field with a harmful name',
      'has an unknown field',
      () => changed(onShop({ '\u001b[2J': 1 })),
    ],
    [
      'has a prototype as field',
      '__proto__: is not a known field',
      () => JSON.stringify(settings).replace('"name":"Shop"', '"name":"Shop","__proto__":{"admin":true}'),
    ],
    [
      'names the tenant in a record',
      'tenant_id: is not a known field',
      () => changed(onShop({ tenant_id: other })),
    ],
    [
      'sets the salt',
      'salt: is not a known field',
      () => changed((tenant) => Object.assign(tenant, { salt: 'x' })),
    ],
    [
      'has a text as flag',
      'public_signup: must be true or false',
      () => changed(onShop({ public_signup: 'yes' })),
    ],
    ['has a number as text', 'name: must be a string', () => changed(onShop({ name: 7 }))],
    ['has null as text', 'name: must be a string', () => changed(onShop({ name: null }))],
    [
      'has a text as list',
      'redirect_uris: must be a list of strings',
      () => changed(onShop({ redirect_uris: 'x' })),
    ],
    [
      'has an unknown choice',
      'session_preset: must be one of',
      () => changed(onShop({ session_preset: 'aal9' })),
    ],
    ['has an invalid time', 'created_at: must be a time', () => changed(onShop({ created_at: 'yesterday' }))],
    [
      'has half a character',
      'name: must be a string',
      () => JSON.stringify(settings).replace('"name":"Shop"', '"name":"\\ud800"'),
    ],
    ['has an application without an ID', 'app_id: is required', () => changed(onShop({ app_id: undefined }))],
    ['has a harmful ID', 'must have an ID', () => changed(onShop({ app_id: '../../x' }))],
    [
      'has a script as redirect URI',
      'redirect_uris',
      () => changed(onShop({ redirect_uris: ['javascript:alert(1)'] })),
    ],
    [
      'has a link to a foreign host',
      'home_uri',
      () => changed(onShop({ home_uri: 'https://evil.example.com/' })),
    ],
    [
      'has unlimited codes',
      'login_preferences.email.digits',
      () => changed(onShop({ login_preferences: { email: { digits: 1 } } })),
    ],
    [
      'has another RP ID than its passkeys',
      'rp_id',
      () => changed(onShop({ fixed_rp_id: 'a.example', rp_id: 'b.example' })),
    ],
    [
      'has an ID twice',
      'has the same ID as',
      () => changed(({ applications }) => applications.push({ ...applications[0] })),
    ],
    [
      'has a URI twice',
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
      'names an unknown application',
      'is not an application of the tenant',
      () => changed(({ webhooks }) => Object.assign(webhooks[0] ?? {}, { app_id: 'nothing' })),
    ],
    [
      'names an unknown resource',
      'is not a resource of the tenant itself',
      () => changed(onShop({ resources: ['nothing'] })),
    ],
    [
      'makes a client a management client',
      'app_id: is required',
      () => changed(onClient({ kind: 'management' })),
    ],
    [
      'has a secret in place of a hash',
      'hash: must be a SHA-256 hash',
      () =>
        changed(
          onClient({ secrets: [{ secret_id: 'a', hash: 'secret', created_at: '2026-01-01T00:00:00Z' }] }),
        ),
    ],
    [
      'has many secrets',
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
      'has a private key',
      'jwks',
      () => changed(onClient({ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } })),
    ],
    [
      'posts to a private address',
      'url',
      () => changed(({ webhooks }) => Object.assign(webhooks[0] ?? {}, { url: 'https://10.0.0.1/x' })),
    ],
    [
      'changes the operators',
      'is the tenant of operators',
      () => changed((tenant) => Object.assign(tenant, { tenant_id: 'operators0000000000000000' })),
    ],
    [
      'reserves no host',
      'must be a host name in lower case',
      () => changed((tenant) => Object.assign(tenant, { reserved_hosts: ['a/b'] })),
    ],
    [
      'is deeply nested',
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
    ['is huge', 'is larger than', () => `{"format":"${'x'.repeat(33 * 1024 * 1024)}"}`],
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

  test('otl config apply rejects a file that contains a reserved host or resource URI of another tenant', async () => {
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
