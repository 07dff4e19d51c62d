import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { demo } from '../../../lib/local/demo.ts';
import {
  BINDING_CHALLENGE_SECONDS,
  BOUND_COOKIE_GRACE_SECONDS,
  BOUND_COOKIE_SECONDS,
  CONSOLE_BOUND_COOKIE_SECONDS,
} from '../../../shared/domain/basis/limits.ts';
import {
  CONSOLE_HOST,
  DeviceBrowser,
  enterConsole,
  LOGIN_HOST,
  newDeviceKey,
  newRsaKey,
  signProof,
  TLS_ORIGINS,
  toJwk,
  useTlsHosts,
} from '../../support/browsers/device-browser.ts';
import { readErrorCode } from '../../support/fixtures/authorization.ts';
import { leftTo, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { someOperator } from '../../support/fixtures/operators.ts';
import { storeTenant } from '../../support/fixtures/tenants.ts';

// An attacker has a copy of a browser's cookies, but not the key of the device.

const { server, login, someUser } = useHostedLogin({ events: true, rateLimits: 'off', ...TLS_ORIGINS });
useTlsHosts(server);

interface Victim {
  readonly browser: DeviceBrowser;
  readonly email: string;
  readonly userId: string;
}

const HOSTS = {
  'the login host': {
    ...LOGIN_HOST,
    cookieSeconds: BOUND_COOKIE_SECONDS,
    async loggedIn(): Promise<Victim> {
      const [user, browser] = [await someUser(), new DeviceBrowser()];
      await login.logIn(browser, user.email);
      return { browser, ...user };
    },
    async isLoggedIn(browser: DeviceBrowser, headers = {}): Promise<boolean> {
      const page = await browser.open(login.address({ prompt: 'none' }), { headers });
      return readErrorCode(leftTo(page)) === null;
    },
  },
  'the console': {
    ...CONSOLE_HOST,
    cookieSeconds: CONSOLE_BOUND_COOKIE_SECONDS,
    /** Logs in as an operator with a random user ID, because only such IDs are logged. */
    async loggedIn(): Promise<Victim> {
      const [browser, operator] = [await enterConsole(server), await someOperator(server)];
      const { consoleSessions } = await server.ports(['consoleSessions.find', 'consoleSessions.put']);
      const session = await consoleSessions.find(browser.registration.authorization, Date.now() / 1000);
      if (session) await consoleSessions.put({ ...session, userId: operator.userId });
      return { browser, ...operator };
    },
    async isLoggedIn(browser: DeviceBrowser, headers = {}): Promise<boolean> {
      return (await browser.request(`/${demo.tenantId}/applications`, { headers })).status === 200;
    },
  },
};

/** Calls the binding operation as an attacker who knows the ID of the victim's bound session. */
function proveAs(attacker: DeviceBrowser, victim: DeviceBrowser, proof: string) {
  return attacker.call({ 'sec-secure-session-id': victim.boundSessionId, 'secure-session-response': proof });
}

describe.each(Object.entries(HOSTS))(
  'stolen copy of the cookies of a device-bound session at %s',
  (_, { loggedIn, isLoggedIn, cookieSeconds, origin, bindingPath }) => {
    async function bound(): Promise<Victim> {
      const victim = await loggedIn();
      expect((await victim.browser.register()).status).toBe(200);
      return victim;
    }

    test('the long-lived cookie of a device-bound session gives no access without the short-lived bound cookie', async () => {
      const [{ browser }, { browser: attacker }] = [await bound(), await bound()];
      const thief = browser.copyCookies();
      const skipped = `unreachable;session_identifier="${browser.boundSessionId}"`;
      for (const value of ['', attacker.cookies.get(attacker.boundCookie ?? '') ?? '']) {
        thief.put(browser.boundCookie ?? '', value);
        expect(await isLoggedIn(thief, { 'secure-session-skipped': skipped })).toBe(false);
      }
      expect(thief.offer).toBe('');
      expect(await isLoggedIn(browser)).toBe(true);
    });

    test('copied cookies of a device-bound session give no access after the bound cookie has expired', async () => {
      const { browser } = await bound();
      const thief = browser.copyCookies();
      await server.advanceClock(cookieSeconds + BOUND_COOKIE_GRACE_SECONDS);
      expect(await isLoggedIn(thief)).toBe(false);
    });

    test('copied cookies give no access 20 seconds after the owner’s browser has renewed the bound cookie', async () => {
      const { browser } = await bound();
      const thief = browser.copyCookies();
      expect(await isLoggedIn(thief)).toBe(true);
      expect((await browser.renew()).status).toBe(200);
      await server.advanceClock(BOUND_COOKIE_GRACE_SECONDS);
      expect([await isLoggedIn(thief), await isLoggedIn(browser)]).toEqual([false, true]);
    });

    describe('renewal of a device-bound session with a forged or replayed proof', () => {
      test('an attacker cannot renew a device-bound session with a proof that was already used', async () => {
        const { browser } = await bound();
        const proof = signProof(browser.key, { jti: browser.challenge });
        expect((await browser.renew(proof)).status).toBe(200);
        const thief = browser.copyCookies();
        expect((await proveAs(thief, browser, proof)).status).toBe(403);
        expect((await browser.renew()).status).toBe(200);
      });

      test('a proof signed with another key over a valid challenge ends the session, and the user is notified', async () => {
        const { browser, email, userId } = await bound();
        const thief = browser.copyCookies();
        expect(
          (await proveAs(thief, browser, signProof(newDeviceKey(), { jti: browser.challenge }))).status,
        ).toBe(400);
        expect(await isLoggedIn(browser)).toBe(false);
        expect((await browser.renew()).status).toBe(400);
        await server.settleEvents();
        const { timeline } = await server.ports(['timeline.list']);
        const { items } = await timeline.list(userId, { limit: 10 });
        expect(items.map(({ type }) => type)).toContain('session.binding_failed');
        const subjects = (await server.messages({ to: email })).map(({ subject }) => subject);
        expect(subjects).toContainEqual(expect.stringContaining('copied sign-in was blocked'));
      });

      test.each([
        ['an expired challenge', (jti: string) => jti, BINDING_CHALLENGE_SECONDS],
        ['an invented challenge', (jti: string) => `${jti.slice(0, -1)}${jti.endsWith('A') ? 'B' : 'A'}`, 0],
      ])(
        'a proof that another key has signed over %s does not end the device-bound session',
        async (_, change, seconds) => {
          const { browser } = await bound();
          await server.advanceClock(seconds);
          const proof = signProof(newDeviceKey(), { jti: change(browser.challenge) });
          expect((await proveAs(browser.copyCookies(), browser, proof)).status).toBe(403);
          expect((await browser.renew(signProof(browser.key, { jti: '' }))).status).toBe(403);
          expect((await browser.renew()).status).toBe(200);
        },
      );

      test('a proof for the attacker’s session is rejected for the victim’s session, and both sessions stay valid', async () => {
        const [{ browser: victim }, { browser: attacker }] = [await bound(), await bound()];
        const proof = signProof(attacker.key, { jti: attacker.challenge });
        expect((await proveAs(attacker, victim, proof)).status).toBe(403);
        expect((await victim.renew()).status).toBe(200);
        expect((await attacker.renew()).status).toBe(200);
      });

      test('a proof that names another host or session is rejected, and the device-bound session stays valid', async () => {
        const { browser } = await bound();
        for (const claims of [{ aud: `https://evil.example${bindingPath}` }, { sub: 'another' }]) {
          const proof = signProof(browser.key, { jti: browser.challenge, ...claims });
          expect((await browser.renew(proof)).status).toBe(403);
        }
        const aud = `${origin}${bindingPath}`;
        const own = signProof(browser.key, { jti: browser.challenge, aud, sub: browser.boundSessionId });
        expect((await browser.renew(own)).status).toBe(200);
      });

      test('a proof with another signing algorithm than the device key does not renew the session', async () => {
        const forge = (browser: DeviceBrowser, alg: string, secret: Buffer | string) => {
          const payload = Buffer.from(JSON.stringify({ jti: browser.challenge })).toString('base64url');
          const header = Buffer.from(JSON.stringify({ alg, typ: 'dbsc+jwt' })).toString('base64url');
          const mac = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
          return `${header}.${payload}.${alg === 'none' ? '' : mac}`;
        };
        for (const alg of ['HS256', 'RS256', 'PS256', 'none']) {
          const { browser } = await bound();
          const spki = browser.key.publicKey.export({ format: 'der', type: 'spki' });
          expect((await browser.renew(forge(browser, alg, spki))).body).not.toHaveProperty(
            'session_identifier',
          );
        }
      });

      test('a renewal request without the ID of a known device-bound session is rejected', async () => {
        const { browser } = await bound();
        const [sessionId = ''] = browser.boundSessionId.split(/\.(?=[^.]*$)/);
        for (const id of [sessionId, `${sessionId}.x`, `unknown.unknown.${'A'.repeat(43)}`, '.'])
          expect((await browser.call({ 'sec-secure-session-id': id })).status).toBe(400);
        expect((await browser.call({})).status).toBe(400);
        expect((await browser.renew()).status).toBe(200);
      });
    });

    describe('registration of a device key for a session', () => {
      test('a device key can be registered only once for each session', async () => {
        const { browser } = await loggedIn();
        const thief = browser.copyCookies();
        const stolen = signProof(thief.key, browser.registration, { jwk: toJwk(thief.key) });
        const own = signProof(browser.key, browser.registration, { jwk: toJwk(browser.key) });
        expect((await browser.register(own)).status).toBe(200);
        expect((await browser.call({ 'secure-session-response': own })).status).toBe(400);
        expect((await thief.register(stolen)).status).toBe(400);
        expect((await browser.renew()).status).toBe(200);
      });

      test('five minutes after the login, a device key can no longer be registered', async () => {
        const { browser } = await loggedIn();
        await server.advanceClock(BINDING_CHALLENGE_SECONDS);
        expect((await browser.register()).status).toBe(400);
        expect(await isLoggedIn(browser)).toBe(true);
      });

      test('a device key registration with a challenge for another session or host is rejected', async () => {
        const [{ browser: victim }, { browser: attacker }] = [await loggedIn(), await loggedIn()];
        const { authorization } = victim.registration;
        for (const jti of [attacker.registration.jti, 'chosen-by-another-host', '']) {
          const proof = signProof(attacker.key, { authorization, jti }, { jwk: toJwk(attacker.key) });
          expect((await attacker.register(proof)).status).toBe(400);
        }
        expect(await isLoggedIn(victim)).toBe(true);
        expect((await victim.register()).status).toBe(200);
      });

      test('a device key registration with the attacker’s challenge is rejected in the victim’s browser', async () => {
        const [{ browser: victim }, { browser: attacker }] = [await bound(), await loggedIn()];
        const proof = signProof(victim.key, attacker.registration, { jwk: toJwk(victim.key) });
        expect((await victim.call({ 'secure-session-response': proof })).status).toBe(400);
        expect(await isLoggedIn(victim)).toBe(true);
      });

      test.each([
        ['a key that has not signed the proof', () => toJwk(newDeviceKey())],
        ['a private key', () => ({ ...newDeviceKey().privateKey.export({ format: 'jwk' }) })],
        ['a symmetric key', () => ({ kty: 'oct', k: 'AAAA' })],
        ['no key', () => undefined],
        ['an RSA key but is signed with ES256', () => toJwk(newRsaKey())],
      ])('the registration of a device key is rejected if the proof contains %s', async (_, jwk) => {
        const { browser } = await loggedIn();
        const proof = signProof(browser.key, browser.registration, { jwk: jwk() });
        expect((await browser.register(proof)).status).toBe(400);
        expect((await browser.register()).status).toBe(200);
      });
    });
  },
);

describe("console session that receives a proof signed with another session's key", () => {
  /** Returns the IDs of the demo operator's sessions at the API. */
  async function listLogins(): Promise<readonly string[]> {
    const { sessions } = await server.ports(['sessions.listOf']);
    const found = await sessions.listOf(demo.operator.userId, Date.now() / 1000);
    return found.map(({ sessionId }) => sessionId);
  }
  /** Logs the demo operator in with a device-bound session at the console. Returns the ID of the session at the API. */
  async function enterBound() {
    const before = await listLogins();
    const browser = await enterConsole(server);
    await browser.register();
    const [login, ...others] = (await listLogins()).filter((id) => !before.includes(id));
    expect(others).toEqual([]);
    return { browser, login };
  }

  test.each([
    ['a valid', 0],
    ['an expired', 1200],
  ])(
    "a forged proof with the copied cookie and %s access token also ends the operator's login",
    async (_, seconds) => {
      const { browser, login } = await enterBound();
      await server.advanceClock(seconds);
      const { challenge } = await browser.askChallenge();
      const proof = signProof(newDeviceKey(), { jti: challenge });
      expect((await proveAs(browser.copyCookies(), browser, proof)).status).toBe(400);
      expect(await listLogins()).not.toContain(login);
    },
  );

  test('a forged proof without the copied cookie ends only the console session', async () => {
    const { browser, login } = await enterBound();
    const thief = new DeviceBrowser({ host: CONSOLE_HOST });
    const proof = signProof(thief.key, { jti: browser.challenge });
    expect((await proveAs(thief, browser, proof)).status).toBe(400);
    expect((await browser.renew()).status).toBe(400);
    expect(await listLogins()).toContain(login);
  });
});

test('a device-bound session at one tenant does not log the browser in to another tenant', async () => {
  const { browser } = await HOSTS['the login host'].loggedIn();
  const other = await storeTenant(server);
  const elsewhere = `__Host-login-${other.application.tenantId}`;
  const [, value = ''] = [...browser.cookies].find(([name]) => name.startsWith('__Host-login-')) ?? [];
  browser.put(elsewhere, value);
  expect((await browser.register()).status).toBe(200);
  const page = await browser.open(login.address({ client_id: other.clientId, prompt: 'none' }));
  expect(readErrorCode(leftTo(page))).toBe('login_required');
});
