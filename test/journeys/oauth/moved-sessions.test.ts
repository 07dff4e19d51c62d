// Token exchange (RFC 8693): an ID token of the system that users migrate from is exchanged once for a session here.
import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { findUser } from '../../support/fixtures/people.ts';
import { logInBy, verifyToken } from '../../support/fixtures/tokens.ts';
import { movingTo, useFormerIssuer } from '../../support/providers/former-issuer.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { expectOAuthError, introspect, refresh } from '../../support/tools/authorized.ts';

const former = useFormerIssuer();
const server = useTestServer({ rateLimits: 'off', events: true });
const moving = () => movingTo(server, former);

const register = async (token: string) =>
  (await server.post('/v1/auth/webauthn/register/start', { webauthn_username: 'Ann' }, { token })).status;

test('by default, ID tokens of a previous issuer cannot be exchanged', async () => {
  const { subject } = await moving().importUser();
  const answer = await moving().exchange(await former.sign({ sub: subject }));
  expectOAuthError(answer, 400, 'unauthorized_client');
});

describe('exchange of ID tokens from the previous issuer, enabled by an operator', () => {
  test('an ID token from the previous issuer can be exchanged for a session', async () => {
    const { code, stdout } = await moving().takeSessions(['--json']);
    expect({ code, record: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      record: { app_id: server.environment.app_id, issuer: former.issuer, jwks_uri: former.jwksUri },
    });
    const { subject, userId, email } = await moving().importUser();
    const authTime = Math.floor(Date.now() / 1000) - 3600;
    const { status, body } = await moving().exchange(
      await former.sign({ sub: subject, auth_time: authTime }),
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'openid email phone offline_access',
        id_token: expect.any(String),
        refresh_token: expect.any(String),
        session_id: expect.any(String),
      },
    });
    const { payload } = await verifyToken(server, body.access_token, server.environment.issuer);
    expect(payload).toMatchObject({ sub: userId, amr: ['moved'], auth_time: authTime, roles: [] });
    expect(payload).not.toHaveProperty('acr');
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: userId, email, new_user: false });
    expect(await introspect(server, body.access_token)).toMatchObject({ active: true });
    const renewed = await refresh(server, body.refresh_token);
    expect(renewed.status).toBe(200);
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({ amr: ['moved'], auth_time: authTime });
  });

  test('exchanging an ID token from the previous issuer is recorded as session.moved, not as a login', async () => {
    const { subject, userId } = await moving().importUser();
    expect((await moving().exchange(await former.sign({ sub: subject }))).status).toBe(200);
    expect(await findUser(server, userId)).toMatchObject({ status: 'Pending' });
    expect(await findUser(server, userId)).not.toHaveProperty('last_auth');
    await server.settleEvents();
    const { json } = otlAt(server);
    const { result } = await json<{ result: readonly { type: string }[] }>('user', 'timeline', userId);
    expect(result.map(({ type }) => type)).toContain('session.moved');
  });

  test('a session obtained by token exchange cannot change credentials until the user logs in again', async () => {
    const { subject, userId, email } = await moving().importUser();
    const { body } = await moving().exchange(await former.sign({ sub: subject }));
    const session = { session_id: body.session_id };
    expect(await register(body.access_token)).toBe(401);
    const passkey = `/v1/users/${userId}/webauthn-credentials/AAAA`;
    const as = { token: body.access_token };
    expect((await server.put(passkey, { name: 'Mine' }, as)).status).toBe(401);
    expect((await server.delete(passkey, as)).status).toBe(401);
    const own = { token: await server.clientToken() };
    const change = await server.put(`/v1/users/${userId}`, { username: 'ann.moved', ...session }, own);
    expect(change.status).toBe(403);
    expect((await server.post('/v1/auth/session/authenticate', session, own)).status).toBe(400);

    const login = await logInBy(server, 'email', email, session);
    expect(login.status).toBe(200);
    expect(await register(login.body.access_token)).toBe(200);
    expect(await register(body.access_token)).toBe(401);
    expect((await server.post('/v1/auth/session/authenticate', session, own)).status).toBe(200);
  });

  test('a session obtained by token exchange cannot add a passkey to a user without a verified address', async () => {
    const { subject } = await moving().importUser({ email_verified: false });
    const { body } = await moving().exchange(await former.sign({ sub: subject }));
    expect(await register(body.access_token)).toBe(401);
  });

  test('a token exchange for an unknown resource is rejected', async () => {
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    const unknown = await moving().exchange(token, { resource: 'https://unknown.example' });
    expectOAuthError(unknown, 400, 'invalid_target');
    expect((await moving().exchange(token)).status).toBe(200);
  });

  test("an ID token can be exchanged even if the first attempt to fetch the previous issuer's keys failed", async () => {
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    // Configures another URL for the issuer's keys, so that the keys are not cached yet.
    await moving().takeSessions(['--jwks-uri', `${former.jwksUri}?2`]);
    former.answer.status = 500;
    const failed = await moving().exchange(token);
    former.answer.status = 200;
    expectOAuthError(failed, 503, 'temporarily_unavailable');
    expect((await moving().exchange(token)).status).toBe(200);
  });

  test('an ID token from the previous issuer can be exchanged again after a 503 response', async () => {
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    await server.faults.inject({
      service: 'dynamodb',
      action: 'PutItem',
      operation: 'token',
      effect: 'error',
      code: 'Throttling',
    });
    const failed = await moving().exchange(token);
    await server.faults.clear();
    expect(failed.status).toBe(503);
    expect((await moving().exchange(token)).status).toBe(200);
  });

  test('an ID token from the previous issuer is accepted after the issuer has rotated its signing key', async () => {
    const { subject } = await moving().importUser();
    await server.advanceClock(31);
    former.answer.keys = { keys: [{ ...former.publicJwk, kid: 'two' }] };
    expect((await moving().exchange(await former.sign({ sub: subject }, { kid: 'two' }))).status).toBe(200);
    former.answer.keys = { keys: [former.publicJwk] };
    await server.advanceClock(31);
  });

  test('disabling the token exchange takes effect immediately and does not end sessions obtained by token exchange', async () => {
    const [moved, late] = [await moving().importUser(), await moving().importUser()];
    const { body } = await moving().exchange(await former.sign({ sub: moved.subject }));
    expect((await moving().refuseSessions()).code).toBe(0);
    const refused = await moving().exchange(await former.sign({ sub: late.subject }));
    expectOAuthError(refused, 400, 'unauthorized_client');
    expect((await refresh(server, body.refresh_token)).status).toBe(200);
  });
});

describe('configuring the previous issuer', () => {
  test.each([
    ['a period of 91 days', ['--days', '91'], '--days must be'],
    ['a JWKS URI at an internal address', ['--jwks-uri', 'https://10.0.0.1/jwks'], 'public https address'],
    [
      'the JWKS URI of an instance metadata service',
      ['--jwks-uri', 'http://169.254.169.254/'],
      'must use https',
    ],
    ['the issuer URL of this service', ['--issuer', 'OURS'], 'must not be our own issuer'],
  ])('an operator cannot configure a previous issuer with %s', async (_title, options, message) => {
    const given = options.map((each) => (each === 'OURS' ? server.environment.issuer : each));
    const { code, stderr } = await moving().takeSessions(given);
    expect({ code: code !== 0, stderr }).toEqual({ code: true, stderr: expect.stringContaining(message) });
  });

  test('an operator cannot configure a previous issuer whose JWKS URI returns no keys', async () => {
    former.answer.keys = { keys: [] };
    const { code, stderr } = await moving().takeSessions();
    former.answer.keys = { keys: [former.publicJwk] };
    expect([code, stderr]).toEqual([1, expect.stringContaining('returns no keys')]);
  });
});
