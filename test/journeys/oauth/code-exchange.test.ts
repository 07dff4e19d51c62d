import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { demoTenant } from '../../support/fixtures/application.ts';
import { changeUser, createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { computeChallenge, createVerifier } from '../../support/fixtures/proofs.ts';
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

describe('exchanging an authorization code for tokens', () => {
  test('N019 the response to the exchange of an authorization code forbids caching', async () => {
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

  test('without the scope offline_access, the exchange of an authorization code yields no refresh token', async () => {
    const code = await storeNewCode(server, { offlineAccess: false, scope: 'openid' });
    const { body } = await exchange(server, code);
    expect(body).toMatchObject({ scope: 'openid', id_token: expect.any(String) });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('N045 exchanging an authorization code yields an access token in the format of RFC 9068', async () => {
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

  test('N080 an ID token contains the nonce of the authorization request and has the client as audience', async () => {
    const nonce = 'Ünïcode "nonce" \\ with spaces';
    const code = await storeNewCode(server, { nonce });
    const { body } = await exchange(server, code);
    const { header, payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(header.typ).toBe('JWT');
    expect(payload).toMatchObject({ sub: code.record.userId, nonce, aud: server.environment.client_id });
    expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(payload).not.toHaveProperty('azp');
  });

  test('N081 the auth_time of a token is the time of the login, not that of the code exchange', async () => {
    const authTime = Math.floor(Date.now() / 1000) - 1234;
    const code = await storeNewCode(server, {
      authTime,
      methods: [someUse({ method: 'sms', at: authTime })],
    });
    const { body } = await exchange(server, code);
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ auth_time: authTime, amr: ['sms'] });
  });

  test.each(['oidc', 'browser', 'code-based'] as const)(
    'an authorization code of the login flow %s can be exchanged at the token endpoint',
    async (origin) => {
      expect((await exchange(server, await storeNewCode(server, { origin }))).status).toBe(200);
    },
  );

  test('the authorization code of a direct or code-based login can be exchanged without its redirect URI', async () => {
    const code = await storeNewCode(server, { origin: 'browser' });
    const fields = { grant_type: 'authorization_code', code: code.code };
    expectGrantError(await askToken(server, { ...fields, redirect_uri: `${code.record.redirectUri}/` }));
    expect((await askToken(server, fields)).status).toBe(200);
  });
});

describe('N010 conditions for exchanging an authorization code', () => {
  test('an authorization code can be exchanged only with exactly the same redirect URI', async () => {
    const code = await storeNewCode(server);
    const { redirectUri } = code.record;
    const others = ['/', '?', '?x=1', '#', '%20'].map((end) => `${redirectUri}${end}`);
    others.push(redirectUri.toUpperCase(), redirectUri.replace('://', '://user@'), '');
    for (const redirect_uri of others) expectGrantError(await exchange(server, code, { redirect_uri }));
    expectGrantError(await askToken(server, { grant_type: 'authorization_code', code: code.code }));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('another client of the application can neither exchange nor invalidate an authorization code', async () => {
    const code = await storeNewCode(server);
    const other = await storeClient(server);
    expectGrantError(await exchange(server, code, {}, other));
    expect((await exchange(server, code)).status).toBe(200);
  });

  test('an authorization code expires after 60 seconds', async () => {
    const [inTime, late] = [await storeNewCode(server), await storeNewCode(server)];
    await server.advanceClock(inTime.record.expiresAt - 2 - Math.floor(Date.now() / 1000));
    expect((await exchange(server, inTime)).status).toBe(200);
    await server.advanceClock(late.record.expiresAt - Math.floor(Date.now() / 1000));
    expectGrantError(await exchange(server, late));
  });

  test('an authorization code cannot be exchanged as long as a required second factor is missing', async () => {
    expectGrantError(await exchange(server, await storeNewCode(server, { requireMfa: true })));
  });
});

describe('PKCE at the token endpoint', () => {
  test('N007 a code verifier must have 43 to 128 unreserved characters', async () => {
    for (const length of [43, 128]) {
      const verifier = createVerifier(length);
      const code = await storeNewCode(server, { codeChallenge: computeChallenge(verifier) });
      expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
    }
    for (const verifier of [
      createVerifier(42),
      createVerifier(129),
      `${createVerifier(43)}+`,
      `${createVerifier(42)} `,
    ]) {
      const code = await storeNewCode(server, { codeChallenge: computeChallenge(verifier) });
      expectGrantError(await exchange(server, code, { code_verifier: verifier }));
    }
  });

  test('N007 a wrong code verifier is rejected', async () => {
    const verifier = createVerifier(43);
    const code = await storeNewCode(server, { codeChallenge: computeChallenge(verifier) });
    for (const code_verifier of [createVerifier(44), computeChallenge(verifier), verifier.toUpperCase()])
      expectGrantError(await exchange(server, code, { code_verifier }));
    expect((await exchange(server, code, { code_verifier: verifier })).status).toBe(200);
  });

  test('N006 an authorization code with a PKCE challenge can be exchanged only with the code verifier', async () => {
    const challenged = await storeNewCode(server, { codeChallenge: computeChallenge(createVerifier(43)) });
    expectGrantError(await exchange(server, challenged));
    const plain = await storeNewCode(server);
    expectGrantError(await exchange(server, plain, { code_verifier: createVerifier(43) }));
    expect((await exchange(server, plain)).status).toBe(200);
  });

  test('N005 a public client exchanges an authorization code with the verifier and no secret', async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const verifier = randomBytes(48).toString('base64url');
    const code = await storeNewCode(server, { clientId, codeChallenge: computeChallenge(verifier) });
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

describe('N009 authorization code that is used twice', () => {
  test('using an authorization code a second time revokes the tokens of the first use', async () => {
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

  test('using an authorization code a second time also revokes rotated refresh tokens', async () => {
    const code = await storeNewCode(server);
    const { body: first } = await exchange(server, code);
    const { body: second } = await refresh(server, first.refresh_token);
    expectGrantError(await exchange(server, code));
    await expectDead(server, second);
  });

  test('using an authorization code again revokes its tokens even 50 minutes after the first use', async () => {
    const code = await storeNewCode(server);
    const { body: tokens } = await exchange(server, code);
    await server.advanceClock(3000);
    expectGrantError(await exchange(server, code));
    await expectDead(server, tokens);
  });

  test.each([
    ['with a refresh token', true],
    ['without a refresh token', false],
  ])(
    'a second use of an authorization code %s does not end a session that existed before the code',
    async (_title, offlineAccess) => {
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
    },
  );

  const MANY = isFull ? 30 : 12;

  test(`an authorization code presented ${MANY} times concurrently yields no valid tokens`, async () => {
    for (const offlineAccess of [true, false]) {
      const { user, tokens: before } = await logIn(server);
      const joining = { joinsSession: before.session_id, offlineAccess };
      for (const change of [{ offlineAccess }, joining]) {
        const code = await storeCode(server, user.user_id, change);
        const answers = await atOnce(MANY, () => exchange(server, code));
        const won = answers.filter(({ status }) => status === 200);
        expect(won.length).toBeLessThanOrEqual(1);
        // On an overloaded machine, some exchanges fail with 503.
        for (const lost of answers) expect([200, 400, 503]).toContain(lost.status);
        for (const { body } of won) await expectDead(server, body);
      }
    }
  });

  test("presenting another client's authorization code does not revoke the tokens that were issued for it", async () => {
    const code = await storeNewCode(server);
    const { body: tokens } = await exchange(server, code);
    expectGrantError(await exchange(server, code, {}, await storeClient(server)));
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
  });
});

test('N011 authorization codes and refresh tokens have 256 random bits', async () => {
  const codes = await Promise.all(Array.from({ length: 20 }, () => storeNewCode(server)));
  for (const { code } of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(32);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(20);
  const { tokens } = await logIn(server);
  expect(Buffer.from(tokens.refresh_token.split('.').at(-1) ?? '', 'base64url')).toHaveLength(32);
});

describe('authorization codes of users who may no longer log in', () => {
  test('an authorization code is rejected if the user is not a member of the organization', async () => {
    expectGrantError(await exchange(server, await storeNewCode(server, { organizationId: newId() })));
  });

  test('an authorization code is rejected if its user no longer has the address that the login used', async () => {
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

  test('an authorization code is rejected if its user has ended the session by a logout', async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    await server.post('/v1/auth/logout', {}, { token: tokens.access_token });
    expectGrantError(await exchange(server, code));
  });
});

describe('resource of an authorization code', () => {
  test('N044 the audience of an access token is exactly one resource', async () => {
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

  test('N042 N043 a code exchange cannot request a resource that was not authorized', async () => {
    const [one, other] = [await storeResource(server), await storeResource(server)];
    const code = await storeNewCode(server, { resources: [one.uri] });
    for (const resource of [other.uri, `${one.uri}#`, 'nonsense'])
      expectOAuthError(await exchange(server, code, { resource }), 400, 'invalid_target');
    expect((await exchange(server, code, { resource: one.uri })).status).toBe(200);
    const unbound = await storeNewCode(server);
    expectOAuthError(await exchange(server, unbound, { resource: one.uri }), 400, 'invalid_target');
  });
});
