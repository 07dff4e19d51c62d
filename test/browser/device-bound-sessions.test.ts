import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { demo } from '../../lib/local/demo.ts';
import type { Fault } from '../../lib/local/emulators/basis/faults.ts';
import type { Message } from '../../lib/local/emulators/messages/read-message.ts';
import { BOUND_COOKIE_GRACE_SECONDS, BOUND_COOKIE_SECONDS } from '../../shared/domain/basis/limits.ts';
import { readConsoleEntry, TLS_ORIGINS, useTlsHosts } from '../support/browsers/device-browser.ts';
import { startTlsProxy, type TlsProxy } from '../support/browsers/tls-proxy.ts';
import { hostedLogin, verifier } from '../support/fixtures/hosted-login.ts';
import { createProvenUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';

// Device-bound sessions in Chromium over TLS, with keys in software. The headless shell does not support them.

const [LOGIN, CONSOLE, SHOP] = ['login.test', 'console.test', 'shop.example.org'];
/** Host of a server in a process of its own. */
const RESTARTED = 'restarted.test';
const PEOPLE = `https://${CONSOLE}/${demo.tenantId}/people`;
const executablePath = '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--headless=new',
  '--enable-features=DeviceBoundSessions,EnableBoundSessionCredentialsSoftwareKeysForManualTesting',
];

const isInstalled = existsSync(executablePath);
if (!isInstalled)
  console.warn('Skipped: device-bound sessions (no Chromium found; apt-get install chromium)');

/** Local server in its own process, which keeps its data in a folder. */
interface Process {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startProcess(DATA_DIR: string, redirectUri: string): Promise<Process> {
  const start = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
  const child = spawn(process.execPath, [start], {
    env: childEnvironment({
      DATA_DIR,
      PORT: '0',
      CONSOLE_PORT: '0',
      LOG_LEVEL: 'error',
      PUBLIC_ORIGIN: `https://${RESTARTED}`,
      APP_REDIRECT_URIS: redirectUri,
      RATE_LIMITS: 'off',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the server did not start');
}

async function kill({ child }: Process): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

(isInstalled ? describe : describe.skip)('device-bound sessions in Chromium over TLS', () => {
  const callback = `https://${SHOP}/callback`;
  const server = useTestServer({
    rateLimits: 'off',
    hosts: [CONSOLE],
    redirectUris: [callback],
    ...TLS_ORIGINS,
  });
  useTlsHosts(server);
  const login = hostedLogin(server);
  let proxy: TlsProxy;
  let browser: Browser;
  let restarted: Process;

  beforeAll(async () => {
    proxy = await startTlsProxy({
      [LOGIN]: () => server.url,
      [CONSOLE]: () => server.consoleUrl,
      [RESTARTED]: () => restarted.url,
      [SHOP]: () =>
        `<a href="${login.address({ redirect_uri: callback }).replaceAll('&', '&amp;')}">Log in</a>
         <a href="${PEOPLE}">People</a>`,
    });
    browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...proxy.browserArguments] });
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await proxy.stop();
  });

  async function open(): Promise<Page> {
    const context = await browser.newContext();
    context.setDefaultTimeout(80_000);
    return context.newPage();
  }
  const countBindings = (name = 'bindSession') => server.metrics()[name]?.requests ?? 0;

  /** Logs in from the shop and waits until the browser has registered its key. */
  async function logIn(page: Page): Promise<void> {
    const email = newEmail();
    await createProvenUser(server, { email });
    const before = countBindings();
    await signOnFromShop(page);
    await enterCode(page, email, () => server.codeTo(email));
    // Browsers register in the background, and no page learns of it.
    while (countBindings() === before) await delay(50);
  }
  async function enterCode(page: Page, email: string, readCode: () => Promise<string>): Promise<void> {
    await page.locator('#identifier').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#passcode').waitFor();
    await page.locator('#passcode').fill(await readCode());
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}?**`);
  }
  async function signOnFromShop(page: Page): Promise<void> {
    await page.goto(`https://${SHOP}/`);
    await page.getByText('Log in').click();
    await page.waitForURL((url) => url.href.startsWith(`${callback}?`) || url.pathname.startsWith('/login/'));
  }
  /** Logs the demo operator in at the console, and waits until the browser has registered its key. */
  async function enterConsole(page: Page): Promise<void> {
    const { name, value, location } = await readConsoleEntry(server);
    await page.context().addCookies([{ name, value, url: `https://${CONSOLE}/` }]);
    const before = countBindings('consoleBinding');
    await page.goto(location);
    while (countBindings('consoleBinding') === before) await delay(50);
  }
  /** Opens the console from another site. Returns true if it opens, and false if it asks for a login. */
  async function opensConsole(page: Page): Promise<boolean> {
    await page.goto(`https://${SHOP}/`);
    await page.getByText('People').click();
    await page.locator('#search, #identifier').waitFor();
    return page.url() === PEOPLE;
  }
  /** Ends the life of all bound cookies, for the server and for the browser. */
  async function passShortLife(context: BrowserContext): Promise<void> {
    await server.advanceClock(BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS);
    await context.clearCookies({ name: /^__Host-bound-/ });
  }

  test('single sign-on from another site renews an expired device-bound cookie', async () => {
    const page = await open();
    await logIn(page);
    for (let renewals = 0; renewals < 2; renewals += 1) {
      await passShortLife(page.context());
      await signOnFromShop(page);
      expect(new URL(page.url()).searchParams.has('code')).toBe(true);
    }
  });

  test('the account page can be opened in two tabs after the device-bound cookie has expired', async () => {
    const page = await open();
    await logIn(page);
    await passShortLife(page.context());
    const tabs = [page, await page.context().newPage()];
    const address = `https://${LOGIN}/account?client_id=${server.environment.client_id}`;
    await Promise.all(tabs.map((tab) => tab.goto(address)));
    for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe('/account');
  });

  test("copied cookies work only until they expire or until the owner's browser renews them", async () => {
    const page = await open();
    await logIn(page);
    const thief = await open();
    const copy = async () => thief.context().addCookies(await page.context().cookies());
    await copy();
    await signOnFromShop(thief);
    expect(new URL(thief.url()).searchParams.has('code')).toBe(true);
    await page.context().clearCookies({ name: /^__Host-bound-/ });
    await signOnFromShop(page);
    await server.advanceClock(BOUND_COOKIE_GRACE_SECONDS);
    await signOnFromShop(thief);
    expect(new URL(thief.url()).host).toBe(LOGIN);

    await copy();
    await passShortLife(page.context());
    await signOnFromShop(thief);
    expect(new URL(thief.url()).host).toBe(LOGIN);
    await signOnFromShop(page);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
  });

  test('the console can be opened from another site and in two tabs after the device-bound cookie has expired', async () => {
    const page = await open();
    await enterConsole(page);
    await passShortLife(page.context());
    const tabs = [page, await page.context().newPage()];
    expect(await Promise.all(tabs.map(opensConsole))).toEqual([true, true]);
  });

  test("copied cookies do not open the console after the owner's browser has renewed them", async () => {
    const page = await open();
    await enterConsole(page);
    const thief = await open();
    await thief.context().addCookies(await page.context().cookies());
    expect(await opensConsole(thief)).toBe(true);
    await page.context().clearCookies({ name: /^__Host-bound-/ });
    expect(await opensConsole(page)).toBe(true);
    await server.advanceClock(BOUND_COOKIE_GRACE_SECONDS);
    expect([await opensConsole(thief), await opensConsole(page)]).toEqual([false, true]);
  });

  test('a device-bound session continues after the server has crashed and restarted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'otl-data-'));
    restarted = await startProcess(folder, callback);
    async function call<Answer>(path: string, init?: RequestInit): Promise<Answer> {
      return (await fetch(`${restarted.url}/_local/${path}`, init)).json() as Promise<Answer>;
    }
    try {
      const [page, email] = [await open(), newEmail()];
      const address = login.address({ redirect_uri: callback }).replace(LOGIN, RESTARTED);
      await page.goto(address);
      await enterCode(page, email, async () => {
        const { messages } = await call<{ messages: Message[] }>(`messages?to=${email}`);
        return messages[0]?.codes[0] ?? '';
      });
      // The exchange of the code creates the user.
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const grant = {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: callback,
      };
      const { clientId: client_id, clientSecret: client_secret } = demo.client;
      const token = new URLSearchParams({ ...grant, client_id, client_secret });
      await fetch(`${restarted.url}/cis/oidc/token`, { method: 'POST', body: token });
      async function continuesSession(): Promise<boolean> {
        await page.context().clearCookies({ name: /^__Host-bound-/ });
        await page.goto(address);
        return new URL(page.url()).searchParams.has('code');
      }
      // Until the browser has registered its key, it cannot renew the bound cookie.
      while (!(await continuesSession())) await delay(50);
      await kill(restarted);
      restarted = await startProcess(folder, callback);
      const body = JSON.stringify({ advance_seconds: BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS });
      await call('clock', { method: 'POST', body });
      expect(await continuesSession()).toBe(true);
      expect(await call('metrics')).toHaveProperty('bindSession');
    } finally {
      await kill(restarted);
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);

  describe.each<[string, Fault]>([
    ['rejects the calls', { service: 'dynamodb', effect: 'error', code: 'Throttling' }],
    ['does not respond in time', { service: 'dynamodb', effect: 'latency', latency_ms: 5000 }],
  ])('device-bound session if DynamoDB %s during a renewal', (_, fault) => {
    afterEach(() => server.faults.clear());

    test('single sign-on asks for a login during a database failure and continues the session afterwards', async () => {
      const page = await open();
      await logIn(page);
      await passShortLife(page.context());
      const before = countBindings();
      await server.faults.inject({ ...fault, operation: 'bindSession' });
      await signOnFromShop(page);
      expect(new URL(page.url()).pathname).toMatch(/^\/login\//);
      expect(countBindings()).toBeGreaterThan(before);
      await server.faults.clear();
      await signOnFromShop(page);
      expect(new URL(page.url()).searchParams.has('code')).toBe(true);
    });

    test('the console asks for a login during a database failure and continues the session afterwards', async () => {
      const page = await open();
      await enterConsole(page);
      await passShortLife(page.context());
      const before = countBindings('consoleBinding');
      await server.faults.inject({ ...fault, operation: 'consoleBinding' });
      expect(await opensConsole(page)).toBe(false);
      expect(countBindings('consoleBinding')).toBeGreaterThan(before);
      await server.faults.clear();
      expect(await opensConsole(page)).toBe(true);
    });
  });
});
