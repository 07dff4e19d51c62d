// OpenID Connect Back-Channel Logout 1.0. The test is a relying party that verifies logout tokens as §2.6 requires.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { backoffSeconds, WEBHOOK_ATTEMPTS } from '../../../shared/domain/sending/webhook.ts';
import { decodeClaims, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { type ClientWithSecret, storeClient } from '../../support/tools/authorized.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const server = useTestServer({ rateLimits: 'off', events: true });
const login = hostedLogin(server);
let receiver: Server;
let shop: ClientWithSecret;
let status = 200;
const posts: { readonly path: string; readonly type: string | undefined; readonly body: string }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    posts.push({ path, type: headers['content-type'], body: await text(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  shop = await storeClient(server, { backchannelLogoutUri: receiverUrl('shop') });
});
beforeEach(() => {
  posts.length = 0;
  status = 200;
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
});

const receiverUrl = (name: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`;

/** Verifies the logout tokens of all received requests. Returns the claims of each, with the path of the request. */
async function told(): Promise<readonly (JWTPayload & { readonly path: string })[]> {
  const keys = createLocalJWKSet(
    (await server.get<Parameters<typeof createLocalJWKSet>[0]>('/oidc/jwks')).body,
  );
  return Promise.all(
    posts.map(async ({ path, type, body }) => {
      expect(type).toBe('application/x-www-form-urlencoded');
      const form = new URLSearchParams(body);
      expect([...form.keys()]).toEqual(['logout_token']);
      const { payload } = await jwtVerify(form.get('logout_token') ?? '', keys, {
        typ: 'logout+jwt',
        issuer: server.environment.issuer,
        requiredClaims: ['iat', 'exp', 'jti', 'events', 'sub', 'sid', 'aud'],
      });
      expect(payload.events).toEqual({ [EVENT]: {} });
      expect(payload).not.toHaveProperty('nonce');
      expect(payload.exp).toBe((payload.iat ?? 0) + 120);
      return { ...payload, path };
    }),
  );
}

/** Logs in to the client `shop` and, in the same session, to the other client if one is given. */
async function loggedIn(other?: ClientWithSecret) {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  const jar = login.browser();
  const target = await login.logIn(jar, email, { client_id: shop.clientId });
  const { body } = await login.exchange(target, {}, shop);
  if (other) {
    const there = leftTo(await jar.open(login.address({ client_id: other.clientId })));
    await login.exchange(there, {}, other);
  }
  return { jar, user_id, tokens: body, sid: decodeClaims(body.id_token).sid };
}

test('N072: when a session ends, each client receives a logout token with the sid of its ID tokens', async () => {
  const other = await storeClient(server, {
    backchannelLogoutUri: receiverUrl('other'),
    idTokenSignedResponseAlg: 'PS256',
  });
  const { tokens, user_id, sid } = await loggedIn(other);
  expect(sid).toBe(decodeClaims(tokens.access_token).sid);
  await server.settleEvents();
  expect(posts).toEqual([]);
  await server.post('/v1/auth/logout', undefined, { token: tokens.access_token });
  await server.settleEvents();
  const tellings = await told();
  expect(tellings).toHaveLength(2);
  for (const { clientId, path } of [
    { ...shop, path: '/shop' },
    { ...other, path: '/other' },
  ])
    expect(tellings).toContainEqual(expect.objectContaining({ path, aud: clientId, sub: user_id, sid }));
  const algorithms = posts.map(({ path, body }) => {
    const [header = ''] = (new URLSearchParams(body).get('logout_token') ?? '').split('.');
    return [path, JSON.parse(Buffer.from(header, 'base64url').toString()).alg];
  });
  expect(Object.fromEntries(algorithms)).toEqual({ '/shop': 'RS256', '/other': 'PS256' });
});

test.each<[string, (person: Awaited<ReturnType<typeof loggedIn>>) => Promise<unknown>]>([
  [
    'a logout in the browser',
    async ({ jar, tokens }) => {
      const { issuer } = server.environment;
      const { status } = await jar.open(`${issuer}/session/end?id_token_hint=${tokens.id_token}`);
      expect(status).toBe(200);
    },
  ],
  [
    'the user has ended all sessions',
    ({ user_id, tokens }) =>
      server.delete(`/v1/auth/users/${user_id}/sessions`, { token: tokens.access_token }),
  ],
  [
    'an operator has ended all sessions',
    async ({ user_id }) =>
      server.delete(`/v1/auth/users/${user_id}/sessions`, { token: await server.adminToken() }),
  ],
  [
    'a backend has ended the session',
    async ({ sid: session_id }) =>
      server.post('/v1/auth/session/logout', { session_id }, { token: await server.clientToken() }),
  ],
  [
    'the user was disabled',
    async ({ user_id }) =>
      server.put(`/v1/users/${user_id}`, { status: 'Disabled' }, { token: await server.clientToken() }),
  ],
  [
    'the user was deleted',
    async ({ user_id }) => server.delete(`/v1/users/${user_id}`, { token: await server.clientToken() }),
  ],
])('one back-channel logout request is sent after %s', async (_, end) => {
  const person = await loggedIn();
  await end(person);
  await server.settleEvents();
  expect(await told()).toEqual([expect.objectContaining({ sub: person.user_id, sid: person.sid })]);
});

test('a back-channel logout that fails until the last attempt is published as an event', async () => {
  const end = async () => {
    const { tokens } = await loggedIn();
    await server.post('/v1/auth/logout', undefined, { token: tokens.access_token });
    await server.settleEvents();
  };
  const isEvent = ({ audit = [] }: { readonly audit?: readonly string[] }) => audit.includes('logout.failed');
  status = 204;
  await end();
  await server.advanceClock(backoffSeconds(1));
  await server.settleEvents();
  expect(posts.splice(0)).toHaveLength(1);
  status = 400;
  const refused = await logLines(end);
  expect(refused.filter(isEvent)).toMatchObject([{ status: 400, client_id: shop.clientId, attempt: 1 }]);
  expect(posts).toHaveLength(1);
  status = 503;
  const failed = await logLines(async () => {
    await end();
    for (let attempt = 1; attempt < WEBHOOK_ATTEMPTS; attempt += 1)
      await server.advanceClock(backoffSeconds(attempt));
    await server.settleEvents();
  });
  expect(posts).toHaveLength(1 + WEBHOOK_ATTEMPTS);
  expect(failed.filter(isEvent)).toMatchObject([{ status: 503, attempt: WEBHOOK_ATTEMPTS }]);
  const tokens = posts.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
  const jtis = tokens.map((token) => decodeClaims(token).jti);
  expect(new Set(jtis).size).toBe(jtis.length);
  for (const token of tokens) expect(JSON.stringify([...refused, ...failed])).not.toContain(token);
});
