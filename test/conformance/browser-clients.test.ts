import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/fixtures/browser.ts';
import { findUser, newEmail } from '../support/fixtures/people.ts';
import type { TestServer } from '../support/server/test-server.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';
import type { ClientApp, ShownUser } from './apps/client-app.ts';
import { startOidcClientTs } from './apps/oidc-client-ts.ts';

// Tests a browser library with its documented default settings and an application that was created through the API.

const LOCALHOST = /^http:\/\/localhost:/;
const PROFILE = 'openid profile email offline_access';

describeInBrowser('browser applications that log users in with a client library', () => {
  const fixture = useBrowser(LOCALHOST);

  async function logIn(page: Page, email: string): Promise<void> {
    await page.locator('#identifier').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#passcode').waitFor();
    // The page submits the form when the last digit is entered.
    await page.locator('#passcode').fill(await fixture.server.codeTo(email));
  }

  /** Waits until the application's home page no longer shows the user `before`. Returns the user that the page shows then. */
  async function shown(page: Page, origin: string, before?: ShownUser): Promise<ShownUser> {
    await page.waitForURL(`${origin}/`);
    const output = page.locator('output', { hasNotText: before?.accessToken ?? 'nothing' });
    return JSON.parse((await output.textContent()) ?? '');
  }

  test.each<[string, (server: TestServer) => Promise<ClientApp>, 'profile' | 'nothing']>([
    ['oidc-client-ts with default scopes', (server) => startOidcClientTs(server), 'nothing'],
    ['oidc-client-ts with profile claims', (server) => startOidcClientTs(server, PROFILE), 'profile'],
  ])('%s completes sign-up, login, refresh and logout', async (_, start, asks) => {
    const email = newEmail();
    const app = await start(fixture.server);
    const goHome = async (page: Page, before: ShownUser) => {
      await app.signOut(page);
      expect(await shown(page, app.origin, before)).toBeNull();
    };
    try {
      await fixture.visit({}, async ({ page }) => {
        await page.goto(`${app.origin}/`);
        await app.signIn(page);
        await logIn(page, email);
        const made = await shown(page, app.origin);
        const { sub } = made;
        expect(await findUser(fixture.server, sub)).toMatchObject({ email: { value: email } });
        await goHome(page, made);

        const name = { first_name: 'Ada', last_name: 'Lovelace' };
        await fixture.server.put(`/v1/users/${sub}`, { name }, { token: await fixture.server.adminToken() });
        // The logout also ended the browser's session at the service.
        await app.signIn(page);
        await logIn(page, email);
        const first = await shown(page, app.origin);
        const expected = asks === 'profile' ? { sub, name: 'Ada Lovelace', email } : { sub };
        expect(first).toMatchObject(expected);
        expect('email' in first).toBe(asks === 'profile');

        await app.refresh(page);
        const second = await shown(page, app.origin, first);
        expect(second).toMatchObject(expected);
        expect(second.accessToken).not.toBe(first.accessToken);

        await goHome(page, second);
        for (const { accessToken: token } of [first, second])
          expect((await fixture.server.get('/oidc/me', { token })).status).toBe(401);
      });
    } finally {
      app.close();
    }
  });
});
