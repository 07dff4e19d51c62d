// Code-based logins with `require_mfa`: two codes of different factor types in one browser form one login.
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt } from '../../support/fixtures/code-based.ts';
import { codeBasedPeople, useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { readForm } from '../../support/fixtures/hosted-login.ts';
import { newPerson, registerPasskey } from '../../support/fixtures/passkeys.ts';
import type { Person } from '../../support/fixtures/people.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { type TokenResponse, tokensBy, verifyToken } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
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
const byLink = async (browser: BrowserJar, person: Person) =>
  cameBack(await (await continuePage(browser, person)).submit({}));

async function idTokenFor(code: string | undefined) {
  const { status, body } = await sectionC.exchange(code ?? '');
  if (status !== 200) throw new Error(`not exchanged: ${JSON.stringify(body)}`);
  return (await verifyToken(server, body.id_token, server.environment.client_id)).payload;
}

describe('code-based login with two factors', () => {
  test('after a login with an email code and an SMS code, the tokens name both login methods', async () => {
    const person = await newUser();
    const browser = newBrowser();
    expect(await byEmail(browser, person)).toEqual(secondFactor('sms'));
    const [session] = await listSessions(person);
    expect(session).toMatchObject({ methods: [{ method: 'eotp' }], families: [] });

    const { code, ...rest } = await bySms(browser, person);
    expect(rest).toEqual({});
    const { status, body } = await sectionC.exchange(code ?? '');
    expect([status, body.session_id]).toEqual([200, session?.sessionId]);
    const id = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(id.payload).toMatchObject({ sub: person.user_id, amr: ['eotp', 'sms', 'mfa'], acr: 'mfa' });
    const access = await verifyToken(server, body.access_token, server.environment.issuer);
    expect(access.payload).toMatchObject({ acr: 'mfa' });
    expect(await listSessions(person)).toMatchObject([{ methods: [{ method: 'eotp' }, { method: 'sms' }] }]);
  });

  test('the cookies of a code-based login are bound to the host and hidden from scripts', async () => {
    const person = await newUser();
    const answer = await newBrowser().request(await sectionC.resultByEmail(person.email, { require_mfa }));
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0]).sort()).toEqual(['__Host-browser', loginCookie()]);
    for (const cookie of cookies)
      expect(cookie).toMatch(/^[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    const [, secret = ''] =
      cookies.find((cookie) => cookie.startsWith(loginCookie()))?.match(/\.([\w-]{43});/) ?? [];
    expect(secret).not.toBe('');
    expect(await dumpTable('flows')).not.toContain(secret);
  });

  test('an emailed link can be the second factor after an SMS code', async () => {
    const person = await newUser();
    const browser = newBrowser();
    expect(await bySms(browser, person)).toEqual(secondFactor('email,email-otp'));
    const { code } = await byLink(browser, person);
    expect(await idTokenFor(code)).toMatchObject({ amr: ['sms', 'eml', 'mfa'], acr: 'mfa' });
  });

  test('two codes of the same factor type count as one factor', async () => {
    const person = await newUser();
    const browser = newBrowser();
    expect(await byEmail(browser, person)).toEqual(secondFactor('sms'));
    const held = [browser.cookies.get(loginCookie())];
    for (const way of [byLink, byEmail]) {
      expect(await way(browser, person)).toEqual(secondFactor('sms'));
      held.push(browser.cookies.get(loginCookie()));
    }
    // Each factor replaces the secret in the login cookie.
    expect(new Set(held).size).toBe(3);
    expect(await listSessions(person)).toHaveLength(1);
    expect(await idTokenFor((await bySms(browser, person)).code)).toMatchObject({ acr: 'mfa' });
  });

  test('after a login with both factors, the next login in the same browser needs only one code', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    await bySms(browser, person);
    expect(await idTokenFor((await byEmail(browser, person)).code)).toMatchObject({ acr: 'mfa' });
  });

  test('two codes yield only one-factor tokens if the second send request omits require_mfa', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    const { code } = await bySms(browser, person, {});
    const id = await idTokenFor(code);
    expect(id.amr).toEqual(['sms']);
    expect(id).not.toHaveProperty('acr');
  });
});

describe('second factors that users can choose during a login', () => {
  test('a login offers only those second factors that the application has enabled', async () => {
    const person = await newUser();
    await withApplication(server, { loginPreferences: { sms: {}, email: {} } }, async () => {
      expect(await bySms(newBrowser(), person)).toEqual(secondFactor('email-otp'));
    });
    await withApplication(server, { loginPreferences: { sms: {}, link: {} } }, async () => {
      expect(await bySms(newBrowser(), person)).toEqual(secondFactor('email'));
    });
  });

  test('a login that requires MFA is rejected if the user has no second factor', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const browser = newBrowser();
    const withoutPhone = { email, phone_number: '', user_id };
    const denied = {
      error: 'access_denied',
      error_description: 'A second factor is required, and the user has none',
    };
    expect(await byEmail(browser, withoutPhone)).toEqual(denied);
    expect([...browser.cookies]).toEqual([]);
    expect(await listSessions(withoutPhone)).toEqual([]);
  });

  test('a sign-up with only an email code is rejected and creates no user if MFA is required', async () => {
    const email = newEmail();
    const browser = newBrowser();
    const result = await sectionC.resultByEmail(email, { require_mfa, create_new_user: true });
    expect(cameBack(await browser.open(result))).toMatchObject({ error: 'access_denied' });
    const code = new URL(result).searchParams.get('code') ?? '';
    expect((await sectionC.exchange(code)).status).toBe(400);
    expect((await sectionC.get(`/v1/users/email/${email}`)).status).toBe(404);
  });

  test('a login that requires MFA is rejected for a disabled user', async () => {
    const person = await newUser();
    const result = await sectionC.resultByEmail(person.email, { require_mfa });
    await sectionC.put(`/v1/users/${person.user_id}`, { status: 'Disabled' });
    expect(cameBack(await newBrowser().open(result))).toEqual({
      error: 'access_denied',
      error_description: 'User is not active',
    });
    await sectionC.put(`/v1/users/${person.user_id}`, { status: 'Active', email: newEmail() });
    expect(cameBack(await newBrowser().open(result))).toMatchObject({ error: 'access_denied' });
  });
});

describe('code-based login with only the first of two factors', () => {
  test('an authorization code from a login with only the first of two required factors yields no tokens', async () => {
    const person = await newUser();
    const result = await sectionC.resultByEmail(person.email, { require_mfa });
    const code = new URL(result).searchParams.get('code') ?? '';
    expect((await sectionC.exchange(code)).status).toBe(400);
    expect(cameBack(await newBrowser().open(result))).toEqual(secondFactor('sms'));
    expect((await sectionC.exchange(code)).status).toBe(400);
    await sectionC.sendLink({ email: person.email, require_mfa });
    const link = new URL(await server.linkTo(person.email)).searchParams.get('code') ?? '';
    expect((await sectionC.exchange(link)).status).toBe(400);
  });

  test('a second factor used in another browser counts as the first factor in that browser', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    expect(await bySms(newBrowser(), person)).toEqual(secondFactor('email,email-otp'));
    expect(await bySms(browser, person)).toEqual({ code: expect.any(String) });
  });

  test('factors of two different users do not combine into a two-factor login', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const browser = newBrowser();
    await byEmail(browser, one);
    const held = browser.cookies.get(loginCookie());
    expect(await bySms(browser, other)).toEqual(secondFactor('email,email-otp'));
    expect(browser.cookies.get(loginCookie())).not.toBe(held);
  });

  test('a login cookie with a wrong secret does not count as a factor', async () => {
    const person = await newUser();
    const browser = newBrowser();
    await byEmail(browser, person);
    const cookie = browser.cookies.get(loginCookie()) ?? '';
    const [sessionId] = cookie.split(/\.(?=[^.]+$)/);
    const resume = async (value: string) => {
      const result = await sectionC.resultBySms(person.phone_number, { require_mfa });
      const headers = { cookie: `${loginCookie()}=${value}` };
      const answer = await fetch(result, { redirect: 'manual', headers });
      return new URL(answer.headers.get('location') ?? '').searchParams.get('error');
    };
    expect(await resume(`${sessionId}.${'A'.repeat(43)}`)).toBe('mfa_required');
    expect(await resume(`${sessionId}`)).toBe('mfa_required');
    const { sessions } = await server.ports(['sessions']);
    await sessions.endAllOf(person.user_id, now());
    expect(await resume(cookie)).toBe('mfa_required');
  });

  test('the result URL of a first factor can be opened only once', async () => {
    const person = await newUser();
    const result = await sectionC.resultByEmail(person.email, { require_mfa });
    const browser = newBrowser();
    await browser.open(result);
    for (const again of [browser, newBrowser()]) {
      const page = await again.open(result);
      expect([page.status, page.left]).toEqual([400, undefined]);
    }
    expect(await listSessions(person)).toHaveLength(1);
  });
});

describe('address that is first verified by a code-based login', () => {
  test.each([
    ['a passcode', byEmail, 'eotp'],
    ['a link', byLink, 'eml'],
  ])(
    "even in a two-factor login, verifying an address by %s supersedes the account's other credentials",
    async (_way, way, method) => {
      const person = await newUser();
      const { body: former } = await sectionC.exchange(
        await codeAt(await sectionC.resultByEmail(person.email)),
      );
      const next = { ...person, email: newEmail() };
      const change = { email: next.email, end_sessions: false };
      expect((await server.put(`/v1/users/${person.user_id}`, change, sectionC.bearer())).status).toBe(200);
      expect(await listSessions(person)).toMatchObject([{ sessionId: former.session_id }]);

      const browser = newBrowser();
      expect(await way(browser, next)).toEqual(secondFactor('sms'));
      expect(await listSessions(person)).toMatchObject([{ methods: [{ method }], families: [] }]);
      expect(await readVerified(person)).toEqual({ email: true, phone: false });
      // Using the superseded phone number as the second factor of this login reinstates the number.
      expect((await sectionC.exchange((await bySms(browser, next)).code ?? '')).status).toBe(200);
      expect(await readVerified(person)).toEqual({ email: true, phone: true });
    },
  );

  test('verifying a new address in another browser invalidates the first factor of an unfinished login', async () => {
    const person = await newUser();
    const browser = newBrowser();
    expect(await bySms(browser, person)).toEqual(secondFactor('email,email-otp'));
    const next = { ...person, email: newEmail() };
    const change = { email: next.email, end_sessions: false };
    expect((await server.put(`/v1/users/${person.user_id}`, change, sectionC.bearer())).status).toBe(200);
    expect(await byEmail(newBrowser(), next)).toEqual(secondFactor('sms'));
    expect(await byEmail(browser, next)).toMatchObject({ error: 'access_denied' });
  });

  test.each([
    ['is a second factor besides an email code', false, 'mfa'],
    ['is not a second factor if the account has a passkey', true, undefined],
  ])(
    'a phone number first verified by a code-based login without a second factor %s',
    async (_what, hasPasskey, acr) => {
      const phone_number = newPhoneNumber();
      const person = await newPerson(server, (_, fields) => createUser(server, { ...fields, phone_number }));
      if (hasPasskey) await registerPasskey(server, person);
      const { client_id, client_secret } = server.environment;
      const code = await codeAt(await sectionC.resultBySms(phone_number));
      const grant = { grant_type: 'authorization_code', code, client_id, client_secret };
      const { body } = await server.form<TokenResponse>('/oidc/token', grant);
      const { id_token } = await tokensBy(server, 'email', person.email, { session_id: body.session_id });
      expect((await verifyToken(server, id_token, client_id)).payload.acr).toBe(acr);
    },
  );
});

describe('Continue page that an emailed link opens', () => {
  test('opening an emailed link changes nothing until the user submits the Continue page', async () => {
    const person = await newUser();
    const browser = newBrowser();
    server.resetMetrics();
    const page = await continuePage(browser, person);
    expect([page.status, page.left]).toEqual([200, undefined]);
    expect(page.html).not.toContain(`${sectionC.redirectUri()}?code=`);
    const policy = page.response.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    const calls = JSON.stringify(server.metrics().openCodeBasedLink);
    expect(calls).not.toMatch(/PutItem|UpdateItem|DeleteItem/);
    expect([...browser.cookies.keys()]).toEqual(['__Host-browser']);
    const head = await browser.request(page.response.url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(cameBack(await page.submit({}))).toEqual(secondFactor('sms'));
  });

  test('the Continue page cannot be submitted from another browser or site', async () => {
    const person = await newUser();
    const browser = newBrowser();
    const page = await continuePage(browser, person);
    const { csrf } = readForm(page);
    const post = (jar: BrowserJar, fields: Record<string, string>) =>
      jar.open(page.response.url, { method: 'POST', body: new URLSearchParams(fields) });
    const other = newBrowser();
    await other.open(page.response.url);
    for (const [jar, fields] of [
      [other, { csrf }],
      [newBrowser(), { csrf }],
      [browser, {}],
      [browser, { csrf: `${csrf.slice(0, -1)}x` }],
    ] as const) {
      const refused = await post(jar, { ...fields });
      expect([refused.status, refused.left]).toEqual([400, undefined]);
    }
    expect(await listSessions(person)).toEqual([]);
    expect(cameBack(await post(browser, { csrf }))).toEqual(secondFactor('sms'));
  });

  test('submitting the Continue page twice redirects to the application with an error', async () => {
    const person = await newUser();
    const browser = newBrowser();
    const page = await continuePage(browser, person);
    await page.submit({});
    expect(cameBack(await page.submit({}))).toMatchObject({ error: 'invalid_link' });
    expect(await listSessions(person)).toHaveLength(1);
  });
});

async function readVerified({ user_id }: Pick<Person, 'user_id'>) {
  const { email, phone_number } = await findUser(server, user_id);
  return { email: email?.email_verified, phone: phone_number?.phone_number_verified };
}
