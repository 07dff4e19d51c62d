import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { BOUND_COOKIE_GRACE_SECONDS, BOUND_COOKIE_SECONDS } from '../../shared/domain/basis/limits.ts';
import { startTlsProxy, type TlsProxy } from '../support/browsers/tls-proxy.ts';
import { hostedLogin } from '../support/fixtures/hosted-login.ts';
import { createProvenUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

// Device-bound sessions in Chromium over TLS, with keys in software. The headless shell does not support them.

const [LOGIN, SHOP] = ['login.example.com', 'shop.example.org'];
const executablePath = '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--headless=new',
  '--enable-features=DeviceBoundSessions,EnableBoundSessionCredentialsSoftwareKeysForManualTesting',
];

(existsSync(executablePath) ? describe : describe.skip)('Chromium over TLS', () => {
  const callback = `https://${SHOP}/callback`;
  const server = useTestServer({
    rateLimits: 'off',
    publicOrigin: `https://${LOGIN}`,
    redirectUris: [callback],
  });
  const login = hostedLogin(server);
  let proxy: TlsProxy;
  let browser: Browser;

  beforeAll(async () => {
    proxy = await startTlsProxy({
      [LOGIN]: () => server.url,
      [SHOP]: () =>
        `<a href="${login.address({ redirect_uri: callback }).replaceAll('&', '&amp;')}">Log in</a>`,
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
  const cookieNames = async (context: BrowserContext) =>
    (await context.cookies(`https://${LOGIN}`)).map(({ name }) => name);
  const isBound = async (context: BrowserContext) =>
    (await cookieNames(context)).some((name) => name.startsWith('__Host-bound-'));

  const countBindings = () => server.metrics().bindSession?.requests ?? 0;

  /** Logs in from the shop and waits until the browser has registered its key. */
  async function logIn(page: Page): Promise<void> {
    const email = newEmail();
    await createProvenUser(server, { email });
    const before = countBindings();
    await signOnFromShop(page);
    await page.locator('#identifier').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#passcode').waitFor();
    await page.locator('#passcode').fill(await server.codeTo(email));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}?**`);
    // Browsers register in the background, and no page learns of it.
    while (countBindings() === before) await delay(50);
  }
  async function signOnFromShop(page: Page): Promise<void> {
    await page.goto(`https://${SHOP}/`);
    await page.getByText('Log in').click();
    await page.waitForURL((url) => url.href.startsWith(`${callback}?`) || url.pathname.startsWith('/login/'));
  }
  /** Ends the life of all bound cookies, for the server and for the browser. */
  async function passShortLife(context: BrowserContext): Promise<void> {
    await server.advanceClock(BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS);
    await context.clearCookies({ name: /^__Host-bound-/ });
  }

  test('single sign-on from another site renews the bound cookie after its life', async () => {
    const page = await open();
    await logIn(page);
    for (let renewals = 0; renewals < 2; renewals += 1) {
      await passShortLife(page.context());
      await signOnFromShop(page);
      expect(new URL(page.url()).searchParams.has('code')).toBe(true);
      expect(await isBound(page.context())).toBe(true);
    }
  });

  test('the account page opens in two tabs after the life of the bound cookie', async () => {
    const page = await open();
    await logIn(page);
    await passShortLife(page.context());
    const tabs = [page, await page.context().newPage()];
    const address = `https://${LOGIN}/account?client_id=${server.environment.client_id}`;
    await Promise.all(tabs.map((tab) => tab.goto(address)));
    for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe('/account');
  });

  test('copied cookies open nothing in another profile after their life', async () => {
    const page = await open();
    await logIn(page);
    const cookies = await page.context().cookies();
    const thief = await open();
    await thief.context().addCookies(cookies);
    await signOnFromShop(thief);
    expect(new URL(thief.url()).searchParams.has('code')).toBe(true);

    await passShortLife(page.context());
    await signOnFromShop(thief);
    expect(new URL(thief.url()).host).toBe(LOGIN);
    await signOnFromShop(page);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
  });

  test('copied cookies open nothing in another profile soon after the owner renews', async () => {
    const page = await open();
    await logIn(page);
    const thief = await open();
    await thief.context().addCookies(await page.context().cookies());
    await page.context().clearCookies({ name: /^__Host-bound-/ });
    await signOnFromShop(page);
    await server.advanceClock(BOUND_COOKIE_GRACE_SECONDS);
    await signOnFromShop(thief);
    expect(new URL(thief.url()).host).toBe(LOGIN);
  });
});
