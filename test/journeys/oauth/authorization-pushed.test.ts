import { describe, expect, test } from '@jest/globals';
import { PUSHED_REQUEST_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { asksWho, readCode, useAuthorization } from '../../support/fixtures/authorization.ts';
import { answerIn, leftTo, readHeading, verifier } from '../../support/fixtures/hosted-login.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import { type CallerKey, dpopProof, newKey, signed } from '../../support/fixtures/proofs.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { storeClient } from '../../support/tools/authorized.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login, someUser, loggedIn } = useAuthorization();

type Fields = Readonly<Record<string, string | undefined>>;
type Pushed = Readonly<Record<string, string>> & { readonly expires_in: number };

const paths = ['/oidc/request', '/oidc/par'] as const;

/** Pushes a valid authorization request with the given changes. */
function push(change: Fields = {}, path: string = paths[0], headers: Readonly<Record<string, string>> = {}) {
  const { client_secret } = server.environment;
  return server.form<Pushed>(path, login.parameters({ client_secret, ...change }), { headers });
}

async function pushed(change: Fields = {}): Promise<string> {
  const { status, body } = await push(change);
  expect(status).toBe(200);
  return body.request_uri ?? '';
}

function buildAuthorizationUrl(request_uri: string, change: Fields = {}): string {
  const fields = { client_id: server.environment.client_id, request_uri, ...change };
  return `${server.environment.issuer}/auth?${new URLSearchParams(fields as Record<string, string>)}`;
}

const open = (jar: BrowserJar, requestUri: string, change?: Fields) =>
  jar.open(buildAuthorizationUrl(requestUri, change));
const spent = (page: BrowserPage) =>
  page.left === undefined && page.status === 400 && readHeading(page) === 'This sign\u2011in has expired';

/** Logs in with an email code, from the first page to the redirect to the client. */
async function through(page: BrowserPage, email: string): Promise<URL> {
  const sent = await page.submit({ identifier: email, method: 'email' });
  return leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
}

test('/v1/token requires a PKCE code verifier only if the pushed request contained a code challenge', async () => {
  const { email } = await someUser();
  const { client_id, client_secret } = server.environment;
  const codeBy = async (change: Fields) =>
    readCode(await through(await open(login.browser(), await pushed(change)), email)) ?? '';
  const retrieve = async (code: string, fields: Fields = {}) =>
    (await server.post('/v1/token', { code, client_id, client_secret, ...fields })).status;
  const plain = await codeBy({ code_challenge: undefined, code_challenge_method: undefined });
  expect(await retrieve(plain)).toBe(200);
  const withChallenge = await codeBy({});
  expect(await retrieve(withChallenge)).toBe(400);
  expect(await retrieve(withChallenge, { code_verifier: verifier })).toBe(200);
});

describe.each([
  ['/oidc/request', 200],
  ['/oidc/par', 201],
] as const)('pushed authorization requests at the endpoint %s', (path, expected) => {
  test(`N033 a pushed request gets the status ${expected} and a short-lived, unguessable request_uri`, async () => {
    const { status, headers, body } = await push({}, path);
    expect(status).toBe(expected);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: PUSHED_REQUEST_SECONDS,
    });
    expect(PUSHED_REQUEST_SECONDS).toBeGreaterThanOrEqual(5);
    expect(PUSHED_REQUEST_SECONDS).toBeLessThanOrEqual(600);
    expect(asksWho((await open(login.browser(), body.request_uri ?? '')).html)).toBe(true);
  });

  test('N030 a pushed request must be a POST request with a form', async () => {
    const get = await server.get(path);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const json = await server.post(path, login.parameters());
    expect(json.status).toBe(415);
  });

  test('N030 a client that pushes a request must authenticate by exactly one method', async () => {
    const { client_id, client_secret } = server.environment;
    const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
    expect((await push({ client_secret: undefined }, path, basic)).status).toBe(expected);
    expect((await push({ client_secret: undefined, client_id: undefined }, path, basic)).status).toBe(
      expected,
    );
    expect((await push({}, path, basic)).body.error).toBe('invalid_request');
    for (const refused of [
      { client_secret: undefined },
      { client_secret: 'wrong' },
      { client_id: 'unknown' },
    ]) {
      const { status, headers, body } = await push(refused, path);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect(headers.get('www-authenticate')).toMatch(/^Basic /);
    }

    const key = newKey();
    const { clientId } = await storeClient(server, {
      authMethod: 'private_key_jwt',
      secrets: [],
      jwks: { keys: [key.jwk] },
    });
    const signedRequest = (aud: string) => ({
      client_id: clientId,
      client_secret: undefined,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(key, clientId, aud),
    });
    const { issuer } = server.environment;
    for (const aud of [issuer, `${issuer}/token`, `${issuer.slice(0, -5)}${path}`])
      expect((await push(signedRequest(aud), path)).status).toBe(expected);
    expect((await push(signedRequest('https://other.example'), path)).status).toBe(401);

    const open = await storeClient(server, { authMethod: 'none', secrets: [] });
    expect((await push({ client_id: open.clientId, client_secret: undefined }, path)).status).toBe(expected);
  });

  test('N042 a pushed request can name a resource of the application', async () => {
    const token = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), token);
    expect((await push({ resource: uri }, path)).status).toBe(expected);
  });

  test.each<[string, Fields, string, RegExp]>([
    [
      'an unregistered redirect URI',
      { redirect_uri: 'https://evil.example/' },
      'invalid_request',
      /redirect_uri/,
    ],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request', /redirect_uri: is required/],
    [
      'the parameter request_uri (N031)',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'invalid_request',
      /request_uri/,
    ],
    ['the response type token', { response_type: 'token' }, 'unsupported_response_type', /response_type/],
    ['a scope without openid (N086)', { scope: 'email' }, 'invalid_request', /openid/],
    ['an unknown resource (N042)', { resource: 'https://unknown.example' }, 'invalid_target', /Resource/],
    ['a request object', { request: 'a.b.c' }, 'request_not_supported', /request/],
    [
      'an approval type without approval data',
      { claims: '{"id_token":{"approval_data":{"type":"pay"}}}' },
      'invalid_request',
      /approval_data/,
    ],
    ['a nonce that is too long', { nonce: 'n'.repeat(2049) }, 'invalid_request', /nonce/],
  ])(
    'N032 a pushed request with %s is rejected immediately with a list of error messages',
    async (_, change, error, complaint) => {
      const { status, headers, body } = await push(change, path);
      expect(status).toBe(400);
      expect(headers.get('location')).toBeNull();
      expect(body).toEqual({
        error,
        error_description: expect.stringMatching(complaint),
        message: [expect.stringMatching(complaint)],
        error_code: 400,
      });
    },
  );

  test('N036 a pushed request that is too large is rejected', async () => {
    const { status } = await push({ custom_message: 'x'.repeat(300 * 1024) }, path);
    expect(status).toBe(413);
  });

  test('N021 a pushed request with a repeated parameter is rejected', async () => {
    const body = new URLSearchParams(login.parameters({ client_secret: server.environment.client_secret }));
    body.append('scope', 'openid');
    const answer = await server.request<Pushed>(path, { method: 'POST', body });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });
});

function assertion(key: CallerKey, clientId: string, aud: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud, jti: crypto.randomUUID(), iat, exp: iat + 60 };
  return signed(key, {}, claims);
}

describe('opening a pushed request in a browser', () => {
  test('N035 the browser cannot change the parameters of a pushed request', async () => {
    const { email } = await someUser();
    const requestUri = await pushed({ scope: 'openid', state: 'pushed', nonce: 'pushed' });
    const extras = {
      scope: 'openid email phone offline_access',
      state: 'evil',
      nonce: 'evil',
      prompt: 'consent',
      redirect_uri: 'https://evil.example/',
      response_mode: 'form_post',
    };
    const target = await through(await open(login.browser(), requestUri, extras), email);
    expect(target.searchParams.get('state')).toBe('pushed');
    expect((await login.exchange(target)).body).toMatchObject({ scope: 'openid' });
  });

  test('a pushed request without a scope requests the scope openid', async () => {
    const page = await open(login.browser(), await pushed({ scope: undefined, ui_locales: 'es' }));
    expect(page.html).toContain('lang="es"');
  });

  test('N034 only the browser that first opens a request_uri can use it', async () => {
    const requestUri = await pushed();
    const jar = login.browser();
    expect(asksWho((await open(jar, requestUri)).html)).toBe(true);
    expect(spent(await open(login.browser(), requestUri))).toBe(true);
    expect(asksWho((await open(jar, requestUri)).html)).toBe(true);
  });

  test('N034 an expired request_uri is rejected', async () => {
    const requestUri = await pushed();
    // Stops ten seconds before the request expires, because a busy machine may need some seconds.
    await server.advanceClock(PUSHED_REQUEST_SECONDS - 10);
    const jar = login.browser();
    expect(asksWho((await open(jar, requestUri)).html)).toBe(true);
    await server.advanceClock(10);
    expect((await open(jar, requestUri)).status).toBe(400);
  });

  test('N034 a request_uri can be used only by the client that pushed it', async () => {
    const { clientId } = await storeClient(server);
    const requestUri = await pushed();
    const foreign = await open(login.browser(), requestUri, { client_id: clientId });
    expect([foreign.status, foreign.left]).toEqual([400, undefined]);
    expect(asksWho((await open(login.browser(), requestUri)).html)).toBe(true);
  });

  test('sending a request_uri to another endpoint does not consume it', async () => {
    const requestUri = await pushed();
    const secret = requestUri.slice(requestUri.lastIndexOf(':') + 1);
    const { base_url, issuer } = server.environment;
    for (const address of [
      `${base_url}/hosted/passkey/passkey-registration?register_webauthn_cred_token=${secret}`,
      `${issuer}/session/end?logout_request=${secret}`,
    ])
      expect([400, 404]).toContain((await login.browser().open(address)).status);
    expect(asksWho((await open(login.browser(), requestUri)).html)).toBe(true);
  });

  test.each([
    ['an unknown reference', 'urn:ietf:params:oauth:request_uri:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['an empty reference', 'urn:ietf:params:oauth:request_uri:'],
    ['an https URL', 'https://client.example/request.jwt'],
    ['another URN', 'urn:example:x'],
  ])('an authorization request whose request_uri is %s is rejected', async (_, requestUri) => {
    const { status, left } = await open(login.browser(), requestUri);
    expect([status, left]).toEqual([400, undefined]);
  });

  test('a browser that opens a used request_uri sees an error page', async () => {
    const requestUri = await pushed();
    await open(login.browser(), requestUri);
    const named = { redirect_uri: login.redirectUri };
    expect((await open(login.browser(), requestUri, named)).left).toBeUndefined();
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
    const page = await server.request<string>(buildAuthorizationUrl(requestUri), { headers });
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.body).toContain('lang="de"');
    expect(page.body).not.toContain(requestUri);
  });

  test('N037 a client that must push its requests cannot send request parameters in the query', async () => {
    const { clientId: client_id, clientSecret: client_secret } = await storeClient(server, {
      requirePushedRequests: true,
    });
    const refused = {
      error: 'invalid_request',
      error_description: 'request_uri: is required for this client',
    };
    expect(answerIn(leftTo(await login.browser().open(login.address({ client_id }))))).toEqual(refused);
    const body = new URLSearchParams(login.parameters({ client_id }));
    const posted = await login.browser().open('/cis/oidc/auth', { method: 'POST', body });
    expect(answerIn(leftTo(posted))).toEqual(refused);
    const evil = login.address({ client_id, redirect_uri: 'https://evil.example/' });
    expect((await login.browser().open(evil)).left).toBeUndefined();

    const requestUri = (await push({ client_id, client_secret })).body.request_uri ?? '';
    for (const method of ['GET', 'POST']) {
      const jar = login.browser();
      const form = new URLSearchParams({ client_id, request_uri: requestUri });
      if (method === 'GET') expect(asksWho((await open(jar, requestUri, { client_id })).html)).toBe(true);
      else expect((await jar.request('/cis/oidc/auth', { method, body: form })).status).toBe(303);
    }
  });

  test('a pushed request with createNewUser is rejected if the application does not allow sign-up', async () => {
    expect((await push({ createNewUser: 'true' })).status).toBe(200);
    const { clientId: client_id, clientSecret: client_secret } = await storeApplication(server, {
      publicSignup: false,
    });
    const { status, body } = await push({ client_id, client_secret, createNewUser: 'true' });
    const message = 'Public signup is not allowed for this application';
    expect([status, body.error, body.message]).toEqual([400, 'access_denied', [message]]);
    const direct = await login.browser().open(login.address({ client_id, createNewUser: 'true' }));
    expect(answerIn(leftTo(direct))).toEqual({ error: 'access_denied', error_description: message });
  });

  test('the table `flows` contains no request_uri and no login_hint of a pushed request in plain text', async () => {
    const requestUri = await pushed({ login_hint: 'hidden.hint@example.com', state: 'hidden-state' });
    await open(login.browser(), requestUri);
    const dump = await dumpTable('flows');
    const secrets = ['hidden.hint', 'hidden-state', requestUri.slice(-43)];
    expect(secrets.filter((secret) => dump.includes(secret))).toEqual([]);
  });
});

describe('DPoP key of a pushed authorization request', () => {
  const key = newKey();
  const htu = (path: string) => `${server.environment.base_url}${path}`;
  const proof = (path: string, other = key) => ({
    dpop: dpopProof(other, { htm: 'POST', htu: htu(path), iat: Math.floor(Date.now() / 1000) }),
  });

  test("N058 a DPoP proof sent with a pushed request binds the authorization code to the proof's key", async () => {
    const { email } = await someUser();
    const { status, body } = await push({}, '/oidc/par', proof('/oidc/par'));
    expect(status).toBe(201);
    const target = await through(await open(login.browser(), body.request_uri ?? ''), email);
    expect((await login.exchange(target)).body.error).toBe('invalid_grant');
    const foreign = await login.exchange(target, {}, undefined, proof('/oidc/token', newKey()));
    expect(foreign.body.error).toBe('invalid_grant');
    const own = await login.exchange(target, {}, undefined, proof('/oidc/token'));
    expect([own.status, own.body.token_type]).toEqual([200, 'DPoP']);
  });

  test('a pushed request is rejected if dpop_jkt and the DPoP proof name different keys', async () => {
    const jkt = 'A'.repeat(43);
    const other = await push({ dpop_jkt: jkt }, '/oidc/par', proof('/oidc/par'));
    expect([other.status, other.body.error]).toEqual([400, 'invalid_dpop_proof']);
    const elsewhere = await push({}, '/oidc/par', proof('/oidc/request'));
    expect(elsewhere.body.error).toBe('invalid_dpop_proof');
    const headers = proof('/oidc/par');
    expect((await push({}, '/oidc/par', headers)).status).toBe(201);
    expect((await push({}, '/oidc/par', headers)).body.error).toBe('invalid_dpop_proof');
  });
});

describe('single use of a request_uri (SPEC F)', () => {
  test('a request_uri cannot be used after its login has returned an authorization code', async () => {
    const { email } = await someUser();
    const requestUri = await pushed();
    const jar = login.browser();
    const first = await open(jar, requestUri);
    const code = await first.submit({ identifier: email, method: 'email' });
    const reloaded = await open(jar, requestUri);
    expect(reloaded.response.url).toBe(first.response.url);
    expect(reloaded.html).toContain('name="passcode"');
    const target = leftTo(await code.submit({ passcode: await server.codeTo(email) }));
    expect(target.searchParams.has('code')).toBe(true);
    for (let tries = 0; tries < 2; tries += 1) expect(spent(await open(jar, requestUri))).toBe(true);
  });

  test.each([{}, { prompt: 'none' }, { prompt: 'consent' }])(
    'a logged-in browser gets only one authorization code for a request_uri with the parameters %j',
    async (change) => {
      const { jar } = await loggedIn();
      const requestUri = await pushed(change);
      expect(leftTo(await open(jar, requestUri)).searchParams.has('code')).toBe(true);
      expect(spent(await open(jar, requestUri))).toBe(true);
    },
  );

  test('a request_uri yields no code if another tab has completed a login since it was opened', async () => {
    const { jar, email } = await loggedIn();
    const requestUri = await pushed({ prompt: 'login' });
    const page = await open(jar, requestUri);
    expect(asksWho(page.html)).toBe(true);
    await login.logIn(jar, email, { prompt: 'login' });
    expect((await open(jar, requestUri)).response.url).toBe(page.response.url);
    const other = await pushed();
    const running = await open(login.browser(), other);
    expect(asksWho(running.html)).toBe(true);
    expect(spent(await open(jar, other))).toBe(true);
  });

  test('a request_uri can be used again if its first use returned only an error', async () => {
    const { jar, email } = await loggedIn();
    const stranger = login.browser();
    const requestUri = await pushed({ prompt: 'none' });
    for (let tries = 0; tries < 2; tries += 1)
      expect(answerIn(leftTo(await open(stranger, requestUri))).error).toBe('login_required');
    await login.logIn(stranger, email);
    expect(leftTo(await open(stranger, requestUri)).searchParams.has('code')).toBe(true);
    expect(spent(await open(stranger, requestUri))).toBe(true);
    expect(spent(await open(jar, requestUri))).toBe(true);
  });
});
