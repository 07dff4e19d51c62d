import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { demoTenant } from '../../support/fixtures/application.ts';
import { changeUser, createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { challengeOf, verifierOf } from '../../support/fixtures/proofs.ts';
import { storeResource } from '../../support/fixtures/tenants.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someUse } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  askToken,
  exchange,
  expectDead,
  expectGrantError,
  expectOAuthError,
  introspect,
  logIn,
  refresh,
  storeClient,
  storeCode,
  storeNewCode,
} from '../../support/tools/authorized.ts';
import { isFull } from '../../support/tools/full-run.ts';

const server = useTestServer();

describe('a code is exchanged', () => {
  test('for bearer tokens of its user, in an answer that no cache keeps (N019)', async () => {
    const user = await createUser(server, { email: newEmail() });
    const code = await storeCode(server, user.user_id, { nonce: 'n-0S6_WzA2Mj' });
    const answer = await exchange(server, code);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email phone offline_access',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      session_id: code.record.sessionId,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
  });

  test('without a refresh token when offline access was not granted', async () => {
    const code = await storeNewCode(server, { offlineAccess: false, scope: 'openid' });
    const { body } = await exchange(server, code);
    expect(body).toMatchObject({ scope: 'openid', id_token: expect.any(String) });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('N045 for an access token as RFC 9068 wants it', async () => {
    const code = await storeNewCode(server);
    const { body } = await exchange(server, code);
    const { issuer, client_id, tenant_id, app_id } = server.environment;
    const { header, payload } = await verifyToken(server, body.access_token, issuer);
    expect(header).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
    expect(payload).toMatchObject({
      iss: issuer,
      aud: issuer,
      sub: code.record.userId,
      client_id,
      app_id,
      tid: tenant_id,
      sid: code.record.sessionId,
      jti: expect.any(String),
      scope: 'openid email phone offline_access',
      auth_time: code.record.authTime,
      amr: ['eotp'],
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  test('N080 for an ID token with the nonce as it was given, for this client alone', async () => {
    const nonce = 'Ünïcode "nonce" \\ with spaces';
    const code = await storeNewCode(server, { nonce });
    const { body } = await exchange(server, code);
    const { header, payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(header.typ).toBe('JWT');
    expect(payload).toMatchObject({ sub: code.record.userId, nonce, aud: server.environment.client_id });
    expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(payload).not.toHaveProperty('azp');
  });

  test('N081 auth_time is the moment of the login, also minutes later', async () => {
    const authTime = Math.floor(Date.now() / 1000) - 1234;
    const code = await storeNewCode(server, {
      authTime,
      methods: [someUse({ method: 'sms', at: authTime })],
    });
    const { body } = await exchange(server, code);
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ auth_time: authTime, amr: ['sms'] });
  });

  test.each(['oidc', 'browser', 'code-based'] as const)('of every origin: %s', async (origin) => {
    expect((await exchange(server, await storeNewCode(server, { origin }))).status).toBe(200);
  });

  test('of sections B and C without its redirect URI, but not with another one', async () => {
    const code = await storeNewCode(server, { origin: 'browser' });
    const fields = { grant_type: 'authorization_code', code: code.code };
    expectGrantError(await askToken(server, { ...fields, redirect_uri: `${code.record.redirectUri}/` }));
    expect((await askToken(server, fields)).status).toBe(200);
  });
});

describe('N010 a code is bound', () => {
  test('to its redirect URI, character for character', async () => {
    const code = await storeNewCode(server);
    const { redirectUri } = code.record;
    const others = ['/', '?', '?x=1', '#', '%20'].map((end) => `${redirectUri}${end}`);
    others.push(redirectUri.toUpperCase(), redirectUri.replace('://', '://user@'), '');
    for (const redirect_uri of others) expectGrantError(await exchange(server, code, { redirect_uri }));
    expectGrantError(await askToken(server, { grant_type: 'authorization_code', code: code.code }));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('to its client: another one of the same application can neither use nor consume it', async () => {
    const code = await storeNewCode(server);
    const other = await storeClient(server);
    expectGrantError(await exchange(server, code, {}, other));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('to 60 seconds', async () => {
    const [inTime, late] = [await storeNewCode(server), await storeNewCode(server)];
    await server.advanceClock(inTime.record.expiresAt - 2 - Math.floor(Date.now() / 1000));
    expect((await exchange(server, inTime)).status).toBe(200);
    await server.advanceClock(late.record.expiresAt - Math.floor(Date.now() / 1000));
    expectGrantError(await exchange(server, late));
  });

  test('to the second factor that it waits for', async () => {
    expectGrantError(await exchange(server, await storeNewCode(server, { requireMfa: true })));
  });
});

describe('PKCE', () => {
  test('N007 takes verifiers of 43 to 128 unreserved characters', async () => {
    for (const length of [43, 128]) {
      const verifier = verifierOf(length);
      const code = await storeNewCode(server, { codeChallenge: challengeOf(verifier) });
      expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
    }
    for (const verifier of [verifierOf(42), verifierOf(129), `${verifierOf(43)}+`, `${verifierOf(42)} `]) {
      const code = await storeNewCode(server, { codeChallenge: challengeOf(verifier) });
      expectGrantError(await exchange(server, code, { code_verifier: verifier }));
    }
  });

  test('N007 refuses another verifier, and the challenge itself (plain)', async () => {
    const verifier = verifierOf(43);
    const code = await storeNewCode(server, { codeChallenge: challengeOf(verifier) });
    for (const code_verifier of [verifierOf(44), challengeOf(verifier), verifier.toUpperCase()])
      expectGrantError(await exchange(server, code, { code_verifier }));
    expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
  });

  test('N006 a code with a challenge needs the verifier, one without must not be given any', async () => {
    const challenged = await storeNewCode(server, { codeChallenge: challengeOf(verifierOf(43)) });
    expectGrantError(await exchange(server, challenged));
    const plain = await storeNewCode(server);
    expectGrantError(await exchange(server, plain, { code_verifier: verifierOf(43) }));
    expect((await exchange(server, plain)).status).toBe(200);
  });

  test('N005 is all that a public client has, and all that it needs', async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const verifier = randomBytes(48).toString('base64url');
    const code = await storeNewCode(server, { clientId, codeChallenge: challengeOf(verifier) });
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: code.code,
      redirect_uri: code.record.redirectUri,
    };
    expectGrantError(await server.form('/oidc/token', fields));
    const answer = await server.form('/oidc/token', { ...fields, code_verifier: verifier });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('N009 a code that comes twice', () => {
  test('is refused, and what the first use issued is worth nothing', async () => {
    const code = await storeNewCode(server);
    const { body: tokens } = await exchange(server, code);
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
    expectGrantError(await exchange(server, code));
    await expectDead(server, tokens);
    const again = await server.post(
      '/v1/auth/session/authenticate',
      { session_id: tokens.session_id },
      { token: await server.clientToken() },
    );
    expect(again).toMatchObject({ status: 400, body: { message: 'Session not found' } });
  });

  test('ends the successors of the refresh token too', async () => {
    const code = await storeNewCode(server);
    const { body: first } = await exchange(server, code);
    const { body: second } = await refresh(server, first.refresh_token);
    expectGrantError(await exchange(server, code));
    await expectDead(server, second);
  });

  test('is refused as long as a copy could exist', async () => {
    const code = await storeNewCode(server);
    const { body: tokens } = await exchange(server, code);
    await server.advanceClock(3000);
    expectGrantError(await exchange(server, code));
    await expectDead(server, tokens);
  });

  test.each([
    ['with a refresh token', true],
    ['without one', false],
  ])('leaves the session that its tokens only joined, %s', async (_title, offlineAccess) => {
    const { user, tokens: before } = await logIn(server);
    const joined = { joinsSession: before.session_id, offlineAccess };
    const code = await storeCode(server, user.user_id, joined);
    const { body: tokens } = await exchange(server, code);
    expect(tokens.session_id).toBe(before.session_id);
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
    expectGrantError(await exchange(server, code));
    await expectDead(server, tokens);
    expect(await introspect(server, before.access_token)).toMatchObject({ active: true });
    expect((await refresh(server, before.refresh_token)).status).toBe(200);
  });

  const MANY = isFull ? 30 : 12;

  test(`${MANY} times at once: one answer at most, and nothing of it is alive`, async () => {
    for (const offlineAccess of [true, false]) {
      const { user, tokens: before } = await logIn(server);
      const joining = { joinsSession: before.session_id, offlineAccess };
      for (const change of [{ offlineAccess }, joining]) {
        const code = await storeCode(server, user.user_id, change);
        const answers = await atOnce(MANY, () => exchange(server, code));
        const won = answers.filter(({ status }) => status === 200);
        expect(won.length).toBeLessThanOrEqual(1);
        // A machine that is too busy says so.
        for (const lost of answers) expect([200, 400, 503]).toContain(lost.status);
        for (const { body } of won) await expectDead(server, body);
      }
    }
  });

  test('a guess is no replay: the code of another client revokes nothing', async () => {
    const code = await storeNewCode(server);
    const { body: tokens } = await exchange(server, code);
    expectGrantError(await exchange(server, code, {}, await storeClient(server)));
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
  });
});

test('N011 codes and refresh tokens have 256 random bits', async () => {
  const codes = await Promise.all(Array.from({ length: 20 }, () => storeNewCode(server)));
  for (const { code } of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(32);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(20);
  const { tokens } = await logIn(server);
  expect(Buffer.from(tokens.refresh_token.split('.').at(-1) ?? '', 'base64url')).toHaveLength(32);
});

describe('without the right to log in there are no tokens', () => {
  test('a user who is no member of the organization', async () => {
    expectGrantError(await exchange(server, await storeNewCode(server, { organizationId: newId() })));
  });

  test('a user who gave up the address that the code was sent to', async () => {
    const tenant = await demoTenant(server);
    const [old, next] = [newEmail(), newEmail()];
    const user = await createUser(server, { email: old });
    const deliveredToHash = identifierHash(tenant, { type: 'email', value: old });
    const code = await storeCode(server, user.user_id, { deliveredToHash });
    await changeUser(server, user.user_id, { email: next });
    expectGrantError(await exchange(server, code));
    await changeUser(server, user.user_id, { email: old });
    expect((await exchange(server, code)).status).toBe(200);
    expect((await findUser(server, user.user_id)).email).toEqual({ value: old, email_verified: true });
  });

  test('a user who logged out of the session meanwhile', async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    await server.post('/v1/auth/logout', {}, { token: tokens.access_token });
    expectGrantError(await exchange(server, code));
  });
});

describe('resources', () => {
  test('N044 the access token is for the one resource that was chosen, with its lifetime', async () => {
    const [one, other] = [await storeResource(server), await storeResource(server)];
    for (const [resource, expected] of [
      [undefined, one],
      [other.uri, other],
    ] as const) {
      const code = await storeNewCode(server, { resources: [one.uri, other.uri] });
      const { body } = await exchange(server, code, resource === undefined ? {} : { resource });
      expect(body.expires_in).toBe(expected.accessTokenSeconds);
      const { payload } = await verifyToken(server, body.access_token, expected.uri);
      expect(payload.aud).toBe(expected.uri);
    }
  });

  test('N042 N043 the request may choose among those that were authorized, and never add one', async () => {
    const [one, other] = [await storeResource(server), await storeResource(server)];
    const code = await storeNewCode(server, { resources: [one.uri] });
    for (const resource of [other.uri, `${one.uri}#`, 'nonsense'])
      expectOAuthError(await exchange(server, code, { resource }), 400, 'invalid_target');
    expect((await exchange(server, code, { resource: one.uri })).status).toBe(200);
    const unbound = await storeNewCode(server);
    expectOAuthError(await exchange(server, unbound, { resource: one.uri }), 400, 'invalid_target');
  });
});
