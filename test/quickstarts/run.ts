import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildClientPackage } from '../../lib/build/client/package.ts';
import { type Local, startLocal } from '../../lib/local/for-tests/start-local.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

/**
 * Installs what the quickstarts need in a temporary folder, starts each of them beside a local server and logs in, as its
 * reader does.
 */

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'otl-quickstarts-'));
const at = (...names: readonly string[]) => join(folder, ...names);
const children: ChildProcess[] = [];

async function must(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: [...stdio] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`failed: ${command} ${args.join(' ')}`);
}

/** The package: the typed client as it is packed, and `startLocal()` of the sources. */
async function install(): Promise<void> {
  cpSync(import.meta.dirname, folder, { recursive: true });
  await must('npm', [
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  const installed = at('node_modules/one-time-login');
  await buildClientPackage(installed);
  const local = join(ROOT, 'lib/local/for-tests/start-local.ts');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'local.js'), `export * from ${JSON.stringify(local)};`);
  const { default: packageJson } = await import(join(installed, 'package.json'), { with: { type: 'json' } });
  const exports = { ...packageJson.exports, './local': './local.js' };
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ ...packageJson, exports }));
}

/** Starts an application and answers where it listens, as it says. */
async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = folder,
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += chunk;
    const [url] = /http:\/\/localhost:\d+/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`ended: ${args.join(' ')}`);
}

type Fields = Readonly<Record<string, unknown>>;

/** What a management client does once for an application. */
async function allow({ environment }: Local, change: Fields): Promise<void> {
  const { base_url, issuer, app_id, management } = environment;
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...management });
  const granted = (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as {
    access_token: string;
  };
  const answer = await fetch(`${base_url}/v1/applications/${app_id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${granted.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  assert.equal(answer.status, 200, await answer.text());
}

const hello = (page: Page, text: string | RegExp) => page.getByText(text).waitFor({ timeout: 10_000 });

/** On the hosted pages. */
async function logInByCode(page: Page, login: Local, email: string): Promise<void> {
  await page.locator('#identifier').fill(email);
  await page.keyboard.press('Enter');
  await page.locator('#passcode').waitFor();
  const { codes } = await login.inbox.waitFor(email);
  // The last digit submits.
  await page.locator('#passcode').fill(codes[0] ?? '');
}

interface Started {
  readonly login: Local;
  readonly urls: Readonly<Record<'authJs' | 'singlePage' | 'api' | 'passkeys', string>>;
  readonly page: Page;
}

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

async function callApi({ environment, inbox }: Local, api: string): Promise<void> {
  const { base_url, issuer, client_id, client_secret } = environment;
  const ask = async (authorization?: string) => {
    const answer = await fetch(`${api}/orders`, { headers: { ...(authorization && { authorization }) } });
    return [answer.status, answer.headers.get('www-authenticate')];
  };
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const own = (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as {
    access_token: string;
  };
  const post = async (path: string, fields: Fields) => {
    const headers = { authorization: `Bearer ${own.access_token}`, 'content-type': 'application/json' };
    const answer = await fetch(base_url + path, { method: 'POST', headers, body: JSON.stringify(fields) });
    return (await answer.json()) as { readonly access_token: string; readonly id_token: string };
  };
  const who = { identifier_type: 'email', identifier: 'api@example.com' };
  await post('/v1/users', { email: who.identifier });
  await post('/v1/auth/otp/send', { ...who, channel: 'email' });
  const { codes } = await inbox.waitFor(who.identifier);
  const user = await post('/v1/auth/otp/authenticate', { ...who, passcode: codes[0] });
  assert.deepEqual(await ask(`Bearer ${user.access_token}`), [200, null]);
  assert.deepEqual(await ask(), [401, 'Bearer']);
  for (const token of [user.id_token, 'nonsense'])
    assert.deepEqual(await ask(`Bearer ${token}`), [401, 'Bearer error="invalid_token"']);
  assert.deepEqual(await ask(`Bearer ${own.access_token}`), [403, 'Bearer error="insufficient_scope"']);
}

async function tryInBrowser(browser: Browser, login: Local, urls: Started['urls']): Promise<void> {
  for (const journey of [byAuthJs, bySinglePage, byPasskey]) {
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

const step = async (name: string, act: () => Promise<void>) => {
  const before = performance.now();
  await act().then(
    () => console.log(`${name}: ${Math.round(performance.now() - before)} ms`),
    (error: unknown) => {
      console.error(name, error);
      process.exitCode = 1;
    },
  );
};

async function tryAll(login: Local): Promise<void> {
  const { base_url: BASE_URL, issuer, public_client, client_id, client_secret } = login.environment;
  const env = { BASE_URL, ISSUER: issuer, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const vite = [at('node_modules/vite/bin/vite.js'), '--port', '0', '--host', 'localhost'];
  const page = { VITE_ISSUER: issuer, VITE_CLIENT_ID: public_client.client_id };
  const [authJs, api, passkeys, singlePage] = await Promise.all([
    start(['auth-js/app.mjs'], env),
    start(['api/app.mjs'], env),
    start(['passkeys/app.mjs'], env),
    start(vite, page, at('single-page')),
  ]);
  await allow(login, {
    add_redirect_uris: [`${authJs}/auth/callback/login`, `${singlePage}/complete`],
    post_logout_redirect_uris: [`${singlePage}/`],
    origins: [passkeys],
  });
  await step('an API', () => callApi(login, api));
  if (chromiumPath === undefined)
    return console.log('skipped: what needs a browser, for there is no Chromium');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  await step('in a browser', () => tryInBrowser(browser, login, { authJs, singlePage, api, passkeys }));
  await browser.close();
  const config = { use: { launchOptions: { executablePath: chromiumPath, args: ['--no-sandbox'] } } };
  writeFileSync(at('playwright.config.mjs'), `export default ${JSON.stringify(config)};`);
  await step('Playwright and Express', () =>
    must(at('node_modules/.bin/playwright'), ['test', 'playwright']),
  );
}

try {
  await install();
  const login = await startLocal();
  try {
    await tryAll(login);
  } finally {
    for (const child of children) child.kill();
    await login.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
