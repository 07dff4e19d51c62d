import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { findUser, newEmail } from '../support/fixtures/people.ts';
import { type FourProviders, startFourProviders } from '../support/providers/four-providers.ts';
import type { SocialTokens } from '../support/providers/social.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { describeInBrowser, launchChromium } from '../support/tools/chromium.ts';

describeInBrowser('in a browser, a login by a provider', () => {
  let server: TestServer;
  let four: FourProviders;
  let browser: Browser;
  let redirectUri = '';

  beforeAll(async () => {
    // Silences the library oidc-provider, which warns that its settings are unsuitable for production.
    for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockReturnValue();
    four = await startFourProviders(() => server.environment.base_url);
    server = await startTestServer({ rateLimits: 'off', providers: four.providers });
    redirectUri = server.environment.redirect_uris.find((uri) => uri.includes('/_local/')) ?? '';
    browser = await launchChromium(...four.browserArguments);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await four.stop();
    server.expectNoViolations();
  });

  const address = (provider: string, change: Record<string, string> = {}) =>
    `${server.environment.base_url}/v1/auth/${provider}?${new URLSearchParams({
      client_id: server.environment.client_id,
      redirect_uri: redirectUri,
      state: 'the-state',
      nonce: 'the-nonce',
      ...change,
    })}`;

  async function visit(journey: (page: Page) => Promise<void>) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      await journey(await context.newPage());
    } finally {
      await context.close();
    }
  }

  async function arrival(page: Page): Promise<Record<string, string>> {
    await page.waitForURL(`${redirectUri}?**`);
    const { state, ...rest } = Object.fromEntries(new URL(page.url()).searchParams);
    expect(state).toBe('the-state');
    return rest;
  }

  async function exchangeTokens(page: Page): Promise<SocialTokens> {
    const { code } = await arrival(page);
    const { client_id, client_secret } = server.environment;
    const { status, body } = await server.post<SocialTokens>('/v1/token', { code, client_id, client_secret });
    expect(status).toBe(200);
    return body;
  }

  let people = 0;
  function newSubject(claims: Record<string, unknown> = {}): string {
    people += 1;
    const sub = `person-${people}`;
    four.people.set(sub, { sub, given_name: 'Ann', family_name: 'Example', ...claims });
    return sub;
  }
  const logInAs = (page: Page, who: string) => page.getByRole('button', { name: who, exact: true }).click();
  const failed = (error_description: string) => ({ error: 'access_denied', error_description });

  describe.each([
    ['google', { name: { first_name: 'Ann', last_name: 'Example' }, proven: true }],
    ['apple', { name: { first_name: 'Ann', last_name: 'Apple' }, proven: true }],
    ['facebook', { name: { first_name: 'Ann', last_name: 'Example' }, proven: false }],
    ['line', { name: { first_name: 'Annie' }, proven: false }],
  ] as const)('login with an account at the identity provider %s', (provider, { name, proven }) => {
    test('the first login with an identity provider account creates a user, and the second login finds the user', () =>
      visit(async (page) => {
        const email = `${provider}@gmail.com`;
        const sub = newSubject({ email, email_verified: true, name: 'Annie' });
        await page.goto(address(provider));
        await logInAs(page, sub);
        const first = await exchangeTokens(page);
        expect(first.is_user_created).toBe(true);
        const { sub: userId = '', ...claims } = decodeClaims(first.id_token);
        expect(claims).toMatchObject({ amr: ['social'], nonce: 'the-nonce' });
        expect(claims.email).toBe(proven ? email : undefined);
        expect(await findUser(server, userId)).toMatchObject({
          name,
          identities: [{ provider, subject: sub }],
        });

        await page.goto(address(provider));
        const again = await exchangeTokens(page);
        expect(again.is_user_created).toBe(false);
        expect(decodeClaims(again.id_token).sub).toBe(userId);
      }));
  });

  test('the playground logs a user in at Google and shows the resulting tokens', () =>
    visit(async (page) => {
      const sub = newSubject({ email: newEmail(), email_verified: true });
      await page.goto(`${new URL(server.environment.base_url).origin}/_local/#login/google`);
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Open the page' }).click();
      const other = await opened;
      await logInAs(other, sub);
      await other.getByRole('button', { name: 'Exchange the code' }).click();
      await page.getByText('How they proved it: an account at another provider.').first().waitFor();
    }));

  test.each(['google', 'apple'])(
    'a user who cancels the login at %s returns to the application with an error',
    (provider) =>
      visit(async (page) => {
        newSubject();
        await page.goto(address(provider));
        await page.getByRole('button', { name: 'Cancel' }).click();
        expect(await arrival(page)).toEqual(failed('The login was cancelled at the provider'));
      }),
  );

  test('the client secret for Apple is valid for one minute and signed with the application’s key', () => {
    expect(four.appleSecrets.length).toBeGreaterThan(0);
    for (const { kid, iat, exp } of four.appleSecrets as { kid: string; iat: number; exp: number }[])
      expect([kid, exp - iat]).toEqual(['KEY1234567', 60]);
  });

  test('an Apple authorization response that another site forges and submits starts no session', () =>
    visit(async (page) => {
      const action = `${server.environment.base_url}/auth/apple/callback`;
      await page.goto(`data:text/html,<form method="post" action="${action}">
        <input name="state" value="${'x'.repeat(43)}"><input name="code" value="stolen"><button>Go</button></form>`);
      await page.getByRole('button').click();
      await page.waitForURL(`${action}?**`);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.context().cookies()).toEqual([]);
    }));
});
