import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page, Request } from 'playwright-core';
import { operations } from '../../functions/operations.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import { withErrorUri } from '../../lib/local/playground/error-uri.ts';
import type { ExplainedToken } from '../../lib/local/playground/explain-tokens.ts';
import type { HistoryEntry } from '../../lib/local/playground/history.ts';
import { enterConsole } from '../support/console.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { examineByAxe } from '../support/tools/axe.ts';
import { describeInBrowser, launchChromium } from '../support/tools/chromium.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

const server = useTestServer({ errorUris: true });
afterAll(() => server?.stop());

describe('API that the playground of the local server calls', () => {
  const address = (subject: string) => `${server.url}/_local/${subject}`;
  const backend = <Body>(path: string, body: object) =>
    server.post<{ status: number; body: Body }>(address('backend'), { method: 'POST', path, body });

  test('the playground records each API request with its AWS calls, and explains why a token is invalid', async () => {
    const who = { identifier_type: 'email', identifier: 'kept@example.com' };
    await server.delete(address('requests'));
    await server.clientToken();
    expect((await backend('/v1/users', { email: who.identifier })).body.status).toBe(201);
    const sent = await backend<{ code: string }>('/v1/auth/otp/send', { channel: 'direct', ...who });
    const passcode = sent.body.body.code;
    const login = await backend<Record<string, string>>('/v1/auth/otp/authenticate', { passcode, ...who });
    const { body } = await server.get<{ requests: readonly HistoryEntry[] }>(address('requests'));
    const { log: lines = [], ...last } = body.requests.at(-1) ?? {};
    expect(last).toMatchObject({
      operation: 'authenticateOtp',
      method: 'POST',
      answer: { status: 200 },
      events: ['login.succeeded'],
      calls: expect.arrayContaining([expect.objectContaining({ action: 'kms:Sign', status: 200 })]),
    });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain(passcode);
    expect(JSON.stringify(body)).not.toContain(server.environment.client_secret);
    const since = body.requests.at(-2)?.id;
    const later = await server.get<{ requests: readonly unknown[] }>(`${address('requests')}?since=${since}`);
    expect(later.body.requests).toHaveLength(1);

    const { id_token, access_token } = login.body.body;
    const tampered = `${access_token}`.replace(/.$/, (end) => (end === 'A' ? 'Q' : 'A')).slice(0, -9);
    const explained = await server.post<Record<string, ExplainedToken>>(address('tokens'), {
      id_token,
      access_token: `${tampered}AAAAAAAAA`,
      nonce: 'another',
    });
    const failed = ({ checks }: ExplainedToken) => checks.flatMap(({ name, passed }) => (passed ? [] : name));
    expect(Object.values(explained.body).map(failed)).toEqual([['nonce'], ['signature']]);
    expect(explained.body.id_token?.claims).toContainEqual({
      name: 'amr',
      value: ['otp'],
      says: 'How they proved it: a passcode that the backend delivered itself.',
    });
  });

  test('the playground does not show the requests of the console', async () => {
    await server.delete(address('requests'));
    const operator = await enterConsole(server);
    expect((await operator.get('/demo-tenant/people')).status).toBe(200);
    await server.get('/health');
    const { body } = await server.get<{ requests: readonly HistoryEntry[] }>(address('requests'));
    expect(body.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /health']);
  });

  test('if a hint for developers cannot be created, the playground returns the API response without the hint', async () => {
    const query = new URLSearchParams({
      client_id: server.environment.client_id,
      response_type: 'code',
      scope: 'openid strange',
      redirect_uri: server.environment.redirect_uris[0] ?? '',
    });
    const authorize = () =>
      fetch(`${server.environment.base_url}/oidc/auth?${query}`, { redirect: 'manual' });
    const first = await authorize();
    expect(first.headers.get('local-hint')).toContain('strange');
    // The function has cached the client record. Only creating the hint reads the record again, so only the hint fails.
    await server.faults.inject({
      service: 'dynamodb',
      action: 'GetItem',
      effect: 'error',
      code: 'Throttling',
    });
    const answer = await authorize();
    await server.faults.clear();
    expect(answer.status).toBe(first.status);
    expect(answer.headers.get('local-hint')).toBeNull();
  });

  test('the playground rejects calls that are not JSON, go to another origin or have an invalid token', async () => {
    const call = { method: 'DELETE', path: '/v1/users/unknown' };
    const simple = await server.request(address('backend'), { method: 'POST', body: JSON.stringify(call) });
    expect(simple.status).toBe(400);
    const elsewhere = { ...call, method: 'GET', path: 'https://elsewhere.test/' };
    expect((await server.post(address('backend'), elsewhere)).status).toBe(400);
    expect((await server.post(address('tokens'), { id_token: 'x.y.z' })).status).toBe(400);
  });
});

test('an error response of the local server links to its operation in the API reference', async () => {
  const { origin } = new URL(server.environment.base_url);
  const refused = await server.form('/oidc/token', { grant_type: 'none' });
  expect(refused.body).toMatchObject({
    error: expect.any(String),
    error_uri: `${origin}/_local/docs#/oauth/token`,
  });
  expect((await server.get('/v1/users/me')).body).toMatchObject({
    error_code: 401,
    error_uri: `${origin}/_local/docs#/users/getUser`,
  });
  expect((await server.get('/health')).body).not.toHaveProperty('error_uri');
  expect((await server.get('/v1/nowhere')).body).toHaveProperty('error_uri', `${origin}/_local/docs`);
});

test('each error response links to an existing section of the API reference', async () => {
  const document = JSON.parse(JSON.stringify(await generateServiceDocument())) as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const sections = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ tags, operationId }) => `#/${tags[0]}/${operationId}`),
  );
  const body = Buffer.from('{"error_code":400}');
  const headers = { 'content-type': 'application/json' };
  const led = Object.entries(operations)
    .filter(([name]) => name !== 'fallback')
    .map(([name, row]) => {
      const route = { name, row, path: '', parameters: {} };
      const answer = withErrorUri(route, { status: 400, headers, cookies: [], body }, undefined);
      return new URL(JSON.parse(String(answer.body)).error_uri).hash;
    });
  expect(led.filter((section) => !sections.includes(section))).toEqual([]);
});

describeInBrowser('playground in a browser', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const note = (request: Request) => {
      const isOurs = /^(?:data:|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/.test(request.url());
      // A request that the Content-Security-Policy blocked has not left the browser.
      if (!isOurs && request.failure()?.errorText !== 'csp') elsewhere.push(request.url());
    };
    page.on('requestfinished', note).on('requestfailed', note);
    await page.goto(`${server.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const setApplication = async (settings: object) =>
    server.put('/v1/applications/demo-app', settings, { token: await server.adminToken() });
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  const client = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

  test('the playground is available on localhost and explains the first steps', async () => {
    expect(page.url()).toBe(`${server.environment.base_url.replace('/cis', '')}/_local/`);
    await page.getByText('Nothing sent yet').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    const snippet = String(await clipboard());
    expect(snippet).toContain(server.environment.client_secret);
    expect(snippet).not.toMatch(/^#/m);
  });

  test('the playground immediately shows a sent SMS with a button that copies the code', async () => {
    const sns = new SNSClient({ ...client, endpoint: `${server.url}/_local/aws/sns` });
    await sns.send(
      new PublishCommand({ PhoneNumber: '+4930111111', Message: '<b>271828</b> is your code.' }),
    );
    sns.destroy();
    await page.getByText('<b>271828</b> is your code.').last().waitFor();
    await page.getByRole('listitem').getByRole('button', { name: '271828', exact: true }).click();
    expect(await clipboard()).toBe('271828');
  });

  test('the playground shows an email but runs no scripts and loads no images in the email', async () => {
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
    // Only the blocked content of the email may cause complaints, not the page of the playground.
    expect(complaints.filter((text) => !/tracker\.example|script|inline event/i.test(text))).toEqual([]);
  });

  test('the playground can be used by keyboard and on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: '← All messages' }).click();
    await page.getByRole('listitem').last().getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'SMS to +4930111111' }).waitFor();
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.offsetWidth',
    );
    expect(overflow).toBe(false);
  });

  /** Returns the accessibility violations of a page, and whether the page can be scrolled horizontally. */
  const examined = async (view = page) => {
    const { violations } = await examineByAxe(view);
    const isWide = await view.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.offsetWidth',
    );
    return { violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), isWide };
  };
  const sound = { violations: [], isWide: false };

  test('after a passcode login, the playground explains the tokens and shows the requests', async () => {
    complaints.length = 0;
    await page.goto(`${server.url}/_local/#login/email`);
    await page.getByLabel('Email address').fill('play@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Use the code' }).click();
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Logged in' }).waitFor();
    expect(await page.getByText('verified', { exact: true }).count()).toBe(2);
    await page.getByText('How they proved it: a passcode by email.').first().waitFor();
    const trace = page.getByRole('complementary', { name: 'What just happened' });
    const login = trace.locator('details', { hasText: '/v1/auth/otp/authenticate' });
    await login.getByText('login.succeeded').waitFor();
    await login.locator('summary').click();
    await login.getByRole('cell', { name: 'kms:Sign' }).first().waitFor();
    await trace.getByText('POST /v1/auth/otp/send').waitFor();
    expect(await examined()).toEqual(sound);
  });

  test('the playground can log a user in with PKCE on hosted pages in another tab', async () => {
    await page.goto(`${server.url}/_local/#login/hosted`);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open the page' }).click();
    const other = await opened;
    await other.getByLabel(/email/i).first().fill('play@example.com');
    await other.keyboard.press('Enter');
    const code = page.getByRole('list').getByRole('button', { name: /^\d{6}$/ });
    const passcode = String(await code.first().textContent());
    await other.locator('input[autocomplete=one-time-code]').fill(passcode);
    await other.waitForURL(/_local\/callback/);
    await other.getByRole('button', { name: 'Exchange the code' }).click();
    await other.getByText('It answers the login that this page began.').waitFor();
    await other.setViewportSize({ width: 390, height: 844 });
    expect(await examined(other)).toEqual(sound);
    await other.close();
    await page.getByRole('heading', { name: 'Logged in' }).waitFor();
  });

  test('after an emailed link is opened in the playground, the callback page can exchange the code', async () => {
    await page.goto(`${server.url}/_local/#login/link`);
    await page.getByLabel('Email address').fill('link@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    const opened = page.context().waitForEvent('page');
    await page.locator('.step').getByRole('link', { name: 'Open link' }).click();
    const other = await opened;
    await other.getByRole('button', { name: 'Exchange the code' }).click();
    await page.getByText('How they proved it: a link by email.').first().waitFor();
    await other.close();
  });

  test('the playground can log a user in with a passkey that the playground has added', async () => {
    const { credentials } = await addAuthenticator(page);
    await page.getByRole('link', { name: 'Passkey' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('is registered.').waitFor();
    expect(await credentials()).toHaveLength(1);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByText('How they proved it: a passkey.').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('for a disabled login method, the playground shows a link to the application settings in the console', async () => {
    await setApplication({ login_preferences: { sms: null } });
    await page.goto(`${server.url}/_local/#login/sms`);
    await page.getByText('The demo application does not have this method.').waitFor();
    expect(await examined()).toEqual(sound);
    await page.getByRole('link', { name: 'Switch it on' }).click();
    await page.waitForURL(`${server.environment.console_url}/demo-tenant/applications/demo-app`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await setApplication({ login_preferences: { sms: {} } });
  });

  test.each(['#/oauth/token', '#/users/updateUser'])(
    'the API reference is accessible and opens at the section %s',
    async (section) => {
      const reference = await page.context().newPage();
      await reference.goto(`${server.url}/_local/docs${section}`);
      await reference.locator('.is-open .responses-table').first().waitFor();
      expect((await examined(reference)).violations).toEqual([]);
      await reference.close();
    },
  );

  test('the inbox of the playground shows why an email was not sent', async () => {
    await page.goto(`${server.url}/_local/#own`);
    await page.getByLabel('Name').fill('My shop');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'My shop is made' }).waitFor();
    await page.getByText("from 'openid-client'").waitFor();
    await page.getByText('no codes by text message').waitFor();
    const settings = page.getByRole('link', { name: 'Change its settings' });
    expect(await settings.getAttribute('href')).toMatch(/^\/_local\/console\/applications\/\w{25}$/);
    expect(await examined()).toEqual(sound);
    await page.getByLabel('Address').fill('nowhere');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('alert').getByText('address: must be the address where it runs').waitFor();

    await setApplication({ public_signup: false });
    // The functions cache settings for a minute.
    await server.advanceClock(61);
    const who = { identifier_type: 'email', identifier: 'stranger@example.com', channel: 'email' };
    const send = { method: 'POST', path: '/v1/auth/otp/send', body: who };
    await server.post(`${server.url}/_local/backend`, send);
    await page.goto(`${server.url}/_local/#inbox`);
    const item = page.getByRole('button', { name: /Not sent: no user has this address/ });
    await item.click();
    await page.getByRole('heading', { name: 'Not sent' }).waitFor();
    await page.getByText('--public-signup yes').waitFor();
    expect(await examined()).toEqual(sound);
    await setApplication({ public_signup: true });
    await page.getByRole('button', { name: '← All messages' }).click();
    await page.getByRole('button', { name: 'Empty' }).click();
    await item.waitFor({ state: 'detached' });
    await fetch(`${server.url}/_local/clock`, { method: 'DELETE' });
  });

  test('the playground can advance and reset the clock and inject a fault', async () => {
    await page.goto(`${server.url}/_local/#clock`);
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.getByText('3600 s ahead of the real time').waitFor();
    await page.getByRole('button', { name: 'The next mail is refused' }).click();
    await page.getByRole('list', { name: 'Faults that are set' }).getByText('MessageRejected').waitFor();
    expect(await examined()).toEqual(sound);
    await page.getByRole('button', { name: 'End all faults' }).click();
    await page.getByRole('button', { name: 'Back to the real time' }).click();
    await page.getByText('the real time', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'What just happened' }).click();
    await page.getByRole('heading', { name: 'What just happened' }).waitFor();
    expect(await examined()).toEqual(sound);
  });

  test('the API reference of the playground can call operations with a token', async () => {
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
    expect((await examined(reference)).violations).toEqual([]);
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
    await reference.getByRole('link', { name: 'Playground' }).click();
    await reference.waitForURL(/\/_local\/(?:#.*)?$/);
    await reference.close();
  });
});
