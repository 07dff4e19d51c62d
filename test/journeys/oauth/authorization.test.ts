import { beforeAll, describe, expect, test } from '@jest/globals';
import { answerIn, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { encode } from '../../support/fixtures/proofs.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);

type Fields = Readonly<Record<string, string | undefined>>;

async function someUser(): Promise<string> {
  const email = newEmail();
  await createUser(server, { email });
  return email;
}

/** Sends an authorization request that redirects to the client without showing a page. Returns the redirect target. */
async function answered(change: Fields): Promise<URL> {
  return leftTo(await login.browser().open(login.address(change)));
}

/** Returns the heading of the page that an authorization request opens. */
async function heading(change: Fields): Promise<string | undefined> {
  const page = await login.browser().open(login.address(change));
  return /<h1[^>]*>([^<]*)/.exec(page.html)?.[1];
}

describe('response to an authorization request', () => {
  test('N038 after a login, the redirect to the client contains code, state and iss', async () => {
    const target = await login.logIn(login.browser(), await someUser());
    expect(`${target.origin}${target.pathname}`).toBe(login.redirectUri);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the state & more',
      iss: server.environment.issuer,
    });
    const { body } = await login.exchange(target);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email' });
    expect(body.refresh_token).toBeUndefined();
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ nonce: 'the-nonce', amr: ['eotp'], email_verified: true });
  });

  test('N085 a POST authorization request is redirected to a GET request without parameters', async () => {
    const email = await someUser();
    const jar = login.browser();
    const posted = await jar.request(`${server.environment.issuer}/auth`, {
      method: 'POST',
      body: new URLSearchParams(login.parameters()),
    });
    expect(posted.status).toBe(303);
    const location = posted.headers.get('location') ?? '';
    expect(location).not.toContain('state');
    expect(jar.cookies.size).toBe(0);
    const identify = await jar.open(location);
    const code = await identify.submit({ identifier: email, method: 'email' });
    const target = leftTo(await code.submit({ passcode: await server.codeTo(email) }));
    expect(target.searchParams.get('state')).toBe('the state & more');
    expect((await login.exchange(target)).status).toBe(200);
  });

  test('a HEAD or prefetch request to the authorization endpoint starts no login', async () => {
    const { issuer } = server.environment;
    for (const init of [{ method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch;prerender' } }]) {
      const answer = await server.request(login.address(), init);
      expect([200, 204]).toContain(answer.status);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const pushed = await server.form<Record<string, string>>('/oidc/request', {
      ...login.parameters(),
      client_secret: server.environment.client_secret,
    });
    const query = new URLSearchParams({
      client_id: server.environment.client_id,
      request_uri: pushed.body.request_uri ?? '',
    });
    await server.request(`${issuer}/auth?${query}`, { method: 'HEAD' });
    expect((await login.browser().open(`${issuer}/auth?${query}`)).html).toContain('name="identifier"');
  });

  test.each<[string, Fields]>([
    ['no client ID', { client_id: undefined }],
    ['an empty client ID', { client_id: '' }],
    ['an unknown client', { client_id: 'unknown' }],
    ['a client ID that is too long', { client_id: 'x'.repeat(151) }],
    ['a state that is too long', { state: '€'.repeat(500) }],
    ['the ID of a management client', { client_id: 'demo-management' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['an empty redirect URI', { redirect_uri: '' }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/' }],
  ])('N002 an authorization request with %s gets a JSON error without a redirect', async (_, change) => {
    for (const method of ['GET', 'POST']) {
      const address = method === 'GET' ? login.address(change) : `${server.environment.issuer}/auth`;
      const body = method === 'GET' ? null : new URLSearchParams(login.parameters(change));
      const answer = await server.request(address, { method, body });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.body).toMatchObject({ error: 'invalid_request', error_code: 400 });
    }
  });

  test('N021 an authorization request with a repeated parameter gets an error and no redirect', async () => {
    for (const name of ['state', 'redirect_uri', 'client_id', 'scope']) {
      const again = new URLSearchParams({ [name]: login.parameters()[name] ?? '' });
      const answer = await server.get(`${login.address()}&${again}`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.body.error_description).toContain(name);
    }
  });

  test.each<[string, Fields, string, RegExp]>([
    ['no response type', { response_type: undefined }, 'invalid_request', /response_type/],
    ['the response type token', { response_type: 'token' }, 'unsupported_response_type', /code/],
    ['a hybrid response type', { response_type: 'code id_token' }, 'unsupported_response_type', /code/],
    ['the response type none', { response_type: 'none' }, 'unsupported_response_type', /code/],
    ['the response mode fragment', { response_mode: 'fragment' }, 'invalid_request', /response_mode/],
    ['N048 the response mode query.jwt', { response_mode: 'query.jwt' }, 'invalid_request', /response_mode/],
    ['N086 no scope', { scope: undefined }, 'invalid_request', /openid/],
    ['a scope without openid', { scope: 'email profile' }, 'invalid_request', /openid/],
    ['N083 prompt=none combined with login', { prompt: 'none login' }, 'invalid_request', /prompt/],
    ['a max_age that is not a number', { max_age: 'soon' }, 'invalid_request', /max_age/],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request', /max_age/],
    ['claims that are not JSON', { claims: '{' }, 'invalid_request', /claims/],
    ['claims that are a list', { claims: '[]' }, 'invalid_request', /claims/],
    ['claims whose member id_token is a number', { claims: '{"id_token":1}' }, 'invalid_request', /claims/],
    [
      'invalid approval data',
      { claims: '{"id_token":{"approval_data":{"value":{"a b":"c"}}}}' },
      'invalid_request',
      /approval_data/,
    ],
    [
      'N088 an unknown essential acr',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"phr"}}}' },
      'access_denied',
      /acr/,
    ],
    [
      'a createNewUser that is not boolean',
      { createNewUser: 'maybe' },
      'invalid_request',
      /createNewUser: must be true/,
    ],
    ['N049 a request object', { request: 'a.b.c' }, 'request_not_supported', /request/],
    [
      'N049 an https URL as request_uri',
      { request_uri: 'https://client.example/r' },
      'request_uri_not_supported',
      /request_uri/,
    ],
    ['N042 an unknown resource', { resource: 'https://unknown.example' }, 'invalid_target', /Resource/],
    ['a resource that is not a valid URI', { resource: 'not-a-uri#x' }, 'invalid_target', /Resource/],
    [
      'N005 the code challenge method plain',
      { code_challenge_method: 'plain' },
      'invalid_request',
      /code_challenge_method/,
    ],
    [
      'a code challenge without a method',
      { code_challenge_method: undefined },
      'invalid_request',
      /code_challenge_method/,
    ],
    [
      'a code challenge method without a challenge',
      { code_challenge: undefined },
      'invalid_request',
      /code_challenge/,
    ],
    [
      'a code challenge that is not a SHA-256 digest',
      { code_challenge: 'short' },
      'invalid_request',
      /code_challenge/,
    ],
    ['an invalid dpop_jkt', { dpop_jkt: 'x' }, 'invalid_request', /dpop_jkt/],
    ['N083 prompt=none but no active session', { prompt: 'none' }, 'login_required', /./],
  ])('an authorization request with %s redirects with an error', async (_, change, error, description) => {
    const target = await answered(change);
    expect(`${target.origin}${target.pathname}`).toBe(login.redirectUri);
    expect(answerIn(target)).toEqual({ error, error_description: expect.stringMatching(description) });
    expect(target.searchParams.get('state')).toBe('the state & more');
    expect(target.searchParams.get('iss')).toBe(server.environment.issuer);
  });

  test('an error redirect contains a state only if the authorization request contained one', async () => {
    const target = await answered({ scope: 'email', state: undefined });
    expect([...target.searchParams.keys()].sort()).toEqual(['error', 'error_description', 'iss']);
  });

  test.each<[string, Fields]>([
    ['an unknown value of prompt', { prompt: 'select_account register' }],
    ['an unknown scope', { scope: 'openid profile address' }],
    ['an unknown parameter', { utm_source: 'mail' }],
    ['unknown acr_values', { acr_values: 'phr urn:cis:centralized' }],
    ['an unsupported value of display', { display: 'popup' }],
    [
      'the text "undefined" for missing values',
      { login_hint: 'undefined', max_age: 'undefined', org_id: 'undefined' },
    ],
    ['the text "null" for missing values', { login_hint: 'null', max_age: 'null', org_id: 'null' }],
    [
      'empty parameter values',
      {
        login_hint: '',
        prompt: '',
        max_age: '',
        request: '',
        request_uri: '',
        resource: '',
        response_mode: '',
      },
    ],
    ['an invalid id_token_hint', { id_token_hint: 'undefined' }],
    ['no state and no nonce', { state: undefined, nonce: undefined }],
  ])('an authorization request with %s is accepted', async (_, change) => {
    expect(await heading(change)).toBe('Sign in to Demo');
  });

  test('N092 the login page contains the login_hint in its input field', async () => {
    const page = await login.browser().open(login.address({ login_hint: 'dana@example.com' }));
    expect(page.html).toContain('value="dana@example.com"');
    for (const nothing of ['undefined', 'null']) {
      const hint = await login.browser().open(login.address({ login_hint: nothing }));
      expect(hint.html).toContain('name="identifier" type="text"');
      expect(hint.html.replace(/<script>[\s\S]*?<\/script>/g, '')).not.toContain(nothing);
    }
  });

  test('N092 the login page is in the language of ui_locales', async () => {
    for (const locales of ['de-CH en', 'de_CH en'])
      expect(await heading({ ui_locales: locales })).toBe('Bei Demo anmelden');
    expect(await heading({ ui_locales: 'ja' })).toMatch(/Demo/);
    expect(await heading({ ui_locales: 'tlh nonsense! fr' })).toBe('Connexion à Demo');
    expect(await heading({ ui_locales: 'tlh' })).toBe('Sign in to Demo');
  });

  test('response_mode=form_post sends both codes and errors by POST', async () => {
    const email = await someUser();
    const jar = login.browser();
    const answer = await login.afterCode(jar, email, { response_mode: 'form_post' });
    const fields = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      );
    expect(answer.html).toContain(`action="${login.redirectUri}"`);
    expect(answer.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(fields(answer.html)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the state &amp; more',
      iss: server.environment.issuer,
    });
    expect(jar.cookies.has(`__Host-login-${server.environment.tenant_id}`)).toBe(true);

    const refused = await login.browser().open(login.address({ response_mode: 'form_post', scope: 'email' }));
    expect(fields(refused.html)).toMatchObject({ error: 'invalid_request', iss: server.environment.issuer });

    // From an unsupported request object, only `response_mode` is used. Its redirect URI and state are ignored.
    const object = (claims: object) => {
      return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    };
    const redirect_uri = 'https://elsewhere.example/cb';
    const posted = object({ response_mode: 'form_post', redirect_uri, state: 'another' });
    const byObject = await login.browser().open(login.address({ request: posted }));
    expect(byObject.html).toContain(`action="${login.redirectUri}"`);
    expect(fields(byObject.html)).toMatchObject({
      error: 'request_not_supported',
      state: 'the state &amp; more',
    });
    for (const request of [object({ response_mode: 'fragment', redirect_uri }), object({}), 'a.b.c'])
      expect(answerIn(await answered({ request })).error).toBe('request_not_supported');
  });

  test('a redirect keeps the query parameters of the redirect URI', async () => {
    const redirectUri = 'https://client.example/cb?tenant=1';
    const { clientId } = await storeApplication(server, { redirectUris: [redirectUri] });
    const target = await answered({ client_id: clientId, redirect_uri: redirectUri, prompt: 'none' });
    expect(target.href.startsWith(`${redirectUri}&error=login_required`)).toBe(true);
  });
});

describe('PKCE at the authorization endpoint', () => {
  let email: string;
  beforeAll(async () => {
    email = await someUser();
  });

  test('N005 a public client must use PKCE', async () => {
    for (const change of [{ authMethod: 'none', secrets: [] }, { requirePkce: true }] as const) {
      const { clientId } = await storeClient(server, change);
      const target = await answered({
        client_id: clientId,
        code_challenge: undefined,
        code_challenge_method: undefined,
      });
      expect(answerIn(target)).toEqual({
        error: 'invalid_request',
        error_description: 'code_challenge: is required for this client',
      });
    }
  });

  test('a user can log in to a public client that uses PKCE instead of a secret', async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const target = await login.logIn(login.browser(), email, { client_id: clientId });
    const { status, body } = await login.exchange(target, { client_id: clientId, client_secret: undefined });
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
  });
});
