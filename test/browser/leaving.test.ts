import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withApplication } from '../support/fixtures/application.ts';
import { useBrowser } from '../support/fixtures/browser.ts';
import { createProvenUser, newEmail } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';

// Logins that end in a native app, by a redirect from a web callback or by a redirect URI with the app's scheme.

const APP = 'com.example.shop:/done';

interface Call {
  readonly method: string | undefined;
  readonly code: string | null;
  readonly headers: IncomingMessage['headers'];
}

describeInBrowser('in a browser, the redirect to a native app', () => {
  const fixture = useBrowser(/^http:\/\/localhost:|^com\.example\.shop:/);
  const calls: Call[] = [];
  let callbacks: Server;
  let redirectUri = '';

  beforeAll(async () => {
    // Callback page of a web application that redirects to its native app, as mobile bridges and MCP clients do.
    callbacks = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const { method, headers } = request;
        const parameters = method === 'POST' ? new URLSearchParams(body) : url.searchParams;
        if (url.pathname === '/callback') calls.push({ method, code: parameters.get('code'), headers });
        response.writeHead(302, { location: APP }).end();
      });
    });
    await new Promise<void>((resolve) => callbacks.listen(0, resolve));
    redirectUri = `http://localhost:${(callbacks.address() as AddressInfo).port}/callback`;
  });

  afterAll(() => new Promise((resolve) => callbacks.close(resolve)));

  /** Logs in with an email code. Returns the response to the code form, and the app URLs that the browser tried to open. */
  async function logIn(page: Page, change: Readonly<Record<string, string>>, hasScript: boolean) {
    const { server, login } = fixture;
    const email = newEmail();
    await createProvenUser(server, { email });
    const apps: string[] = [];
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.requestWillBeSent', ({ request }) => {
      if (request.url.startsWith('com.example.shop:')) apps.push(request.url);
    });
    await page.goto(login.address(change));
    await page.locator('#identifier').fill(email);
    await page.keyboard.press('Enter');
    const field = page.locator('#passcode');
    await field.waitFor();
    const answering = page.waitForResponse((response) => response.url().endsWith('/passcode'));
    await field.fill(await server.codeTo(email));
    if (!hasScript) await page.keyboard.press('Enter');
    const answer = await answering;
    const isThere = async () => {
      for (let tries = 0; tries < 100 && apps.length === 0; tries += 1) await page.waitForTimeout(100);
    };
    await isThere();
    return { answer, apps };
  }

  test.each([
    ['with a redirect', 'GET', 'query', true],
    ['with a redirect and without JavaScript', 'GET', 'query', false],
    ['with response_mode=form_post', 'POST', 'form_post', true],
  ])(
    'a callback page can redirect to a native app after a login that ends %s',
    async (_title, method, response_mode, hasScript) => {
      await withApplication(fixture.server, { redirectUris: [redirectUri] }, () =>
        fixture.visit({ javaScriptEnabled: hasScript }, async ({ page, complaints }) => {
          calls.length = 0;
          const change = { redirect_uri: redirectUri, response_mode };
          const { answer, apps } = await logIn(page, change, hasScript);
          expect(apps).toEqual([APP]);
          expect(calls).toMatchObject([{ method, code: expect.stringMatching(/^[\w-]{43}$/) }]);
          expect(calls[0]?.headers).not.toHaveProperty('referer');
          expect([answer.status(), answer.headers()]).toMatchObject([
            200,
            { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
          ]);
          // Ignores Chromium's other errors, such as that no app is installed for this scheme.
          expect(
            complaints.filter((complaint) => /Content.Security.Policy|Refused/i.test(complaint)),
          ).toEqual([]);
          complaints.length = 0;
        }),
      );
    },
  );

  test('a login can redirect to a native app that handles the redirect URI', async () => {
    await withApplication(fixture.server, { redirectUris: [APP] }, () =>
      fixture.visit({}, async ({ page, complaints }) => {
        const { apps } = await logIn(page, { redirect_uri: APP }, true);
        expect(apps).toEqual([expect.stringContaining(`${APP}?code=`)]);
        // The page also has a link to the app, for users who dismissed the browser's prompt.
        expect(await page.locator('#leave').getAttribute('href')).toBe(apps[0]);
        expect(complaints.filter((complaint) => /Content.Security.Policy|Refused/i.test(complaint))).toEqual(
          [],
        );
        complaints.length = 0;
      }),
    );
  });
});
