import { describe, expect, test } from '@jest/globals';
import { demo } from '../../../lib/local/demo.ts';
import { isOnItsDevice, newBoundCookie } from '../../../shared/domain/basis/device-binding.ts';
import {
  BOUND_COOKIE_GRACE_SECONDS,
  BOUND_COOKIE_SECONDS,
  CONSOLE_BOUND_COOKIE_SECONDS,
} from '../../../shared/domain/basis/limits.ts';
import {
  DeviceBrowser,
  enterConsole,
  newRsaKey,
  TLS_ORIGINS,
  useTlsHosts,
} from '../../support/browsers/device-browser.ts';
import { readCode, readErrorCode } from '../../support/fixtures/authorization.ts';
import { leftTo, useHostedLogin } from '../../support/fixtures/hosted-login.ts';

const { server, login, someUser } = useHostedLogin({
  rateLimits: 'off',
  environment: { DEVICE_BINDING: 'required' },
  ...TLS_ORIGINS,
});
useTlsHosts(server);

/** Logs a user in with a browser that supports device-bound sessions, and registers the browser's key. */
async function boundBrowser(browser = new DeviceBrowser()): Promise<DeviceBrowser> {
  const { email } = await someUser();
  await login.logIn(browser, email);
  expect((await browser.register()).status).toBe(200);
  return browser;
}

/** Returns the result of single sign-on: `code`, or the error. */
async function signOn(browser: DeviceBrowser): Promise<string> {
  const target = leftTo(await browser.open(login.address({ prompt: 'none' })));
  return readErrorCode(target) ?? (readCode(target) === null ? 'nothing' : 'code');
}

async function opensAccount(browser: DeviceBrowser): Promise<boolean> {
  const { client_id } = server.environment;
  const page = await browser.open(`/account?${new URLSearchParams({ client_id })}`);
  return page.html.includes('action="/account/');
}

describe('browser that supports device-bound sessions', () => {
  test('a browser with an RSA device key stays logged in as long as the browser renews its bound cookie', async () => {
    const browser = await boundBrowser(new DeviceBrowser({ key: newRsaKey() }));
    for (let renewals = 0; renewals < 3; renewals += 1) {
      expect([await signOn(browser), await opensAccount(browser)]).toEqual(['code', true]);
      await server.advanceClock(BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS);
      expect([await signOn(browser), await opensAccount(browser)]).toEqual(['login_required', false]);
      // The challenge of the last response has expired by now.
      expect((await browser.renew()).status).toBe(403);
      expect((await browser.renew()).status).toBe(200);
    }
    expect(await signOn(browser)).toBe('code');
  });

  test('several tabs of a browser can renew the bound cookie concurrently', async () => {
    const browser = await boundBrowser();
    const { challenge } = browser;
    const tabs = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const tab = browser.copyCookies();
        Object.assign(tab, { key: browser.key, boundSessionId: browser.boundSessionId, challenge });
        for (let tries = 0; tries < 6; tries += 1) if ((await tab.renew()).status === 200) return tab;
        return undefined;
      }),
    );
    expect(tabs.filter((tab) => tab === undefined)).toEqual([]);
  });

  test('a session is listed as device-bound only after the browser has registered its device key', async () => {
    const browser = new DeviceBrowser();
    const { email, userId } = await someUser();
    await login.logIn(browser, email);
    const token = await server.clientToken();
    const list = async () => (await server.get(`/v1/auth/users/${userId}/sessions`, { token })).body;
    expect(await list()).toEqual([expect.not.objectContaining({ device_bound: expect.anything() })]);
    await browser.register();
    expect(await list()).toEqual([expect.objectContaining({ device_bound: true })]);
  });

  test('a browser cannot renew a device-bound session after a new login in the browser has replaced it', async () => {
    const browser = await boundBrowser();
    const { email } = await someUser();
    await login.logIn(browser, email, { prompt: 'login' });
    expect((await browser.renew()).status).toBe(400);
  });

  test('if the database is unavailable, renewing a bound cookie returns 503, and the session stays valid', async () => {
    const browser = await boundBrowser();
    await server.faults.inject({ service: 'dynamodb', effect: 'error', code: 'Throttling' });
    expect((await browser.renew()).status).toBe(503);
    await server.faults.clear();
    await browser.askChallenge();
    expect((await browser.renew()).status).toBe(200);
  });
});

test('a bound cookie stays valid for 20 seconds after its expiry and after its renewal', () => {
  const binding = { secret: 'secret', key: 'key', proofs: 1, provenAt: 0 };
  const isValid = (proofs: number, at: number) =>
    isOnItsDevice({ binding: { ...binding, proofs } }, newBoundCookie(binding, BOUND_COOKIE_SECONDS), at);
  const end = BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS;
  expect([isValid(1, end - 1), isValid(1, end)]).toEqual([true, false]);
  const grace = BOUND_COOKIE_GRACE_SECONDS;
  expect([isValid(2, grace - 1), isValid(2, grace), isValid(3, 0)]).toEqual([true, false, false]);
});

test('a browser that does not support device-bound sessions stays logged in', async () => {
  const browser = new DeviceBrowser();
  const { email } = await someUser();
  await login.logIn(browser, email);
  await server.advanceClock(BOUND_COOKIE_SECONDS * 4);
  browser.put(browser.boundCookie ?? '', '');
  expect([await signOn(browser), await opensAccount(browser)]).toEqual(['code', true]);
});

test('renewing a bound cookie takes two requests and only three AWS calls', async () => {
  const browser = await boundBrowser();
  server.resetMetrics();
  await browser.askChallenge();
  await browser.renew();
  expect(server.metrics().bindSession?.aws_calls).toEqual({
    'dynamodb.GetItem': 2,
    'dynamodb.UpdateItem': 1,
  });
});

describe('console that requires device-bound sessions', () => {
  const openPeople = (browser: DeviceBrowser) => browser.open(`/${demo.tenantId}/people`);

  test('the console opens only while the browser has a device key and a current bound cookie', async () => {
    const browser = await enterConsole(server);
    expect((await openPeople(browser)).html).toContain(`content="1;url=/${demo.tenantId}/people"`);
    expect((await browser.register()).body).toMatchObject({
      credentials: [{ name: browser.boundCookie, attributes: 'Path=/; Secure; HttpOnly; SameSite=Strict' }],
      allowed_refresh_initiators: [],
    });
    for (let renewals = 0; renewals < 2; renewals += 1) {
      expect((await openPeople(browser)).html).toContain('Find a person');
      await server.advanceClock(CONSOLE_BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS);
      expect((await browser.request(`/${demo.tenantId}/people`)).headers.get('location')).toMatch(/^\/login/);
      await browser.askChallenge();
      expect((await browser.renew()).status).toBe(200);
    }
  });

  test('the console does not open in a browser that has not registered a device key', async () => {
    const browser = await enterConsole(server);
    await server.advanceClock(30);
    expect((await openPeople(browser)).html).toContain('Use another browser');
    await browser.register();
    expect((await openPeople(browser)).html).toContain('Find a person');
  });
});
