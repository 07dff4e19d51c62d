import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type CustomerSite, startCustomerSite } from '../support/fixtures/customer-site.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { verifyToken } from '../support/fixtures/tokens.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { describeInBrowser, launchChromium } from '../support/tools/chromium.ts';

describeInBrowser('in a browser, a code-based login', () => {
  let server: TestServer;
  let customerSite: CustomerSite;
  let browser: Browser;

  beforeAll(async () => {
    customerSite = await startCustomerSite();
    server = await startTestServer({ redirectUris: [customerSite.redirectUri] });
    const token = await server.clientToken();
    customerSite.connect(server, token);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    customerSite.close();
    server.expectNoViolations();
    await server.stop();
  });

  async function newUser(): Promise<{ email: string; phone_number: string; user_id: string }> {
    const person = { email: newEmail(), phone_number: newPhoneNumber() };
    return { ...person, user_id: (await createProvenUser(server, person)).user_id };
  }

  async function inBrowser(act: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|refused/i.test(message.text())) complaints.push(message.text());
    });
    await act(page, context).finally(() => context.close());
    expect(complaints).toEqual([]);
  }

  /** Submits the form on the test site of a customer, which requests a code or link through the API. */
  async function ask(
    page: Page,
    to: string,
    means: 'email' | 'sms' | 'link',
    more: { mfa?: string } = {},
  ): Promise<void> {
    await page.goto(customerSite.origin);
    await page.getByLabel('To').fill(to);
    await page.getByLabel('By').fill(means);
    await page.getByLabel('MFA').fill(more.mfa ?? '');
    await page.getByRole('button', { name: 'Go' }).click();
  }

  /** Requests a code on the test site and enters it, up to the callback URL of the site. */
  async function byDigits(...[page, to, means, more]: Parameters<typeof ask>): Promise<void> {
    await ask(page, to, means, more);
    await page.getByLabel('Code').fill(await server.codeTo(to));
    await page.getByRole('button', { name: 'Go' }).click();
    await page.waitForURL(`${customerSite.redirectUri}?**`);
  }

  async function idToken() {
    const tokens = customerSite.tokens();
    if (!tokens) throw new Error('the customer site has no tokens');
    return (await verifyToken(server, tokens.id_token, server.environment.client_id)).payload;
  }

  const mfa = { mfa: 'yes' };

  test('a code-based login with an email code and an SMS code works in a browser', async () => {
    const { email, phone_number, user_id } = await newUser();
    await inBrowser(async (page, context) => {
      await byDigits(page, email, 'email', mfa);
      expect(await page.title()).toBe('Not yet: mfa_required');
      expect(await page.textContent('p')).toBe('A second factor is required: sms');
      const cookies = await context.cookies(new URL(server.environment.base_url).origin);
      expect(cookies.map(({ name }) => name).sort()).toEqual([
        '__Host-browser',
        `__Host-login-${server.environment.tenant_id}`,
      ]);
      for (const cookie of cookies)
        expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/' });

      await byDigits(page, phone_number, 'sms', mfa);
      expect(await page.title()).toBe('Welcome');
      expect(await idToken()).toMatchObject({ sub: user_id, amr: ['eotp', 'sms', 'mfa'], acr: 'mfa' });
    });
  });
});
