import { describe, expect, test } from '@jest/globals';
import { LOGIN_TRANSACTION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  decodeClaims,
  inScript,
  leftTo,
  readForm,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { newPhoneNumber } from '../../support/fixtures/people.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });

async function readAmr(target: URL): Promise<unknown> {
  const { body } = await login.exchange(target);
  return decodeClaims(body.id_token).amr;
}

describe('entering addresses and codes on the hosted pages', () => {
  test('the email with a code is sent in the language of the login page', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const code = await login.toCode(jar, email, { ui_locales: 'fr' });
    const [mail] = await server.messages({ to: email });
    expect(mail?.html).toContain('lang="fr"');
    expect(await readAmr(leftTo(await code.submit({ passcode: await server.codeTo(email) })))).toEqual([
      'eotp',
    ]);
  });

  test('N130 the SMS with a code names the host of the login page', async () => {
    const { phone } = await someUser();
    const code = await login.toCode(login.browser(), phone, {}, 'sms');
    expect(readHeading(code)).toBe('Check your phone');
    const digits = await server.codeTo(phone);
    const [text] = await server.messages({ to: phone });
    expect(text?.text.split('\n').at(-1)).toBe(`@localhost #${digits}`);
    expect(await readAmr(leftTo(await code.submit({ passcode: digits })))).toEqual(['sms']);
  });

  test('the login page accepts a code with spaces, dashes or digits of other scripts', async () => {
    for (const typed of [
      (digits: string) => `  ${digits.slice(0, 3)} ${digits.slice(3)} `,
      (digits: string) => `${digits.slice(0, 3)}-${digits.slice(3)}`,
      (digits: string) => inScript(digits, '０'),
      (digits: string) => inScript(digits, '٠'),
      (digits: string) => inScript(digits, '०'),
      (digits: string) => `${digits.slice(0, 3)}–${digits.slice(3)}`,
      (digits: string) => `${digits.slice(0, 3)}.${digits.slice(3)}`,
      // The code may also be pasted with the text around it.
      (digits: string) => `${digits} is your code for Shop 2024. ${'Do not share it. '.repeat(9)}`,
      (digits: string) => `Shop 2024: ${digits}.`,
    ]) {
      const { email } = await someUser();
      const code = await login.toCode(login.browser(), email);
      leftTo(await code.submit({ passcode: typed(await server.codeTo(email)) }));
    }
  });

  test('the login page accepts an email address or phone number regardless of letter case, spaces and punctuation', async () => {
    const { email, phone } = await someUser();
    const byEmail = await login.toCode(login.browser(), `  ${email.toUpperCase()} `);
    leftTo(await byEmail.submit({ passcode: await server.codeTo(email) }));
    const spaced = phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-');
    const bySms = await login.toCode(login.browser(), spaced, {}, 'sms');
    leftTo(await bySms.submit({ passcode: await server.codeTo(phone) }));
  });

  test('pressing Enter after typing a phone number on the login page sends an SMS', async () => {
    await server.advanceClock(60);
    const phone = newPhoneNumber();
    const page = await login.browser().open(login.address({ createNewUser: 'true' }));
    const sent = await page.submit({ identifier: phone, method: 'email' });
    expect(sent.html).toContain('Check your phone');
    expect((await server.messages({ to: phone })).map(({ channel }) => channel)).toEqual(['sms']);
  });

  test('a login method that the application has not enabled is rejected', async () => {
    const { phone } = await someUser();
    await withApplication(server, { loginPreferences: { email: { digits: 8 } } }, async () => {
      const page = await login.browser().open(login.address());
      expect(page.html).not.toContain('value="sms"');
      expect(page.html).not.toContain('value="link"');
      const refused = await page.submit({ identifier: phone, method: 'sms' });
      expect(readPageError(refused)).toMatch(/isn’t available/);
      for (const method of ['direct', '', '__proto__', 'constructor'])
        expect(readPageError(await page.submit({ identifier: phone, method }))).toMatch(/isn’t available/);
      const { email } = await someUser();
      const code = await login.toCode(login.browser(), email);
      const digits = await server.codeTo(email);
      expect(digits).toMatch(/^\d{8}$/);
      leftTo(await code.submit({ passcode: digits }));
    });
  });

  test('if a user enters an invalid address, the login page keeps the address in the field and shows an error', async () => {
    const page = await login.browser().open(login.address());
    const wrong = await page.submit({ identifier: '"><b>unknown', method: 'email' });
    expect([wrong.status, readHeading(wrong)]).toEqual([200, 'Sign in to Demo']);
    expect(readPageError(wrong)).toMatch(/valid email address/);
    expect(wrong.html).toContain('value="&quot;&gt;&lt;b&gt;unknown"');
    expect(wrong.html).toContain('<title>Error: ');
  });

  test('N014 the response to a submitted login form is a 303 redirect to a GET request', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await jar.open(login.address());
    const { action, csrf } = readForm(page);
    const body = new URLSearchParams({ csrf, identifier: email, method: 'email' });
    const answer = await jar.request(action, { method: 'POST', body });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      new URL(action, server.url.replace('127.0.0.1', 'localhost')).href,
    );
    expect((await server.messages({ to: email })).length).toBe(1);
  });

  test('N015 N016 login pages forbid caching and framing and send no referrer', async () => {
    const { email, phone } = await someUser();
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
    // The page shows the address that was typed in this browser, but not the user's phone number.
    expect(code.html).toContain(email);
    expect(code.html).not.toContain(phone);
    const target = leftTo(await code.submit({ passcode: await server.codeTo(email) }));
    expect(target.searchParams.get('code')).toBeTruthy();
  });
});

describe('changing the address or the method in a hosted login', () => {
  test('going back and typing another address invalidates the code', async () => {
    const [one, other] = [await someUser(), await someUser()];
    const jar = login.browser();
    const first = await login.toCode(jar, one.email);
    const digits = await server.codeTo(one.email);
    const identify = await first.submit({}, '/change');
    expect(readHeading(identify)).toBe('Sign in to Demo');
    const second = await identify.submit({ identifier: other.email, method: 'email' });
    if (digits !== (await server.codeTo(other.email)))
      expect(readPageError(await first.submit({ passcode: digits }))).toMatch(/isn’t right/);
    const target = leftTo(await second.submit({ passcode: await server.codeTo(other.email) }));
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token).sub).toBe(other.userId);
  });

  test('a second factor cannot have the same type as the first factor', async () => {
    const { email, phone } = await someUser();
    const jar = login.browser();
    const second = await login.afterCode(jar, phone, { acr_values: 'mfa' }, 'sms');
    expect(second.html).toContain('value="email"');
    expect(readPageError(await second.submit({ method: 'sms' }))).toMatch(/isn’t available/);
    const sent = await second.submit({ method: 'link' });
    expect(sent.html).toContain('We sent a link');
    const back = await sent.submit({}, '/change');
    expect(readHeading(back)).toBe('Confirm it’s you');
    const mailed = await back.submit({ method: 'email' });
    const target = leftTo(await mailed.submit({ passcode: await server.codeTo(email) }));
    expect(await readAmr(target)).toEqual(['sms', 'eotp', 'mfa']);
  });

  test("in a two-factor login, a user cannot choose another user's phone number as the second factor", async () => {
    const [one, other] = [await someUser(), await someUser()];
    const jar = login.browser();
    const code = await login.toCode(jar, one.email, { acr_values: 'mfa' });
    const identify = await jar.open(login.address());
    const second = await code.submit({ passcode: await server.codeTo(one.email) });
    // Submits another user's phone number, as the first page of the login does, to the page of the second factor.
    const [, action = ''] = /action="([^"]*)\/second"/.exec(second.html) ?? [];
    const { csrf } = readForm(second);
    const body = new URLSearchParams({ csrf, identifier: other.phone, method: 'sms' });
    const refused = await jar.open(action, { method: 'POST', body });
    expect(readPageError(refused)).toMatch(/isn’t available/);
    expect(await server.messages({ to: other.phone })).toEqual([]);
    expect(identify.status).toBe(200);
  });
});

describe('protection of a hosted login against other browsers', () => {
  async function begun() {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await jar.open(login.address());
    const { action, csrf } = readForm(page);
    return { email, jar, action, csrf };
  }

  test('a login form must contain the CSRF token of its login and browser', async () => {
    const { email, jar, action } = await begun();
    const other = await begun();
    const [second] = [await jar.open(login.address())];
    const { csrf: sameBrowser } = readForm(second);
    for (const csrf of [undefined, '', 'x', other.csrf, sameBrowser]) {
      const body = new URLSearchParams({
        identifier: email,
        method: 'email',
        ...(csrf === undefined ? {} : { csrf }),
      });
      const page = await jar.open(action, { method: 'POST', body });
      expect([page.status, page.left]).toEqual([200, undefined]);
      expect(readPageError(page)).toBe('This page was open for too long. Please try again.');
    }
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('the URL of a login page returns 404 in a browser that did not begin the login', async () => {
    const { email, action, csrf } = await begun();
    const { jar: foreign } = await begun();
    for (const jar of [foreign, login.browser()]) {
      const body = new URLSearchParams({ identifier: email, method: 'email', csrf });
      const page = await jar.open(action, { method: 'POST', body });
      expect([page.status, page.left]).toEqual([404, undefined]);
      expect((await jar.open(action)).status).toBe(404);
    }
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('a browser without cookies gets a page that explains that the login needs cookies', async () => {
    const { action } = await begun();
    const page = await login.browser().open(action);
    expect([page.status, readHeading(page)]).toEqual([404, 'Cookies are needed']);
  });

  test.each(['/login/unknown', '/login/unknown/passcode', `/login/${'x'.repeat(64)}`])(
    'a login page with the unknown path %s returns 404',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        if (method === 'GET' && path.endsWith('/passcode')) continue;
        const body = method === 'POST' ? new URLSearchParams({ csrf: 'x' }) : null;
        const page = await login.browser().open(path, { method, body });
        expect([page.status, page.left]).toEqual([404, undefined]);
      }
    },
  );

  test('a form that does not belong to the current page of the login is rejected', async () => {
    const { email, jar, action, csrf } = await begun();
    for (const act of ['nothing', '__proto__', 'constructor', 'toString']) {
      const body = new URLSearchParams({ csrf });
      expect((await jar.open(`${action}/${act}`, { method: 'POST', body })).status).toBe(404);
    }
    const expectPage = async (place: typeof action, token: typeof csrf, acts: string, heading: string) => {
      for (const act of acts.split(' ')) {
        const body = new URLSearchParams({ csrf: token });
        const page = await jar.open(`${place}/${act}`, { method: 'POST', body });
        expect([act, page.status, readHeading(page)]).toEqual([act, 200, heading]);
      }
    };
    const onFirst = 'second phone email resend change passcode link continue later allow stop lost recover';
    await expectPage(action, csrf, onFirst, 'Sign in to Demo');
    const factor = readForm(await login.afterCode(jar, email, { acr_values: 'mfa' }));
    await expectPage(
      factor.action.replace('/second', ''),
      factor.csrf,
      'phone resend allow stop',
      'Confirm it’s you',
    );
  });

  test('a login replaces a cookie planted by an attacker (session fixation)', async () => {
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
    expect(target.searchParams.get('error')).toBe('login_required');
  });

  test('the cookies of a hosted login are bound to the login host and hidden from scripts', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const first = await jar.request(login.address());
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-browser=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
      ),
    ]);
    const done = await login.afterCode(jar, email);
    expect(done.response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-login-[\w-]+=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
      ),
    ]);
    expect(LOGIN_TRANSACTION_SECONDS).toBe(1800);
    expect(answerIn(leftTo(done)).error).toBeUndefined();
  });
});
