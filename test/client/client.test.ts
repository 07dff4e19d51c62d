import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiSource, listRoutes } from '../../lib/build/client/api.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import type { Route } from '../../lib/client/calls.ts';
import { type ClientFor, type ClientOptions, createClientFromRoutes } from '../../lib/client/client.ts';
import type { ApiError } from '../../lib/client/errors.ts';
import type { ApiDocumentObject } from '../../shared/ports/api-document.ts';
import { made } from '../support/fixtures/managed.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

type Input = Readonly<Record<string, unknown>>;

/** Client methods that the tests call; test/client/package.test.ts checks the real types. */
type Used = Readonly<
  Record<
    | 'authenticateOTP'
    | 'createUser'
    | 'getUser'
    | 'introspection'
    | 'listUsers'
    | 'logout'
    | 'retrieveTokens'
    | 'revocation'
    | 'sendOTP'
    | 'userInfo',
    { readonly input: Input; readonly answer: Readonly<Record<string, string>> }
  >
>;

const server = useTestServer({ rateLimits: 'off' });
let document: ApiDocumentObject;
let routes: Readonly<Record<keyof Used, Route>>;
beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await generateServiceDocument()));
  routes = listRoutes(document) as typeof routes;
});

/** Creates a typed client of the demo application that records the paths of its requests. */
function realClient(change: Partial<ClientOptions> = {}) {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = server.environment;
  const paths: string[] = [];
  const counting: typeof fetch = (input, init) => {
    paths.push(String(input).slice(baseUrl.length));
    return fetch(input, init);
  };
  const client = createClientFromRoutes<Used>(routes, {
    baseUrl,
    clientId,
    clientSecret,
    fetch: counting,
    ...change,
  });
  return { client, paths };
}

const answer = (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const issued = (token: string, seconds = 3600) => answer(200, { access_token: token, expires_in: seconds });

interface Asked {
  readonly path: string;
  readonly method: string | undefined;
  readonly authorization: string | undefined;
}

/** Creates a typed client whose API calls get the given responses in order. Each token request gets a new token. */
function playedClient(answers: readonly Response[], tokens: Iterator<Response> = endless()) {
  const asked: Asked[] = [];
  const waiting = [...answers];
  const played: typeof fetch = async (input, init) => {
    const path = String(input).slice('https://login.example/cis'.length);
    const headers = new Headers(init?.headers);
    asked.push({ path, method: init?.method, authorization: headers.get('authorization') ?? undefined });
    const next = path === '/oidc/token' ? tokens.next().value : waiting.shift();
    if (!next) throw new Error(`asked once too often: ${path}`);
    return next;
  };
  const options = { baseUrl: 'https://login.example/cis/', clientId: 'client', clientSecret: 'secret' };
  const client: ClientFor<Used> = createClientFromRoutes<Used>(routes, { ...options, fetch: played });
  return { client, asked, paths: () => asked.map(({ path }) => path) };
}

function* endless() {
  for (let number = 1; ; number++) yield issued(`token-${number}`);
}

const refusal = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  );

async function loggedIn(client: ClientFor<Used>) {
  const email = newEmail();
  await client.createUser({ email });
  const who = { identifier_type: 'email', identifier: email };
  const { code } = await client.sendOTP({ channel: 'direct', ...who });
  return { email, who, code, tokens: await client.authenticateOTP({ passcode: code, ...who }) };
}

describe('calls by the typed client to a local server', () => {
  test('concurrent calls by the typed client share one client token', async () => {
    const { client, paths } = realClient();
    await Promise.all([loggedIn(client), loggedIn(client), loggedIn(client)]);
    expect(paths.filter((path) => path === '/oidc/token')).toEqual(['/oidc/token']);
    expect(paths).toHaveLength(10);
  });

  test('by default, the typed client accepts only tokens that were issued for its application', async () => {
    const { client } = realClient();
    const { email, tokens } = await loggedIn(client);
    const claims = await client.verifyIdToken(tokens.id_token ?? '');
    expect(claims).toMatchObject({ email, aud: server.environment.client_id });
    const token = tokens.access_token ?? '';
    expect(await client.verifyAccessToken(token)).toMatchObject({ sub: claims.sub });
    const other = {
      name: 'VerificationError',
      message: 'the token belongs to another application: expected other, seen demo-app',
    };
    await expect(client.verifyAccessToken(token, { appIds: ['other'] })).rejects.toMatchObject(other);
    const audience = { audience: 'https://api.example.com/' };
    await expect(client.verifyAccessToken(token, audience)).rejects.toThrow(
      `unexpected "aud" claim value: expected https://api.example.com/, seen "${server.environment.issuer}"`,
    );
    await expect(client.verifyIdToken(token)).rejects.toThrow(
      'unexpected "typ" JWT header value: expected JWT, seen "at+jwt"',
    );
    const nonce = { nonce: 'n-0S6_WzA2Mj' };
    await expect(client.verifyIdToken(tokens.id_token ?? '', nonce)).rejects.toThrow(
      'belongs to another login',
    );
  });

  test('an error from the typed client contains the status, the error code and the request ID', async () => {
    const { client } = realClient();
    const { who, code } = await loggedIn(client);
    expect(await refusal(client.authenticateOTP({ passcode: code, ...who }))).toMatchObject({
      name: 'ApiError',
      status: 400,
      errorCode: 'auth_invalid_credentials',
      message: 'Invalid passcode',
      requestId: expect.stringMatching(/./),
    });
    const wrong = realClient({ clientSecret: 'wrong' }).client;
    expect(await refusal(wrong.listUsers())).toMatchObject({ status: 401, errorCode: 'invalid_client' });
  });

  test('the typed client distinguishes missing, invalid and expired tokens', async () => {
    const { client } = realClient();
    const { tokens } = await loggedIn(client);
    const told = (accessToken: string) => refusal(client.logout({ accessToken }));
    expect((await told('')).message).toMatch(/^Invalid token: An access token is missing/);
    expect((await told('abc')).message).toBe('Invalid token: This is not an access token of this service');
    const verified = (token: string) => refusal(client.verifyAccessToken(token));
    expect(await verified('')).toMatchObject({ reason: 'missing', message: 'the token is missing' });
    expect(await verified('abc')).toMatchObject({ reason: 'invalid' });
    await server.advanceClock(3700);
    expect((await told(tokens.access_token ?? '')).message).toBe(
      'Invalid token: The access token has expired',
    );
    expect(await verified(tokens.access_token ?? '')).toMatchObject({
      reason: 'expired',
      message: expect.stringMatching(/^the token has expired, at \d{4}-/),
    });
  });

  test("if the base URL is wrong or unreachable, the typed client's error contains the URL", async () => {
    const ask = (baseUrl: string) => refusal(realClient({ baseUrl, fetch }).client.listUsers());
    const { message } = await ask('http://127.0.0.1:9/cis');
    expect(message).toMatch(/^http:\/\/127\.0\.0\.1:9\/cis did not respond: \S/);
    const shop = createServer((_, response) => response.writeHead(404).end('<html>'));
    await once(shop.listen(0, 'localhost'), 'listening');
    const origin = `http://localhost:${(shop.address() as AddressInfo).port}`;
    expect((await ask(`${origin}/cis`)).message).toBe(
      `${origin} responded with 404 but not with the JSON of the service: check baseUrl`,
    );
    shop.closeAllConnections();
    shop.close();
  });

  test('the error for a token of another issuer contains the expected and the actual issuer', async () => {
    const { client } = realClient();
    const { tokens } = await loggedIn(client);
    const { issuer } = server.environment;
    const baseUrl = 'https://login.example.com/cis';
    const played = realClient({
      baseUrl,
      fetch: (input) => fetch(String(input).replace(baseUrl, server.environment.base_url)),
    });
    await expect(played.client.verifyIdToken(tokens.id_token ?? '')).rejects.toThrow(
      `unexpected "iss" claim value: expected ${baseUrl}/oidc, seen "${issuer}"`,
    );
  });

  test('the typed client requests a new client token if its token was revoked', async () => {
    const { client } = realClient();
    const { email, tokens } = await loggedIn(client);
    const accessToken = tokens.access_token;
    expect(await client.userInfo({ accessToken })).toMatchObject({ email });
    expect(await client.introspection({ token: accessToken })).toMatchObject({ active: true });
    expect(await client.logout({ accessToken })).toEqual({ sessions_count: 1 });
    expect(await refusal(client.retrieveTokens({ code: 'unknown' }))).toMatchObject({ status: 400 });

    const revoked = await server.clientToken();
    await client.revocation({ token: revoked });
    const plays = [issued(revoked)];
    const played = realClient({
      fetch: async (input, init) =>
        (String(input).endsWith('/oidc/token') && plays.pop()) || fetch(input, init),
    });
    expect(await played.client.listUsers()).toHaveProperty('result');
  });

  test('the typed client rejects or escapes IDs that would otherwise change the request path', async () => {
    const { client } = realClient();
    const user = await made<{ user_id: string }>(server, '/v1/users', { email: newEmail() });
    expect(await client.getUser({ userId: user.user_id })).toMatchObject({ result: user });
    for (const userId of ['', '.', '..', undefined])
      await expect(client.getUser({ userId })).rejects.toThrow('userId must be an ID');
    for (const userId of ['../users', `${user.user_id}/export`, '%2e%2e', '?'])
      expect(await refusal(client.getUser({ userId }))).toMatchObject({ status: 404 });
  });
});

describe('client tokens that the typed client caches', () => {
  test('the typed client reuses its client token until one minute before the token expires', async () => {
    const { client, asked } = playedClient([answer(200), answer(200), answer(200)]);
    await client.listUsers();
    await server.advanceClock(3530);
    await client.listUsers();
    await server.advanceClock(15);
    await client.listUsers({ limit: '20', cursor: undefined });
    expect(asked.map(({ path, authorization = '' }) => `${path} ${authorization}`)).toEqual([
      ...['/oidc/token ', '/v1/users Bearer token-1', '/v1/users Bearer token-1'],
      ...['/oidc/token ', '/v1/users?limit=20 Bearer token-2'],
    ]);
  });

  test('after concurrent 401 responses, the typed client requests only one new token', async () => {
    const refused = [answer(401), answer(401), answer(401)];
    const { client, asked } = playedClient([...refused, answer(200), answer(200), answer(200)]);
    await Promise.all([client.listUsers(), client.listUsers(), client.sendOTP({})]);
    expect(asked.filter(({ path }) => path === '/oidc/token')).toHaveLength(2);
    expect(asked.slice(-3).map(({ authorization }) => authorization)).toEqual(
      Array(3).fill('Bearer token-2'),
    );

    const always = playedClient([answer(401), answer(401, { error_code: 401, message: 'Invalid token' })]);
    expect(await refusal(always.client.listUsers())).toMatchObject({ status: 401, errorCode: '401' });
    const user = playedClient([answer(401)]);
    expect(await refusal(user.client.userInfo({ accessToken: 'old' }))).toMatchObject({ status: 401 });
    expect(user.paths()).toEqual(['/oidc/me']);
  });

  test('after a failed token request, the next call of the typed client requests a token again', async () => {
    const tokens = [answer(500, { error: 'server_error' }), issued('token')].values();
    const { client } = playedClient([answer(200, { result: [] })], tokens);
    expect(await refusal(client.listUsers())).toMatchObject({ status: 500, errorCode: 'server_error' });
    expect(await client.listUsers()).toEqual({ result: [] });
  });
});

describe('retries of the typed client', () => {
  const later = (status: number, seconds = '1') => answer(status, {}, { 'retry-after': seconds });

  test('the typed client waits for the time in Retry-After before it retries a call that is safe to repeat', async () => {
    const started = performance.now();
    const { client, paths } = playedClient([later(503), later(429), answer(200), later(429), answer(200)]);
    await client.listUsers();
    await client.sendOTP({});
    expect(performance.now() - started).toBeGreaterThan(2900);
    expect(paths().slice(1)).toEqual([
      ...['/v1/users', '/v1/users', '/v1/users'],
      ...['/v1/auth/otp/send', '/v1/auth/otp/send'],
    ]);
  });

  test.each([
    ['an operation that sends a message after a 503 response', 'sendOTP', later(503), '503'],
    [
      'a call after a 429 response whose Retry-After exceeds the limit of the client',
      'listUsers',
      later(429, '6'),
      '429',
    ],
    ['a call after a 503 response without Retry-After', 'listUsers', answer(503), '503'],
    ['a call after an HTML error of a proxy', 'listUsers', answer(502, '<html>'), '502'],
  ] as const)('the typed client does not retry %s', async (_title, name, response, code) => {
    const { client, paths } = playedClient([response]);
    expect(await refusal(client[name]({}))).toMatchObject({ status: response.status, errorCode: code });
    expect(paths()).toHaveLength(2);
  });

  test('an error from the typed client contains the Retry-After time in seconds', async () => {
    const { client } = playedClient([later(429, '60')]);
    expect(await refusal(client.listUsers())).toMatchObject({ retryAfter: 60 });
  });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['unknown option baseURL: known are baseUrl, ', { baseURL: 'https://login.example.com/cis' }],
  ['missing option clientSecret', { clientSecret: '' }],
  [
    'baseUrl must be like https://login.example.com/cis, but is "localhost:3000/cis"',
    { baseUrl: 'localhost:3000/cis' },
  ],
])('the typed client rejects an invalid option: %s', (message, change) => {
  expect(() => realClient(change)).toThrow(message);
});

test('the token verification methods of the typed client reject unknown options', async () => {
  const { client } = realClient();
  const given = { appId: 'demo-app' } as object;
  await expect(client.verifyAccessToken('token', given)).rejects.toThrow('unknown option appId');
  await expect(client.verifyIdToken('token', given)).rejects.toThrow('unknown option appId');
});

test('the typed client has methods for operations that backends call, but not for hosted pages', () => {
  expect(Object.keys(routes)).toEqual(
    expect.arrayContaining([
      'sendMagicLinkEmail',
      'authenticateOTP',
      'startPasskeyLogin',
      'deleteUser',
      'token',
    ]),
  );
  expect(Object.keys(routes)).toEqual(expect.not.arrayContaining(['authorize', 'loginPage', 'health']));
});

test('generating the typed client twice from the same OpenAPI document gives identical source code', async () => {
  expect(await generateApiSource(document)).toBe(await generateApiSource(document));
});
