import { describe, expect, test } from '@jest/globals';
import { useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { spendAnonymousCalls } from '../../support/tools/anonymous-calls.ts';

const { server, login } = useHostedLogin();

/** The answer to a browser, with its heading if it is a page. */
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
const LINK_BROKEN = 'Dieser Link funktioniert nicht';
const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

describe('a browser gets an error page', () => {
  test.each<[string, string, RequestInit, string]>([
    ['a mailed link without its code', '/v1/auth/link/email/open', {}, LINK_BROKEN],
    ['a mailed link with two codes', '/v1/auth/link/email/open?code=a&code=b', {}, LINK_BROKEN],
    ['a link of section C', '/v1/auth/links/email/open?code=a&code=b', {}, LINK_BROKEN],
    ['the way back of section C', '/v1/auth/resume?code=a&code=b', {}, LINK_BROKEN],
    [
      'a registration',
      `/hosted/passkey/passkey-registration?register_webauthn_cred_token=${'x'.repeat(65)}`,
      {},
      LINK_BROKEN,
    ],
    ['a login', `/login/${'x'.repeat(65)}`, {}, LOGIN_OVER],
    ['a login by link', '/login/x?link=a&link=b', {}, LOGIN_OVER],
    ['a form of a login', '/login/x/passcode', { ...form, body: 'csrf=a&csrf=b' }, LOGIN_OVER],
    ['a form with a passkey', '/passkey/x', { ...form, body: 'csrf=a&csrf=b' }, LOGIN_OVER],
  ])('for %s that does not exist', async (_title, path, init, heading) => {
    const page = await seen(path, init);
    expect([page.status, page.heading]).toEqual([expect.any(Number), heading]);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(405);
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('other clients get JSON, as does a browser with a wrong request', async () => {
    const open = await seen('/v1/auth/link/email/open?code=a&code=b', {}, '*/*');
    expect(JSON.parse(open.text)).toMatchObject({ message: 'code: must not be given more than once' });
    for (const path of ['/oidc/auth?client_id=unknown', '/v1/auth/webauthn?client_id=unknown']) {
      const { status, text } = await seen(path);
      expect([status, JSON.parse(text)]).toMatchObject([400, { message: 'client_id: is unknown' }]);
    }
  });

  test('under throttling and over the rate limit, with Retry-After', async () => {
    const { address } = login;
    await server.faults.inject({ service: 'dynamodb', effect: 'error', code: 'ThrottlingException' });
    const busy = await seen(address({ client_id: 'unknown' }).slice(server.environment.base_url.length));
    await server.faults.clear();
    expect([busy.status, busy.heading]).toEqual([503, 'Etwas ist schiefgegangen']);
    expect(busy.response.headers.get('retry-after')).not.toBeNull();

    await server.advanceClock(61 - ((Date.now() / 1000) % 60));
    await spendAnonymousCalls({ entry: 'code-based/resume', target: '/v1/auth/resume' });
    const refused = await seen('/v1/auth/resume?code=unknown');
    expect([refused.status, refused.heading]).toEqual([429, 'Zu viele Anfragen']);
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
