import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CONSOLE_COOKIE } from '../../functions/console/session.ts';
import { demo } from '../../lib/local/demo.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { type AtConsole, becomeOperator, callConsole, enterConsole } from '../support/console.ts';
import { grantTo } from '../support/fixtures/operators.ts';
import { storeTenant } from '../support/fixtures/tenants.ts';
import { dumpTable } from '../support/server/dump.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

// HTTP requests to the operator console: sessions, logins, forms, and attacks on operators.

const server = useTestServer({ rateLimits: 'off', events: true });
const TENANT = '/demo-tenant';

let operator: AtConsole;
beforeEach(async () => {
  await becomeOperator(server, 'admin');
  operator = await enterConsole(server);
});

const made = async (path: string, body: object) => {
  const { body: answer } = await server.post<{ result: Record<string, string> }>(path, body, {
    token: await server.adminToken(),
  });
  return answer.result;
};
const newUser = async (fields: object = {}) =>
  String((await made('/v1/users', { email: `ann${Math.random()}@example.com`, ...fields })).user_id);

describe('session of an operator in the console', () => {
  test('the tokens of a console session are encrypted with the secret in the console cookie', async () => {
    const secret = operator.cookie.slice(CONSOLE_COOKIE.length + 1);
    const table = JSON.stringify(await dumpTable('flows'));
    expect(table).toContain('console-session#');
    expect(table).not.toContain(secret);
    const { html } = await operator.get(`${TENANT}/applications`);
    expect(html).not.toContain(secret);
    // Searches for the start of a JWT's header and payload. `eyJ` alone could occur in encrypted text by chance.
    expect(`${table}${html}${operator.cookie}`).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  test('scripts, other hosts and other sites cannot read the console cookie', async () => {
    const led = await fetch(`${server.url}/_local/console`, { redirect: 'manual' });
    const { pathname, search } = new URL(led.headers.get('location') ?? '');
    const cookie = led.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { headers } = await callConsole(server, `${pathname}${search}`, { headers: { cookie } });
    const [set = ''] = headers.getSetCookie();
    expect(set).toMatch(
      /^__Host-console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    );
  });

  test("HEAD requests to the console's login page and callback neither start nor finish a login", async () => {
    const led = await fetch(`${server.url}/_local/console`, { redirect: 'manual' });
    const { pathname, search } = new URL(led.headers.get('location') ?? '');
    const cookie = led.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const init = { headers: { cookie } };
    for (const path of ['/login', `${pathname}${search}`, `${TENANT}/people`]) {
      const { status, headers } = await callConsole(server, path, { ...init, method: 'HEAD' });
      expect([status, headers.getSetCookie()]).toEqual([200, []]);
    }
    expect((await callConsole(server, `${pathname}${search}`, init)).headers.getSetCookie()).toEqual(
      expect.arrayContaining([expect.stringContaining(CONSOLE_COOKIE)]),
    );
  });

  test('a logout ends the console session', async () => {
    const { sessions, consoleSessions } = await server.ports(['sessions', 'consoleSessions']);
    const hash = hashSecret(operator.cookie.slice(CONSOLE_COOKIE.length + 1));
    const logins = async () => (await sessions.listOf(demo.operator.userId, nowSeconds())).length;
    const before = await logins();
    expect((await operator.post('/logout', {})).html).toContain('You are logged out');
    expect(await consoleSessions.find(hash, nowSeconds())).toBeUndefined();
    expect(await logins()).toBe(before - 1);
    expect((await operator.get(`${TENANT}/applications`)).headers.get('location')).toMatch(/^\/login\?/);
  });

  test('the operator console redirects to the login page if the API has ended the console session', async () => {
    const { sessions } = await server.ports(['sessions']);
    await sessions.endAllOf(demo.operator.userId, nowSeconds());
    expect((await operator.get(`${TENANT}/applications`)).headers.get('location')).toMatch(/^\/login\?/);
  });

  test('if two tabs refresh an expired console token concurrently, the console session continues', async () => {
    await server.advanceClock(15 * 60);
    const pages = await Promise.all(Array.from({ length: 2 }, () => operator.get(`${TENANT}/applications`)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a console session ends after half an hour without use', async () => {
    await server.advanceClock(30 * 60);
    expect((await operator.get(`${TENANT}/applications`)).headers.get('location')).toMatch(/^\/login\?/);
  });

  test("the console and the login pages do not accept each other's session cookies", async () => {
    const secret = operator.cookie.slice(CONSOLE_COOKIE.length + 1);
    const account = await server.get('/account?client_id=otl-console', {
      headers: {
        cookie: `__Host-browser=${secret}; __Host-login-operators0000000000000000=${secret}`,
        accept: 'text/html',
      },
    });
    expect(account.status).toBe(303);
    const theirs = await callConsole(server, `${TENANT}/`, {
      headers: { cookie: `__Host-browser=${secret}; __Host-login-demo-tenant=${secret}` },
    });
    expect(theirs.headers.get('location')).toMatch(/^\/login\?/);
  });
});

describe('login to the operator console', () => {
  test('the console starts a login with PKCE, state and two required factors', async () => {
    const { headers } = await callConsole(server, '/login?to=/demo-tenant/people');
    const target = new URL(headers.get('location') ?? '');
    expect(`${target.origin}${target.pathname}`).toBe(`${server.environment.issuer}/auth`);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      ...{
        client_id: 'otl-console',
        response_type: 'code',
        code_challenge_method: 'S256',
        acr_values: 'mfa',
      },
      redirect_uri: `${server.environment.console_url}/callback`,
    });
    expect(target.searchParams.has('max_age')).toBe(false);
    const fresh = await callConsole(server, '/login?fresh=');
    expect(new URL(fresh.headers.get('location') ?? '').searchParams.get('max_age')).toBe('300');
  });

  test('the console says why a login did not succeed', async () => {
    const { headers } = await callConsole(server, '/login');
    const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, iss: server.environment.issuer, error: 'access_denied' });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { status, html } = await callConsole(server, `/callback?${query}`, { headers: { cookie } });
    expect([status, html.includes('The login did not succeed.')]).toEqual([400, true]);
    expect((await callConsole(server, '/callback')).html).toContain('was started in another browser');
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'the console does not redirect to the URL %s after a login',
    async (to) => {
      const { headers } = await callConsole(server, `/login?${new URLSearchParams({ to })}`);
      const value = headers.getSetCookie()[0]?.split(';')[0]?.split('.').at(-1) ?? '';
      expect(Buffer.from(value, 'base64url').toString()).toBe('/');
    },
  );

  test('the console accepts an authorization code only once and only in the browser that requested the code', async () => {
    const led = await fetch(`${server.url}/_local/console`, { redirect: 'manual' });
    const { pathname, search } = new URL(led.headers.get('location') ?? '');
    const cookie = led.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const elsewhere = await callConsole(server, `${pathname}${search}`);
    expect([elsewhere.status, elsewhere.headers.getSetCookie()]).toEqual([400, []]);
    const foreign = `${search.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example')}`)}`;
    expect((await callConsole(server, `${pathname}${foreign}`, { headers: { cookie } })).status).toBe(400);
    expect((await callConsole(server, `${pathname}${search}`, { headers: { cookie } })).status).toBe(200);
    expect((await callConsole(server, `${pathname}${search}`, { headers: { cookie } })).status).toBe(400);
  });
});

describe('submitting forms of the operator console', () => {
  const form = { act: 'unlockUser' };

  test.each([
    ['submitted from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['submitted from another host of the same site', {}, { 'sec-fetch-site': 'same-site' }],
    ['with an invalid CSRF token', { csrf: 'A'.repeat(43) }, {}],
    ['without a CSRF token', { csrf: '' }, {}],
  ])('a console form %s has no effect', async (_title, fields, headers) => {
    const user = await newUser();
    const answer = await operator.post(`${TENANT}/people/${user}`, { ...form, ...fields }, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('the console accepts a form that was submitted from a console page', async () => {
    const user = await newUser();
    const { headers } = await operator.post(`${TENANT}/people/${user}`, form);
    expect(headers.get('location')).toBe(`${TENANT}/people/${user}?done=unlockUser`);
  });

  test('the console redirects to the new record after an operator creates the record with a form', async () => {
    const { headers } = await operator.post(`${TENANT}/organizations`, {
      act: 'createOrganization',
      name: 'Acme',
    });
    const location = headers.get('location') ?? '';
    expect(location).toMatch(/^\/demo-tenant\/organizations\/\w+\?done=createOrganization$/);
    const [path = ''] = location.split('?');
    const renamed = await operator.post(path, { act: 'updateOrganization', name: 'Acme Ltd' });
    expect(renamed.headers.get('location')).toBe(`${path}?done=updateOrganization`);
    const unchanged = await operator.post(path, { act: 'updateOrganization' });
    expect([unchanged.status, unchanged.html.includes('Change a field first.')]).toEqual([400, true]);
    const user = await operator.post(`${TENANT}/people`, { act: 'createUser', email: 'new@example.com' });
    expect(user.headers.get('location')).toMatch(/^\/demo-tenant\/people\/\w+\?done=createUser$/);
    const app = await operator.post(`${TENANT}/applications`, { act: 'createApplication', name: 'Shop' });
    expect(app.headers.get('location')).toMatch(/^\/demo-tenant\/applications\/\w+\?done=createApplication$/);
  });

  test('a console form that deletes a record requires the record’s name and a reason', async () => {
    const { app_id: app } = await made('/v1/applications', { name: 'Shop' });
    const path = `${TENANT}/applications/${app}`;
    const asked = { act: 'deleteApplication', appId: app ?? '' };
    expect((await operator.post(path, { ...asked, _typed: 'Shop' })).html).toContain('Give a reason.');
    expect((await operator.post(path, { ...asked, _typed: 'Shopp', _reason: 'closed' })).html).toMatch(
      /Confirm below.*name="_reason" value="closed"/s,
    );
    const done = await operator.post(path, { ...asked, _typed: 'Shop', _reason: 'a test' });
    expect(done.headers.get('location')).toBe(`${TENANT}/applications?done=deleteApplication`);
  });

  test('a console form that revokes a client secret requires a checkbox and a reason', async () => {
    const path = `${TENANT}/applications/demo-app/clients/demo-client`;
    expect((await operator.post(path, { act: 'addClientSecret' })).status).toBe(200);
    const { html } = await operator.get(path);
    const [secretId = ''] = [...html.matchAll(/secretId=(\w+)/g)].map(([, id]) => id).slice(-1);
    const asked = { act: 'revokeClientSecret', secretId, _reason: 'a test' };
    const form = (await operator.get(`${path}?${new URLSearchParams(asked)}`)).html;
    expect(form).toMatch(/<label class="check"><input type="checkbox" name="_typed"[^>]* required>/);
    expect(form).toMatch(/<strong><bdi>Secret created <time .* <span class="soft"><bdi>Demo client</);
    const refused = await operator.post(path, asked);
    expect([refused.status, refused.html.includes('Confirm below')]).toEqual([400, true]);
    const done = await operator.post(path, { ...asked, _typed: 'yes' });
    expect(done.headers.get('location')).toBe(`${path}?done=revokeClientSecret`);
  });

  test('a console form shows the name of the record that it changes', async () => {
    const { org_id } = await made('/v1/organizations', { name: 'Acme' });
    const showsName = async (act: string) =>
      (await operator.get(`${TENANT}/organizations/${org_id}?act=${act}`)).html.includes(
        '<p><strong><bdi>Acme</bdi></strong></p>',
      );
    expect(await showsName('deleteOrganization')).toBe(true);
    expect(await showsName('updateOrganization')).toBe(true);
    const creation = await operator.get(`${TENANT}/organizations?act=createOrganization`);
    expect(creation.html).not.toContain('<p><strong>');
  });

  test('the console shows a new client secret only once', async () => {
    const path = `${TENANT}/applications/demo-app/clients/demo-client`;
    const { html, headers } = await operator.post(path, { act: 'addClientSecret' });
    expect(html).toContain('It is shown only once');
    expect(html).toContain('<p>Client ID<br><code class="secret"><bdi>demo-client</bdi></code></p>');
    expect(html).toMatch(/<dt>Requires PKCE<\/dt>.*<dt>Created<\/dt><dd><time/);
    expect(headers.get('cache-control')).toBe('no-store');
    const secret = /class="secret"><bdi>([^<]+)/.exec(html)?.[1] ?? 'none';
    expect((await operator.get(path)).html).not.toContain(secret);
  });

  test('if the API rejects a console form, the page shows the form with the entered values and the error', async () => {
    const { status, html } = await operator.post(`${TENANT}/applications/demo-app`, {
      act: 'updateApplication',
      page: 'addresses',
      _was: '{}',
      redirect_uris: 'no uri',
    });
    expect(status).toBe(400);
    expect(html).toContain('role="alert"');
    expect(html).toContain('no uri');
  });
});

describe('forged requests to the operator console', () => {
  test.each([
    ['the host', { host: 'evil.example' }],
    ['the forwarded host', { 'x-forwarded-host': 'evil.example' }],
    ['the base URL', { 'otl-base-url': 'https://evil.example' }],
    ['the tenant', { 'otl-tenant': 'another' }],
    ['the token', { authorization: 'Bearer x' }],
  ])(
    'a request to the console cannot change %s of the API calls that the console makes',
    async (_title, headers) => {
      const { html } = await operator.get(`${TENANT}/applications/demo-app`, headers);
      expect(html).not.toContain('evil.example');
      if (!('host' in headers)) expect(html).toContain('demo-app');
    },
  );

  test.each(['..%2F..%2Foperators', '%252E%252E', '%00', '%FF'])(
    'the path segment %s in a console URL cannot lead to a different API operation',
    async (segment) => {
      const { html, status } = await operator.get(`${TENANT}/people/${segment}`);
      expect(html).not.toContain('operator@example.com');
      expect([404, 303, 400]).toContain(status);
    },
  );

  test('the console shows no records of a tenant to an operator who has no role in the tenant', async () => {
    const { status, html } = await operator.get('/operators0000000000000000/people/demo-operator');
    expect([status, html.includes('You have no role in this tenant')]).toEqual([403, true]);
  });

  test('the operator console is not served on the host of the login pages', async () => {
    for (const path of ['/console/', '/console/login', '/cis/console/', `/console${TENANT}/applications`])
      expect(
        (await fetch(`${server.url}${path}`, { headers: { cookie: operator.cookie }, redirect: 'manual' }))
          .status,
      ).toBe(404);
  });

  test('every console page forbids framing and caching', async () => {
    for (const path of [`${TENANT}/applications/demo-app`, '/elsewhere', '/callback']) {
      const { headers } = await operator.get(path);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    }
  });

  test('a link on another site opens the console in the existing console session of the browser', async () => {
    const { status, html } = await callConsole(server, `${TENANT}/people?beginning=ann`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(status).toBe(200);
    expect(html).toContain(`content="0;url=${TENANT}/people?beginning=ann"`);
    const opened = await operator.get(`${TENANT}/people`, { 'sec-fetch-site': 'cross-site' });
    expect(opened.html).toContain('<h1><bdi>People</bdi></h1>');
    const typed = await callConsole(server, `${TENANT}/people`, { headers: { 'sec-fetch-site': 'none' } });
    expect(typed.headers.get('location')).toMatch(/^\/login\?/);
  });

  test('the console responds with 404 or 403 to URLs without a page, and shows no page to a prefetch', async () => {
    for (const path of ['elsewhere', 'people/unknown', 'people/unknown/elsewhere'])
      expect((await operator.get(`${TENANT}/${path}`)).status).toBe(404);
    expect((await operator.get(`${TENANT}/people?act=unknownAction`)).status).toBe(403);
    expect((await operator.get(`${TENANT}/`)).headers.get('location')).toBe(`${TENANT}/today`);
    expect((await operator.get(`${TENANT}/people`, { 'sec-purpose': 'prefetch' })).status).toBe(204);
  });

  test('the console opens the only tenant of an operator, or lists all of them', async () => {
    expect((await operator.get('/')).headers.get('location')).toBe(`${TENANT}/`);
    const { tenantId } = (await storeTenant(server)).application;
    await grantTo(server, demo.operator, { tenantId, role: 'viewer' });
    await server.advanceClock(61);
    const { html } = await operator.get('/');
    for (const path of [`${TENANT}/`, `/${tenantId}/`]) expect(html).toContain(`<li><a href="${path}">`);
  });
});

describe('webhooks on console pages', () => {
  test('an operator can resend a failed webhook message in the console', async () => {
    const statuses: number[] = [];
    let answer = 500;
    const receiver = createServer((_request, response) => {
      statuses.push(answer);
      response.writeHead(answer).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = receiver.address() as AddressInfo;
      const { webhook_id } = await made('/v1/webhooks', { url: `http://127.0.0.1:${port}/hook` });
      const path = `${TENANT}/webhooks/${webhook_id}`;
      await operator.post(path, { act: 'testWebhook' });
      await server.settleEvents();
      const failed = await operator.get(path);
      expect(failed.html).toContain('answered 500');
      expect(failed.html).toContain('Not arrived');
      const deliveryId = /deliveryId=([^"&]+)/.exec(failed.html)?.[1] ?? '';
      answer = 200;
      await operator.post(path, { act: 'sendWebhookAgain', deliveryId: decodeURIComponent(deliveryId) });
      await server.settleEvents();
      expect(statuses.at(-1)).toBe(200);
      expect((await operator.get(path)).html).toContain('answered 200');
    } finally {
      receiver.close();
    }
  });
});

describe('console display of text from unauthenticated users', () => {
  const MARKUP = '"><img src=x onerror=alert(1)><script>alert(1)</script>';

  test('HTML in names, groups and identifiers is shown as text on every console screen', async () => {
    const user = await newUser({
      name: { first_name: MARKUP.slice(0, 100) },
      groups: [MARKUP],
      custom_identifiers: [{ type: 'card', value: MARKUP }],
      custom_app_data: { [MARKUP]: MARKUP },
    });
    const { org_id } = await made('/v1/organizations', { name: MARKUP });
    for (const path of [
      `people/${user}`,
      `people/${user}?act=updateUser`,
      `people/${user}?act=deleteUser`,
      'organizations',
      `organizations/${org_id}`,
      `people?beginning=${encodeURIComponent(MARKUP)}`,
      `deliveries?to=${encodeURIComponent(MARKUP)}`,
      `people/${user}?done=${encodeURIComponent(MARKUP)}`,
    ]) {
      const { html } = await operator.get(`${TENANT}/${path}`);
      expect([path, /<img|<script>alert/.test(html)]).toEqual([path, false]);
    }
  });
});
