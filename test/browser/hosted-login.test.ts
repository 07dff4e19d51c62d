import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserVisit, DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';

describeInBrowser('in a browser, the hosted login', () => {
  const fixture = useBrowser();

  interface Asking extends BrowserVisit {
    ask(change?: Readonly<Record<string, string>>): Promise<void>;
  }

  const visit = (options: BrowserContextOptions, journey: (opened: Asking) => Promise<void>) =>
    fixture.visit(options, (opened) =>
      journey({
        ...opened,
        ask: async (change = {}) => {
          await opened.page.goto(fixture.login.address({ redirect_uri: fixture.callback, ...change }));
        },
      }),
    );

  async function someUser() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const { user_id: userId } = await createProvenUser(fixture.server, { email, phone_number: phone });
    return { email, phone, userId };
  }

  /** Enters the code that was sent to the address on the code entry page. */
  async function typeDigits(page: Page, to: string): Promise<void> {
    const field = page.locator('#passcode');
    await field.waitFor();
    // The page submits the form when the last digit is entered.
    await field.fill(await fixture.server.codeTo(to));
  }

  async function exchangeTokens(arrival: URL) {
    const { status, body } = await fixture.login.exchange(arrival, { redirect_uri: fixture.callback });
    expect(status).toBe(200);
    return decodeClaims(body.id_token);
  }

  test.each<[string, BrowserContextOptions]>([
    ['on a phone, light', { viewport: PHONE, colorScheme: 'light' }],
    ['on a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ])('a user can log in with an email code and an SMS code using only a keyboard: %s', async (_, options) => {
    const { email, phone, userId } = await someUser();
    await visit(options, async ({ page, ask, isAccessible, arrival }) => {
      await ask({ acr_values: 'mfa' });
      await isAccessible();
      await page.locator('#identifier:focus').waitFor();
      await page.keyboard.type('nonsense');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await isAccessible();
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');

      await page.locator('#passcode:focus').waitFor();
      await isAccessible();
      await page.keyboard.type('000000');
      await page.getByRole('alert').waitFor();
      await isAccessible();
      await page.keyboard.type(await fixture.server.codeTo(email));

      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
      await isAccessible();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your phone' }).waitFor();
      await isAccessible();
      await page.keyboard.type(await fixture.server.codeTo(phone));
      await page.keyboard.press('Enter');
      expect(await exchangeTokens(await arrival())).toMatchObject({ sub: userId, acr: 'mfa' });

      // Single sign-on needs no page.
      await ask({ acr_values: 'mfa', prompt: 'none' });
      expect(await exchangeTokens(await arrival())).toMatchObject({
        sub: userId,
        amr: ['eotp', 'sms', 'mfa'],
      });
    });
  });

  test('the hosted login works without JavaScript and sets cookies only for its own host', async () => {
    const { email, phone, userId } = await someUser();
    const options = { javaScriptEnabled: false, viewport: PHONE, colorScheme: 'dark' } as const;
    await visit(options, async ({ page, ask, arrival }) => {
      await ask({ acr_values: 'mfa' });
      await page.getByLabel('Email or phone number').fill(phone);
      await page.getByText('More ways').click();
      await page.getByRole('button', { name: 'Text me a code' }).click();
      await page.getByLabel('Code').fill(await fixture.server.codeTo(phone));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: /Code by email/ }).click();
      await page.getByText('Didn’t get it?').click();
      await page.getByRole('button', { name: 'Send a new code' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await page.goto(await fixture.server.linkTo(email));
      await page.getByRole('button', { name: 'Continue' }).click();
      expect(await exchangeTokens(await arrival())).toMatchObject({
        sub: userId,
        amr: ['sms', 'eml', 'mfa'],
      });

      const cookies = await page.context().cookies();
      expect(cookies.map(({ name }) => name).sort()).toEqual([
        '__Host-browser',
        `__Host-login-${fixture.server.environment.tenant_id}`,
      ]);
      for (const cookie of cookies)
        expect(cookie).toMatchObject({
          path: '/',
          secure: true,
          httpOnly: true,
          sameSite: 'Lax',
          domain: 'localhost',
        });
    });
  });

  test('an emailed link logs the user in from another tab of the same browser, but not from another browser', async () => {
    const { email, userId } = await someUser();
    await visit({ viewport: PHONE }, async ({ page, ask, isAccessible }) => {
      await ask();
      await page.getByLabel('Email or phone number').fill(email);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await isAccessible();
      const link = await fixture.server.linkTo(email);

      await visit({ viewport: PHONE }, async (other) => {
        await other.ask();
        const answer = await other.page.goto(link);
        expect(answer?.status()).toBe(404);
        await other.page.getByRole('heading', { name: 'Enter the code where you started' }).waitFor();
        await other.isAccessible();
        // Chromium reports every 404 response as a console error, which is expected here.
        other.complaints.length = 0;
      });

      const tab = await page.context().newPage();
      await tab.goto(link);
      await tab.getByRole('button', { name: 'Continue' }).click();
      await tab.waitForURL(`${fixture.callback}?**`);
      expect(await exchangeTokens(new URL(tab.url()))).toMatchObject({ sub: userId, amr: ['eml'] });
    });
  });

  test('the hosted login asks for a missing phone number in the user’s language', async () => {
    const [email, phone] = [newEmail(), '+4915114000001'];
    await createUser(fixture.server, { email });
    await visit(
      { viewport: PHONE, locale: 'de-DE', colorScheme: 'dark' },
      async ({ page, ask, isAccessible, arrival }) => {
        await ask({ acr_values: 'phone_number' });
        await page.getByLabel('E-Mail-Adresse oder Telefonnummer').fill(email);
        await page.keyboard.press('Enter');
        await typeDigits(page, email);
        await page.getByRole('heading', { name: 'Telefonnummer hinzufügen' }).waitFor();
        await isAccessible();
        expect(await page.getByLabel('Land').inputValue()).toBe('DE');
        await page.keyboard.type('0151 14 00 00 01');
        await page.keyboard.press('Enter');
        await typeDigits(page, phone);
        expect(await exchangeTokens(await arrival())).toMatchObject({ email });
      },
    );
  });
});
