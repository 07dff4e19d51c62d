import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  decodeClaims,
  failTimes,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { changeUser, newEmail, useUpTries } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { atOnce } from '../../support/server/at-once.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });

describe('emailed links in the hosted login', () => {
  test('clicking an emailed link logs the user in if the browser is the one that requested the link', async () => {
    const { email, userId } = await someUser();
    const jar = login.browser();
    const sent = await login.toCode(jar, email, {}, 'link');
    expect(readHeading(sent)).toBe('Check your email');
    const link = await server.linkTo(email);
    const [message] = await server.messages({ to: email });
    expect(message?.html).toContain('Open it in the browser where you started.');
    // Mail scanners open links. This must not consume the link.
    for (const method of ['HEAD', 'GET', 'GET']) await server.request(link, { method });
    const page = await jar.open(link);
    expect(page.left).toBeUndefined();
    const target = leftTo(await page.submit({}));
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({ sub: userId, amr: ['eml'], email_verified: true });
  });

  test('an emailed link shows an error page if another browser opens the link', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.toCode(jar, email, {}, 'link');
    const link = await server.linkTo(email);
    const [mail] = await server.messages({ to: email });
    expect(mail?.text).toContain('Open it in the browser where you started.');
    const other = login.browser();
    await other.open(login.address());
    for (const browser of [login.browser(), other]) {
      const page = await browser.open(link);
      expect([page.status, readHeading(page)]).toEqual([404, 'This sign\u2011in belongs to another browser']);
      expect(page.html).toContain('Copy the link that brought you here, and open it there.');
      const forced = await browser.open(link.replace('?', '/link?'), {
        method: 'POST',
        body: new URLSearchParams({ csrf: 'x' }),
      });
      expect([forced.status, forced.left]).toEqual([404, undefined]);
    }
    leftTo(await (await jar.open(link)).submit({}));
  });

  test('an emailed login link can be used only once', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const sent = await login.toCode(jar, email, {}, 'link');
    const first = await server.linkTo(email);
    await sent.submit({}, '/resend');
    const second = await server.linkTo(email);
    expect(second).not.toBe(first);
    expect(readPageError(await (await jar.open(first)).submit({}))).toMatch(/expired/);
    const page = await jar.open(second);
    leftTo(await page.submit({}));
    const again = await page.submit({});
    expect([again.status, readHeading(again)]).toEqual([404, 'You’re signed in']);

    const late = login.browser();
    await login.toCode(late, email, {}, 'link');
    const third = await late.open(await server.linkTo(email));
    await server.advanceClock(15 * 60);
    expect(readPageError(await third.submit({}))).toMatch(/expired/);
  });

  test('a login link with a wrong code shows a page that says that the link has expired', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.toCode(jar, email, {}, 'link');
    const link = await server.linkTo(email);
    const page = await jar.open(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`);
    expect(readPageError(await page.submit({}))).toMatch(/expired/);
  });
});

describe('errors and limits for codes in the hosted login', () => {
  test('a user who has entered too many wrong codes cannot log in with a code for 15 minutes', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await login.toCode(jar, email);
    const digits = await server.codeTo(email);
    const pages = await useUpTries((passcode) => page.submit({ passcode }));
    const last = pages.pop();
    expect(pages.map(readPageError)).toEqual([
      'That code isn’t right. Check it and try again.',
      'That code isn’t right. You have one try left; after that, codes are locked for 15 minutes.',
    ]);
    const locked = await page.submit({ passcode: digits });
    for (const closed of [last ?? page, locked]) {
      expect(readPageError(closed)).toBe('Too many wrong codes. Try again in 15 minutes.');
      expect([readHeading(closed), closed.html.includes('name="passcode"')]).toEqual([
        'This code no longer works',
        false,
      ]);
    }
    await locked.submit({}, '/resend');
    expect(await server.messages({ to: email })).toHaveLength(1);
    const fresh = await server.codeTo(email);
    expect(readPageError(await page.submit({ passcode: fresh }))).toMatch(/^Too many wrong codes/);
    await server.advanceClock(15 * 60);
    const again = await (await login.toCode(login.browser(), email)).submit({
      passcode: await server.codeTo(email),
    });
    leftTo(again);
  });

  test('a login is warned before wrong codes lock it, and stays locked when reloaded, for unknown addresses too', async () => {
    const { email } = await someUser();
    for (const address of [email, newEmail()]) {
      const jar = login.browser();
      const page = await login.toCode(jar, address);
      const sent = (await server.messages({ to: address })).length;
      const wrong = await useUpTries((passcode) => page.submit({ passcode }));
      expect(wrong.map(readPageError)[1]).toContain('You have one try left');
      const reloaded = await jar.open(new URL((wrong.at(-1) ?? page).response.url).pathname);
      expect(readHeading(reloaded)).toBe('This code no longer works');
      expect(readPageError(reloaded)).toMatch(/^Too many wrong codes. Try again in 1[45] minutes/);
      expect(reloaded.html).not.toContain('name="passcode"');
      const first = await reloaded.submit({}, '/change');
      const again = await first.submit({ identifier: address, method: 'email' });
      expect(readPageError(again)).toMatch(/^Too many wrong codes/);
      expect(await server.messages({ to: address })).toHaveLength(sent);
    }
    const jar = login.browser();
    const closed = await failTimes(await login.toCode(jar, email));
    expect(closed.html).toContain('value="link"');
    expect(readHeading(await closed.submit({ identifier: email, method: 'link' }))).toBe('Check your email');
    leftTo(await (await jar.open(await server.linkTo(email))).submit({}));
  });

  test('after too many wrong codes, the page offers an emailed link only if the application has enabled links', async () => {
    const { email, phone } = await someUser();
    const byText = await failTimes(await login.toCode(login.browser(), phone, {}, 'sms'));
    await withApplication(server, { loginPreferences: { email: {} } }, async () => {
      const byMail = await failTimes(await login.toCode(login.browser(), email));
      for (const closed of [byText, byMail])
        expect([readHeading(closed), closed.html.includes('value="link"')]).toEqual([
          'This code no longer works',
          false,
        ]);
    });
  });

  test("the code entry page masks the user's address unless the user typed it in this login", async () => {
    const { email, phone } = await someUser();
    const page = await login.toCode(login.browser(), email, { acr_values: 'mfa' });
    expect(page.html).toContain(`>${email}<`);
    const second = await page.submit({ passcode: await server.codeTo(email) });
    const sms = await second.submit({ method: 'sms' });
    expect(sms.html).toContain('•••');
    expect(sms.html).not.toContain(phone);
    const stranger = newEmail();
    expect((await login.toCode(login.browser(), stranger)).html).toContain(`>${stranger}<`);
  });

  test('after an expired code, the page says that the code has expired and offers a new one', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const digits = await server.codeTo(email);
    await server.advanceClock(5 * 60);
    const expired = await page.submit({ passcode: digits });
    expect(readPageError(expired)).toBe('That code has expired. Ask for a new one.');
    expect(expired.html).toContain('<button class="button" id="resend" autofocus>Send a new code</button>');
    const wrong = await useUpTries((passcode) => page.submit({ passcode }), 2);
    expect(wrong.map(readPageError)[1]).toContain('You have one try left');
    const fresh = await page.submit({}, '/resend');
    leftTo(await fresh.submit({ passcode: await server.codeTo(email) }));
  });

  test('the page counts down the time until another code can be requested', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await login.toCode(jar, email);
    const readSeconds = ({ html }: { readonly html: string }) =>
      Number(/data-seconds="(\d+)"/.exec(html)?.[1] ?? 0);
    const first = readSeconds(page);
    expect([first > 0, first <= 30]).toEqual([true, true]);
    await server.advanceClock(10);
    expect(readSeconds(await jar.open(new URL(page.response.url).pathname))).toBeLessThanOrEqual(20);
  });

  test('a code becomes invalid when its user requests another code', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const first = await server.codeTo(email);
    const again = await page.submit({}, '/resend');
    const second = await server.codeTo(email);
    if (first !== second)
      expect(readPageError(await again.submit({ passcode: first }))).toMatch(/isn’t right/);
    leftTo(await again.submit({ passcode: second }));
  });

  test('a code sent for another login is rejected as a wrong code', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const token = await server.clientToken();
    const recipient = { identifier_type: 'email', identifier: email };
    const direct = await server.post('/v1/auth/otp/send', { channel: 'direct', ...recipient }, { token });
    expect(readPageError(await page.submit({ passcode: String(direct.body.code) }))).toMatch(/isn’t right/);

    const hosted = await login.toCode(login.browser(), email);
    const guess = { ...recipient, passcode: await server.codeTo(email) };
    const atA4 = await server.post('/v1/auth/otp/authenticate', guess, { token });
    expect(atA4.body.error_code).toBe('auth_invalid_credentials');
    expect(readPageError(await hosted.submit({ passcode: '' }))).toMatch(/isn’t right/);
  });

  test('a code or link sent to an address that the user has since changed is rejected', async () => {
    const { email, userId } = await someUser();
    const [byCode, byLink] = [login.browser(), login.browser()];
    const page = await login.toCode(byCode, email);
    const digits = await server.codeTo(email);
    await login.toCode(byLink, email, {}, 'link');
    const link = await server.linkTo(email);
    await changeUser(server, userId, { email: newEmail() });
    expect(readPageError(await page.submit({ passcode: digits }))).toMatch(/isn’t right/);
    expect((await (await byLink.open(link)).submit({})).left).toBeUndefined();
  });

  test('submitting a correct code several times at once completes the login only once', async () => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email);
    const passcode = await server.codeTo(email);
    const pages = await atOnce(8, () => page.submit({ passcode }));
    const done = pages.filter(({ left }) => left?.searchParams.get('code'));
    expect(done).toHaveLength(1);
    for (const other of pages.filter((each) => !done.includes(each)))
      expect([readHeading(other), 'Check your email']).toContain(readHeading(other));
    expect((await login.exchange(leftTo(done[0] as BrowserPage))).status).toBe(200);
  });
});

/** Requests a login email for a new user. Returns the link in the email, the browser and the page that the browser shows. */
async function mailed() {
  const { email, userId } = await someUser();
  const jar = login.browser();
  const page = await login.toCode(jar, email);
  const messages = await server.messages({ to: email });
  return { email, userId, jar, page, messages, link: messages[0]?.links[0] ?? '' };
}

describe('email that contains both a code and a link', () => {
  test('a user can log in with either the code or the link of an email that contains both', async () => {
    for (const [way, amr] of [
      ['code', 'eotp'],
      ['link', 'eml'],
    ] as const) {
      const { email, userId, jar, page, messages, link } = await mailed();
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatchObject({ codes: [expect.any(String)], links: [expect.any(String)] });
      expect(messages[0]?.text).toMatch(/code expires in 5 minutes, the button in 15 minutes/);
      expect(page.html).toContain('We sent a code to');
      const passcode = await server.codeTo(email);
      // Mail scanners open links. This must not consume the link or the code.
      for (const method of ['HEAD', 'GET']) await server.request(link, { method });
      const opened = await jar.open(link);
      expect(readHeading(opened)).toMatch(/^Sign in to/);
      const target = leftTo(await (way === 'code' ? page.submit({ passcode }) : opened.submit({})));
      const { body } = await login.exchange(target);
      expect(decodeClaims(body.id_token)).toMatchObject({ sub: userId, amr: [amr], email_verified: true });
      for (const over of [await page.submit({ passcode }), await opened.submit({})])
        expect([over.status, readHeading(over)]).toEqual([404, 'You’re signed in']);
    }
  });

  test('if an application offers both email codes and email links, the login page shows them as a single method', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { email: {}, link: {} } });
    const first = await login.browser().open(login.address({ client_id: clientId }));
    expect(first.html.match(/name="method"/g)).toHaveLength(1);
    const { phone } = await someUser();
    const second = await login.afterCode(login.browser(), phone, { acr_values: 'mfa' }, 'sms');
    expect(second.html).toContain('name="method" value="email"');
    expect(second.html).not.toContain('value="link"');
  });

  test('an emailed link opened in another browser shows that the user must enter the code in the first browser', async () => {
    const { email, jar, page, link } = await mailed();
    const other = login.browser();
    await other.open(login.address());
    for (const browser of [login.browser(), other]) {
      const opened = await browser.open(link);
      expect([opened.status, readHeading(opened)]).toEqual([404, 'Enter the code where you started']);
      for (const none of ['<form', '<button', await server.codeTo(email), email])
        expect(opened.html).not.toContain(none);
      const forced = await browser.open(link.replace('?', '/link?'), {
        method: 'POST',
        body: new URLSearchParams({ csrf: 'x' }),
      });
      expect([forced.status, readHeading(forced)]).toEqual([404, 'Enter the code where you started']);
      // Without its query, the URL identifies no email, so the page does not mention a code.
      expect(readHeading(await browser.open(link.replace(/\?.*/, '')))).not.toMatch(/code/);
    }
    expect(readHeading(await jar.open(link))).toMatch(/^Sign in to/);
    leftTo(await page.submit({ passcode: await server.codeTo(email) }));
  });

  test('requesting another email invalidates the link and the code of the first email', async () => {
    const { email, jar, page, link } = await mailed();
    const first = await server.codeTo(email);
    const again = await page.submit({}, '/resend');
    expect(readPageError(await (await jar.open(link)).submit({}))).toMatch(
      /^That link has expired or was replaced/,
    );
    const second = await server.codeTo(email);
    if (first !== second)
      expect(readPageError(await again.submit({ passcode: first }))).toMatch(/isn’t right/);
    leftTo(await (await jar.open(await server.linkTo(email))).submit({}));
  });

  test('after too many wrong codes, a user can still log in with the link in the same email', async () => {
    const { jar, page, link } = await mailed();
    expect(readHeading(await failTimes(page))).toBe('This code no longer works');
    leftTo(await (await jar.open(link)).submit({}));

    const late = await mailed();
    await server.advanceClock(14 * 60);
    const passcode = await server.codeTo(late.email);
    expect(readPageError(await late.page.submit({ passcode }))).toMatch(/^That code has expired/);
    leftTo(await (await late.jar.open(late.link)).submit({}));
  });
});
