import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserVisit, DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

// Login pages that exchange messages with other tabs of the browser, with SMS autofill and with the device's passkeys.

describeInBrowser('in a browser', () => {
  const fixture = useBrowser();

  async function someone() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    await createProvenUser(fixture.server, { email, phone_number: phone });
    return { email, phone };
  }

  async function ask({ page }: BrowserVisit, to: string): Promise<void> {
    await page.goto(fixture.login.address({ redirect_uri: fixture.callback }));
    await page.locator('#identifier').fill(to);
    await page.keyboard.press('Enter');
    await page.locator('#passcode').waitFor();
  }

  /** Opens an emailed link in another tab of the same browser. */
  async function openLink({ page }: BrowserVisit, link: string): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(link);
    return tab;
  }

  const DONE = 'This sign-in is complete. You can close this page.';

  test.each<[string, BrowserContextOptions]>([
    ['on a phone, light', { viewport: PHONE, colorScheme: 'light' }],
    ['on a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ])(
    'a tab that waits for a code shows that the login was completed in another tab: %s',
    async (_, options) => {
      const { email } = await someone();
      await fixture.visit(options, async (visit) => {
        const { page } = visit;
        await ask(visit, email);
        const tab = await openLink(visit, await fixture.server.linkTo(email));
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await tab.getByRole('button', { name: 'Continue' }).click();
        await tab.waitForURL(`${fixture.callback}?**`);
        await page.getByText(DONE).waitFor();
        expect([await page.title(), await page.locator('h1:focus').count()]).toEqual(['You’re signed in', 1]);
        expect(asked).toEqual([]);
        await visit.isAccessible();
      });
    },
  );

  test('a login page that becomes visible immediately shows that the login was completed in another tab', async () => {
    const { email } = await someone();
    await fixture.visit({}, async (visit) => {
      const { page } = visit;
      const address = fixture.login.address({ redirect_uri: fixture.callback });
      const [typed, tab] = [await page.context().newPage(), await page.context().newPage()];
      for (const each of [page, typed]) await each.goto(address);
      await typed.locator('#identifier').fill('someone');
      await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
      const asked: string[] = [];
      for (const each of [page, typed]) each.on('request', (request) => asked.push(request.url()));
      await ask({ ...visit, page: tab }, email);
      await tab.locator('#passcode').fill(await fixture.server.codeTo(email));
      await tab.waitForURL(`${fixture.callback}?**`);
      await page.waitForTimeout(1000);
      expect(asked).toEqual([]);

      await page.evaluate(
        'delete document.hidden; document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))',
      );
      await page.getByRole('button', { name: 'Continue' }).click();
      expect((await visit.arrival()).searchParams.get('code')).not.toBeNull();
      expect(await typed.locator('#identifier').inputValue()).toBe('someone');
    });
  });

  test('visible tabs with a login page reload once for each login step in another tab', async () => {
    const { email } = await someone();
    await fixture.visit({}, async (visit) => {
      const { page } = visit;
      const tabs = [await page.context().newPage(), await page.context().newPage()];
      const address = fixture.login.address({ redirect_uri: fixture.callback });
      for (const tab of tabs) await tab.goto(address);
      const asked: string[] = [];
      for (const tab of tabs)
        tab.on('request', (request) => {
          if (request.isNavigationRequest()) asked.push(request.url());
        });
      await ask(visit, email);
      await page.waitForTimeout(2000);
      expect(asked).toHaveLength(tabs.length);
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      for (const tab of tabs) await tab.getByRole('button', { name: 'Continue' }).waitFor();
      await page.waitForTimeout(1000);
      expect(asked).toHaveLength(2 * tabs.length);
    });
  });

  test('without JavaScript, a tab that waits for a code shows the completed login after a reload', async () => {
    const { email } = await someone();
    await fixture.visit({ javaScriptEnabled: false, viewport: PHONE }, async (visit) => {
      const { page, complaints } = visit;
      await page.goto(fixture.login.address({ redirect_uri: fixture.callback }));
      await page.locator('#identifier').fill(email);
      await page.locator('button[value=email]').click();
      const tab = await openLink(visit, await fixture.server.linkTo(email));
      await tab.getByRole('button', { name: 'Continue' }).click();
      await tab.waitForURL(`${fixture.callback}?**`);
      await page.reload();
      await page.getByText(DONE).waitFor();
      // The page of a completed login has the status 404, which Chromium reports as an error.
      expect(complaints.splice(0)).toHaveLength(1);
    });
  });

  test('a tab that shows a completed login returns to its code form if another tab continues the login', async () => {
    const { email } = await someone();
    await fixture.visit({}, async (visit) => {
      const { page } = visit;
      await ask(visit, email);
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      const id = new URL(page.url()).pathname.split('/')[2];
      const tell = (message: readonly unknown[]) =>
        tab.evaluate(`new BroadcastChannel('login').postMessage(${JSON.stringify(message)})`);
      await tell([id, true]);
      await page.getByText(DONE).waitFor();
      await tell([id]);
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await visit.arrival();
    });
  });

  test('opening an invalid link in another tab does not change a tab that waits for a code', async () => {
    const { email } = await someone();
    await fixture.visit({}, async (visit) => {
      const { page } = visit;
      await ask(visit, email);
      const first = await fixture.server.linkTo(email);
      await page.getByText('Didn’t get it?').click();
      await page.locator('#resend:enabled').click();
      await page.getByText('We sent a new code').waitFor();
      const tab = await openLink(visit, first);
      await tab.getByRole('button', { name: 'Continue' }).click();
      await tab.getByRole('alert').waitFor();
      await page.waitForTimeout(1000);
      expect(await page.locator('#passcode:visible').count()).toBe(1);
      await tab.close();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await visit.arrival();
    });
  });

  test('a browser can fill in the code of an SMS automatically', async () => {
    const { phone } = await someone();
    await fixture.visit({ viewport: PHONE }, async (visit) => {
      const { page } = visit;
      await page.addInitScript(`
        window.OTPCredential = class {};
        navigator.credentials.get = ({ otp, signal }) => new Promise((take) => {
          if (otp) Object.assign(window, { take: (code) => take({ code }), heard: otp.transport, signal });
        });`);
      await ask(visit, phone);
      expect(await page.evaluate('window.heard')).toEqual(['sms']);
      await page.evaluate(`window.take('${await fixture.server.codeTo(phone)}')`);
      await visit.arrival();
    });
    const { email } = await someone();
    await fixture.visit({}, async (visit) => {
      await visit.page.addInitScript(
        'window.OTPCredential = class {}; navigator.credentials.get = () => { throw 1 }',
      );
      await ask(visit, email);
    });
  });

  test('a device removes a passkey if a login fails because the service does not know the passkey', async () => {
    const email = newEmail();
    await fixture.visit({ viewport: PHONE }, async (visit) => {
      const { page } = visit;
      const authenticator = await addAuthenticator(page);
      const mfa = { redirect_uri: fixture.callback, acr_values: 'mfa' };
      await page.goto(fixture.login.address(mfa));
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const answer = await fixture.login.exchange(await visit.arrival(), { redirect_uri: fixture.callback });
      const { sub } = decodeClaims(answer.body.id_token);
      const token = await fixture.server.adminToken();
      await fixture.server.delete(`/v1/users/${sub}`, { token });
      expect(await authenticator.credentials()).toHaveLength(1);

      await page.goto(fixture.login.address({ ...mfa, prompt: 'login' }));
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('That passkey can’t be used here.').waitFor();
      expect(await authenticator.credentials()).toEqual([]);
    });
  });

  test('a passkey that a user removes on the account page is also removed from the device', async () => {
    const email = newEmail();
    await createProvenUser(fixture.server, { email });
    const { base_url, client_id } = fixture.server.environment;
    const address = `${new URL(base_url).origin}/account?client_id=${client_id}`;
    const options = { viewport: PHONE, timezoneId: 'Asia/Kolkata' };
    await fixture.visit(options, async (visit) => {
      const { page } = visit;
      const authenticator = await addAuthenticator(page);
      await page.goto(address);
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await fixture.server.codeTo(email));
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const make = page.getByRole('button', { name: 'Add a passkey' });
      await make.click();
      await page.getByText('Passkey added').first().waitFor();
      expect(await authenticator.credentials()).toHaveLength(1);
      const [time] = await page.locator('time[data-shows=both]').all();
      const shown = await time?.textContent();
      const at = new Date((await time?.getAttribute('datetime')) ?? '');
      const zone = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const;
      expect(shown).toBe(new Intl.DateTimeFormat('en', zone).format(at));
      await visit.isAccessible();

      const remove = page.locator('form[action*="passkeys/remove"] button');
      await remove.click();
      await page.getByRole('button', { name: 'Passkey' }).click();
      await remove.click();
      await page.getByText('Passkey removed').first().waitFor();
      expect(await authenticator.credentials()).toEqual([]);

      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'You’re signed out' }).waitFor();
      await page.goto(address);
      await page.locator('#identifier').waitFor();
    });
  });
});
