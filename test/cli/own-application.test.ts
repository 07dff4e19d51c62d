import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { loadFunction } from '../../lib/local/load-function.ts';
import { hostedLogin } from '../support/fixtures/hosted-login.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { BrowserJar } from '../support/tools/browser-jar.ts';

/** Server that loads functions from source, as `npm start` does, so that the functions keep their caches between requests. */
const server = useTestServer({ rateLimits: 'off', load: loadFunction });
const login = hostedLogin(server);
const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, args);

type Made = Readonly<Record<string, string>> & { readonly redirect_uris: readonly string[] };

async function make(kind: string, address?: string): Promise<{ made: Made; told: string }> {
  const args = ['application', 'create', '--name', 'Shop', '--kind', kind];
  const { code, stdout, stderr } = await otl(...args, ...(address ? ['--address', address] : []), '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const made = JSON.parse(stdout) as Made;
  return { made, told: (await otl('application', 'show', String(made.app_id))).stderr };
}

/** Runs the code that the command printed. */
async function runLines(made: Made, told: string) {
  const body = told.replace(/[\s\S]*?import [^\n]*\n/, '').replace(/\n\nThese features[\s\S]*/, '');
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (
    library: typeof oidc,
    process: object,
  ) => Promise<{
    config: oidc.Configuration;
    loginUrl: URL;
    finishLogin: (url: URL) => Promise<oidc.TokenEndpointResponse>;
  }>;
  const run = new AsyncFunction('oidc', 'process', `${body}\nreturn { config, loginUrl, finishLogin };`);
  return run(oidc, { env: { CLIENT_SECRET: made.client_secret } });
}

test('the sample code that otl application create prints lets a web backend log in a new user', async () => {
  const args = ['application', 'create', '--name', 'Shop', '--kind', 'web'];
  const { code, stdout, stderr } = await otl(...args, '--address', 'http://localhost:8080');
  expect(code).toBe(0);
  const secret = /client_secret +(\S+)/.exec(stdout)?.[1] ?? '';
  const { config, loginUrl, finishLogin } = await runLines({ client_secret: secret } as never, stderr);
  const email = newEmail('new');
  const jar = new BrowserJar(new URL(server.environment.base_url).origin);
  const page = await (await jar.open(loginUrl.href)).submit({ identifier: email, method: 'email' });
  const { left } = await page.submit({ passcode: await server.codeTo(email) });
  const tokens = await finishLogin(left ?? new URL('http://nowhere'));
  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(renewed.access_token).not.toBe(tokens.access_token);
});

test.each([
  ['single-page', 'https://shop.example.com', 'https://shop.example.com/complete'],
  ['native', 'com.example.shop:/signed-in', 'com.example.shop:/signed-in'],
])(
  'an application created with --kind %s can log a new user in with PKCE and without a client secret',
  async (kind, address, uri) => {
    const { made } = await make(kind, address);
    expect(made).toMatchObject({ redirect_uris: [uri], public_signup: true });
    expect(made.client_secret).toBeUndefined();
    const to = newEmail(kind);
    const change = { client_id: made.client_id, redirect_uri: uri, scope: 'openid email offline_access' };
    const target = await login.logIn(login.browser(), to, change);
    const { body } = await login.exchange(target, {
      client_id: made.client_id,
      redirect_uri: uri,
      client_secret: undefined,
    });
    expect(body).toMatchObject({ scope: 'openid email offline_access', refresh_token: expect.any(String) });
    const open = await login.browser().open(login.address({ ...change, code_challenge: undefined }));
    expect(open.left?.searchParams.get('error')).toBe('invalid_request');
  },
);

test('an application created with --kind api has a client, but no redirect URI', async () => {
  const { made } = await make('api');
  expect(made.redirect_uris).toEqual([]);
  const client = { clientId: String(made.client_id), clientSecret: String(made.client_secret) };
  expect(await server.clientToken(client)).toMatch(/^ey/);
});

test.each([
  ['thing', 'http://localhost:8080', /kind: must be one of web, single-page, native, api/],
  ['web', 'localhost', /address: /],
  ['web', undefined, /address: /],
  ['api', 'http://localhost:8080', /address: /],
  ['web', 'http://shop.example.com', /redirect_uris/],
])('otl application create rejects --kind %s with --address %s', async (kind, address, message) => {
  const count = async () => JSON.parse((await otl('application', 'list', '--json')).stdout).result.length;
  const before = await count();
  const args = ['application', 'create', '--name', 'Shop', '--kind', kind];
  const { code, stderr } = await otl(...args, ...(address ? ['--address', address] : []));
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(await count()).toBe(before);
});

test('otl application create and show explain which features are switched off', async () => {
  const { stdout, stderr } = await otl('application', 'create', '--name', 'Plain');
  expect(stderr).toContain('new people cannot sign up: --public-signup yes');
  const id = /app_id +(\S+)/.exec(stdout)?.[1] ?? '';
  const { made, told } = await make('web', 'http://localhost:8080');
  expect((await otl('application', 'show', id)).stderr).toContain(
    'new people cannot sign up: --public-signup yes',
  );
  expect(told).not.toContain('sign up');
  expect(told).toContain('no codes by text message');
  expect((await otl('application', 'show', 'demo-app')).stderr).toContain(
    'The application has every feature of the demo application.',
  );
  await otl('application', 'update', String(made.app_id), '--public-signup', 'no');
  expect((await otl('application', 'show', String(made.app_id))).stderr).toContain(
    'new people cannot sign up',
  );
});

test('otl client list shows that public clients must use PKCE', async () => {
  const { made } = await make('web', 'http://localhost:8080');
  const app = ['--app', String(made.app_id)];
  const created = await otl('client', 'create', ...app, '--name', 'Page', '--auth-method', 'none', '--json');
  expect(JSON.parse(created.stdout)).toMatchObject({ auth_method: 'none', require_pkce: true });
  const { stdout } = await otl('client', 'list', '--app', 'demo-app');
  expect(stdout).toMatch(/PKCE/);
  expect(stdout).toMatch(/demo-public .*required/);
  expect(stdout).toMatch(/demo-client .*-/);
});

test('otl application create --dotenv writes the settings to a new file that only its owner can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'otl-dotenv-'));
  const path = join(folder, '.env');
  const create = (kind: string) => {
    const args = ['application', 'create', '--name', 'Shop', '--kind', kind, '--dotenv', path, '--json'];
    return otl(...args, ...(kind === 'api' ? [] : ['--address', 'http://localhost:8080']));
  };
  expect((await create('thing')).code).toBe(1);
  expect(await readdir(folder)).toEqual([]);
  const made = JSON.parse((await create('api')).stdout) as Made;
  expect(parseEnv(await readFile(path, 'utf8'))).toEqual({
    BASE_URL: server.environment.base_url,
    ISSUER: server.environment.issuer,
    TENANT_ID: server.environment.tenant_id,
    APP_ID: made.app_id,
    CLIENT_ID: made.client_id,
    CLIENT_SECRET: made.client_secret,
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const listed = async () => (await otl('application', 'list', '--json')).stdout;
  const before = await listed();
  expect(await create('api')).toMatchObject({ code: 2, stderr: expect.stringContaining(`${path} exists`) });
  expect(await listed()).toBe(before);
  await rm(path);
  const page = JSON.parse((await create('single-page')).stdout) as Made;
  const { issuer } = server.environment;
  expect(parseEnv(await readFile(path, 'utf8'))).toMatchObject({
    VITE_ISSUER: issuer,
    VITE_CLIENT_ID: page.client_id,
  });
  await rm(folder, { recursive: true });
});

test('otl client create warns about a permission that no operation requires, but still grants the permission', async () => {
  const { made } = await make('api');
  const permissions = ['user:read', 'orders:ship', 'users:raed', 'auth:execute'];
  const flags = permissions.flatMap((name) => ['--permission', name]);
  const created = await otl('client', 'create', '--app', String(made.app_id), '--name', 'Desk', ...flags);
  expect(created.code).toBe(0);
  const asked = (stderr: string) => stderr.match(/No operation requires .*/g);
  const question = 'No operation requires user:read. Did you mean users:read?';
  expect(asked(created.stderr)).toEqual([question, question.replace('user:read', 'users:raed')]);
  const roles = JSON.stringify([{ name: 'desk', permissions: ['users:write', 'user:read'] }]);
  const updated = await otl('application', 'update', String(made.app_id), '--roles', roles);
  expect(updated.code).toBe(0);
  expect(asked(updated.stderr)?.[0]).toMatch(
    /^No operation requires users:write\. Did you mean users:create or /,
  );
  expect(asked(updated.stderr)?.[1]).toBe(question);
});

test('the form in the playground and otl application create create the same application and client', async () => {
  const own = { name: 'Shop', kind: 'single-page', address: 'http://localhost:8080' };
  const { status, body } = await server.post(`${server.url}/_local/own-application`, own);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    application: { redirect_uris: ['http://localhost:8080/complete'], public_signup: true },
    lines: expect.stringContaining(`authority: '${server.environment.issuer}'`),
    left_off: expect.arrayContaining([expect.objectContaining({ effect: 'no codes by text message' })]),
  });
  const bad = await server.post(`${server.url}/_local/own-application`, { ...own, kind: 'thing' });
  expect(bad).toMatchObject({ status: 400, body: { message: expect.stringContaining('kind: ') } });
});

test('otl explains why an email was not sent', async () => {
  const { made } = await make('web', 'http://localhost:8080');
  await otl('application', 'update', String(made.app_id), '--public-signup', 'no');
  const change = { client_id: made.client_id, redirect_uri: 'http://localhost:8080/complete' };
  await login.toCode(login.browser(), newEmail('stranger'), change);
  const { body } = await server.get<{ unsent: readonly object[] }>(`${server.url}/_local/requests`);
  expect(body.unsent.at(-1)).toMatchObject({
    app_id: made.app_id,
    refusal: 'no_user',
    reason: 'no user has this address, and sign-up is off or was not requested',
    command: `application update ${made.app_id} --public-signup yes`,
  });
});
