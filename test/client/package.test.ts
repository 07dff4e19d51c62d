import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientPackage } from '../../lib/build/client/package.ts';
import { webhookSignature } from '../../shared/domain/sending/webhook.ts';
import { listBlocks, ROOT, readPage } from '../pages/support/markdown.ts';
import { made, resourceFields } from '../support/fixtures/managed.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { exchange, storeCode } from '../support/tools/authorized.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';

// Tests the npm package of the typed client as a backend installs it, with the code examples of the client's documentation.

const TIME_OUT_MS = 120_000;
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const server = useTestServer({ rateLimits: 'off' });
const run = promisify(execFile);
mkdirSync(join(ROOT, 'dist'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'dist/package-test-'));
const built = join(folder, 'package');
const backend = join(folder, 'backend');

beforeAll(async () => {
  await buildClientPackage(built);
  mkdirSync(join(backend, 'node_modules'), { recursive: true });
  symlinkSync(built, join(backend, 'node_modules/one-time-login-client'));
  writeFileSync(join(backend, 'package.json'), '{ "type": "module" }');
  for (const code of listBlocks('ts', readPage('lib/client/README.md')))
    writeFileSync(join(backend, /^\/\/ (\S+)\n/.exec(code)?.[1] ?? ''), code);
}, TIME_OUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const environment = () =>
  childEnvironment({
    BASE_URL: server.environment.base_url,
    CLIENT_ID: server.environment.client_id,
    CLIENT_SECRET: server.environment.client_secret,
    TENANT_ID: server.environment.tenant_id,
    APP_ID: server.environment.app_id,
    WEBHOOK_SECRET,
  });

/** Runs a script and returns the JSON that it prints. */
async function printed<Value>(script: string, cwd = backend): Promise<Value> {
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await run(process.execPath, args, { cwd, env: environment() });
  return JSON.parse(stdout);
}

async function compile(...files: readonly string[]): Promise<string> {
  const config = {
    compilerOptions: { noEmit: true, strict: true, module: 'nodenext', target: 'es2024', types: ['node'] },
    files,
  };
  writeFileSync(join(backend, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '--project', backend]).then(
    () => '',
    ({ stdout }) => stdout,
  );
}

describe('documented code examples of the typed client', () => {
  test('the documented examples of the typed client compile', async () => {
    expect(await compile('login.ts', 'api.ts', 'notes.ts', 'webhook.ts')).toBe('');
  });

  test('the documented login example logs a new user in', async () => {
    const email = newEmail();
    const script = (act: string) =>
      `import { logIn, sendCode } from './login.ts'; console.log(JSON.stringify(${act} ?? null));`;
    expect(await printed(script(`await sendCode('${email}')`))).toBeNull();
    const code = await server.codeTo(email);
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await printed(script(`await logIn('${email}', '${wrong}')`))).toBeNull();
    const token = await server.clientToken();
    const { body } = await server.get<{ result: { user_id: string } }>(`/v1/users/email/${email}`, { token });
    expect(await printed(script(`await logIn('${email}', '${code}')`))).toBe(body.result.user_id);
  });

  test('the documented API example rejects invalid tokens and tokens of clients', async () => {
    const token = await server.clientToken();
    const script = (authorization: string) =>
      `import { readUserId } from './api.ts'; console.log(JSON.stringify((await readUserId('${authorization}')) ?? null));`;
    expect(await printed(script(`Bearer ${token}`))).toBeNull();
    expect(await printed(script('Bearer nothing'))).toBeNull();
  });

  test('the documented API example requires the scopes of its resource', async () => {
    const uri = 'http://localhost:8080/notes';
    const scopes = [{ name: 'notes:read' }, { name: 'notes:write' }];
    const { user_id } = await createUser(server, { email: newEmail() });
    await made(server, '/v1/resources', resourceFields({ uri, scopes }), await server.clientToken());
    const tokenWith = async (scope: string) => {
      const code = await storeCode(server, user_id, { resources: [uri], scope });
      return (await exchange(server, code)).body.access_token;
    };
    const answerTo = (path: string, authorization?: string) =>
      printed(`import { handle } from './notes.ts';
        const headers = ${JSON.stringify(authorization === undefined ? {} : { authorization })};
        const answer = await handle(new Request('http://localhost:8080${path}', { headers }));
        const challenge = answer.headers.get('www-authenticate');
        console.log(JSON.stringify({ status: answer.status, challenge, body: await answer.json() }));`);
    const metadata = '/.well-known/oauth-protected-resource/notes';
    const asks = expect.stringContaining(`resource_metadata="http://localhost:8080${metadata}"`);
    const [good, poor] = [await tokenWith('notes:read'), await tokenWith('notes:write')];
    expect(await answerTo(metadata)).toMatchObject({ status: 200, body: { resource: uri } });
    expect(await answerTo('/notes')).toMatchObject({ status: 401, challenge: asks });
    expect(await answerTo('/notes', `Bearer ${poor}`)).toMatchObject({ status: 403, challenge: asks });
    const notes = { notes: [`A note of ${user_id}`] };
    expect(await answerTo('/notes', `Bearer ${good}`)).toMatchObject({ status: 200, body: notes });
  });

  test('the documented webhook example accepts a signed webhook', async () => {
    const body = JSON.stringify({ type: 'login.failed', timestamp: '2026-11-22T12:00:00.000Z', data: {} });
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature(WEBHOOK_SECRET, 'msg_1', timestamp, body),
    };
    const script = `import { handle } from './webhook.ts';
      const request = new Request('http://localhost/', ${JSON.stringify({ method: 'POST', headers, body })});
      console.log = () => {};
      process.stdout.write(String((await handle(request)).status));`;
    expect(await printed(script)).toBe(204);
  });
});

test(
  'calls by the typed client that violate the OpenAPI document do not compile',
  async () => {
    const call = (code: string) => `await client.${code};`;
    const lines = [
      `import { type ApiError, createClient, type TokenResponse } from 'one-time-login-client';`,
      `const client = createClient({ baseUrl: '', clientId: '', clientSecret: '' });`,
      `const who = { identifier_type: 'email', identifier: 'ann@example.com' };`,
      // Calls that compile.
      call(`sendOTP({ channel: 'email', ...who, email_content: { subject: 'Hello' } })`),
      `const tokens: TokenResponse = ${call(`authenticateOTP({ passcode: '123456', ...who })`)}`,
      call(`listUsers()`),
      call(`updateUser({ userId: 'ann', username: 'ann' })`),
      call(`retrieveTokens({ code: 'code' })`),
      `const count: number = (await client.logout({ accessToken: tokens.access_token })).sessions_count;`,
      // Calls that must not compile, because a field, type, operation, response field or error code is wrong or missing.
      call(`authenticateOTP({ pass_code: '123456', passcode: '123456', ...who })`),
      call(`authenticateOTP({ passcode: 123456, ...who })`),
      call(`authenticateOTP({ passcode: '123456' })`),
      call(`sendOTP({ channel: 'sms', ...who, email_content: { subject: 'Hello' } })`),
      call(`sendOtp({ channel: 'sms', ...who })`),
      call(`logout()`),
      call(`updateUser({ username: 'ann' })`),
      `tokens.id_tokens;`,
      `export const isLocked = (error: ApiError) => error.errorCode === 'auth_lockt';`,
    ];
    writeFileSync(join(backend, 'types.ts'), lines.join('\n'));
    const wrong = [...(await compile('types.ts')).matchAll(/types\.ts\((\d+),/g)].map(([, line]) =>
      Number(line),
    );
    expect(wrong).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
  },
  TIME_OUT_MS,
);

test('the npm package of the typed client depends only on jose', () => {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies)).toEqual(['jose']);
});

test(
  'the npm package of the typed client, installed in an empty folder, can log a user in',
  async () => {
    const empty = mkdtempSync(join(tmpdir(), 'backend-'));
    // jose is packed from node_modules, so that no network is needed.
    const pack = ['pack', built, join(ROOT, 'node_modules/jose'), '--ignore-scripts', '--silent'];
    const { stdout } = await run('npm', [...pack, '--pack-destination', empty], { cwd: empty });
    const tarballs = stdout
      .trim()
      .split('\n')
      .map((name) => `./${name}`);
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: empty });
    const email = newEmail();
    const answer = await printed<object>(
      `import { ApiError, createClient } from 'one-time-login-client';
       const { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
       const client = createClient({ baseUrl, clientId, clientSecret });
       const { result: user } = await client.createUser({ email: '${email}' });
       const who = { identifier_type: 'email', identifier: '${email}' };
       const { code } = await client.sendOTP({ channel: 'direct', ...who });
       const tokens = await client.authenticateOTP({ passcode: code, ...who });
       const claims = [await client.verifyAccessToken(tokens.access_token), await client.verifyIdToken(tokens.id_token)];
       const error = await client.authenticateOTP({ passcode: code, ...who }).catch((error) => error);
       console.log(JSON.stringify({
         isUser: claims.every(({ sub }) => sub === user.user_id),
         isError: error instanceof ApiError,
         ...error,
       }));`,
      empty,
    );
    expect(answer).toMatchObject({
      isUser: true,
      isError: true,
      status: 400,
      errorCode: 'auth_invalid_credentials',
    });
    rmSync(empty, { recursive: true });
  },
  TIME_OUT_MS,
);
