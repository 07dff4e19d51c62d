import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { CONSOLE_APPLICATION_ID } from '../../shared/domain/operators/operators.ts';
import { hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../support/fixtures/hosted-passkeys.ts';
import { enrolledOperator } from '../support/fixtures/operators.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { otlAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off', events: true });
const { otl, json } = otlAt(server);
const login = hostedLogin(server);
const account = createAccountActions(server, login);

test("inviting an operator adds the missing redirect URI to the console's application", async () => {
  const { applicationRecords } = await server.ports(['applicationRecords']);
  const stored = await applicationRecords.find(CONSOLE_APPLICATION_ID);
  if (!stored) throw new Error('there is no console');
  await applicationRecords.replace(stored, { ...stored, redirectUris: [] });
  await json('operator', 'invite', newEmail(), '--role', 'viewer');
  expect((await applicationRecords.find(CONSOLE_APPLICATION_ID))?.redirectUris).toContain(
    `${server.environment.console_url}/callback`,
  );
});

test('otl operator can invite operators by email and change their roles', async () => {
  const email = newEmail();
  const invited = await json<{ user_id: string }>('operator', 'invite', email, '--role', 'support');
  expect(invited).toMatchObject({ email, role: 'support', state: 'invited' });
  await server.settleEvents();
  const [mail] = await server.messages({ to: email });
  expect(mail?.subject).toBe('You are invited to operate Demo');
  expect(await otl('operator', 'confirm', invited.user_id)).toMatchObject({ code: 1 });
  expect(await json('operator', 'set-role', invited.user_id, '--role', 'viewer')).toMatchObject({
    role: 'viewer',
  });
  const listed = await json<{ result: readonly object[] }>('operator', 'list', '--limit', '100');
  expect(listed.result).toContainEqual(expect.objectContaining({ user_id: invited.user_id, role: 'viewer' }));
  expect(await otl('operator', 'remove', '--yes', invited.user_id)).toMatchObject({ code: 0 });
  expect(await otl('operator', 'invite', 'no-address', '--role', 'viewer')).toMatchObject({ code: 1 });
  expect(await otl('operator', 'invite', newEmail(), '--role', 'owner')).toMatchObject({ code: 1 });
});

test('otl operator reset removes the operator’s passkeys and sends a new invitation', async () => {
  const { userId, email } = await enrolledOperator(server);
  expect(await json('operator', 'confirm', userId)).toMatchObject({ state: 'active' });
  expect(await otl('operator', 'reset', '--yes', userId)).toMatchObject({ code: 0 });
  const { passkeys } = await server.ports(['passkeys']);
  expect(await passkeys.listOf(userId)).toEqual([]);
  const { result } = await json<{ result: readonly object[] }>('operator', 'list', '--limit', '100');
  expect(result).toContainEqual(expect.objectContaining({ user_id: userId, state: 'invited' }));
  await server.settleEvents();
  expect((await server.messages({ to: email }))[0]?.subject).toBe('You are invited to operate Demo');
});

/** Runs `otl login`. Opens the printed URL in a person's browser. */
async function logIn(env: Readonly<Record<string, string>>, open: (address: string) => Promise<string>) {
  const child = spawn(process.execPath, ['bin/otl.mjs', '--json', 'login'], {
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const address = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const [shown] = /http\S+\/oidc\/auth\?\S+/.exec(stderr) ?? [];
      if (shown !== undefined && stderr.endsWith('\n')) resolve(shown);
    });
    child.once('close', () => resolve(''));
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const back = new URL(await open(address));
  // Another page in the browser does not know the `state` of the login.
  const stranger = new URL(back);
  stranger.searchParams.set('state', 'guessed');
  expect((await fetch(stranger)).status).toBe(404);
  expect((await fetch(back)).status).toBe(200);
  expect(await ended).toBe(0);
  return stdout;
}

test('otl login stores DPoP-bound operator tokens in a private file, and otl logout deletes them', async () => {
  const { userId, email, passkey } = await enrolledOperator(server);
  await json('operator', 'confirm', userId);
  const home = mkdtempSync(join(tmpdir(), 'otl-home-'));
  const env = { OTL_ENDPOINT: server.url, XDG_CONFIG_HOME: home };
  const who = await logIn(env, async (address) => {
    const jar = login.browser();
    const page = await account.byCode(await jar.open(address), email, true);
    const asked = await account.byPasskey(jar, page, passkey);
    expect(asked.html).toContain('Let otl on this computer act as you');
    return leftTo(await asked.submit({}, '/confirm')).href;
  });
  const own = {
    user_id: userId,
    email,
    grants: [{ tenant_id: server.environment.tenant_id, role: 'viewer' }],
  };
  expect(JSON.parse(who)).toMatchObject(own);

  const file = join(home, 'otl', 'logins.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [kept] = Object.values(
    JSON.parse(readFileSync(file, 'utf8')) as Record<string, { accessToken: string }>,
  );
  const copied = await server.get('/v1/operator', { token: kept?.accessToken ?? '' });
  expect(copied.status).toBe(401);

  // The access token expires after 15 minutes, and otl refreshes the access token.
  await server.advanceClock(16 * 60);
  const again = await otlWith(env, ['--json', 'whoami']);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(JSON.parse(again.stdout)).toMatchObject(own);

  // From now on, otl calls the HTTP API with the permissions of the operator's role.
  const as = (...args: readonly string[]) => otlWith(env, ['--json', ...args]);
  const app = server.environment.app_id;
  expect(JSON.parse((await as('application', 'show', app)).stdout)).toMatchObject({ app_id: app });
  const clients = JSON.parse((await as('client', 'list', '--app', app, '--limit', '1')).stdout);
  expect(clients).toMatchObject({ result: [{ app_id: app }] });
  expect(await as('application', 'update', app, '--name', 'Mine')).toMatchObject({
    code: 1,
    stderr: 'otl: Insufficient permission: needs the role developer\n',
  });
  // Commands that call no API operation use the AWS credentials, even if an operator is logged in.
  expect(await as('tenant', 'list')).toMatchObject({ code: 0 });
  expect(await json('operator', 'set-role', userId, '--role', 'developer')).toMatchObject({
    role: 'developer',
  });
  expect(JSON.parse((await as('application', 'update', app, '--language', 'fr')).stdout)).toMatchObject({
    language: 'fr',
  });
  expect(await as('operator', 'invite', newEmail(), '--role', 'viewer')).toMatchObject({ code: 1 });

  expect(await otlWith(env, ['logout'])).toMatchObject({ code: 0 });
  expect(await otlWith(env, ['whoami'])).toMatchObject({
    code: 1,
    stderr: 'otl: You are not logged in. Run otl login.\n',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
});
