import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { LANGUAGES } from '../../shared/records/languages.ts';
import { DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { claimsOf } from '../support/fixtures/hosted-login.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';

/** A newcomer on the demo application as it is made. */

describeInBrowser('in a browser, a newcomer', () => {
  const fixture = useBrowser();

  async function claimsAt(arrival: URL) {
    const { status, body } = await fixture.login.exchange(arrival, { redirect_uri: fixture.callback });
    expect(status).toBe(200);
    return claimsOf(body.id_token);
  }

  test.each<[string, BrowserContextOptions, Readonly<Record<string, string>>, string]>([
    ['at a desk, light', { viewport: DESKTOP, colorScheme: 'light' }, {}, 'Sign in to Demo'],
    ['on a phone, dark', { viewport: PHONE, colorScheme: 'dark' }, { prompt: 'create' }, 'Sign up for Demo'],
  ])('signs up with an address, by keyboard alone: %s', async (_, options, change, heading) => {
    const email = newEmail();
    await fixture.visit(options, async ({ page, isAccessible, arrival }) => {
      await page.goto(fixture.login.address({ redirect_uri: fixture.callback, ...change }));
      await page.getByRole('heading', { name: heading }).waitFor();
      await page.locator('#identifier:focus').waitFor();
      await isAccessible();
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode:focus').waitFor();
      await isAccessible();
      const [mail] = await fixture.server.messages({ to: email });
      expect(mail?.text).toContain('This address has no account at Demo yet.');
      await page.keyboard.type(mail?.codes[0] ?? '');
      await page.keyboard.press('Enter');
      const arrived = await arrival();
      expect(arrived.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
      expect(await claimsAt(arrived)).toMatchObject({ email, email_verified: true, new_user: true });
    });
  });

  test('signs up without JavaScript, on 320 px in every language', async () => {
    for (const ui_locales of LANGUAGES) {
      const email = newEmail();
      const options = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
      await fixture.visit(options, async ({ page, arrival }) => {
        const fits = async () =>
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        await page.goto(
          fixture.login.address({ redirect_uri: fixture.callback, prompt: 'create', ui_locales }),
        );
        await fits();
        await page.locator('#identifier').fill(email);
        await page.locator('button[value=email]').click();
        await fits();
        await page.locator('#passcode').fill(await fixture.server.codeTo(email));
        await page.locator('main form button').first().click();
        expect(await claimsAt(await arrival())).toMatchObject({ email, new_user: true });
      });
    }
  });
});
