import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { ApplicationListResponse, ApplicationRecord } from '../../shared/schemas/applications.ts';
import { ClientListResponse, ClientRecord } from '../../shared/schemas/clients.ts';
import {
  MemberListResponse,
  MemberRecord,
  OrganizationListResponse,
  OrganizationRecord,
} from '../../shared/schemas/organizations.ts';
import { ResourceListResponse, ResourceRecord } from '../../shared/schemas/resources.ts';
import { TenantListResponse, TenantRecord } from '../../shared/schemas/tenants.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { otlAsProcess, otlWith } from '../support/server/otl.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';

type Json = Record<string, unknown>;

jest.setTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: 'off' });
});
afterAll(() => server.stop());

const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, args);

async function json<Body = Json>(...args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await otl(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Body;
}

/** The record has the fields of its schema and no others. */
function expectRecord(schema: v.GenericSchema, record: unknown): void {
  expect(v.parse(schema, record)).toEqual(record);
}

/** The deletion says nothing on stdout, and the record is gone. */
async function expectDeleted(group: string, id: string, ...more: string[]): Promise<void> {
  expect(await otl(group, 'delete', id, '--yes', ...more)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining(id),
  });
  expect(await otl(group, 'show', id, ...more)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^otl: .*not found\n$/),
  });
}

describe('groups and verbs', () => {
  test('user: --json prints the answer of the HTTP API', async () => {
    const token = await server.clientToken();
    const http = async (path: string) => (await server.get<Json>(path, { token })).body;
    const email = newEmail('Ann');
    const made = await json(
      ...['user', 'create', '--email', email, '--username', `u-${email}`, '--first-name', 'Ann'],
      ...['--custom-identifier', 'card=a=7', '--custom-identifier', `badge=${email}`],
      ...['--group', 'staff', '--group', 'beta', '--custom-app-data', '{"plan":"pro"}'],
    );
    const path = `/v1/users/${made.user_id}`;
    expect(await http(path)).toEqual({ result: made });
    expect(made).toMatchObject({
      name: { first_name: 'Ann' },
      custom_identifiers: [
        { type: 'card', value: 'a=7' },
        { type: 'badge', value: email },
      ],
      groups: ['staff', 'beta'],
      custom_app_data: { plan: 'pro' },
    });
    const id = String(made.user_id);
    expect(await json('user', 'show', id)).toEqual(made);
    expect(await json('user', 'show', '--email', email.toUpperCase())).toEqual(made);
    expect(await json('user', 'list', '--limit', '1')).toEqual(await http('/v1/users?limit=1'));

    const changed = await json(
      ...['user', 'update', id, '--username', '', '--group', '', '--custom-identifier', ''],
      ...['--first-name', '', '--last-name', 'Lee', '--status', 'Disabled', '--custom-app-data', 'null'],
    );
    expect(await http(path)).toEqual({ result: changed });
    expect(changed).toMatchObject({ status: 'Disabled', name: { last_name: 'Lee' }, groups: [] });
    for (const field of ['username', 'custom_app_data', 'name.first_name'])
      expect(changed).not.toHaveProperty(field);

    const kept = await json('user', 'export', id);
    expect(await http(`${path}/export`)).toEqual({ result: kept });
    expect(kept).toMatchObject({ user: { user_id: id }, memberships: [], passkeys: [], sessions: [] });
    expect(await json('user', 'unlock', id)).toMatchObject({ user_id: id });
    await expectDeleted('user', id);
    expect((await server.get(path, { token })).status).toBe(404);
  });

  test('application preview writes the pages and messages that /_local/preview shows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'otl-preview-'));
    const made = await otl(
      'application',
      'preview',
      server.environment.app_id,
      '--out',
      folder,
      '--language',
      'de',
    );
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('index.html') });
    const shown = await (await fetch(`${server.url}/_local/preview?language=de`)).text();
    const slugs = [
      ...new Set([...shown.matchAll(/\/_local\/preview\/([a-z0-9-]+)/g)].map(([, slug]) => slug ?? '')),
    ];
    expect((await readdir(folder)).sort()).toEqual([...slugs, 'index'].map((slug) => `${slug}.html`).sort());
    for (const slug of slugs) {
      const answer = await fetch(`${server.url}/_local/preview/${slug}?language=de`);
      const html = await answer.text();
      expect([slug, answer.status, html]).toEqual([
        slug,
        200,
        await readFile(join(folder, `${slug}.html`), 'utf8'),
      ]);
      expect([slug, html]).toEqual([slug, expect.not.stringMatching(/<script|cid:/)]);
    }
    expect((await fetch(`${server.url}/_local/preview/nothing`)).status).toBe(404);
    expect(await otl('application', 'preview', server.environment.app_id, '--language', 'xx')).toMatchObject({
      code: 2,
    });
    await rm(folder, { recursive: true });
  });

  test('tenant', async () => {
    const made = await json('tenant', 'create', '--name', 'Example');
    expectRecord(TenantRecord, made);
    const id = String(made.tenant_id);
    expect(await json('tenant', 'show', id)).toEqual(made);
    expect(await json('tenant', 'show', '--tenant', id)).toEqual(made);
    expect(await json('tenant', 'show')).toMatchObject({ tenant_id: server.environment.tenant_id });
    const list = await json('tenant', 'list');
    expectRecord(TenantListResponse, list);
    expect(list.result).toContainEqual(made);
    expect(await json('tenant', 'update', id, '--name', 'Example 2')).toMatchObject({ name: 'Example 2' });
    await expectDeleted('tenant', id);
  });

  test('application and client; the secret works, and rotates', async () => {
    const app = await json(
      ...['application', 'create', '--name', 'Shop', '--public-signup'],
      ...['--redirect-uri', 'https://a.example/cb', '--redirect-uri', 'https://b.example/cb'],
      ...[
        '--login-preferences',
        '{"email":{"digits":8},"direct":{}}',
        '--rate-limits',
        '{"sends_per_day":9}',
      ],
    );
    expectRecord(ApplicationRecord, app);
    expect(app).toMatchObject({
      redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
      public_signup: true,
      login_preferences: { email: { digits: 8 }, direct: {} },
    });
    const appId = String(app.app_id);
    expect(await json('application', 'show', appId)).toEqual(app);
    const apps = await json('application', 'list');
    expectRecord(ApplicationListResponse, apps);
    expect(apps.result).toContainEqual(app);
    expect(
      await json('application', 'update', appId, '--public-signup', 'no', '--language', 'ja'),
    ).toMatchObject({ public_signup: false, language: 'ja', name: 'Shop' });

    const client = await json('client', 'create', '--app', appId, '--name', 'Backend', '--trusted');
    expectRecord(ClientRecord, client);
    const clientId = String(client.client_id);
    const { client_secret: clientSecret, ...shown } = client;
    await server.clientToken({ clientId, clientSecret: String(clientSecret) });
    expect(await json('client', 'show', clientId)).toEqual(shown);
    const clients = await json('client', 'list', '--app', appId);
    expectRecord(ClientListResponse, clients);
    expect(clients).toEqual({ result: [shown] });
    expect(
      await json('client', 'update', clientId, '--permission', 'users:read', '--access-token-ttl', '600'),
    ).toMatchObject({ permissions: ['users:read'], access_token_ttl: 600 });

    const rotated = await json('client', 'rotate-secret', clientId);
    expect(rotated.secrets).toHaveLength(2);
    expect(rotated.client_secret).not.toBe(clientSecret);

    const [{ secret_id: oldest }] = rotated.secrets as [{ secret_id: string }];
    const revoke = ['client', 'revoke-secret', clientId, '--secret', oldest, '--yes'];
    expect((await json(...revoke)).secrets).toHaveLength(1);
    expect(await otl(...revoke)).toMatchObject({ code: 1, stderr: 'otl: Secret not found\n' });

    const management = await json('client', 'create', '--management', '--name', 'Provisioning');
    expect(management).toMatchObject({ kind: 'management' });
    expect(management).not.toHaveProperty('app_id');

    await expectDeleted('client', String(management.client_id));
    await expectDeleted('application', appId);
    expect(await otl('client', 'show', clientId)).toMatchObject({
      code: 1,
      stderr: 'otl: Client not found\n',
    });
  });

  test('social providers of an application; secrets come from a file or the input and are never shown', async () => {
    const { app_id } = await json('application', 'create', '--name', 'Social', '--login-preferences', '{}');
    const appId = String(app_id);
    const [id, at] = ['application', 'set-provider'];
    const google = ['--provider', 'google', '--client-id', 'at-google', '--secret-file', '-'];
    const set = await otlAsProcess(
      { OTL_ENDPOINT: server.url },
      [id, at, appId, ...google, '--trusted-for-email', 'no', '--json'],
      'the secret\n',
    );
    expect([set.code, set.stderr, set.stdout.includes('the secret')]).toEqual([0, '', false]);
    const record = JSON.parse(set.stdout) as Json;
    expectRecord(ApplicationRecord, record);
    expect(record.login_preferences).toEqual({
      google: { client_id: 'at-google', trusted_for_email: false },
    });
    const { providerSecrets } = await server.ports(['providerSecrets']);
    expect(await providerSecrets.find(appId, 'google')).toEqual({ clientSecret: 'the secret' });

    const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const p8 = pem.export({ type: 'pkcs8', format: 'pem' }).toString();
    const folder = await mkdtemp(join(tmpdir(), 'otl-secret-'));
    const file = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return ['--secret-file', join(folder, name)];
    };
    const apple = ['--provider', 'apple', '--client-id', 'at-apple'];
    const ids = ['--team-id', 'TEAM', '--key-id', 'KEY'];
    expect((await otl(id, at, appId, ...apple, ...ids, ...(await file('key.p8', p8)))).code).toBe(0);
    expect(await providerSecrets.find(appId, 'apple')).toEqual({
      teamId: 'TEAM',
      keyId: 'KEY',
      privateKey: p8.trim(),
    });
    const wrong = await file('wrong.p8', 'no key');
    expect(await otl(id, at, appId, ...apple, ...ids, ...wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.p8'),
    });
    const issuer = ['--issuer', 'http://elsewhere.example'];
    expect(await otl(id, at, appId, ...google.slice(0, 4), ...wrong, ...issuer)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('issuer: must be a public https address'),
    });

    const removed = await json(id, 'remove-provider', appId, '--provider', 'apple', '--yes');
    expect(Object.keys(removed.login_preferences as Json)).toEqual(['google']);
    const { providerSecrets: fresh } = await server.ports(['providerSecrets']);
    expect(await fresh.find(appId, 'apple')).toBeUndefined();
    expect(await fresh.find(appId, 'google')).toEqual({ clientSecret: 'the secret' });
    await rm(folder, { recursive: true });
    expect((await otl(id, 'delete', appId, '--yes')).code).toBe(0);
    const { providerSecrets: after } = await server.ports(['providerSecrets']);
    expect(await after.find(appId, 'google')).toBeUndefined();
  });

  test('clients without a secret, and logout URIs', async () => {
    const app = await json(
      ...['application', 'create', '--name', 'Shop'],
      ...['--post-logout-redirect-uri', 'https://a.example/bye'],
    );
    expectRecord(ApplicationRecord, app);
    expect(app.login_preferences).toEqual({ link: {}, email: {}, passkey: {} });
    expect(app).toMatchObject({ post_logout_redirect_uris: ['https://a.example/bye'] });
    const create = ['client', 'create', '--app', String(app.app_id), '--name', 'Mobile'];
    const open = await json(...create, '--auth-method', 'none', '--dpop-bound', '--dpop-nonce');
    expectRecord(ClientRecord, open);
    expect(open).toMatchObject({ auth_method: 'none', secrets: [], dpop_bound: true, dpop_nonce: true });
    expect(open).not.toHaveProperty('client_secret');

    const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const jwks = { keys: [{ ...jwk, kid: 'one' }] };
    const signing = ['--auth-method', 'private_key_jwt', '--jwks', JSON.stringify(jwks), '--strict-audience'];
    const signer = await json(
      ...create,
      ...signing,
      '--require-pkce',
      '--require-pushed-requests',
      '--refresh-token-rotation',
      'no',
    );
    expectRecord(ClientRecord, signer);
    expect(signer).toMatchObject({
      auth_method: 'private_key_jwt',
      jwks,
      strict_audience: true,
      require_pkce: true,
      require_pushed_requests: true,
      refresh_token_rotation: false,
    });
    expect(await json('client', 'update', String(signer.client_id), '--profile', 'fapi2')).toMatchObject({
      profile: 'fapi2',
      dpop_bound: true,
      id_token_signed_response_alg: 'PS256',
    });
    expect(await otl('client', 'rotate-secret', String(signer.client_id))).toMatchObject({
      code: 1,
      stderr: 'otl: auth_method: private_key_jwt has no secret\n',
    });
    await expectDeleted('application', String(app.app_id));
  });

  test('resource', async () => {
    const ttls = ['--access-token-ttl', '600', '--refresh-token-ttl', '3600', '--max-refresh-rotate', '7200'];
    const made = await json('resource', 'create', '--name', 'Orders', '--uri', 'urn:example:orders', ...ttls);
    expectRecord(ResourceRecord, made);
    const id = String(made.resource_id);
    expect(await json('resource', 'show', id)).toEqual(made);
    const list = await json('resource', 'list');
    expectRecord(ResourceListResponse, list);
    expect(list.result).toContainEqual(made);
    expect(await json('resource', 'update', id, '--access-token-ttl', '300')).toMatchObject({
      access_token_ttl: 300,
      uri: 'urn:example:orders',
    });
    expect(
      await otl('resource', 'create', '--name', 'X', '--uri', 'urn:example:orders', ...ttls),
    ).toMatchObject({ code: 1, stderr: 'otl: uri: another resource of the tenant has it\n' });
    await json('application', 'update', server.environment.app_id, '--resource', id);
    expect(await otl('resource', 'delete', id, '--yes')).toMatchObject({
      code: 1,
      stderr: `otl: The resource is in use by the application ${server.environment.app_id}\n`,
    });
    await json('application', 'update', server.environment.app_id, '--resource', '');
    await expectDeleted('resource', id);
  });

  test('organization and member', async () => {
    const organization = await json('organization', 'create', '--name', 'Acme');
    expectRecord(OrganizationRecord, organization);
    const orgId = String(organization.org_id);
    expect(await json('organization', 'show', orgId)).toEqual(organization);
    expect(await json('organization', 'update', orgId, '--name', 'Acme 2')).toMatchObject({ name: 'Acme 2' });
    expectRecord(OrganizationListResponse, await json('organization', 'list'));

    const user = await json('user', 'create', '--email', newEmail());
    const userId = String(user.user_id);
    const org = ['--org', orgId];
    const member = await json('member', 'create', ...org, '--user', userId, '--role', 'a', '--role', 'b');
    expectRecord(MemberRecord, member);
    expect(member).toMatchObject({ org_id: orgId, user_id: userId, roles: ['a', 'b'] });
    expect(await json('member', 'show', userId, ...org)).toEqual(member);
    const members = await json('member', 'list', ...org);
    expectRecord(MemberListResponse, members);
    expect(members).toEqual({ result: [member] });
    expect(await json('member', 'update', userId, ...org, '--role', 'c')).toMatchObject({ roles: ['c'] });
    await expectDeleted('member', userId, ...org);
    await expectDeleted('organization', orgId);
  });
});
