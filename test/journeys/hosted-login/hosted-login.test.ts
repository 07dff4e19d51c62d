import { beforeAll, describe, expect, test } from '@jest/globals';
import { LOGIN_TRANSACTION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  claimsOf,
  type HostedLogin,
  hostedLogin,
  leftTo,
} from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const server = useTestServer({ rateLimits: 'off' });
let login: HostedLogin;

beforeAll(async () => {
  login = hostedLogin(server);
});

async function someUser(): Promise<{
  readonly email: string;
  readonly phone: string;
  readonly userId: string;
}> {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  const { user_id: userId } = await createUser(server, { email, phone_number: phone });
  return { email, phone, userId };
}

const errorOf = ({ html }: BrowserPage) => /role="alert">.*?<p>([^<]*)/s.exec(html)?.[1];
const headingOf = ({ html }: BrowserPage) => /<h1[^>]*>([^<]*)/.exec(html)?.[1];
const otherDigits = (digits: string) => digits.replace(/./g, (digit) => String((Number(digit) + 1) % 10));

async function amrOf(target: URL): Promise<unknown> {
  const { body } = await login.exchange(target);
  return claimsOf(body.id_token).amr;
}

describe('the hosted page logs in', () => {
  test('by a code in a mail, in the language of the page', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const code = await login.toCode(jar, email, { ui_locales: 'fr' });
    const [mail] = await server.messages({ to: email });
    expect(mail?.html).toContain('lang="fr"');
    expect(await amrOf(leftTo(await code.submit({ passcode: await login.digits(email) })))).toEqual(['eotp']);
  });

  test('by a code in a text message, bound to the host of the page (N130)', async () => {
    const { phone } = await someUser();
    const code = await login.toCode(login.browser(), phone, {}, 'sms');
    expect(headingOf(code)).toBe('Check your phone');
    const digits = await login.digits(phone);
    const [text] = await server.messages({ to: phone });
    expect(text?.text.split('\n').at(-1)).toBe(`@localhost #${digits}`);
    expect(await amrOf(leftTo(await code.submit({ passcode: digits })))).toEqual(['sms']);
  });

  test('however the code is typed', async () => {
    for (const typed of [
      (digits: string) => `  ${digits.slice(0, 3)} ${digits.slice(3)} `,
      (digits: string) => `${digits.slice(0, 3)}-${digits.slice(3)}`,
      (digits: string) => digits.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ]) {
      const { email } = await someUser();
      const code = await login.toCode(login.browser(), email);
      leftTo(await code.submit({ passcode: typed(await login.digits(email)) }));
    }
  });

  test('however the address is typed', async () => {
    const { email, phone } = await someUser();
    const byEmail = await login.toCode(login.browser(), `  ${email.toUpperCase()} `);
    leftTo(await byEmail.submit({ passcode: await login.digits(email) }));
    const spaced = phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-');
    const bySms = await login.toCode(login.browser(), spaced, {}, 'sms');
    leftTo(await bySms.submit({ passcode: await login.digits(phone) }));
  });

  test('offers what the application has configured, and refuses what it has not', async () => {
    const { phone } = await someUser();
    await withApplication(server, { loginPreferences: { email: { digits: 8 } } }, async () => {
      const page = await login.browser().open(login.address());
      expect(page.html).not.toContain('value="sms"');
      expect(page.html).not.toContain('value="link"');
      const refused = await page.submit({ identifier: phone, method: 'sms' });
      expect(errorOf(refused)).toMatch(/isn’t available/);
      for (const method of ['direct', '', '__proto__', 'constructor'])
        expect(errorOf(await page.submit({ identifier: phone, method }))).toMatch(/isn’t available/);
      const { email } = await someUser();
      const code = await login.toCode(login.browser(), email);
      const digits = await login.digits(email);
      expect(digits).toMatch(/^\d{8}$/);
      leftTo(await code.submit({ passcode: digits }));
    });
  });

  test('an address that can be none is told on the page, with what was typed', async () => {
    const page = await login.browser().open(login.address());
    const wrong = await page.submit({ identifier: '"><b>nobody', method: 'email' });
    expect([wrong.status, headingOf(wrong)]).toEqual([200, 'Sign in to Demo']);
    expect(errorOf(wrong)).toMatch(/valid email address/);
    expect(wrong.html).toContain('value="&quot;&gt;&lt;b&gt;nobody"');
    expect(wrong.html).toContain('<title>Error: ');
  });

  test('a form ends in 303 to a GET, so that a reload repeats nothing (N014)', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await jar.open(login.address());
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.html) ?? [];
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.html) ?? [];
    const body = new URLSearchParams({ csrf, identifier: email, method: 'email' });
    const answer = await jar.request(action, { method: 'POST', body });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      new URL(action, server.url.replace('127.0.0.1', 'localhost')).href,
    );
    expect((await server.messages({ to: email })).length).toBe(1);
  });

  test('every page keeps to itself what it knows (N015, N016)', async () => {
    const { email } = await someUser();
    const code = await login.toCode(login.browser(), email);
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-frame-options', 'DENY'],
      ['x-content-type-options', 'nosniff'],
    ] as const)
      expect(code.response.headers.get(name)).toBe(value);
    const policy = code.response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(code.html).not.toContain(email);
    const target = leftTo(await code.submit({ passcode: await login.digits(email) }));
    expect(target.searchParams.get('code')).toBeTruthy();
  });
});

describe('a mailed link', () => {
  test('asks for a click in the browser that asked for it, and logs in', async () => {
    const { email, userId } = await someUser();
    const jar = login.browser();
    const sent = await login.toCode(jar, email, {}, 'link');
    expect(headingOf(sent)).toBe('Check your email');
    const link = await login.link(email);
    // Programs open links, many times, with and without cookies.
    for (const method of ['HEAD', 'GET', 'GET']) await server.request(link, { method });
    const page = await jar.open(link);
    expect(page.left).toBeUndefined();
    const target = leftTo(await page.submit({}));
    const { body } = await login.exchange(target);
    expect(claimsOf(body.id_token)).toMatchObject({ sub: userId, amr: ['eml'], email_verified: true });
  });

  test('is good for nothing in another browser, which is told so', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.toCode(jar, email, {}, 'link');
    const link = await login.link(email);
    const other = login.browser();
    await other.open(login.address());
    for (const browser of [login.browser(), other]) {
      const page = await browser.open(link);
      expect([page.status, headingOf(page)]).toEqual([404, 'This sign-in belongs to another browser']);
      const forced = await browser.open(link.replace('?', '/link?'), {
        method: 'POST',
        body: new URLSearchParams({ csrf: 'x' }),
      });
      expect([forced.status, forced.left]).toEqual([404, undefined]);
    }
    leftTo(await (await jar.open(link)).submit({}));
  });

  test('works once, and not after another one was sent, nor when it is too old', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const sent = await login.toCode(jar, email, {}, 'link');
    const first = await login.link(email);
    await sent.submit({}, '/resend');
    const second = await login.link(email);
    expect(second).not.toBe(first);
    expect(errorOf(await (await jar.open(first)).submit({}))).toMatch(/expired/);
    const page = await jar.open(second);
    leftTo(await page.submit({}));
    const again = await page.submit({});
    expect([again.status, headingOf(again)]).toEqual([404, 'This sign-in has expired']);

    const late = login.browser();
    await login.toCode(late, email, {}, 'link');
    const third = await late.open(await login.link(email));
    await server.advanceClock(15 * 60);
    expect(errorOf(await third.submit({}))).toMatch(/expired/);
  });

  test('of two clicks at once one goes on', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.toCode(jar, email, {}, 'link');
    const page = await jar.open(await login.link(email));
    const pages = await atOnce(5, () => page.submit({}));
    expect(pages.filter(({ left }) => left?.searchParams.get('code'))).toHaveLength(1);
  });

  test('whose code is wrong is an expired one', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.toCode(jar, email, {}, 'link');
    const link = await login.link(email);
    const page = await jar.open(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`);
    expect(errorOf(await page.submit({}))).toMatch(/expired/);
  });
});

describe('digits', () => {
  test('that are wrong are told so, three times; then codes are locked for a while', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await login.toCode(jar, email);
    const digits = await login.digits(email);
    for (let tries = 0; tries < 3; tries += 1) {
      const wrong = await page.submit({ passcode: otherDigits(digits) });
      expect(errorOf(wrong)).toBe('That code isn’t right. Check it and try again.');
    }
    const locked = await page.submit({ passcode: digits });
    expect(errorOf(locked)).toBe('Too many wrong codes. Try again in 15 minutes.');
    await locked.submit({}, '/resend');
    const fresh = await login.digits(email);
    expect(errorOf(await page.submit({ passcode: fresh }))).toMatch(/^Too many wrong codes/);
    await server.advanceClock(15 * 60);
    const again = await (await login.toCode(login.browser(), email)).submit({
      passcode: await login.digits(email),
    });
    leftTo(again);
  });

  test('that are too old are told so; wrong ones stay wrong', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const digits = await login.digits(email);
    await server.advanceClock(5 * 60);
    expect(errorOf(await page.submit({ passcode: digits }))).toBe(
      'That code has expired. Ask for a new one.',
    );
    expect(errorOf(await page.submit({ passcode: otherDigits(digits) }))).toMatch(/isn’t right/);
    const fresh = await page.submit({}, '/resend');
    leftTo(await fresh.submit({ passcode: await login.digits(email) }));
  });

  test('of the message before are void', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const first = await login.digits(email);
    const again = await page.submit({}, '/resend');
    const second = await login.digits(email);
    if (first !== second) expect(errorOf(await again.submit({ passcode: first }))).toMatch(/isn’t right/);
    leftTo(await again.submit({ passcode: second }));
  });

  test('of another login, another door or nothing at all are wrong', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const token = await server.clientToken();
    const whom = { identifier_type: 'email', identifier: email };
    const direct = await server.post('/v1/auth/otp/send', { channel: 'direct', ...whom }, { token });
    expect(errorOf(await page.submit({ passcode: String(direct.body.code) }))).toMatch(/isn’t right/);

    const hosted = await login.toCode(login.browser(), email);
    const guess = { ...whom, passcode: await login.digits(email) };
    const atA4 = await server.post('/v1/auth/otp/authenticate', guess, { token });
    expect(atA4.body.error_code).toBe('auth_invalid_credentials');
    expect(errorOf(await hosted.submit({ passcode: '' }))).toMatch(/isn’t right/);
  });

  test('work for the address that is the user’s no longer neither by code nor by link', async () => {
    const { email, userId } = await someUser();
    const [byCode, byLink] = [login.browser(), login.browser()];
    const page = await login.toCode(byCode, email);
    const digits = await login.digits(email);
    await login.toCode(byLink, email, {}, 'link');
    const link = await login.link(email);
    const token = await server.clientToken();
    await server.put(`/v1/users/${userId}`, { email: newEmail() }, { token });
    expect(errorOf(await page.submit({ passcode: digits }))).toMatch(/isn’t right/);
    expect((await (await byLink.open(link)).submit({})).left).toBeUndefined();
  });

  test('used in two tabs at once log in once, and the other tab is told', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const passcode = await login.digits(email);
    const pages = await atOnce(8, () => page.submit({ passcode }));
    const done = pages.filter(({ left }) => left?.searchParams.get('code'));
    expect(done).toHaveLength(1);
    for (const other of pages.filter((each) => !done.includes(each)))
      expect([headingOf(other), 'Check your email']).toContain(headingOf(other));
    expect((await login.exchange(leftTo(done[0] as BrowserPage))).status).toBe(200);
  });

  /** Goes on where the page stands, as a person does; the address in the end. */
  async function insist(page: BrowserPage, email: string): Promise<URL> {
    let shown = await page.submit({ passcode: await login.digits(email) });
    for (let tries = 0; !shown.left && tries < 3; tries += 1) {
      if (shown.html.includes('/continue"')) shown = await shown.submit({}, '/continue');
      else {
        shown = await shown.submit({}, '/resend');
        shown = await shown.submit({ passcode: await login.digits(email) });
      }
    }
    return leftTo(shown);
  }

  test.each([
    ['counting the try', 'UpdateItem', 0],
    ['using the code up', 'UpdateItem', 1],
    ['noting the factor', 'UpdateItem', 2],
    ['ending the login', 'UpdateItem', 3],
    ['storing what it ends with', 'PutItem', 0],
  ])('where %s fails, the person can go on or the application is told', async (_, action, skip) => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const passcode = await login.digits(email);
    await server.faults.inject({ service: 'dynamodb', action, effect: 'error', code: 'Throttling', skip });
    const failed = await page.submit({ passcode });
    await server.faults.clear();
    if (action === 'PutItem') return expect(answerIn(leftTo(failed)).error).toBe('temporarily_unavailable');
    expect([failed.status, headingOf(failed)]).toEqual([503, 'Something went wrong']);
    const target = await insist(page, email);
    expect((await login.exchange(target)).status).toBe(200);
  });
});

describe('going back', () => {
  test('another address can be typed, and the first code is of no use any more', async () => {
    const [one, other] = [await someUser(), await someUser()];
    const jar = login.browser();
    const first = await login.toCode(jar, one.email);
    const digits = await login.digits(one.email);
    const identify = await first.submit({}, '/change');
    expect(headingOf(identify)).toBe('Sign in to Demo');
    const second = await identify.submit({ identifier: other.email, method: 'email' });
    if (digits !== (await login.digits(other.email)))
      expect(errorOf(await first.submit({ passcode: digits }))).toMatch(/isn’t right/);
    const target = leftTo(await second.submit({ passcode: await login.digits(other.email) }));
    const { body } = await login.exchange(target);
    expect(claimsOf(body.id_token).sub).toBe(other.userId);
  });

  test('another second factor can be chosen, but not one of the first kind', async () => {
    const { email, phone } = await someUser();
    const jar = login.browser();
    const code = await login.toCode(jar, phone, { acr_values: 'mfa' }, 'sms');
    const second = await code.submit({ passcode: await login.digits(phone) });
    expect(second.html).toContain('value="email"');
    expect(errorOf(await second.submit({ method: 'sms' }))).toMatch(/isn’t available/);
    const sent = await second.submit({ method: 'link' });
    expect(sent.html).toContain('We sent a link');
    const back = await sent.submit({}, '/change');
    expect(headingOf(back)).toBe('Confirm it’s you');
    const mailed = await back.submit({ method: 'email' });
    const target = leftTo(await mailed.submit({ passcode: await login.digits(email) }));
    expect(await amrOf(target)).toEqual(['sms', 'eotp', 'mfa']);
  });

  test('a first factor cannot be given once more as another person', async () => {
    const [one, other] = [await someUser(), await someUser()];
    const jar = login.browser();
    const code = await login.toCode(jar, one.email, { acr_values: 'mfa' });
    const identify = await jar.open(login.address());
    const second = await code.submit({ passcode: await login.digits(one.email) });
    // The form of the identify page, with the address of the login that has moved on.
    const [, action = ''] = /action="([^"]*)\/second"/.exec(second.html) ?? [];
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(second.html) ?? [];
    const body = new URLSearchParams({ csrf, identifier: other.phone, method: 'sms' });
    const refused = await jar.open(action, { method: 'POST', body });
    expect(errorOf(refused)).toMatch(/isn’t available/);
    expect(await server.messages({ to: other.phone })).toEqual([]);
    expect(identify.status).toBe(200);
  });
});

describe('a page of a login is only for the browser that began it', () => {
  async function begun() {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await jar.open(login.address());
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.html) ?? [];
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.html) ?? [];
    return { email, jar, action, csrf };
  }

  test('no form without the token of this login and this browser does anything (CSRF)', async () => {
    const { email, jar, action } = await begun();
    const other = await begun();
    const [second] = [await jar.open(login.address())];
    const [, sameBrowser = ''] = /name="csrf" value="([^"]*)"/.exec(second.html) ?? [];
    for (const csrf of [undefined, '', 'x', other.csrf, sameBrowser]) {
      const body = new URLSearchParams({
        identifier: email,
        method: 'email',
        ...(csrf === undefined ? {} : { csrf }),
      });
      const page = await jar.open(action, { method: 'POST', body });
      expect([page.status, page.left]).toEqual([200, undefined]);
      expect(errorOf(page)).toBe('This page was open for too long. Please try again.');
    }
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('another browser finds nothing there, with or without a token', async () => {
    const { email, action, csrf } = await begun();
    const { jar: stranger } = await begun();
    for (const jar of [stranger, login.browser()]) {
      const body = new URLSearchParams({ identifier: email, method: 'email', csrf });
      const page = await jar.open(action, { method: 'POST', body });
      expect([page.status, page.left]).toEqual([404, undefined]);
      expect((await jar.open(action)).status).toBe(404);
    }
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('a browser that keeps no cookies is told what it needs', async () => {
    const { action } = await begun();
    const page = await login.browser().open(action);
    expect([page.status, headingOf(page)]).toEqual([404, 'Cookies are needed']);
  });

  test.each(['/login/unknown', '/login/unknown/passcode', `/login/${'x'.repeat(64)}`])(
    '%s leads nowhere',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        if (method === 'GET' && path.endsWith('/passcode')) continue;
        const body = method === 'POST' ? new URLSearchParams({ csrf: 'x' }) : null;
        const page = await login.browser().open(path, { method, body });
        expect([page.status, page.left]).toEqual([404, undefined]);
      }
    },
  );

  test('what a form may do is named', async () => {
    const { jar, action, csrf } = await begun();
    for (const act of ['nothing', '__proto__', 'constructor', 'toString']) {
      const body = new URLSearchParams({ csrf });
      expect((await jar.open(`${action}/${act}`, { method: 'POST', body })).status).toBe(404);
    }
    for (const act of ['second', 'phone', 'resend', 'change', 'passcode', 'link', 'continue']) {
      const body = new URLSearchParams({ csrf });
      const page = await jar.open(`${action}/${act}`, { method: 'POST', body });
      expect([act, page.status, headingOf(page)]).toEqual([act, 200, 'Sign in to Demo']);
    }
  });

  test('cookies that somebody has prepared are no login, and each login makes a new one (session fixation)', async () => {
    const { email } = await someUser();
    const name = `__Host-login-${server.environment.tenant_id}`;
    const attacker = login.browser();
    const own = await someUser();
    await login.logIn(attacker, own.email);
    const prepared = attacker.cookies.get(name) ?? '';
    const victim = login.browser();
    victim.put(name, prepared);
    victim.put('__Host-browser', attacker.cookies.get('__Host-browser') ?? '');
    await login.logIn(victim, email, { prompt: 'login' });
    expect(victim.cookies.get(name)).not.toBe(prepared);
    const target = leftTo(await attacker.open(login.address({ prompt: 'none' })));
    const { body } = await login.exchange(target);
    expect(claimsOf(body.id_token).sub).toBe(own.userId);
  });

  test('cookies are of this host alone, and out of the reach of scripts', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const first = await jar.request(login.address());
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-browser=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
      ),
    ]);
    const code = await login.toCode(jar, email);
    const done = await code.submit({ passcode: await login.digits(email) });
    expect(done.response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-login-[\w-]+=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
      ),
    ]);
    expect(LOGIN_TRANSACTION_SECONDS).toBe(1800);
    expect(answerIn(leftTo(done)).error).toBeUndefined();
  });
});
