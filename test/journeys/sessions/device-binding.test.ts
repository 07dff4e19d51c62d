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

describe('a browser that supports device-bound sessions', () => {
  test('stays logged in with an RSA key for as long as it renews its bound cookie', async () => {
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

  test('renews in several tabs at once', async () => {
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

  test('has a session that is listed as bound only after the registration', async () => {
    const browser = new DeviceBrowser();
    const { email, userId } = await someUser();
    await login.logIn(browser, email);
    const token = await server.clientToken();
    const list = async () => (await server.get(`/v1/auth/users/${userId}/sessions`, { token })).body;
    expect(await list()).toEqual([expect.not.objectContaining({ device_bound: expect.anything() })]);
    await browser.register();
    expect(await list()).toEqual([expect.objectContaining({ device_bound: true })]);
  });

  test('drops a bound session that has ended or that its browser has left', async () => {
    const browser = await boundBrowser();
    const { email } = await someUser();
    await login.logIn(browser, email, { prompt: 'login' });
    expect((await browser.renew()).status).toBe(400);
  });

  test('gets 503 while the database does not respond, and keeps its session', async () => {
    const browser = await boundBrowser();
    await server.faults.inject({ service: 'dynamodb', effect: 'error', code: 'Throttling' });
    expect((await browser.renew()).status).toBe(503);
    await server.faults.clear();
    await browser.askChallenge();
    expect((await browser.renew()).status).toBe(200);
  });
});

test('a bound cookie is valid for some seconds after its life, and after the next one was issued', () => {
  const binding = { secret: 'secret', key: 'key', proofs: 1, provenAt: 0 };
  const isValid = (proofs: number, at: number) =>
    isOnItsDevice({ binding: { ...binding, proofs } }, newBoundCookie(binding, BOUND_COOKIE_SECONDS), at);
  const end = BOUND_COOKIE_SECONDS + BOUND_COOKIE_GRACE_SECONDS;
  expect([isValid(1, end - 1), isValid(1, end)]).toEqual([true, false]);
  const grace = BOUND_COOKIE_GRACE_SECONDS;
  expect([isValid(2, grace - 1), isValid(2, grace), isValid(3, 0)]).toEqual([true, false, false]);
});

test('a browser without device-bound sessions stays logged in', async () => {
  const browser = new DeviceBrowser();
  const { email } = await someUser();
  await login.logIn(browser, email);
  await server.advanceClock(BOUND_COOKIE_SECONDS * 4);
  browser.put(browser.boundCookie ?? '', '');
  expect([await signOn(browser), await opensAccount(browser)]).toEqual(['code', true]);
});

test('a renewal makes at most three calls to AWS over its two requests', async () => {
  const browser = await boundBrowser();
  server.resetMetrics();
  await browser.askChallenge();
  await browser.renew();
  expect(server.metrics().bindSession?.aws_calls).toEqual({
    'dynamodb.GetItem': 2,
    'dynamodb.UpdateItem': 1,
  });
});

describe('a console that requires bound sessions', () => {
  const openPeople = (browser: DeviceBrowser) => browser.open(`/${demo.tenantId}/people`);

  test('opens when the browser has registered its key, and asks for a login after the life of the bound cookie', async () => {
    const browser = await enterConsole(server);
    expect((await openPeople(browser)).html).toContain('One moment');
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

  test('does not open in a browser that has registered no key', async () => {
    const browser = await enterConsole(server);
    await server.advanceClock(30);
    expect((await openPeople(browser)).html).toContain('Use another browser');
    await browser.register();
    expect((await openPeople(browser)).html).toContain('Find a person');
  });
});
