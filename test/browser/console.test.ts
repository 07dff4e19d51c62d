import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { becomeOperator } from '../support/console.ts';
import { DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { madeClient, madeWebhook } from '../support/fixtures/managed.ts';
import { createProvenUser, newEmail, useUpTries } from '../support/fixtures/people.ts';
import { otlAt } from '../support/server/otl.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

// The operator console in a browser.

const OWN = /^http:\/\/localhost:/;

describeInBrowser('in a browser, an operator at the console', () => {
  const fixture = useBrowser(OWN, { events: true });
  const enter = () => `${fixture.server.url.replace('127.0.0.1', 'localhost')}/_local/console`;
  const at = (path: string) => `${fixture.server.environment.console_url}/demo-tenant/${path}`;

  beforeEach(() => becomeOperator(fixture.server, 'admin'));

  /** Creates a user with locked codes, with one email that SES rejected and one SMS that was not delivered. */
  async function lockedPerson(): Promise<{ readonly email: string; readonly userId: string }> {
    const { server } = fixture;
    const email = newEmail();
    const { user_id } = await createProvenUser(server, {
      email,
      name: { first_name: 'Ann', last_name: 'Miller' },
    });
    const token = await server.clientToken();
    const about = { identifier_type: 'email', identifier: email };
    const texted = { channel: 'sms', identifier_type: 'user_id', identifier: user_id };
    const custom_phone_number = '+14254147167';
    await server.post('/v1/auth/otp/send', { ...texted, custom_phone_number }, { token });
    await server.faults.inject({ service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 });
    for (const _ of [1, 2]) await server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token });
    await useUpTries((passcode) =>
      server.post('/v1/auth/otp/authenticate', { passcode, ...about }, { token }),
    );
    await server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token });
    await server.settleEvents();
    return { email, userId: String(user_id) };
  }

  test('an operator can find and unlock a locked user by keyboard', async () => {
    const { email } = await lockedPerson();
    await fixture.visit({ viewport: DESKTOP }, async ({ page, isAccessible }) => {
      await page.goto(enter());
      await page.getByRole('navigation').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(email.slice(0, 12));
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Ann Miller' }).first().waitFor();
      await isAccessible();
      await page.getByRole('link', { name: 'Ann Miller' }).first().click();
      await page.getByText('Locked until').waitFor();
      await page.getByText('the provider has refused it, MessageRejected').waitFor();
      await page.getByText('Check the number or address for a mistake').waitFor();
      // Reloads the page until the delivery report about the SMS has arrived.
      const notDelivered = page.getByText('Text not delivered: Phone carrier is currently unreachable');
      while ((await notDelivered.count()) === 0) await page.reload();
      await page.getByText('Try again later, or use mail.').waitFor();
      await isAccessible();
      await page.getByRole('link', { name: 'Unlock codes' }).first().click();
      await isAccessible();
      await page.getByLabel('Reason').fill('The person called, and named the last login.');
      await page.getByRole('button', { name: 'Unlock codes' }).click();
      await page.getByText('Done: Unlock codes.').waitFor();
      await page.getByText(/Everything works|Nothing prevents a login/).waitFor();
      expect(await page.getByText('Locked until').count()).toBe(0);
    });
  });

  test('an operator who was invited with `otl` can register a passkey in the console', async () => {
    const { server } = fixture;
    const { json } = otlAt(server);
    const email = newEmail();
    const { user_id } = await json<{ user_id: string }>('operator', 'invite', email, '--role', 'admin');
    await server.settleEvents();
    const [mail] = await server.messages({ to: email });
    const invitation = mail?.links.find((each) => each.includes('/operator-invitation?')) ?? '';
    await fixture.visit({ viewport: DESKTOP }, async ({ page, isAccessible }) => {
      await addAuthenticator(page);
      await page.goto(invitation);
      await isAccessible();
      await page.getByRole('button', { name: 'Accept the invitation' }).click();
      await page.locator('#identifier').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#passcode').waitFor();
      await page.locator('#passcode').fill(await server.codeTo(email));
      await page
        .getByRole('button', { name: /passkey/i })
        .first()
        .click();
      await page.getByText('You have enrolled').waitFor();
      await isAccessible();
      expect(await json('operator', 'confirm', user_id)).toMatchObject({ state: 'active' });
      await page.goto(at('people'));
      await page.getByRole('button', { name: 'Passkey' }).click();
      await page.getByRole('navigation').waitFor();
      await page.getByText('admin', { exact: true }).waitFor();
    });
  });

  test('an operator can end sessions, rotate a client secret and preview branding changes', async () => {
    const { userId } = await lockedPerson();
    await fixture.visit({ viewport: DESKTOP, colorScheme: 'dark' }, async ({ page, isAccessible }) => {
      await page.goto(enter());
      await page.goto(at(`people/${userId}`));
      // The user has no session, so the action is listed under "More actions".
      await page.getByText('More actions').click();
      await page.getByRole('link', { name: 'Log out everywhere' }).click();
      await page.getByRole('button', { name: 'Log out everywhere' }).click();
      await page.getByText('Done: Log out everywhere.').waitFor();
      const { client_id } = await madeClient(fixture.server, {}, 'demo-app');
      await page.goto(at(`applications/demo-app/clients/${client_id}`));
      await isAccessible();
      await page.getByRole('link', { name: 'Add a secret' }).click();
      await page.getByRole('button', { name: 'Add a secret' }).click();
      await page.getByText('Copy the secret now').waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await page.locator('.secret').first().textContent());
      await isAccessible();
      await page.goto(at(`applications/demo-app/clients/${client_id}`));
      await page.getByRole('link', { name: 'Revoke the secret' }).first().click();
      await isAccessible();
      await page.getByLabel(/^Yes, I mean .?Secret created .* at .*, not used yet/).check();
      await page.getByLabel('Reason').fill('All servers have the new one.');
      await page.getByRole('button', { name: 'Revoke the secret' }).click();
      await page.getByText('Done: Revoke the secret.').waitFor();
      await page.goto(at('applications/demo-app'));
      await page.getByRole('link', { name: 'Change Look' }).click();
      await isAccessible();
      await page.getByLabel('Colour of buttons', { exact: true }).fill('#b3261e');
      await page.getByText('White text has a contrast of 6.5 to 1').waitFor();
      // The preview shows the entered colour before the form is saved.
      const shownColour = `getComputedStyle(document.querySelector('iframe').contentDocument.querySelector('.button')).backgroundColor`;
      while ((await page.evaluate(`${shownColour} !== 'rgb(179, 38, 30)'`)) === true);
      await isAccessible();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Done: Change settings.').waitFor();
      await page.goto(at('applications/demo-app'));
      const frame = page.frameLocator('iframe');
      const button = frame.getByText('Continue', { exact: true });
      await button.waitFor();
      const color = await button.evaluate((each) => String(each.computedStyleMap().get('background-color')));
      expect(color).toBe('rgb(179, 38, 30)');
      await isAccessible();
    });
  });

  test('an operator can resend a failed webhook message', async () => {
    const { server } = fixture;
    let status = 500;
    const receiver = createServer((_request, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = receiver.address() as AddressInfo;
      const { webhook_id } = await madeWebhook(server, {
        url: `http://127.0.0.1:${port}/hook`,
        events: ['login.*'],
      });
      await fixture.visit({ viewport: DESKTOP }, async ({ page, isAccessible }) => {
        await page.goto(enter());
        await page.goto(at(`webhooks/${webhook_id}`));
        await page.getByRole('link', { name: 'Send a test event' }).click();
        await page.getByRole('button', { name: 'Send a test event' }).click();
        await page.getByText('Done: Send a test event.').waitFor();
        await server.settleEvents();
        await page.goto(at(`webhooks/${webhook_id}`));
        await page.getByText('Not arrived').waitFor();
        await page.getByText('answered 500').first().waitFor();
        await isAccessible();
        status = 200;
        await page.getByRole('link', { name: 'Send again' }).click();
        await page.getByRole('button', { name: 'Send again' }).click();
        await server.settleEvents();
        await page.goto(at(`webhooks/${webhook_id}`));
        await page.getByText('Arrived', { exact: true }).waitFor();
      });
    } finally {
      receiver.close();
    }
  });

  test("the console shows times in the reader's time zone, and the time in UTC as a tooltip", async () => {
    const { userId } = await lockedPerson();
    const timezoneId = 'Pacific/Kiritimati';
    await fixture.visit({ viewport: DESKTOP, timezoneId }, async ({ page }) => {
      // The clock of the server may be shifted, and the page says "today" on the day of the browser.
      await page.clock.setFixedTime(new Date());
      await page.goto(enter());
      await page.goto(at(`people/${userId}`));
      const time = page.locator('.event time').first();
      expect(await time.textContent()).toMatch(/^today at \d\d:\d\d$/);
      expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    });
  });

  test('on a phone, the bar of tabs shows the tab of the current screen, and can be scrolled away from it', async () => {
    await fixture.visit({ viewport: PHONE }, async ({ page }) => {
      await page.goto(enter());
      const tabs = page.getByRole('navigation', { name: 'Screens' });
      await tabs.waitFor();
      for (const path of ['today', 'resources', 'help']) {
        await page.goto(at(path));
        const box = await tabs.locator('[aria-current]').boundingBox();
        if (!box) throw new Error(`no tab of ${path}`);
        expect([path, box.x >= 0, box.x + box.width <= PHONE.width]).toEqual([path, true, true]);
      }
      expect(await tabs.evaluate((bar) => bar.scrollLeft)).toBeGreaterThan(0);
      expect(await tabs.evaluate((bar) => [bar.scrollTo(0, 0), bar.scrollLeft].at(-1))).toBe(0);
    });
  });

  test.each(['light', 'dark'] as const)(
    'every console screen is accessible and fits the width of a phone in %s mode',
    async (colorScheme) => {
      const { userId } = await lockedPerson();
      await fixture.visit({ viewport: PHONE, colorScheme }, async ({ page, isAccessible }) => {
        await page.goto(enter());
        await page.getByRole('navigation').waitFor();
        for (const path of [
          'people',
          `people/${userId}`,
          'deliveries',
          'today',
          'changes',
          'applications',
          'applications/demo-app',
          'organizations',
          'webhooks',
          'resources',
          'management-clients',
          'operators',
          `people/${userId}?act=deleteUser`,
          `people/${userId}?act=setPhoneRisk`,
          `people/${userId}?done=unlockUser`,
          'people?act=createUser',
          'applications/demo-app/clients/demo-client',
          'applications/demo-app?act=updateApplication',
          'applications/demo-app?act=updateApplication&page=look',
          'applications/demo-app?act=createClient',
        ]) {
          const answer = await page.goto(at(path));
          expect([path, answer?.status()]).toEqual([path, 200]);
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.offsetWidth',
          );
          expect([path, overflow]).toEqual([path, 0]);
          await isAccessible();
        }
      });
    },
  );
});
