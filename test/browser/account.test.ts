import { expect, test } from '@jest/globals';
import { LANGUAGES } from '../../shared/records/languages.ts';
import { PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';

// The account page in a browser.

describeInBrowser('in a browser, a user on the account page', () => {
  const fixture = useBrowser();
  const address = (change: Readonly<Record<string, string>> = {}) => {
    const { base_url, client_id } = fixture.server.environment;
    return `${new URL(base_url).origin}/account?${new URLSearchParams({ client_id, ...change })}`;
  };

  test('a user can end all other sessions on the account page, which is accessible on a phone in dark mode', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(fixture.server, {
      email,
      phone_number,
      name: { first_name: 'Ann', last_name: 'Lee' },
    });
    await fixture.login.logIn(fixture.login.browser(), email);
    await fixture.visit({ viewport: PHONE, colorScheme: 'dark' }, async ({ page, isAccessible }) => {
      await page.goto(address());
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await isAccessible();
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await page.getByText('Signed out there.').waitFor();
      await isAccessible();
      expect(await page.getByRole('button', { name: 'Sign out there' }).count()).toBe(0);
    });
  });

  test('the account page works without JavaScript and fits a width of 320 px in every language', async () => {
    const email = newEmail();
    await createProvenUser(fixture.server, { email });
    await fixture.login.logIn(fixture.login.browser(), email);
    const options = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false };
    await fixture.visit(options, async ({ page }) => {
      await page.goto(address());
      await page.locator('#identifier').fill(email);
      await page.locator('button[value=email]').click();
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await page.locator('main form button').first().click();
      for (const ui_locales of LANGUAGES) {
        await page.goto(address({ ui_locales }));
        expect(
          await page.evaluate('document.documentElement.scrollWidth - document.documentElement.offsetWidth'),
        ).toBe(0);
      }
      await page.goto(address());
      await page.getByRole('button', { name: 'Sign out there' }).click();
      await page.getByText('Signed out there.').waitFor();
    });
  });
});
