import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { jwtDecrypt } from 'jose';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Local, startLocal } from '../../lib/local/for-tests/start-local.ts';
import { listBlocks, ROOT, readPage, section } from '../pages/support/markdown.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';
import { byAgent, publishDocument } from './by-agent.ts';

// Runs the commands of the quickstarts page in an empty folder with a local server, and logs users in to each application.

const PATIENCE_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'otl-quickstarts-'));
const quickstarts = readPage('test/quickstarts/README.md');
const ends: (() => Promise<unknown>)[] = [];

/** Environment variables with settings for npm and Next.js. */
const SETTINGS = {
  npm_config_ignore_scripts: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_loglevel: 'error',
  NEXT_TELEMETRY_DISABLED: '1',
  // Longer than the lifetime of the access token, so that each request refreshes the tokens.
  REFRESH_BEFORE_SECONDS: '86400',
};

/** Runs commands of the page. Replaces the folder, server URL and port in the commands with those of this run. */
function shell(commands: string, login: Local, port: number) {
  const service = new URL(login.baseUrl).origin;
  const replaced = commands
    .replaceAll('../', `${folder}/`)
    .replaceAll('http://localhost:3000', service)
    .replaceAll(/808[01]/g, String(port));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', replaced], {
    cwd: ROOT,
    // A separate process group, so that stopping the group also ends the processes that npx has started.
    detached: true,
    env: { ...process.env, ...SETTINGS, NODE_OPTIONS: '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0));
    await closed;
  };
  return { child, closed, said, stop };
}

async function output(commands: string, login: Local): Promise<string> {
  const { closed, said } = shell(commands, login, 0);
  const [code] = await closed;
  const [result, complaints] = await said;
  if (code !== 0) throw new Error(`${commands}\n${result}${complaints}`);
  return result;
}

/** Returns a free port. The port must be known before the application listens, because its redirect URI is registered first. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Starts an application on its own port with the commands below a heading of the page. */
async function start(
  heading: string,
  login: Local,
  again?: { readonly port: number; readonly commands: string },
): Promise<{ readonly url: string; readonly port: number; readonly stop: () => Promise<void> }> {
  const port = again?.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const commands = again?.commands ?? listBlocks('bash', section(quickstarts, heading))[0] ?? '';
  const { child, said, stop } = shell(commands, login, port);
  ends.push(stop);
  for (
    const until = Date.now() + PATIENCE_MS;
    child.exitCode === null && Date.now() < until;
    await delay(100)
  )
    if (await fetch(url).catch(() => undefined)) return { url, port, stop };
  await stop();
  throw new Error(`"${heading}" does not answer:\n${commands}\n${(await said).join('')}`);
}

const hello = (page: Page, words: string | RegExp) => page.getByText(words).waitFor();

const codeTo = async (login: Local, email: string) => (await login.inbox.waitFor(email)).codes[0] ?? '';

/** Logs in by a mailed code on the hosted pages. */
async function logInByCode(page: Page, login: Local, email: string): Promise<void> {
  await page.locator('#identifier').fill(email);
  await page.keyboard.press('Enter');
  await page.locator('#passcode').waitFor();
  // The page submits the form when the last digit is entered.
  await page.locator('#passcode').fill(await codeTo(login, email));
}

interface Started {
  readonly login: Local;
  readonly url: string;
  readonly page: Page;
}

const byExpress = async ({ login, url, page }: Started) => {
  await page.goto(url);
  await page.getByLabel('Email').fill('express@example.com');
  await page.getByRole('button').click();
  await page.getByLabel('Code').fill(await codeTo(login, 'express@example.com'));
  await page.getByRole('button').click();
  await hello(page, 'Hello express@example.com');
};

const byAuthJs = async ({ login, url, page }: Started) => {
  await page.goto(url);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Sign in with One-Time Login' }).click();
  await logInByCode(page, login, 'auth-js@example.com');
  await hello(page, /^Hello auth-js@example.com, user \w{25}$/);
  await page.getByRole('link', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await hello(page, 'Hello stranger');
};

const byNextjs = async ({ login, url, page }: Started) => {
  const readMe = async (cookie = '') => (await fetch(`${url}/api/me`, { headers: { cookie } })).status;
  assert.deepEqual([await readMe(), await readMe('session=forged')], [401, 401]);
  // The proxy of the application redirects users without a session to the login.
  await page.goto(`${url}/orders`);
  await logInByCode(page, login, 'nextjs@example.com');
  await hello(page, 'Hello nextjs@example.com');
  // Several tabs refresh the tokens at the same time.
  const tabs = await page.evaluate(async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetch('/api/me')));
    return Promise.all(answers.map((answer) => answer.json() as Promise<{ email?: string }>));
  });
  const emails = tabs.map(({ email }) => email);
  assert.deepEqual(emails, Array(5).fill('nextjs@example.com'));
  // A server component reads the session that the proxy has refreshed in the same request.
  await page.goto(`${url}/orders`);
  await hello(page, /^No orders of \w{25}, token .{8}$/);
  const [cookie] = (await page.context().cookies(url)).filter(({ name }) => name === 'session');
  assert.equal(cookie?.httpOnly, true);
  const secret = await crypto.subtle.digest(
    'SHA-256',
    Buffer.from('long and random, for sessions of your own'),
  );
  const { payload } = await jwtDecrypt(cookie.value, new Uint8Array(secret));
  assert.ok((await page.locator('p').innerText()).endsWith(String(payload.accessToken).slice(-8)));
  await page.goto(url);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  assert.equal(await page.evaluate(async () => (await fetch('/api/me')).status), 401);
};

async function askApi(api: string, token?: string) {
  const answer = await fetch(`${api}/orders`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const [, error] = /error="(\w+)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
  return [answer.status, error];
}

/** Logs in to the single-page application. Returns the access token for the API. */
const bySinglePage = async ({ login, url, page }: Started): Promise<string> => {
  await page.goto(url);
  await page.getByRole('button', { name: 'Log in' }).click();
  await logInByCode(page, login, 'single-page@example.com');
  await hello(page, /^Hello single-page@example.com, token .{8}$/);
  const before = (await page.locator('p').textContent()) ?? '';
  await page.getByRole('button', { name: 'Renew' }).click();
  await page.locator('p', { hasText: 'Hello single-page@example.com', hasNotText: before }).waitFor();
  // Renews the tokens a second time, because the first renewal has rotated the refresh token.
  const renewed = (await page.locator('p').textContent()) ?? '';
  await page.getByRole('button', { name: 'Renew' }).click();
  await page.locator('p', { hasText: 'Hello single-page@example.com', hasNotText: renewed }).waitFor();
  const stored = await page.evaluate(() => Object.values(sessionStorage).map((each) => JSON.parse(each)));
  const { access_token } = stored.find((each) => each.access_token !== undefined);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(`${url}/`);
  await hello(page, 'Hello stranger');
  return access_token;
};

const byPasskey = async ({ url, page }: Started) => {
  await addAuthenticator(page);
  await page.goto(url);
  await page.getByLabel('Your name').fill('Ann');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await hello(page, 'The passkey of Ann is made');
  await page.getByRole('button', { name: 'Log in' }).click();
  await hello(page, /^Hello user \w{25}$/);
};

/** Calls the API with tokens of the single-page application and of its backend. */
async function callApi(login: Local, api: string, good: readonly string[]): Promise<void> {
  for (const token of good) assert.deepEqual(await askApi(api, token), [200, undefined]);
  const { base_url, issuer } = login.environment;
  const { APP_ID } = parseEnv(readFileSync(join(folder, 'api/.env'), 'utf8'));
  const create = `npm run --silent otl -- --endpoint http://localhost:3000 client create --app ${APP_ID} --name Backend --json`;
  const { client_id, client_secret } = JSON.parse(await output(create, login));
  const grant = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ ...fields, client_id, client_secret });
    const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
    return (await answer.json()) as { readonly access_token: string };
  };
  const own = await grant({ grant_type: 'client_credentials' });
  const post = async (path: string, fields: object) => {
    const headers = { authorization: `Bearer ${own.access_token}`, 'content-type': 'application/json' };
    const answer = await fetch(base_url + path, { method: 'POST', headers, body: JSON.stringify(fields) });
    return (await answer.json()) as Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>;
  };
  const email = `${randomUUID()}@example.com`;
  const who = { identifier_type: 'email', identifier: email };
  const logIn = async (more: object) => {
    await post('/v1/auth/otp/send', { ...who, channel: 'email' });
    return post('/v1/auth/otp/authenticate', { ...who, passcode: await codeTo(login, email), ...more });
  };
  await post('/v1/users', { email });
  const user = await logIn({ resource: api });
  const renewed = await grant({ grant_type: 'refresh_token', refresh_token: user.refresh_token });
  // The login through a backend requested no scopes, so the API rejects the tokens.
  for (const token of [user.access_token, renewed.access_token])
    assert.deepEqual(await askApi(api, token), [403, 'insufficient_scope']);
  assert.deepEqual(await askApi(api), [401, undefined]);
  await login.inbox.clear();
  const elsewhere = await logIn({});
  for (const token of [user.id_token, elsewhere.access_token, own.access_token, 'nonsense'])
    assert.deepEqual(await askApi(api, token), [401, 'invalid_token']);
  const answer = await fetch(`${api}/.well-known/oauth-protected-resource`);
  assert.deepEqual(((await answer.json()) as { resource: string }).resource, api);
}

const step = async <Made>(name: string, act: () => Promise<Made>): Promise<Made> => {
  const before = performance.now();
  const made = await act();
  console.log(`${name}: ${Math.round(performance.now() - before)} ms`);
  return made;
};

interface Run {
  readonly login: Local;
  readonly start: (heading: string, again?: Parameters<typeof start>[2]) => ReturnType<typeof start>;
  /** Runs a test in a browser. Does nothing if Chromium is not installed. */
  readonly browse: (url: string, journey: (started: Started) => Promise<void>) => Promise<void>;
  readonly clientId: string;
}

const HANDLER = 'cd ../api\nPORT=8081 node --env-file=.env handler.mjs';

/** Quickstarts by the names that `npm run quickstarts` takes. */
const QUICKSTARTS: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  express: async ({ start, browse }) => browse((await start('Express')).url, byExpress),
  'single-page': async ({ login, start, browse }) => {
    const { url } = await start('Single page');
    const { url: api, port, stop } = await start('API');
    const tokens: string[] = [];
    await browse(url, async (started) => void tokens.push(await bySinglePage(started)));
    await callApi(login, api, tokens);
    await stop();
    await start('API as a fetch handler', { port, commands: HANDLER });
    await callApi(login, api, tokens);
  },
  'auth-js': async ({ start, browse }) => browse((await start('Auth.js')).url, byAuthJs),
  nextjs: async ({ start, browse }) => browse((await start('Next.js')).url, byNextjs),
  passkeys: async ({ start, browse }) => browse((await start('Passkeys')).url, byPasskey),
  mcp: async ({ start, browse, clientId }) => {
    const { url } = await start('MCP server');
    const agent = { url, folder: join(folder, 'mcp'), clientId, logIn: logInByCode };
    await browse(url, ({ login, page }) => byAgent({ ...agent, login, page }));
  },
};

async function journeyIn(browser: Browser, journey: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await journey(page).catch(async (error: unknown) => {
    console.error(page.url(), await page.locator('body').innerText());
    throw error;
  });
  await context.close();
}

async function tryAll(login: Local, clientId: string, names: readonly string[]): Promise<void> {
  const [client = ''] = listBlocks('bash', section(quickstarts, 'Start')).slice(1);
  await step('the client', () => output(client, login));
  const browser =
    chromiumPath && (await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] }));
  if (browser) ends.push(() => browser.close());
  else console.log('skipped: what needs a browser, for there is no Chromium');
  const run: Run = {
    login,
    clientId,
    start: (heading, again) => step(heading, () => start(heading, login, again)),
    browse: async (url, journey) => {
      if (browser)
        await step('in a browser', () => journeyIn(browser, (page) => journey({ login, url, page })));
    },
  };
  // The quickstarts run one after the other, because they install in the same folder and npm does not lock the folder.
  for (const name of names) await QUICKSTARTS[name]?.(run);
}

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(QUICKSTARTS);
const unknown = names.filter((name) => !(name in QUICKSTARTS));
if (unknown.length > 0) throw new Error(`${unknown}: must be of ${Object.keys(QUICKSTARTS)}`);

for (const name of ['package.json', 'package-lock.json'])
  cpSync(join(import.meta.dirname, name), join(folder, name));
const document = await publishDocument(folder);
ends.push(document.close);
// The local server must trust this certificate when it fetches the agent's client ID metadata document.
process.env.NODE_EXTRA_CA_CERTS = document.certificate;
const login = await startLocal();
try {
  await tryAll(login, document.clientId, names);
} finally {
  await Promise.all(ends.map((end) => end()));
  await login.close();
  rmSync(folder, { recursive: true, force: true });
}
