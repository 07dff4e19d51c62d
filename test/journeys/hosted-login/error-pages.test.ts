import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { readHeading, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { spendAnonymousCalls } from '../../support/tools/anonymous-calls.ts';

const { server, login } = useHostedLogin();

/** Sends a request as a German browser does. Returns the response with its status, its text and the heading of its page. */
async function seen(path: string, init: RequestInit = {}, accept = 'text/html,*/*;q=0.8') {
  const headers = { accept, 'accept-language': 'de', ...(init.headers as Record<string, string>) };
  const response = await login
    .browser()
    .request(`${server.environment.base_url}${path}`, { ...init, headers });
  const text = await response.text();
  const heading = /<h1[^>]*>([^<]*)/.exec(text)?.[1];
  return { status: response.status, heading, response, text };
}

const LOGIN_OVER = 'Diese Anmeldung ist abgelaufen';
const WRONG = 'Diese Seite lässt sich so nicht öffnen';
const LINK_BROKEN = 'Dieser Link funktioniert nicht';
const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

describe('error pages for browsers', () => {
  test.each<[string, string, RequestInit, string]>([
    ['an emailed link without its code', '/v1/auth/link/email/open', {}, LINK_BROKEN],
    ['an emailed link with two codes', '/v1/auth/link/email/open?code=a&code=b', {}, LINK_BROKEN],
    [
      'a link of a code-based login with two codes',
      '/v1/auth/links/email/open?code=a&code=b',
      {},
      LINK_BROKEN,
    ],
    ['a result URL of a code-based login with two codes', '/v1/auth/resume?code=a&code=b', {}, LINK_BROKEN],
    [
      'an unknown passkey registration',
      `/hosted/passkey/passkey-registration?register_webauthn_cred_token=${'x'.repeat(65)}`,
      {},
      LINK_BROKEN,
    ],
    ['the page of an unknown login', `/login/${'x'.repeat(65)}`, {}, LOGIN_OVER],
    ['a login link with two codes', '/login/x?link=a&link=b', {}, LOGIN_OVER],
    [
      'a submitted form of an unknown login',
      '/login/x/passcode',
      { ...form, body: 'csrf=a&csrf=b' },
      LOGIN_OVER,
    ],
    [
      'a submitted passkey form of an unknown login',
      '/passkey/x',
      { ...form, body: 'csrf=a&csrf=b' },
      LOGIN_OVER,
    ],
  ])('a browser gets an error page for %s', async (_title, path, init, heading) => {
    const page = await seen(path, init);
    expect([page.status, page.heading]).toEqual([expect.any(Number), heading]);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(405);
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each<[string, string, RequestInit, number, string, string]>([
    ['an unknown client', '/oidc/auth?client_id=unknown', {}, 400, WRONG, 'client_id: is unknown'],
    [
      'a POST request of an unknown client',
      '/oidc/auth',
      { ...form, body: 'client_id=unknown' },
      400,
      WRONG,
      'client_id: is unknown',
    ],
    [
      'an unknown client at the direct passkey login',
      '/v1/auth/webauthn?client_id=unknown',
      {},
      400,
      WRONG,
      'client_id: is unknown',
    ],
    [
      'an unknown client at the direct social login',
      '/v1/auth/google?client_id=unknown',
      {},
      400,
      WRONG,
      'client_id: is unknown',
    ],
    [
      'an unknown client at the logout',
      '/oidc/session/end?client_id=unknown',
      {},
      400,
      WRONG,
      'client_id: is unknown',
    ],
    [
      'an invalid id_token_hint',
      '/oidc/session/end?id_token_hint=x',
      {},
      400,
      'Sie sind noch angemeldet',
      'id_token_hint',
    ],
    ['a repeated parameter', '/oidc/auth?client_id=a&client_id=b', {}, 400, WRONG, 'client_id: must not'],
    ['an unknown path', '/no/such/page', {}, 404, 'Hier ist nichts', ''],
    ['an unsupported method', '/oidc/auth', { method: 'DELETE' }, 405, 'Hier ist nichts', ''],
    ['the address of a provider button of an unknown login', '/login/x/with/google', {}, 404, LOGIN_OVER, ''],
  ])('a browser gets an error page with the reason for %s', async (...row) => {
    const [, path, init, status, heading, reason] = row;
    const page = await seen(path, init);
    expect([page.status, page.heading]).toEqual([status, heading]);
    expect(page.text).toContain(reason);
    expect(page.text).toContain(page.response.headers.get('x-request-id'));
    for (const accept of ['*/*', '', 'application/json']) {
      const other = await seen(path, init, accept);
      expect([other.status, JSON.parse(other.text)]).toEqual([
        status,
        expect.objectContaining({ message: expect.stringContaining(reason) }),
      ]);
    }
  });

  describe.each(['/v1/auth/google', '/v1/auth/apple', '/v1/auth/webauthn'])(
    'error responses in HTML or JSON: %s',
    (path) => {
      const bad = `${path}?client_id=unknown`;

      test.each([
        'text/html',
        'text/html, */*',
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
        'application/json;q=0.5, TEXT/HTML; Q=0.6',
      ])('an error is shown as a page if the Accept header prefers HTML: %s', async (accept) => {
        expect((await seen(bad, {}, accept)).heading).toBe(WRONG);
      });

      test.each([
        ...['', '*/*', 'application/json', 'text/plain', 'application/json, text/html;q=0.5'],
        ...['text/html, application/json', 'text/html;q=0.2, */*', 'text/html;q=0', 'text/html;q=x'],
      ])('an error is returned as JSON unless the Accept header prefers HTML: %s', async (accept) => {
        const { status, response, text } = await seen(bad, {}, accept);
        expect([status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
        expect(JSON.parse(text)).toEqual({
          message: 'client_id: is unknown: unknown (a change takes up to a minute to be seen)',
          error_code: 400,
          http_request_id: response.headers.get('x-request-id'),
        });
      });
    },
  );

  test("the error page for an unregistered redirect URI links to the application's home page", async () => {
    await withApplication(
      server,
      { homeUri: 'https://shop.example.com/?a=1', linkHosts: ['shop.example.com'], name: 'Blauer Laden' },
      async () => {
        const { client_id = '' } = login.parameters();
        const bad = { client_id, ui_locales: 'de', redirect_uri: 'https://other.example.com/' };
        const after = { client_id, post_logout_redirect_uri: 'https://other.example.com/' };
        for (const path of [
          `/oidc/auth?${new URLSearchParams(bad)}`,
          `/v1/auth/webauthn?${new URLSearchParams(bad)}`,
          `/oidc/session/end?${new URLSearchParams(after)}`,
        ]) {
          const page = await seen(path);
          expect([page.status, page.heading]).toEqual([400, 'Von hier können wir Sie nicht zurückleiten']);
          expect(page.text).toContain('href="https://shop.example.com/?a=1"');
          expect(page.text).toContain('Blauer Laden');
          expect(page.text).not.toContain('other.example.com');
        }
      },
    );
  });

  test('the error page of an expired login links to the application only in the browser that began the login', async () => {
    const own = { homeUri: 'https://shop.example.com/', linkHosts: ['shop.example.com'] };
    await withApplication(server, own, async () => {
      const jar = login.browser();
      const first = await jar.open(login.address());
      await server.advanceClock(3600);
      const late = await jar.open(first.response.url);
      expect([late.status, readHeading(late)]).toEqual([404, 'This sign\u2011in has expired']);
      expect(late.html).toContain('href="https://shop.example.com/"');
      const stranger = login.browser();
      await stranger.open(login.address());
      expect((await stranger.open(first.response.url)).html).not.toContain('shop.example.com');
    });
  });

  test('an error page contains no link to a home page on a host that the application does not own', async () => {
    await withApplication(server, { homeUri: 'https://evil.example/' }, async () => {
      const { client_id = '' } = login.parameters();
      const bad = new URLSearchParams({ client_id, redirect_uri: 'https://other.example.com/' });
      const page = await seen(`/oidc/auth?${bad}`);
      expect(page.status).toBe(400);
      expect(page.text).not.toContain('evil.example');
    });
  });

  test('an error page about a rate limit has a Retry-After header', async () => {
    const { address } = login;
    await server.faults.inject({ service: 'dynamodb', effect: 'error', code: 'ThrottlingException' });
    const busy = await seen(address({ client_id: 'unknown' }).slice(server.environment.base_url.length));
    await server.faults.clear();
    expect([busy.status, busy.heading]).toEqual([503, 'Etwas ist schiefgegangen']);
    expect(busy.response.headers.get('retry-after')).not.toBeNull();

    await server.nextMinute();
    await spendAnonymousCalls({ entry: 'code-based/resume', target: '/v1/auth/resume' });
    const refused = await seen('/v1/auth/resume?code=unknown');
    expect([refused.status, refused.heading]).toEqual([429, 'Zu viele Anfragen']);
    const wait = Number(refused.response.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(refused.text).toMatch(new RegExp(`Versuchen Sie es in ${wait} Sekunden? erneut`));
  });
});
