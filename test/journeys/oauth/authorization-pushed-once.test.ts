import { describe, expect, test } from '@jest/globals';
import { asksWho, useAuthorization } from '../../support/fixtures/authorization.ts';
import { answerIn, headingOf, leftTo } from '../../support/fixtures/hosted-login.ts';
import { atOnce } from '../../support/server/at-once.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login, loggedIn, someUser, pushed, ask } = useAuthorization();

describe('request_uri (string, required; single-use reference for the later authorization request) (F)', () => {
  const spent = (page: BrowserPage) =>
    page.left === undefined && page.status === 400 && headingOf(page) === 'This sign\u2011in has expired';

  test('a reload goes on with the login that runs, and after its code nothing does', async () => {
    const { email } = await someUser();
    const requestUri = await pushed({});
    const jar = login.browser();
    const first = await ask(jar, requestUri);
    const code = await first.submit({ identifier: email, method: 'email' });
    const reloaded = await ask(jar, requestUri);
    expect(reloaded.response.url).toBe(first.response.url);
    expect(reloaded.html).toContain('name="passcode"');
    expect(leftTo(await code.submit({ passcode: await server.codeTo(email) })).searchParams.has('code')).toBe(
      true,
    );
    for (let tries = 0; tries < 2; tries += 1) expect(spent(await ask(jar, requestUri))).toBe(true);
  });

  test.each([{}, { prompt: 'none' }, { prompt: 'consent' }])(
    'a browser that is logged in gets one code: %j',
    async (change) => {
      const { jar } = await loggedIn();
      const requestUri = await pushed(change);
      expect(leftTo(await ask(jar, requestUri)).searchParams.has('code')).toBe(true);
      expect(spent(await ask(jar, requestUri))).toBe(true);
    },
  );

  test('neither by a login that ended elsewhere meanwhile', async () => {
    const { jar, email } = await loggedIn();
    const requestUri = await pushed({ prompt: 'login' });
    const page = await ask(jar, requestUri);
    expect(asksWho(page.html)).toBe(true);
    await login.logIn(jar, email, { prompt: 'login' });
    expect((await ask(jar, requestUri)).response.url).toBe(page.response.url);
    const other = await pushed({});
    const running = await ask(login.browser(), other);
    expect(asksWho(running.html)).toBe(true);
    expect(spent(await ask(jar, other))).toBe(true);
  });

  test('an error may be told again: nothing was given', async () => {
    const { jar, email } = await loggedIn();
    const stranger = login.browser();
    const requestUri = await pushed({ prompt: 'none' });
    for (let tries = 0; tries < 2; tries += 1)
      expect(answerIn(leftTo(await ask(stranger, requestUri))).error).toBe('login_required');
    await login.logIn(stranger, email);
    expect(leftTo(await ask(stranger, requestUri)).searchParams.has('code')).toBe(true);
    expect(spent(await ask(stranger, requestUri))).toBe(true);
    expect(spent(await ask(jar, requestUri))).toBe(true);
  });

  test('25 at once in one browser: one login, or one code', async () => {
    const { jar } = await loggedIn();
    const [asked, answered] = [await pushed({ prompt: 'login' }), await pushed({})];
    const pages = await atOnce(25, () => ask(jar, asked));
    expect(pages.every(({ html }) => asksWho(html))).toBe(true);
    expect(new Set(pages.map(({ response }) => response.url)).size).toBe(1);
    const answers = await atOnce(25, () => ask(jar, answered));
    expect(answers.filter(({ left }) => left !== undefined)).toHaveLength(1);
    expect(answers.filter((page) => !spent(page))).toHaveLength(1);
  });
});
