import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Local, startLocal } from '../../lib/local/for-tests/start-local.ts';
import { blocksOf, ROOT, readPage, section } from '../pages/support/markdown.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

/** Runs the commands of the page beside a local server, in an empty folder, and logs new people in, as its reader does. */

const PATIENCE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'otl-quickstarts-'));
const quickstarts = readPage('test/quickstarts/README.md');
const ends: (() => Promise<unknown>)[] = [];

/** The empty folder has the lockfile alone: npm installs its versions in the folder of the nearest manifest. */
const NPM = {
  npm_config_ignore_scripts: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_loglevel: 'error',
};

/** Runs commands of the page in the folder of the project, with this run's folder, server and port. */
function shell(commands: string, login: Local, port: number) {
  const service = new URL(login.baseUrl).origin;
  const replaced = commands
    .replaceAll('../', `${folder}/`)
    .replaceAll('http://localhost:3000', service)
    .replaceAll(/808[01]/g, String(port));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', replaced], {
    cwd: ROOT,
    // A group of its own: what npx starts ends with it.
    detached: true,
    env: { ...process.env, ...NPM, NODE_OPTIONS: '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const stop = async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0));
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

/** A port that is free: an address is allowed before its application listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Where an application answers that the commands below a heading have made and started. */
async function start(heading: string, login: Local): Promise<string> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const [commands = ''] = blocksOf('bash', section(quickstarts, heading));
  const { child, said, stop } = shell(commands, login, port);
  ends.push(stop);
  for (
    const until = Date.now() + PATIENCE_MS;
    child.exitCode === null && Date.now() < until;
    await delay(100)
  )
    if (await fetch(url).catch(() => undefined)) return url;
  await stop();
  throw new Error(`"${heading}" does not answer:\n${commands}\n${(await said).join('')}`);
}

const hello = (page: Page, words: string | RegExp) => page.getByText(words).waitFor({ timeout: 10_000 });

const codeTo = async (login: Local, email: string) => (await login.inbox.waitFor(email)).codes[0] ?? '';

/** On the hosted pages. */
async function logInByCode(page: Page, login: Local, email: string): Promise<void> {
  await page.locator('#identifier').fill(email);
  await page.keyboard.press('Enter');
  await page.locator('#passcode').waitFor();
  // The last digit submits.
  await page.locator('#passcode').fill(await codeTo(login, email));
}

interface Started {
  readonly login: Local;
  readonly urls: Readonly<Record<'express' | 'authJs' | 'singlePage' | 'api' | 'passkeys', string>>;
  readonly page: Page;
}

const byExpress = async ({ login, urls, page }: Started) => {
  await page.goto(urls.express);
  await page.getByLabel('Email').fill('express@example.com');
  await page.getByRole('button').click();
  await page.getByLabel('Code').fill(await codeTo(login, 'express@example.com'));
  await page.getByRole('button').click();
  await hello(page, 'Hello express@example.com');
};

const byAuthJs = async ({ login, urls, page }: Started) => {
  await page.goto(urls.authJs);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Sign in with One-Time Login' }).click();
  await logInByCode(page, login, 'auth-js@example.com');
  await hello(page, /^Hello auth-js@example.com, user \w{25}$/);
  await page.getByRole('link', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await hello(page, 'Hello stranger');
};

async function askApi(api: string, authorization?: string) {
  const answer = await fetch(`${api}/orders`, { headers: { ...(authorization && { authorization }) } });
  return [answer.status, answer.headers.get('www-authenticate')];
}

const bySinglePage = async ({ login, urls, page }: Started) => {
  await page.goto(urls.singlePage);
  await page.getByRole('button', { name: 'Log in' }).click();
  await logInByCode(page, login, 'single-page@example.com');
  await hello(page, /^Hello single-page@example.com, token .{8}$/);
  const before = (await page.locator('p').textContent()) ?? '';
  await page.getByRole('button', { name: 'Renew' }).click();
  await page.locator('p', { hasText: 'Hello single-page@example.com', hasNotText: before }).waitFor();
  // And again: the refresh token has rotated.
  const renewed = (await page.locator('p').textContent()) ?? '';
  await page.getByRole('button', { name: 'Renew' }).click();
  await page.locator('p', { hasText: 'Hello single-page@example.com', hasNotText: renewed }).waitFor();
  const stored = await page.evaluate(() => Object.values(sessionStorage).map((each) => JSON.parse(each)));
  const { access_token } = stored.find((each) => each.access_token !== undefined);
  assert.deepEqual(await askApi(urls.api, `Bearer ${access_token}`), [200, null]);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(`${urls.singlePage}/`);
  await hello(page, 'Hello stranger');
};

const byPasskey = async ({ urls, page }: Started) => {
  await addAuthenticator(page);
  await page.goto(urls.passkeys);
  await page.getByLabel('Your name').fill('Ann');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await hello(page, 'The passkey of Ann is made');
  await page.getByRole('button', { name: 'Log in' }).click();
  await hello(page, /^Hello user \w{25}$/);
};

/** A backend of the application of the single page gets the tokens. */
async function callApi(login: Local, api: string): Promise<void> {
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
  const who = { identifier_type: 'email', identifier: 'api@example.com' };
  await post('/v1/users', { email: who.identifier });
  await post('/v1/auth/otp/send', { ...who, channel: 'email' });
  const passcode = await codeTo(login, who.identifier);
  const user = await post('/v1/auth/otp/authenticate', { ...who, passcode });
  const renewed = await grant({ grant_type: 'refresh_token', refresh_token: user.refresh_token });
  for (const token of [user.access_token, renewed.access_token])
    assert.deepEqual(await askApi(api, `Bearer ${token}`), [200, null]);
  assert.deepEqual(await askApi(api), [401, 'Bearer']);
  for (const token of [user.id_token, 'nonsense'])
    assert.deepEqual(await askApi(api, `Bearer ${token}`), [401, 'Bearer error="invalid_token"']);
  assert.deepEqual(await askApi(api, `Bearer ${own.access_token}`), [
    403,
    'Bearer error="insufficient_scope"',
  ]);
}

async function tryInBrowser(browser: Browser, login: Local, urls: Started['urls']): Promise<void> {
  for (const journey of [byExpress, byAuthJs, bySinglePage, byPasskey]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await journey({ login, urls, page }).catch(async (error: unknown) => {
      console.error(await page.locator('body').innerText());
      throw error;
    });
    await context.close();
  }
}

const step = async <Made>(name: string, act: () => Promise<Made>): Promise<Made> => {
  const before = performance.now();
  const made = await act();
  console.log(`${name}: ${Math.round(performance.now() - before)} ms`);
  return made;
};

async function tryAll(login: Local): Promise<void> {
  const [client = ''] = blocksOf('bash', section(quickstarts, 'Start')).slice(1);
  await step('the client', () => output(client, login));
  const started = (heading: string) => step(heading, () => start(heading, login));
  // One after the other: npm locks nothing.
  const express = await started('Express');
  const singlePage = await started('Single page');
  const api = await started('API');
  const authJs = await started('Auth.js');
  const passkeys = await started('Passkeys');
  await step('an API', () => callApi(login, api));
  if (chromiumPath === undefined)
    return console.log('skipped: what needs a browser, for there is no Chromium');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  ends.push(() => browser.close());
  await step('in a browser', () =>
    tryInBrowser(browser, login, { express, singlePage, api, authJs, passkeys }),
  );
}

for (const name of ['package.json', 'package-lock.json'])
  cpSync(join(import.meta.dirname, name), join(folder, name));
const login = await startLocal();
try {
  await tryAll(login);
} finally {
  await Promise.all(ends.map((end) => end()));
  await login.close();
  rmSync(folder, { recursive: true, force: true });
}
