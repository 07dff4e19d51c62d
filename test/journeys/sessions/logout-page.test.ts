import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  BROWSER_COOKIE,
  buildLoginCookieName,
  buildLoginCookieValue,
} from '../../../shared/domain/basis/browser.ts';
import { newSecret } from '../../../shared/domain/basis/random.ts';
import { newBrowserSession } from '../../../shared/domain/sessions/browser-session.ts';
import { FIRST_GENERATION } from '../../../shared/domain/trust/generations.ts';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { type StoredApplication, storeApplication, storeTenant } from '../../support/fixtures/tenants.ts';
import type { TokenResponse } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { someUse } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  exchange,
  introspect,
  logIn,
  refresh,
  storeClient,
  storeCode,
} from '../../support/tools/authorized.ts';
import { readRefresh } from '../../support/tools/browser-jar.ts';
import { SEED } from '../../support/tools/full-run.ts';
import { redirectUris, tricks } from '../../support/tools/redirect-tricks.ts';

const BACK = 'https://shop.example.com/callback';

const server = useTestServer({ rateLimits: 'off' });
let client: StoredApplication;
beforeAll(async () => {
  client = await storeApplication(server, { name: 'The Shop', postLogoutRedirectUris: redirectUris });
});

type Parameters = Readonly<Record<string, string>>;

const endpoint = () => `${server.environment.issuer}/session/end`;
const cookieName = () => buildLoginCookieName(server.environment.tenant_id);

const pickIds = ({ clientId, application: { applicationId } }: Omit<StoredApplication, 'clientSecret'>) => ({
  clientId,
  applicationId,
});

/** Creates a session. Returns the cookies of its browser, and tokens of a client in this session. */
async function loggedIn(email = newEmail(), at = client) {
  const { sessions } = await server.ports(['sessions']);
  const user = await createProvenUser(server, { email });
  const now = Math.floor(Date.now() / 1000);
  const { session, secret } = newBrowserSession(
    {
      userId: user.user_id,
      tenantId: server.environment.tenant_id,
      ...pickIds(at),
      methods: [someUse({ at: now })],
      generation: FIRST_GENERATION,
    },
    at.application,
    now,
  );
  await sessions.start(session);
  const login = `${cookieName()}=${buildLoginCookieValue(session.sessionId, secret)}`;
  const cookie = `${BROWSER_COOKIE}=${newSecret()}; ${login}`;
  const joined = { joinsSession: session.sessionId, ...pickIds(at) };
  const { body: tokens } = await exchange(server, await storeCode(server, user.user_id, joined), {}, at);
  return { cookie, tokens, session };
}

async function ask(parameters: Parameters, cookie = '', init: RequestInit = {}) {
  const response = await fetch(`${endpoint()}?${new URLSearchParams(parameters)}`, {
    redirect: 'manual',
    ...init,
    headers: { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Parameters) },
  });
  return { response, html: await response.text() };
}

/** Submits the confirmation form of the logout page. */
async function confirm(html: string, cookie: string) {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  const target = new URL(action.replaceAll('&amp;', '&'), endpoint());
  return fetch(target, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ csrf }),
  });
}

/** Sends a logout request by POST, as an application does. Returns the parameters of the redirect. */
async function byPost(parameters: Parameters): Promise<{ logout_request: string }> {
  const body = new URLSearchParams(parameters);
  const posted = await fetch(endpoint(), { method: 'POST', redirect: 'manual', body });
  expect(posted.status).toBe(303);
  const onward = new URL(posted.headers.get('location') ?? '');
  expect(`${onward.origin}${onward.pathname}`).toBe(endpoint());
  return Object.fromEntries(onward.searchParams) as { logout_request: string };
}

const isAlive = async ({ access_token }: TokenResponse) =>
  (await introspect(server, access_token, client)).active;

function expectCleared(response: Response): void {
  const cleared = `${cookieName()}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`;
  expect(response.headers.getSetCookie()).toContain(cleared);
}

describe('N071 logout with the ID token of the session', () => {
  test('a logout with an ID token needs no confirmation and redirects with the requested state', async () => {
    const { cookie, tokens } = await loggedIn();
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK, state: 'a&b=c' };
    const { response } = await ask(parameters, cookie);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${BACK}?state=a%26b%3Dc`);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expectCleared(response);
    expect(await isAlive(tokens)).toBe(false);
    expect((await refresh(server, tokens.refresh_token, {}, client)).status).toBe(400);
  });

  test('a logout accepts an expired ID token', async () => {
    const { cookie, tokens } = await loggedIn();
    await server.advanceClock(86_400);
    const { response } = await ask({ id_token_hint: tokens.id_token }, cookie);
    expect(response.status).toBe(200);
    expectCleared(response);
    expect((await refresh(server, tokens.refresh_token, {}, client)).status).toBe(400);
  });

  test('a logout without a redirect URI ends on a page of the service', async () => {
    const { cookie, tokens } = await loggedIn();
    const { response, html } = await ask({ id_token_hint: tokens.id_token, ui_locales: 'de' }, cookie);
    expect(response.status).toBe(200);
    expect(html).toMatch(/lang="de"/);
    expect(html).not.toContain('<form');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await isAlive(tokens)).toBe(false);
  });

  test('a logout request by POST redirects to a GET request that ends the session', async () => {
    const { cookie, tokens } = await loggedIn();
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK, state: 's' };
    const kept = await byPost(parameters);
    expect(await isAlive(tokens)).toBe(true);
    // A HEAD request or prefetch does not consume the stored parameters.
    await ask(kept, cookie, { method: 'HEAD' });
    await ask(kept, '', { headers: { 'sec-purpose': 'prefetch' } });
    const { response } = await ask(kept, cookie);
    expect(response.headers.get('location')).toBe(`${BACK}?state=s`);
    expect(await isAlive(tokens)).toBe(false);
    expect((await ask(kept, cookie)).response.headers.get('location')).toBe(`${BACK}?state=s`);
  });

  test('a logout by POST accepts an ID token that is too long for a URL', async () => {
    const { cookie } = await loggedIn();
    const long = { client_id: client.clientId, id_token_hint: 'x'.repeat(8000), state: '€'.repeat(1000) };
    const kept = await byPost(long);
    expect(Object.keys(kept)).toEqual(['logout_request']);
    expect((await ask(kept, cookie)).html).toContain('<form');
    expect(await dumpTable('flows')).not.toContain('x'.repeat(100));
  });

  test('the parameters of a POST logout are valid for one minute and only in the browser that sent them', async () => {
    const { cookie, tokens } = await loggedIn();
    const hint = { id_token_hint: tokens.id_token };
    const spent = { status: 400, error: 'invalid_request_uri' };
    const answer = async (parameters: Parameters, by = cookie) => {
      const { response, html } = await ask(parameters, by);
      return { status: response.status, error: (JSON.parse(html) as { error?: string }).error };
    };
    const kept = await byPost(hint);
    const other = (await loggedIn()).cookie;
    expect((await ask(kept, other)).response.status).toBe(200);
    expect(await answer(kept)).toEqual(spent);
    expect(await answer({ logout_request: 'unknown' })).toEqual(spent);
    const late = await byPost(hint);
    await server.advanceClock(61);
    expect(await answer(late)).toEqual(spent);
    const page = await ask(late, cookie, { headers: { accept: 'text/html' } });
    expect([page.response.status, page.html]).toEqual([400, expect.stringContaining('<h1>')]);

    const { logout_request } = await byPost(hint);
    const request_uri = `urn:ietf:params:oauth:request_uri:${logout_request}`;
    const query = new URLSearchParams({ client_id: client.clientId, request_uri });
    expect((await fetch(`${server.environment.issuer}/auth?${query}`)).status).toBe(400);
    expect(await isAlive(tokens)).toBe(true);
  });

  test('a logout redirects to the application even if the browser has no session', async () => {
    const { tokens } = await loggedIn();
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK };
    const { response } = await ask(parameters);
    expect(response.headers.get('location')).toBe(BACK);
  });
});

describe('N071 logout page for a request that names no client', () => {
  const askForHeading = async (cookie: string) => /<h1[^>]*>([^<]*)/.exec((await ask({}, cookie)).html)?.[1];

  test('the logout page names each application of the session only once', async () => {
    const { cookie, session } = await loggedIn();
    const forum = await storeApplication(server, { name: 'The Forum' });
    await storeApplication(server, { name: 'The Blog' });
    expect(await askForHeading(cookie)).toBe('Sign out of The Shop?');
    const { application } = client;
    const { applicationId } = application;
    const second = { ...(await storeClient(server, { applicationId })), application };
    for (const joining of [second, forum, forum]) {
      const joined = { joinsSession: session.sessionId, ...pickIds(joining) };
      const code = await storeCode(server, session.userId, joined);
      expect((await exchange(server, code, {}, joining)).status).toBe(200);
    }
    expect(await askForHeading(cookie)).toBe('Sign out of The Shop, The Forum?');
  });

  test('the logout page does not name a tenant whose session has ended', async () => {
    const { application: other } = await storeTenant(server);
    const over = `${buildLoginCookieName(other.tenantId)}=${buildLoginCookieValue('over', newSecret())}`;
    expect(await askForHeading(`${(await loggedIn()).cookie}; ${over}`)).toBe('Sign out of The Shop?');
  });

  test('the logout page names the tenant if the application was deleted', async () => {
    const gone = await storeApplication(server, { name: 'The Past' });
    const { applicationRecords } = await server.ports(['applicationRecords']);
    const { cookie } = await loggedIn(newEmail(), gone);
    await applicationRecords.remove(gone.application.applicationId);
    await server.advanceClock(61);
    expect(await askForHeading(cookie)).toBe('Sign out of Demo?');
  });
});

describe('N071 logout after a confirmation by the user', () => {
  const requests: Readonly<Record<string, (own: TokenResponse) => Promise<Parameters>>> = {
    'without parameters': async () => ({}),
    'with only the client ID': async () => ({ client_id: client.clientId }),
    'with an access token as id_token_hint': async ({ access_token }) => ({
      client_id: client.clientId,
      id_token_hint: access_token,
    }),
    'with an invalid id_token_hint': async ({ id_token }) => ({
      client_id: client.clientId,
      id_token_hint: `${id_token.slice(0, -4)}AAAA`,
    }),
    'with the ID token of another user': async () => ({
      id_token_hint: (await loggedIn()).tokens.id_token,
    }),
  };

  test.each(Object.entries(requests))(
    'a logout request %s ends the session only after the user has confirmed the logout',
    async (_title, request) => {
      const { cookie, tokens } = await loggedIn();
      const { response, html } = await ask(await request(tokens), cookie);
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie().join()).not.toContain('Max-Age=0');
      expect(await isAlive(tokens)).toBe(true);
      const answer = await confirm(html, cookie);
      expect(answer.status).toBe(200);
      expectCleared(answer);
      expect(await isAlive(tokens)).toBe(false);
    },
  );

  test('the logout page reports an invalid id_token_hint', async () => {
    const { cookie } = await loggedIn();
    const broken = { client_id: client.clientId, id_token_hint: 'x', post_logout_redirect_uri: BACK };
    for (const by of [cookie, undefined]) {
      const { response, html } = await ask(broken, by);
      expect([response.status, html]).toEqual([200, expect.stringContaining('(id_token_hint)')]);
    }
    const answer = await confirm((await ask(broken, cookie)).html, cookie);
    expect(readRefresh(await answer.text())).toBe(BACK);
    const { response, html } = await ask({ id_token_hint: 'x' }, cookie, {
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(400);
    expect(html).toContain('href="/oidc/session/end"');
  });

  test('a logout redirects to the application after the user has confirmed the logout', async () => {
    const { cookie, tokens } = await loggedIn();
    const parameters = { client_id: client.clientId, post_logout_redirect_uri: BACK, state: '"><x>' };
    const { response, html } = await ask(parameters, cookie);
    expect(html).toContain('The Shop');
    expect(html).not.toContain('"><x>');
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self';");
    const answer = await confirm(html, cookie);
    expect(answer.status).toBe(200);
    expect(readRefresh(await answer.text())).toBe(`${BACK}?state=%22%3E%3Cx%3E`);
    expect(await isAlive(tokens)).toBe(false);
  });

  test('a logout cannot be confirmed by a form from another page or browser', async () => {
    const { cookie, tokens } = await loggedIn();
    const { html: foreign } = await ask({}, (await loggedIn()).cookie);
    const { cookie: withoutBrowser } = { cookie: cookie.split('; ')[1] ?? '' };
    for (const [html, by] of [
      [foreign, cookie],
      ['', cookie],
      [foreign, withoutBrowser],
    ] as const) {
      const answer = await confirm(html, by);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('name="csrf"');
    }
    expect(await isAlive(tokens)).toBe(true);
  });

  test('a prefetch request for the logout page ends no session', async () => {
    const { cookie, tokens } = await loggedIn();
    const parameters = { id_token_hint: tokens.id_token };
    const prefetch = await ask(parameters, cookie, { headers: { 'sec-purpose': 'prefetch' } });
    expect(prefetch.response.status).toBe(204);
    await ask(parameters, cookie, { method: 'HEAD' });
    expect(await isAlive(tokens)).toBe(true);
  });

  test('a logout request checks only a limited number of login cookies', async () => {
    const invented = Array.from({ length: 50 }, (_, index) => `__Host-login-none${index}=x.y`).join('; ');
    server.resetMetrics();
    expect((await ask({}, invented)).response.status).toBe(200);
    const calls = server.metrics().logoutPage?.last.calls ?? [];
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.length).toBeLessThanOrEqual(20);
  });

  test('a logout ends no session of another tenant', async () => {
    const other = await storeTenant(server);
    const { cookie, tokens } = await loggedIn();
    await ask({ client_id: other.clientId }, cookie);
    expect(await isAlive(tokens)).toBe(true);
  });
});

describe('N003 N071 exact comparison of post_logout_redirect_uri with registered URIs', () => {
  let login: Awaited<ReturnType<typeof loggedIn>>;
  beforeAll(async () => {
    login = await loggedIn();
  });
  const refused = async (parameters: Parameters) => {
    const { cookie, tokens } = login;
    const { response, html } = await ask({ client_id: client.clientId, ...parameters }, cookie);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBe(null);
    expect(JSON.parse(html)).toMatchObject({ error: 'invalid_request', error_code: 400 });
    expect(await isAlive(tokens)).toBe(true);
  };

  /** One attack URI of the collection. `test/domain/basis/redirect-uri.test.ts` tests the whole collection. */
  const some = tricks.filter((_, index) => index === SEED % tricks.length);

  test.each(some)(
    'an unregistered post_logout_redirect_uri is rejected and ends no session (difference: %s)',
    async (_name, uri) => {
      await refused({ post_logout_redirect_uri: uri });
    },
  );

  test.each(redirectUris.filter((uri) => uri.includes('127.0.0.1') || uri.includes('[::1]')))(
    'the post_logout_redirect_uri %s is rejected if its port differs from the registered port',
    async (uri) => {
      const other = new URL(uri);
      other.port = '49152';
      await refused({ post_logout_redirect_uri: other.href });
    },
  );

  test('a redirect URI for logins is rejected as a post_logout_redirect_uri', async () => {
    await refused({ post_logout_redirect_uri: server.environment.redirect_uris[0] ?? '' });
  });

  test('without a client, a logout request with any post_logout_redirect_uri is rejected', async () => {
    const { cookie } = await loggedIn();
    const { response } = await ask({ post_logout_redirect_uri: BACK }, cookie);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('a logout request with a state that is too long is rejected', async () => {
    const parameters = { client_id: client.clientId, post_logout_redirect_uri: BACK, state: '€'.repeat(500) };
    expect((await ask(parameters)).response.status).toBe(400);
  });

  test('a logout is rejected if client_id and id_token_hint name different clients', async () => {
    const { tokens } = await loggedIn();
    const { tokens: foreign } = await logIn(server);
    await refused({ id_token_hint: foreign.id_token, post_logout_redirect_uri: BACK });
    await refused({ client_id: 'unknown', post_logout_redirect_uri: BACK });
    await refused({ client_id: 'unknown', id_token_hint: tokens.id_token });
  });
});

test('the error for a logout request with post_logout_redirect_uri but no client names the missing parameters', async () => {
  const query = new URLSearchParams({ post_logout_redirect_uri: BACK });
  const answer = await server.get(`/oidc/session/end?${query}`, { headers: { accept: 'application/json' } });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toMatch(/^client_id: is required with post_logout_redirect_uri/);
});
