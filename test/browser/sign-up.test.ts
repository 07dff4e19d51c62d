import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { LANGUAGES } from '../../shared/records/languages.ts';
import { DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

// Sign-ups at the demo application with its default settings, and sign-ups that require a second factor.

describeInBrowser('in a browser, a new user', () => {
  const fixture = useBrowser();

  async function claimsAt(arrival: URL) {
    const { status, body } = await fixture.login.exchange(arrival, { redirect_uri: fixture.callback });
    expect(status).toBe(200);
    return decodeClaims(body.id_token);
  }

  test.each<[string, BrowserContextOptions, Readonly<Record<string, string>>, string]>([
    ['on a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }, {}, 'Sign in to Demo'],
    ['on a phone, dark', { viewport: PHONE, colorScheme: 'dark' }, { prompt: 'create' }, 'Sign up for Demo'],
  ])(
    'a new user can sign up with an email address using only a keyboard: %s',
    async (_, options, change, heading) => {
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
    },
  );

  test.each<[string, BrowserContextOptions, string]>([
    ['a passkey, on a phone, dark', { viewport: PHONE, colorScheme: 'dark' }, 'webauthn'],
    ['a phone number, on a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }, 'sms'],
  ])('a new user can add the second factor that the application requires: %s', async (_, options, method) => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    await fixture.visit(options, async ({ page, isAccessible, arrival }) => {
      await addAuthenticator(page);
      const mfa = { redirect_uri: fixture.callback, acr_values: 'mfa' };
      await page.goto(fixture.login.address(mfa));
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await page.getByText('Demo asks for a second way to confirm it’s you.').waitFor();
      await isAccessible();
      if (method === 'webauthn') await page.getByRole('button', { name: 'Add a passkey' }).click();
      else {
        await page.getByRole('button', { name: 'Try another way' }).click();
        await page.getByRole('heading', { name: 'Add your phone number' }).waitFor();
        await page.locator('input[name=phone_number]').fill(number);
        await page.getByRole('button', { name: 'Text me a code' }).click();
        await page.locator('#passcode').waitFor();
        await page.locator('#passcode').fill(await fixture.server.codeTo(number));
      }
      const claims = await claimsAt(await arrival());
      expect(claims).toMatchObject({ email, new_user: true, acr: 'mfa', amr: ['eotp', method, 'mfa'] });
    });
  });

  test('in every language, a new user can sign up without JavaScript on a screen with a width of 320 px', async () => {
    for (const ui_locales of LANGUAGES) {
      const email = newEmail();
      const options = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
      await fixture.visit(options, async ({ page, arrival }) => {
        const fits = async () =>
          expect(
            await page.evaluate(
              'document.documentElement.scrollWidth - document.documentElement.offsetWidth',
            ),
          ).toBe(0);
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
