import { describe, expect, test } from '@jest/globals';
import {
  claimsOf,
  errorOf,
  failTimes,
  headingOf,
  leftTo,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { atOnce } from '../../support/server/at-once.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });

/** A mail was sent: its link, the browser of the login, and the page that it shows. */
async function mailed() {
  const { email, userId } = await someUser();
  const jar = login.browser();
  const page = await login.toCode(jar, email);
  const messages = await server.messages({ to: email });
  return { email, userId, jar, page, messages, link: messages[0]?.links[0] ?? '' };
}

describe('a mail of an application with codes and links', () => {
  test('is one mail with both, and each logs in', async () => {
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
      // Mail scanners open links, with and without cookies, and use up nothing.
      for (const method of ['HEAD', 'GET']) await server.request(link, { method });
      const opened = await jar.open(link);
      expect(headingOf(opened)).toMatch(/^Sign in to/);
      const target = leftTo(await (way === 'code' ? page.submit({ passcode }) : opened.submit({})));
      const { body } = await login.exchange(target);
      expect(claimsOf(body.id_token)).toMatchObject({ sub: userId, amr: [amr], email_verified: true });
      for (const over of [await page.submit({ passcode }), await opened.submit({})])
        expect([over.status, headingOf(over)]).toEqual([404, 'You’re signed in']);
    }
  });

  test('is offered once on each page', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { email: {}, link: {} } });
    const first = await login.browser().open(login.address({ client_id: clientId }));
    expect(first.html.match(/name="method"/g)).toHaveLength(1);
    const { phone } = await someUser();
    const second = await login.afterCode(login.browser(), phone, { acr_values: 'mfa' }, 'sms');
    expect(second.html).toContain('name="method" value="email"');
    expect(second.html).not.toContain('value="link"');
  });

  test('leads another browser back to the screen with the code, and shows it nothing else', async () => {
    const { email, jar, page, link } = await mailed();
    const other = login.browser();
    await other.open(login.address());
    for (const browser of [login.browser(), other]) {
      const opened = await browser.open(link);
      expect([opened.status, headingOf(opened)]).toEqual([404, 'Enter the code where you began']);
      for (const none of ['<form', '<button', await server.codeTo(email), email])
        expect(opened.html).not.toContain(none);
      const forced = await browser.open(link.replace('?', '/link?'), {
        method: 'POST',
        body: new URLSearchParams({ csrf: 'x' }),
      });
      expect([forced.status, headingOf(forced)]).toEqual([404, 'Enter the code where you began']);
      // The address without the link is none of a mail.
      expect(headingOf(await browser.open(link.replace(/\?.*/, '')))).not.toMatch(/code/);
    }
    expect(headingOf(await jar.open(link))).toMatch(/^Sign in to/);
    leftTo(await page.submit({ passcode: await server.codeTo(email) }));
  });

  test('counts once, however often both are used at once', async () => {
    for (const codesFirst of [true, false]) {
      const { email, jar, page, link } = await mailed();
      const [passcode, opened] = [await server.codeTo(email), await jar.open(link)];
      const pages = await atOnce(12, (at) =>
        (at % 2 === 0) === codesFirst ? page.submit({ passcode }) : opened.submit({}),
      );
      expect(pages.filter(({ left }) => left?.searchParams.get('code'))).toHaveLength(1);
    }
  });

  test('is void after a resend, link and code', async () => {
    const { email, jar, page, link } = await mailed();
    const first = await server.codeTo(email);
    const again = await page.submit({}, '/resend');
    expect(errorOf(await (await jar.open(link)).submit({}))).toMatch(
      /^That link has expired or was replaced/,
    );
    const second = await server.codeTo(email);
    if (first !== second) expect(errorOf(await again.submit({ passcode: first }))).toMatch(/isn’t right/);
    leftTo(await (await jar.open(await server.linkTo(email))).submit({}));
  });

  test('has a link that works when wrong codes have closed the code, and after its end', async () => {
    const { jar, page, link } = await mailed();
    expect(headingOf(await failTimes(page, 3))).toBe('This code is closed');
    leftTo(await (await jar.open(link)).submit({}));

    const late = await mailed();
    await server.advanceClock(14 * 60);
    const passcode = await server.codeTo(late.email);
    expect(errorOf(await late.page.submit({ passcode }))).toMatch(/^That code has expired/);
    leftTo(await (await late.jar.open(late.link)).submit({}));
  });
});
