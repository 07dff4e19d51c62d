// The attacker has copied a user's login cookie. Then the user verifies another factor, or logs in again, in their own browser.
import { describe, expect, test } from '@jest/globals';
import { readCode, readErrorCode, useAuthorization } from '../support/fixtures/authorization.ts';
import { codeBased } from '../support/fixtures/code-based.ts';
import { decodeClaims, leftTo, readForm } from '../support/fixtures/hosted-login.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { logInBy } from '../support/fixtures/tokens.ts';
import { atOnce } from '../support/server/at-once.ts';
import { refresh } from '../support/tools/authorized.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';

const { server, login, loggedIn, ask, exchangeTokens } = useAuthorization();

const mfa = { acr_values: 'mfa' };
const quietly = { prompt: 'none' };
const cookieName = () => `__Host-login-${server.environment.tenant_id}`;

/** Returns another browser with a copy of the login cookie. */
function createThief(jar: BrowserJar): BrowserJar {
  const thief = login.browser();
  thief.put(cookieName(), jar.cookies.get(cookieName()) ?? '');
  return thief;
}

/** Opens an authorization request that requires two factors, and requests an SMS code as the second factor. */
async function toText(jar: BrowserJar, change: Readonly<Record<string, string>> = mfa) {
  return (await ask(jar, change)).submit({ method: 'sms' });
}

async function stepUp(jar: BrowserJar, phone: string): Promise<URL> {
  return leftTo(await (await toText(jar)).submit({ passcode: await server.codeTo(phone) }));
}

const answerTo = async (jar: BrowserJar, change: Readonly<Record<string, string>> = {}) =>
  leftTo(await ask(jar, { ...quietly, ...change }));

describe('login cookie stolen before a step-up', () => {
  test('a login cookie stolen before a step-up yields no authorization code after the step-up', async () => {
    const { jar, phone, userId } = await loggedIn();
    const thief = createThief(jar);
    const { claims } = await exchangeTokens(await stepUp(jar, phone));
    expect(claims).toMatchObject({ sub: userId, acr: 'mfa' });

    for (const change of [{}, mfa])
      expect(readErrorCode(await answerTo(thief, change))).toBe('login_required');
    expect((await exchangeTokens(await answerTo(jar, mfa))).claims).toMatchObject({ acr: 'mfa' });
  });

  test('once the owner has completed a step-up, a thief cannot complete a step-up with the stolen login cookie', async () => {
    const { jar, phone } = await loggedIn();
    const thief = createThief(jar);
    const begun = await ask(thief, mfa);
    await stepUp(jar, phone);

    const { url } = begun.response;
    const shown = await thief.open(url);
    expect(shown.html).not.toContain('***');
    const { csrf } = readForm(begun);
    for (const form of ['continue', 'second', 'later']) {
      const body = new URLSearchParams({ csrf, method: 'sms' });
      const page = await thief.open(`${url}/${form}`, { method: 'POST', body });
      expect(page.left && readCode(page.left)).toBeFalsy();
    }
    expect((await exchangeTokens(await answerTo(jar, mfa))).claims).toMatchObject({ acr: 'mfa' });
  });

  test("an authorization code that a thief obtained before the owner's step-up yields only one-factor tokens", async () => {
    const { jar, phone } = await loggedIn();
    const stolen = await answerTo(createThief(jar));
    const own = await stepUp(jar, phone);

    const { claims } = await exchangeTokens(stolen);
    expect([claims.acr, claims.amr]).toEqual([undefined, ['eotp']]);
    expect((await exchangeTokens(own)).claims).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
  });
});

describe('login cookie stolen between the two passcodes of a code-based login', () => {
  const require_mfa = true;

  test('a login cookie stolen between two passcodes becomes invalid when the owner enters the second passcode', async () => {
    const { email, phone, userId } = await loggedIn();
    const sectionC = codeBased(server, await server.clientToken());
    const jar = login.browser();
    await jar.open(await sectionC.resultByEmail(email, { require_mfa }));
    const thief = createThief(jar);
    const { left } = await jar.open(await sectionC.resultBySms(phone, { require_mfa }));
    const { body } = await sectionC.exchange(left?.searchParams.get('code') ?? '');
    expect(decodeClaims(body.id_token)).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });

    for (const change of [{}, mfa])
      expect(readErrorCode(await answerTo(thief, change))).toBe('login_required');
    expect((await exchangeTokens(await answerTo(jar, mfa))).claims).toMatchObject({
      sub: userId,
      acr: 'mfa',
    });
  });
});

describe('authentication factor that a backend adds to a browser session', () => {
  test("a factor that a backend adds to a session is not valid for logins with the browser's login cookie", async () => {
    const { jar, phone, target } = await loggedIn();
    const { session_id } = await exchangeTokens(target);
    const lifted = await logInBy(server, 'sms', phone, { session_id });
    expect(lifted.status).toBe(200);
    expect(decodeClaims(lifted.body.access_token)).toMatchObject({ acr: 'mfa', sid: session_id });

    for (const browser of [jar, createThief(jar)]) {
      expect(readErrorCode(await answerTo(browser, mfa))).toBe('interaction_required');
      expect((await exchangeTokens(await answerTo(browser))).claims.acr).toBeUndefined();
    }
    const again = await server.post<{ access_token: string }>(
      '/v1/auth/session/authenticate',
      { session_id },
      { token: await server.clientToken() },
    );
    expect(decodeClaims(again.body.access_token)).toMatchObject({ acr: 'mfa' });
    // The browser's session gains the second factor only when the user enters the code in the browser.
    expect((await exchangeTokens(await stepUp(jar, phone))).claims).toMatchObject({ acr: 'mfa' });
    expect((await exchangeTokens(await answerTo(jar, mfa))).claims).toMatchObject({ acr: 'mfa' });
  });
});

describe('login cookie stolen before another login in the same browser', () => {
  const again = (email: string, jar: BrowserJar, change: Readonly<Record<string, string>>) =>
    login.logIn(jar, email, change);

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
  ])('a stolen login cookie becomes invalid after the owner logs in with %s', async (_, change) => {
    const { jar, email, userId, target } = await loggedIn();
    await exchangeTokens(target);
    const kept = await exchangeTokens(
      leftTo(await ask(jar, { prompt: 'consent', scope: 'openid offline_access' })),
    );
    const thief = createThief(jar);
    expect((await exchangeTokens(await again(email, jar, change))).claims.sub).toBe(userId);

    expect(readErrorCode(await answerTo(thief))).toBe('login_required');
    expect((await exchangeTokens(await answerTo(jar))).claims.sub).toBe(userId);
    expect((await refresh(server, kept.refresh_token)).status).toBe(200);
    expect((await server.get('/oidc/me', { token: kept.access_token })).status).toBe(200);
  });

  test('a stolen login cookie becomes invalid when another user logs in with the same browser', async () => {
    const { jar } = await loggedIn();
    const other = await loggedIn();
    const thief = createThief(jar);
    await login.logIn(jar, other.email, { prompt: 'login' });

    expect(readErrorCode(await answerTo(thief))).toBe('login_required');
    expect((await exchangeTokens(await answerTo(jar))).claims.sub).toBe(other.userId);
  });

  test("logging in with a forged cookie of the victim's session does not end the victim's session", async () => {
    const { jar, userId } = await loggedIn();
    const thief = login.browser();
    const [sessionId = ''] = (jar.cookies.get(cookieName()) ?? '').split(/\.(?=[^.]*$)/);
    thief.put(cookieName(), `${sessionId}.${'x'.repeat(43)}`);
    const other = await loggedIn();
    await login.logIn(thief, other.email, { prompt: 'login' });
    expect((await exchangeTokens(await answerTo(jar))).claims.sub).toBe(userId);
  });
});

describe('concurrent login requests from one browser', () => {
  test('submitting the passcode of a step-up twice concurrently yields only one authorization code', async () => {
    const { jar, phone } = await loggedIn();
    const page = await toText(jar);
    const passcode = await server.codeTo(phone);
    const twin = createThief(jar);
    for (const [name, value] of jar.cookies) twin.put(name, value);
    const ended = await atOnce(2, (turn) =>
      (turn === 0 ? jar : twin).open(page.response.url).then((shown) => shown.submit({ passcode })),
    );
    const codes = ended.filter(({ left }) => left && readCode(left));
    expect(codes).toHaveLength(1);
    const alive = [];
    for (const each of [jar, twin]) if (readCode(await answerTo(each)) !== null) alive.push(each);
    expect(alive).toHaveLength(1);
  });

  test('a user whose browser lost the response to a step-up can log in again and repeat the step-up', async () => {
    const { jar, email, phone, userId } = await loggedIn();
    const before = new Map(jar.cookies);
    await stepUp(jar, phone);
    for (const [name, value] of before) jar.put(name, value);
    expect(readErrorCode(await answerTo(jar))).toBe('login_required');
    expect((await exchangeTokens(await login.logIn(jar, email))).claims.sub).toBe(userId);
    expect((await exchangeTokens(await stepUp(jar, phone))).claims).toMatchObject({ acr: 'mfa' });
  });
});

describe('refresh token of a login with only one factor', () => {
  const offline = { prompt: 'consent', scope: 'openid offline_access' };

  test('after a step-up at another application, a one-factor refresh token still yields only one-factor tokens', async () => {
    const { jar, phone } = await loggedIn();
    const { application: _, ...other } = await storeApplication(server);
    const asked = { ...offline, client_id: other.clientId };
    const before = await exchangeTokens(leftTo(await ask(jar, asked)), {}, other);
    expect(before.claims.acr).toBeUndefined();
    await server.advanceClock(60);
    const lifted = await exchangeTokens(await stepUp(jar, phone));

    const { body: after } = await refresh(server, before.refresh_token, {}, other);
    for (const token of [after.id_token, after.access_token]) {
      const claims = decodeClaims(token);
      expect([claims.acr, claims.amr, claims.auth_time]).toEqual([
        undefined,
        ['eotp'],
        before.claims.auth_time,
      ]);
    }
    // Tokens of requests after the step-up have both factors, at both applications.
    const own = await exchangeTokens(leftTo(await ask(jar, offline)));
    const { body: refreshed } = await refresh(server, own.refresh_token);
    expect(decodeClaims(refreshed.id_token)).toMatchObject({
      acr: 'mfa',
      amr: ['eotp', 'sms', 'mfa'],
      auth_time: lifted.claims.auth_time,
    });
    const there = await exchangeTokens(leftTo(await ask(jar, asked)), {}, other);
    expect(there.claims).toMatchObject({ acr: 'mfa' });
  });
});

describe('login factor that is older than max_age', () => {
  test('an authentication factor older than max_age is ignored until the user logs in with the factor again', async () => {
    const { jar, email, phone } = await loggedIn();
    await server.advanceClock(3600);
    const lifted = await exchangeTokens(await stepUp(jar, phone));
    expect(lifted.claims).toMatchObject({ acr: 'mfa' });

    const fresh = { max_age: '600' };
    expect(readErrorCode(await answerTo(jar, { ...mfa, ...fresh }))).toBe('interaction_required');
    const { claims } = await exchangeTokens(await answerTo(jar, fresh));
    expect([claims.acr, claims.amr]).toEqual([undefined, ['sms']]);

    const page = await (await ask(jar, { ...mfa, ...fresh })).submit({ method: 'email' });
    const again = await exchangeTokens(leftTo(await page.submit({ passcode: await server.codeTo(email) })));
    expect(again.claims).toMatchObject({ acr: 'mfa', amr: ['sms', 'eotp', 'mfa'] });
    expect((await exchangeTokens(await answerTo(jar, { ...mfa, ...fresh }))).claims.acr).toBe('mfa');
  });
});
