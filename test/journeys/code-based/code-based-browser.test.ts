// Code-based logins (section C of the API) in a browser in which another user, or only the first factor, is logged in.
import { describe, expect, test } from '@jest/globals';
import { buildLoginCookieValue } from '../../../shared/domain/basis/browser.ts';
import { newBrowserSession } from '../../../shared/domain/sessions/browser-session.ts';
import { FIRST_GENERATION } from '../../../shared/domain/trust/generations.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeBasedPeople, useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { readForm } from '../../support/fixtures/hosted-login.ts';
import { someUse } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeClient } from '../../support/tools/authorized.ts';
import type { BrowserJar } from '../../support/tools/browser-jar.ts';

const server = useTestServer();
const sectionC = useCodeBased(server);

const require_mfa = true;
const now = () => Math.floor(Date.now() / 1000);
const people = codeBasedPeople(server, sectionC);
const {
  newBrowser,
  loginCookie,
  newUser,
  cameBack,
  byEmail,
  bySms,
  continuePage,
  secondFactor,
  listSessions,
} = people;

describe('code-based login in a browser in which another user is logged in', () => {
  /** Returns a browser with a single sign-on session of a new user. */
  async function loggedIn() {
    const person = await newUser();
    const { sessions } = await server.ports(['sessions']);
    const { tenant_id: tenantId, app_id: applicationId, client_id: clientId } = server.environment;
    const methods = [someUse({ at: now() })];
    const of = { tenantId, applicationId, clientId };
    const owner = { userId: person.user_id, ...of, methods, generation: FIRST_GENERATION };
    const { session, secret } = newBrowserSession(owner, {}, now());
    await sessions.start(session);
    const browser = newBrowser();
    browser.put(loginCookie(), buildLoginCookieValue(session.sessionId, secret));
    return { person, browser, held: browser.cookies.get(loginCookie()) };
  }

  const masked = (email: string) => `${email[0]}•••@${email.split('@')[1]?.[0]}•••`;

  test("a code-based login replaces another user's session only after the user has confirmed this", async () => {
    const { person, browser, held } = await loggedIn();
    const stranger = await newUser();
    const result = await sectionC.resultByEmail(stranger.email, { require_mfa });
    for (let opened = 0; opened < 2; opened += 1) {
      const page = await browser.open(result);
      expect([page.status, page.left]).toEqual([200, undefined]);
      expect(page.html).toContain(masked(person.email));
      expect(page.html).toContain(masked(stranger.email));
      expect(page.html).not.toContain(person.email);
      expect(browser.cookies.get(loginCookie())).toBe(held);
    }
    expect(await listSessions(stranger)).toEqual([]);

    const page = await browser.open(result);
    expect(cameBack(await page.submit({}))).toEqual(secondFactor('sms'));
    expect(browser.cookies.get(loginCookie())).toContain(stranger.user_id);
  });

  test('the Continue page of an emailed link shows the masked address of the user who is already logged in', async () => {
    const { person, browser } = await loggedIn();
    const stranger = await newUser();
    const page = await continuePage(browser, stranger);
    expect(page.html).toContain(masked(person.email));
    browser.put(loginCookie(), 'another');
    expect((await page.submit({})).status).toBe(400);
    expect(await listSessions(stranger)).toEqual([]);
  });

  test("another user's session is replaced only if the form contains the browser's CSRF token", async () => {
    const { browser, held } = await loggedIn();
    const stranger = await newUser();
    const result = await sectionC.resultByEmail(stranger.email, { require_mfa });
    const { csrf } = readForm(await browser.open(result));
    const post = (jar: BrowserJar, fields: Record<string, string>) =>
      jar.open(result, { method: 'POST', body: new URLSearchParams(fields) });
    for (const [jar, fields] of [
      [browser, {}],
      [browser, { csrf: 'x' }],
      [newBrowser(), { csrf }],
    ] as const)
      expect((await post(jar, { ...fields })).status).toBe(400);
    expect(browser.cookies.get(loginCookie())).toBe(held);
    expect(await listSessions(stranger)).toEqual([]);
  });
});

describe('login with only the first of two factors in a browser', () => {
  const authorize = (browser: BrowserJar, change: Record<string, string> = {}) => {
    const { base_url, client_id } = server.environment;
    const parameters = {
      client_id,
      redirect_uri: sectionC.redirectUri(),
      response_type: 'code',
      scope: 'openid',
      ...change,
    };
    return browser.open(`${base_url}/oidc/auth?${new URLSearchParams(parameters)}`);
  };

  test('a session with only one of two required factors gets no authorization code', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    expect(cameBack(await authorize(browser, { prompt: 'none' }))).toMatchObject({ error: 'login_required' });
    const silent = { prompt: 'none', max_age: '1000', acr_values: 'phone_number' };
    expect(cameBack(await authorize(browser, silent))).toMatchObject({ error: 'login_required' });
    expect((await authorize(browser)).html).toContain('name="identifier"');
    const hint = { prompt: 'none', acr_values: 'mfa' };
    expect(cameBack(await authorize(browser, hint))).toMatchObject({ error: 'interaction_required' });

    // Nor is a code issued if the client only prefers a second factor and the application offers no second factor.
    const { clientId: client_id } = await storeClient(server, { acrValues: 'prefer' });
    await withApplication(server, { loginPreferences: { email: {} } }, async () => {
      expect((await authorize(browser, { client_id, acr_values: 'mfa' })).html).toContain(
        'name="identifier"',
      );
    });

    await bySms(browser, person);
    expect(cameBack(await authorize(browser, { prompt: 'none' }))).toMatchObject({
      code: expect.any(String),
    });
  });

  test('in a login that requires two factors, the first factor expires after half an hour', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    await server.advanceClock(29 * 60);
    expect(await byEmail(browser, person)).toEqual(secondFactor('sms'));
    await server.advanceClock(31 * 60);
    await sectionC.connect();
    expect(await bySms(browser, person)).toEqual(secondFactor('email,email-otp'));
    await server.advanceClock(29 * 60);
    expect(await byEmail(browser, person)).toEqual({ code: expect.any(String) });
    await server.advanceClock(86_400);
    expect(cameBack(await authorize(browser, { prompt: 'none' }))).toMatchObject({
      code: expect.any(String),
    });
  });

  test('a session without a required second factor gets no tokens', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    const [session] = await listSessions(person);
    const ask = () => sectionC.post('/v1/auth/session/authenticate', { session_id: session?.sessionId });
    expect(await ask()).toMatchObject({ status: 400, body: { message: 'Session not found' } });
    await bySms(browser, person);
    expect((await ask()).status).toBe(200);
  });
});

describe('redirect URI removed from an application during a login', () => {
  test('no authorization code is sent to a redirect URI that was removed after the login had begun', async () => {
    const person = await newUser();
    const { email } = person;
    await sectionC.sendLink({ email });
    const link = await server.linkTo(email);
    await sectionC.sendLink({ email, require_mfa });
    const factor = await server.linkTo(email);
    const results = [
      await sectionC.resultByEmail(email),
      await sectionC.resultByEmail(email, { require_mfa }),
    ];
    await withApplication(server, { redirectUris: ['https://elsewhere.example/'] }, async () => {
      for (const address of [link, factor, ...results]) {
        const page = await newBrowser().open(address);
        expect([page.left, page.status]).toEqual([undefined, results.includes(address) ? 400 : 404]);
        expect(page.html).not.toContain(sectionC.redirectUri());
      }
      expect(await listSessions(person)).toEqual([]);
    });
    expect(cameBack(await newBrowser().open(link))).toMatchObject({ code: expect.any(String) });
  });
});
