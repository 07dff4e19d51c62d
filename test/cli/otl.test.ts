import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
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
import { TenantRecord } from '../../shared/schemas/tenants.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { otlAsProcess, otlAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

type Json = Record<string, unknown>;

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });

const { otl, json } = otlAt(server);

/** Checks that a record has the fields of its schema and no others. */
function expectRecord(schema: v.GenericSchema, record: unknown): void {
  expect(v.parse(schema, record)).toEqual(record);
}

interface Group {
  readonly record: v.GenericSchema;
  readonly list: v.GenericSchema;
  /** Options of the command `create`, and the record fields that the command must set. */
  readonly create: readonly [options: readonly string[], fields: Json];
  readonly update: readonly [options: readonly string[], fields: Json];
  readonly key?: string;
  /** Fields that only `show` and `list` print. */
  readonly read?: Json;
}

/** Creates, shows, lists and updates a record, and checks the output. Returns a function that deletes the record. */
async function livesThrough(
  group: string,
  { record, list, create, update, key, read }: Group,
  more: readonly string[] = [],
  parent: readonly string[] = [],
) {
  const made = await json(group, 'create', ...create[0], ...more, ...parent);
  expectRecord(record, made);
  expect(made).toMatchObject(create[1]);
  const { client_secret: _, ...fields } = made;
  const shown = { ...fields, ...read };
  const id = String(made[key ?? `${group}_id`]);
  expect(await json(group, 'show', id, ...more)).toEqual(shown);
  const listed = await json(group, 'list', ...more, ...parent);
  expectRecord(list, listed);
  expect(listed.result).toContainEqual(shown);
  expect(await json(group, 'update', id, ...update[0], ...more)).toMatchObject(update[1]);
  const remove = async () => {
    const done = await otl(group, 'delete', id, '--yes', ...more);
    expect(done).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(id) });
    const gone = { code: 1, stdout: '', stderr: expect.stringMatching(/^otl: .*not found\n$/) };
    expect(await otl(group, 'show', id, ...more)).toMatchObject(gone);
  };
  return { id, remove };
}

const TTLS = ['--access-token-ttl', '600', '--refresh-token-ttl', '3600', '--max-refresh-rotate', '7200'];

const GROUPS: Readonly<Record<string, Group>> = {
  organization: {
    ...{ record: OrganizationRecord, list: OrganizationListResponse, key: 'org_id' },
    create: [['--name', 'Acme'], { name: 'Acme' }],
    update: [['--name', 'Acme 2'], { name: 'Acme 2' }],
  },
  resource: {
    ...{ record: ResourceRecord, list: ResourceListResponse },
    create: [
      ['--name', 'Orders', '--uri', 'urn:example:orders', ...TTLS],
      { access_token_ttl: 600, refresh_token_ttl: 3600, max_refresh_rotate: 7200 },
    ],
    update: [['--access-token-ttl', '300'], { access_token_ttl: 300, uri: 'urn:example:orders' }],
  },
  application: {
    ...{ record: ApplicationRecord, list: ApplicationListResponse, key: 'app_id' },
    create: [
      [
        ...['--name', 'Shop', '--public-signup', '--rate-limits', '{"sends_per_day":9}'],
        ...['--redirect-uri', 'https://a.example/cb', '--redirect-uri', 'https://b.example/cb'],
        ...['--post-logout-redirect-uri', 'https://a.example/bye'],
        ...['--login-preferences', '{"email":{"digits":8},"direct":{}}'],
      ],
      {
        redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
        post_logout_redirect_uris: ['https://a.example/bye'],
        public_signup: true,
        login_preferences: { email: { digits: 8 }, direct: {} },
      },
    ],
    update: [
      ['--public-signup', 'no', '--language', 'ja'],
      { public_signup: false, language: 'ja', name: 'Shop' },
    ],
  },
};
const CLIENT: Group = {
  ...{ record: ClientRecord, list: ClientListResponse },
  create: [['--name', 'Backend', '--trusted'], { trusted: true, client_secret: expect.any(String) }],
  update: [
    ['--permission', 'users:read', '--access-token-ttl', '600'],
    { permissions: ['users:read'], access_token_ttl: 600 },
  ],
};
const MEMBER: Group = {
  ...{ record: MemberRecord, list: MemberListResponse, key: 'user_id' },
  create: [['--role', 'a', '--role', 'b'], { roles: ['a', 'b'] }],
  update: [['--role', 'c'], { roles: ['c'] }],
};

describe('otl commands for users, tenants, members and clients', () => {
  test('otl user --json prints the unchanged response of the HTTP API', async () => {
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
    expect(await otl('user', 'delete', id, '--yes')).toMatchObject({ code: 0, stdout: '' });
    expect((await server.get(path, { token })).status).toBe(404);
  });

  test('otl application preview writes the same pages and messages as /_local/preview', async () => {
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

  test.each(Object.entries(GROUPS))(
    'otl %s can create, show, list, update and delete records',
    async (name, group) => {
      await (await livesThrough(name, group)).remove();
    },
  );

  test('otl tenant create prints working credentials of a management client', async () => {
    const made = await json<Json & { management: Record<string, string> }>(
      'tenant',
      'create',
      '--name',
      'New',
    );
    const { management, ...tenant } = made;
    expectRecord(TenantRecord, tenant);
    const env = {
      OTL_ENDPOINT: server.url,
      OTL_CLIENT_ID: management.client_id ?? '',
      OTL_CLIENT_SECRET: management.client_secret ?? '',
    };
    const next = await otlWith(env, ['application', 'create', '--name', 'First', '--json']);
    expect(JSON.parse(next.stdout)).toMatchObject({ tenant_id: tenant.tenant_id });
    const other = await otlWith(env, ['user', 'list', '--tenant', server.environment.tenant_id]);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('--tenant names') });
    const half = { OTL_ENDPOINT: server.url, OTL_CLIENT_ID: 'x' };
    expect(await otlWith(half, ['user', 'list'])).toMatchObject({ code: 2 });
  });

  test('otl tenant show prints the demo tenant unless --tenant names another tenant', async () => {
    const { tenant_id: id } = await json('tenant', 'create', '--name', 'Other');
    expect(await json('tenant', 'show', '--tenant', String(id))).toMatchObject({ tenant_id: id });
    expect(await json('tenant', 'show')).toMatchObject({ tenant_id: server.environment.tenant_id });
  });

  test('otl member can add, list, update and remove members of an organization', async () => {
    const { org_id } = await json('organization', 'create', '--name', 'Acme');
    const email = newEmail();
    const { user_id } = await json('user', 'create', '--email', email);
    const [options, fields] = MEMBER.create;
    const create = [[...options, '--user', String(user_id)], { ...fields, org_id, user_id }] as const;
    const group = { ...MEMBER, create, read: { display_name: email } };
    const { remove } = await livesThrough('member', group, ['--org', String(org_id)]);
    await remove();
  });

  test('otl client can add and revoke client secrets', async () => {
    const { app_id } = await json('application', 'create', '--name', 'Shop');
    const app = ['--app', String(app_id)];
    const { id, remove } = await livesThrough('client', CLIENT, [], app);
    const rotated = await json('client', 'rotate-secret', id);
    expect(rotated).toMatchObject({ secrets: [{}, {}], client_secret: expect.any(String) });
    const [{ secret_id: oldest }] = rotated.secrets as [{ secret_id: string }];
    const revoke = ['client', 'revoke-secret', id, '--secret', oldest, '--yes'];
    expect((await json(...revoke)).secrets).toHaveLength(1);
    await remove();
    const management = await json('client', 'create', '--management', '--name', 'Provisioning');
    expect(management).toMatchObject({ kind: 'management' });
    expect(management).not.toHaveProperty('app_id');
  });

  test('otl reads the client secrets of social providers from input and never prints them', async () => {
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
    const microsoft = ['--provider', 'microsoft', '--client-id', 'at-microsoft'];
    const secret = await file('microsoft.secret', 'the value');
    const limited = await json(id, at, appId, ...microsoft, ...secret, '--directories', 'organizations');
    expect((limited.login_preferences as Json).microsoft).toEqual({
      client_id: 'at-microsoft',
      directories: ['organizations'],
    });
    expect(await otl(id, at, appId, ...apple, ...ids, ...wrong, '--directories', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--directories is an option for Microsoft, not for Apple'),
    });
    const removed = await json(id, 'remove-provider', appId, '--provider', 'apple', '--yes');
    expect(Object.keys(removed.login_preferences as Json)).toEqual(['google', 'microsoft']);
    const { providerSecrets: fresh } = await server.ports(['providerSecrets']);
    expect(await fresh.find(appId, 'apple')).toBeUndefined();
    expect(await fresh.find(appId, 'google')).toEqual({ clientSecret: 'the secret' });
    await rm(folder, { recursive: true });
    expect((await otl(id, 'delete', appId, '--yes')).code).toBe(0);
    const { providerSecrets: after } = await server.ports(['providerSecrets']);
    expect(await after.find(appId, 'google')).toBeUndefined();
  });

  test('otl adds, changes and removes a custom OpenID provider', async () => {
    const { app_id } = await json('application', 'create', '--name', 'Named');
    const appId = String(app_id);
    const call = (...args: readonly string[]) =>
      otlWith({ OTL_ENDPOINT: server.url }, ['application', ...args, '--json'], 'the secret');
    const settings = ['--client-id', 'shop', '--secret-file', '-'];
    const set = (name: string, ...args: readonly string[]) =>
      call('set-provider', appId, '--provider', name, ...settings, ...args);
    const listed = ({ stdout }: { readonly stdout: string }) => (JSON.parse(stdout) as Json).openid_providers;
    const at = ['--issuer', 'https://id.example.com'];
    const acme = { name: 'acme', client_id: 'shop', issuer: 'https://id.example.com' };
    expect(listed(await set('acme', ...at))).toEqual([{ ...acme, label: 'acme' }]);
    await set('other', ...at);
    expect(listed(await set('acme', ...at, '--label', 'Acme ID', '--trusted-for-email', 'yes'))).toEqual([
      { ...acme, label: 'Acme ID', trusted_for_email: true },
      { ...acme, name: 'other', label: 'other' },
    ]);
    const { providerSecrets } = await server.ports(['providerSecrets']);
    const secret = { clientSecret: 'the secret', issuer: acme.issuer };
    expect(await providerSecrets.find(appId, 'openid/acme')).toEqual(secret);
    for (const [name, args, message] of [
      ['gogle', [], '--issuer is required, because gogle is not a built-in provider'],
      ['Acme', at, '--provider must be one of google'],
      ['email', at, 'must not be the name of a built-in login method'],
      ['acme', ['--issuer', 'https://10.0.0.1'], 'must be a public https address'],
    ] as const)
      expect(await set(name, ...args)).toMatchObject({ stderr: expect.stringContaining(message) });
    const removed = await call('remove-provider', appId, '--provider', 'acme', '--yes');
    expect(listed(removed)).toEqual([{ ...acme, name: 'other', label: 'other' }]);
    await otl('application', 'delete', appId, '--yes');
    const { providerSecrets: after } = await server.ports(['providerSecrets']);
    for (const name of ['openid/acme', 'openid/other'] as const)
      expect(await after.find(appId, name)).toBeUndefined();
  });

  test('otl client create can create a client without a secret', async () => {
    const create = ['client', 'create', '--app', server.environment.app_id, '--name', 'Mobile'];
    const open = await json(...create, '--auth-method', 'none', '--dpop-bound', '--dpop-nonce');
    expectRecord(ClientRecord, open);
    expect(open).toMatchObject({ auth_method: 'none', secrets: [], dpop_bound: true, dpop_nonce: true });

    const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const jwks = { keys: [{ ...jwk, kid: 'one' }] };
    const signer = await json(
      ...[...create, '--auth-method', 'private_key_jwt', '--jwks', JSON.stringify(jwks)],
      ...['--strict-audience', '--require-pkce', '--require-pushed-requests'],
      ...['--refresh-token-rotation', 'no'],
    );
    expectRecord(ClientRecord, signer);
    expect(signer).toMatchObject({
      ...{ auth_method: 'private_key_jwt', jwks, strict_audience: true, require_pkce: true },
      ...{ require_pushed_requests: true, refresh_token_rotation: false },
    });
    const profiled = await json('client', 'update', String(signer.client_id), '--profile', 'fapi2');
    expect(profiled).toMatchObject({ profile: 'fapi2' });
  });
});
