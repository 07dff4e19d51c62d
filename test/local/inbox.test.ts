import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page, Request } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { describeInBrowser, launchChromium } from '../support/tools/chromium.ts';

jest.setTimeout(30_000);

describeInBrowser('the inbox page in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    browser = await launchChromium();
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const note = (request: Request) => {
      const isOurs = /^(?:data:|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/.test(request.url());
      // A request that the page's policy stopped never left the browser.
      if (!isOurs && request.failure()?.errorText !== 'csp') elsewhere.push(request.url());
    };
    page.on('requestfinished', note).on('requestfailed', note);
    await page.goto(`${server.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  const client = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

  test('opens on localhost and explains the first steps', async () => {
    expect(page.url()).toBe(`${server.environment.base_url.replace('/cis', '')}/_local/`);
    await page.getByText('Nothing sent yet').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    const snippet = String(await clipboard());
    expect(snippet).toContain(server.environment.client_secret);
    expect(snippet).not.toMatch(/^#/m);
  });

  test('shows an SMS as soon as it is sent, its code one click away', async () => {
    const sns = new SNSClient({ ...client, endpoint: `${server.url}/_local/aws/sns` });
    await sns.send(
      new PublishCommand({ PhoneNumber: '+4930111111', Message: '<b>271828</b> is your code.' }),
    );
    sns.destroy();
    await page.getByText('<b>271828</b> is your code.').last().waitFor();
    await page.getByRole('listitem').getByRole('button', { name: '271828', exact: true }).click();
    expect(await clipboard()).toBe('271828');
  });

  test('shows a mail without running scripts or loading pictures', async () => {
    const raw = `From: "<img src=x onerror=document.title='owned'>" <a@example.com>
To: ada@example.com
Subject: <script>document.title='owned'</script> Hello
Content-Type: text/html

<p onclick="top.document.title='owned'">Dear Ada, <a href="http://localhost:9/open?code=1">sign in</a></p>
<script>top.document.title = 'owned'</script>
<img src="https://tracker.example/pixel.png" onerror="top.document.title='owned'">
<style>@import 'https://tracker.example/style.css';</style>
`;
    const ses = new SESClient({ ...client, endpoint: `${server.url}/_local/aws/ses` });
    await ses.send(
      new SendRawEmailCommand({ Destinations: ['ada@example.com'], RawMessage: { Data: Buffer.from(raw) } }),
    );
    ses.destroy();
    await page.getByRole('listitem').getByText('ada@example.com').click();
    const mail = page.frameLocator('iframe');
    await mail.getByText('Dear Ada').click();
    expect(await page.getByRole('heading').last().textContent()).toContain('<script>');
    expect(await page.title()).toBe('Inbox · One-Time Login');
    expect(elsewhere).toEqual([]);
    expect(await page.getByRole('link', { name: 'Open link' }).first().getAttribute('href')).toBe(
      'http://localhost:9/open?code=1',
    );
    // The page itself is fine; what the mail tried was refused by its policy.
    expect(complaints.filter((text) => !/tracker\.example|script|inline event/i.test(text))).toEqual([]);
  });

  test('can be read by keyboard and on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: '← All messages' }).click();
    await page.getByRole('listitem').last().getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'SMS to +4930111111' }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(overflow).toBe(false);
  });

  test('leads to the API reference, where operations can be tried with a token at once', async () => {
    const reference = await page.context().newPage();
    const asked: string[] = [];
    reference.on('request', (request) => asked.push(request.url().replace(/^data:.*/s, 'data:')));
    const tokens = [0, 1].map((nth) => {
      let seen = 0;
      return reference.waitForEvent(
        'requestfinished',
        (request) => request.url().endsWith('/token') && seen++ === nth,
      );
    });
    await reference.goto(`${server.url}/_local/docs`);
    await Promise.all(tokens);
    await reference.getByRole('heading', { name: 'users Users of' }).click();
    const operation = reference.locator('.opblock', { hasText: '/v1/users' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: /^20[01]/ }).waitFor();
    const { origin } = new URL(reference.url());
    expect(asked.filter((url) => url !== 'data:' && !url.startsWith(`${origin}/`))).toEqual([
      `${server.url}/_local/docs`,
    ]);
    await reference.close();
  });
});
