import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { decodeClaims, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import { changeUser, createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import {
  answerAt,
  newClaims,
  newClaimsWithEmail,
  readLocation,
  useSocialLogin,
} from '../../support/providers/social.ts';

const { upstream, server, social, browser, tokensAt, findUserId } = useSocialLogin();

const readRecord = async (userId: string) =>
  (await findUser(server, userId)) as unknown as Record<string, unknown>;

describe('login with an identity provider account', () => {
  test('a social login redirects to the provider with state, nonce and PKCE challenge', async () => {
    const jar = browser();
    const response = await jar.request(social.path('google', { login_hint: 'undefined', unknown: 'x' }));
    expect(response.status).toBe(302);
    const authorization = await readLocation(response);
    expect(authorization.origin + authorization.pathname).toBe(`${upstream.issuer}/authorize`);
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      kept: '1',
      response_type: 'code',
      client_id: upstream.clientId,
      redirect_uri: `${server.environment.base_url}/auth/google/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const code = upstream.issue(authorization, { claims: newClaims() });
    const back = await jar.request(social.callback(authorization, { code }));
    expect(back.status).toBe(303);
    const target = await readLocation(back);
    expect(target.href.startsWith(`${social.redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.any(String),
      state: 'the state & more',
    });
  });

  test('a social login creates the user when the code is exchanged', async () => {
    const email = newEmail();
    const claims = newClaimsWithEmail(email, { picture: 'https://pictures.example/a.png', locale: 'de' });
    const target = await social.logIn(browser(), claims);
    const token = await server.clientToken();
    expect((await server.get(`/v1/users/email/${email}`, { token })).status).toBe(404);
    const tokens = await tokensAt(target);
    expect(tokens.is_user_created).toBe(true);
    const idToken = decodeClaims(tokens.id_token);
    expect(idToken).toMatchObject({
      email,
      email_verified: true,
      amr: ['social'],
      nonce: 'the-nonce',
      new_user: true,
    });
    expect(await readRecord(idToken.sub ?? '')).toMatchObject({
      status: 'Active',
      email: { value: email, email_verified: true },
      name: { first_name: 'Ann', last_name: 'Example' },
      picture: 'https://pictures.example/a.png',
      language: 'de',
      identities: [{ provider: 'google', issuer: upstream.issuer, subject: claims.sub }],
      last_auth: expect.any(String),
    });
  });

  test("a social login finds an existing user by the provider's subject identifier", async () => {
    const claims = newClaimsWithEmail();
    const userId = await findUserId(await social.logIn(browser(), claims));
    const again = await tokensAt(await social.logIn(browser(), { ...claims, email: newEmail() }));
    expect(decodeClaims(again.id_token).sub).toBe(userId);
    expect(again.is_user_created).toBe(false);
  });

  test('a direct social login rejects invalid parameters', async () => {
    const claims = JSON.stringify({ id_token: { name: null } });
    const target = await social.logIn(browser(), newClaimsWithEmail(), { claims, create_new_user: 'true' });
    const idToken = decodeClaims((await tokensAt(target)).id_token);
    expect(idToken.name).toBe('Ann Example');
    for (const [change, told] of [
      [{ create_new_user: 'maybe' }, 'create_new_user: must be true or false'],
      [{ require_mfa: 'maybe' }, 'require_mfa: must be true or false'],
      [{ claims: 'nonsense' }, 'claims: must be JSON'],
    ] as const)
      expect(answerAt(await social.leave(browser(), change))).toEqual({
        error: 'invalid_request',
        error_description: told,
      });
    expect(answerAt(await social.leave(browser(), { resource: 'https://unknown.example' }))).toEqual({
      error: 'invalid_target',
      error_description: 'Resource not found',
    });
    expect(answerAt(await social.leave(browser(), {}, 'facebook'))).toEqual({
      error: 'invalid_request',
      error_description: 'The application has not configured this provider',
    });
  });

  test('a social login issues tokens for the requested resource', async () => {
    const token = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), token);
    const target = await social.logIn(browser(), newClaimsWithEmail(), { resource: uri });
    expect(decodeClaims((await tokensAt(target)).access_token).aud).toBe(uri);
  });

  test('a social login with an invalid client or redirect URI is rejected without a redirect', async () => {
    for (const [change, message] of [
      [{ client_id: 'unknown' }, 'client_id: is unknown: unknown (a change takes up to a minute to be seen)'],
      [{ client_id: 'x'.repeat(151) }, expect.stringContaining('client_id')],
      [{ redirect_uri: undefined }, 'redirect_uri: is required'],
      [{ redirect_uri: 'https://evil.example' }, expect.stringContaining('redirect_uri')],
    ] as const) {
      const response = await browser().request(social.path('google', change), { headers: { accept: '*/*' } });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        message,
        error_code: 400,
        http_request_id: expect.any(String),
      });
    }
  });

  test('a prefetch or HEAD request neither starts nor completes a social login', async () => {
    const root = social.path('google').replace('/cis/', '/');
    expect((await browser().request(root)).status).toBe(302);
    expect((await browser().request(root, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    expect((await browser().request(root, { method: 'HEAD' })).status).toBe(200);
    const [jar, login] = [browser(), hostedLogin(server)];
    const { html } = await jar.open(login.address());
    const [, start = ''] = /action="(\/login\/[^"/]+)/.exec(html) ?? [];
    const away = await social.leave(jar);
    const callback = social.callback(away, { code: upstream.issue(away, { claims: newClaims() }) });
    for (const address of [`${start}/with/google`, callback]) {
      expect((await jar.request(address, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
      expect((await jar.request(address, { method: 'HEAD' })).status).toBe(200);
      expect([302, 303]).toContain((await jar.request(address)).status);
    }
  });

  test("the authorization code of a social login is bound to the client's PKCE challenge", async () => {
    const login = hostedLogin(server);
    const challenged = login.parameters({ scope: undefined, response_type: undefined });
    const target = await social.logIn(browser(), newClaims(), challenged);
    expect((await social.exchange(target)).status).toBe(400);
  });

  test('a social login creates no user if the application does not allow sign-up', async () => {
    expect(answerAt(await social.logIn(browser(), newClaims(), { create_new_user: 'false' }))).toEqual({
      error: 'access_denied',
      error_description: 'User not found',
    });
    await withApplication(server, { publicSignup: false }, async () => {
      expect(answerAt(await social.logIn(browser(), newClaims()))).toEqual({
        error: 'access_denied',
        error_description: 'Public signup is not allowed for this application',
      });
    });
  });

  test('two concurrent sign-ups with the same identity provider account create one user', async () => {
    const claims = newClaimsWithEmail();
    const [one, other] = [await social.logIn(browser(), claims), await social.logIn(browser(), claims)];
    const answers = await Promise.all([social.exchange(one), social.exchange(other)]);
    // The later sign-up is rejected, or logs in the user whom the earlier one has created.
    const users = answers.flatMap(({ status, body }) =>
      status === 200 ? [decodeClaims(body.id_token).sub] : [],
    );
    expect(users.length + answers.filter(({ status }) => status === 400).length).toBe(2);
    expect(new Set(users)).toEqual(new Set([await findUserId(await social.logIn(browser(), claims))]));
  });

  test('a social login with require_mfa asks for a second factor', async () => {
    const email = newEmail();
    const claims = newClaimsWithEmail(email);
    const jar = browser();
    await tokensAt(await social.logIn(jar, claims));
    expect(answerAt(await social.logIn(jar, claims, { require_mfa: 'true' }))).toEqual({
      error: 'mfa_required',
      error_description: 'A second factor is required: email,email-otp',
    });
    const token = await server.clientToken();
    const sent = { email, redirect_uri: social.redirectUri, require_mfa: true };
    await server.post('/v1/auth/otp/email', sent, { token });
    const passcode = await server.codeTo(email);
    const { body } = await server.post<{ result: string }>(
      '/v1/auth/otp/email/validation',
      { email, passcode },
      { token },
    );
    const { id_token } = await tokensAt(await readLocation(await jar.request(body.result)));
    expect(decodeClaims(id_token)).toMatchObject({ amr: ['social', 'eotp', 'mfa'], acr: 'mfa' });
  });

  test('a social login can be the second factor after an email code', async () => {
    const email = newEmail();
    const claims = newClaimsWithEmail(email);
    const userId = await findUserId(await social.logIn(browser(), claims));
    const jar = browser();
    const token = await server.clientToken();
    const backend = codeBased(server, token);
    const first = await readLocation(
      await jar.request(await backend.resultByEmail(email, { require_mfa: true })),
    );
    expect(answerAt(first)).toEqual({
      error: 'mfa_required',
      error_description: 'A second factor is required: google',
    });
    const { id_token } = await tokensAt(await social.logIn(jar, claims, { require_mfa: 'true' }));
    expect(decodeClaims(id_token)).toMatchObject({ sub: userId, amr: ['eotp', 'social', 'mfa'], acr: 'mfa' });
  });

  test('a social login is rejected for a disabled user', async () => {
    const claims = newClaimsWithEmail();
    const userId = await findUserId(await social.logIn(browser(), claims));
    await changeUser(server, userId, { status: 'Disabled' });
    expect(answerAt(await social.logIn(browser(), claims))).toEqual({
      error: 'access_denied',
      error_description: 'User is not active',
    });
  });

  test("a social login with an erased user's provider account creates a new user", async () => {
    const claims = newClaimsWithEmail();
    const userId = await findUserId(await social.logIn(browser(), claims));
    const token = await server.clientToken();
    expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
    const again = await tokensAt(await social.logIn(browser(), claims));
    expect(again.is_user_created).toBe(true);
    expect(decodeClaims(again.id_token).sub).not.toBe(userId);
  });
});

describe('identity provider account with the address of an existing user', () => {
  test('a provider account is linked to the user whose address a trusted provider has verified', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email, name: { first_name: 'Own' } });
    const claims = newClaimsWithEmail(email.toUpperCase());
    expect(await findUserId(await social.logIn(browser(), claims))).toBe(userId);
    expect(await readRecord(userId)).toMatchObject({
      email: { value: email, email_verified: true },
      name: { first_name: 'Own', last_name: 'Example' },
      identities: [{ provider: 'google', subject: claims.sub }],
    });
  });

  const refused = {
    error: 'access_denied',
    error_description: 'An account with this address exists: log in to it in another way',
  };

  test('a provider account is not linked by address if the application does not trust the provider', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email });
    expect(answerAt(await social.logIn(browser(), newClaimsWithEmail(email), {}, 'line'))).toEqual(refused);
    expect(await readRecord(userId)).toMatchObject({ identities: [], email: { email_verified: false } });
  });

  test('an unverified address of a provider account is not stored', async () => {
    const claims = newClaimsWithEmail(newEmail(), { email_verified: false });
    const { id_token } = await tokensAt(await social.logIn(browser(), claims));
    expect(decodeClaims(id_token).email).toBeUndefined();
    const record = await readRecord(decodeClaims(id_token).sub ?? '');
    expect(record.email).toBeUndefined();
    expect(record.name).toEqual({ first_name: 'Ann', last_name: 'Example' });
  });

  test('accounts with the same subject at two providers belong to two users', async () => {
    const claims = newClaims();
    const one = await findUserId(await social.logIn(browser(), claims, {}, 'google'));
    const other = await findUserId(await social.logIn(browser(), claims, {}, 'line'));
    expect(one).not.toBe(other);
  });
});

describe('social login providers at the authorization endpoint and on hosted pages', () => {
  const direct = { acr_values: 'urn:cis:google_direct' };

  test('acr_values can send the user directly to a social login provider', async () => {
    const [login, jar] = [hostedLogin(server), browser()];
    const response = await jar.request(login.address(direct));
    expect(response.status).toBe(303);
    const authorization = await readLocation(response);
    expect(authorization.origin).toBe(upstream.issuer);
    const claims = newClaimsWithEmail();
    const target = await social.comeBack(jar, authorization, { claims });
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.any(String),
      state: 'the state & more',
      iss: server.environment.issuer,
    });
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({
      email: claims.email,
      amr: ['social'],
      nonce: 'the-nonce',
    });
    const again = await jar.request(login.address({ scope: 'openid' }));
    expect((await readLocation(again)).searchParams.get('code')).not.toBeNull();
  });

  test('the error response of a direct social login contains the parameter iss', async () => {
    const [login, jar] = [hostedLogin(server), browser()];
    const authorization = await readLocation(await jar.request(login.address(direct)));
    const target = await readLocation(
      await jar.request(social.callback(authorization, { error: 'access_denied' })),
    );
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The login was cancelled at the provider',
      state: 'the state & more',
      iss: server.environment.issuer,
    });
    const withoutSignUp = { ...direct, createNewUser: 'false' };
    const other = browser();
    const way = await readLocation(await other.request(login.address(withoutSignUp)));
    expect((await social.comeBack(other, way, { claims: newClaims() })).searchParams.get('error')).toBe(
      'access_denied',
    );
  });

  test('a user who starts a social login on the login page and cancels it returns to the login page', async () => {
    const [login, jar] = [hostedLogin(server), browser()];
    const page = await jar.open(login.address());
    expect(page.html).toContain('Continue with Google');
    expect(page.html).toContain('Log in with LINE');
    expect(page.html).not.toContain('Facebook');
    const leave = async () => leftTo(await page.submit({ method: 'google' }, '/login/'));
    const submitted = await leave();
    const cancelled = await jar.open(social.callback(submitted, { error: 'access_denied' }));
    expect(cancelled.html).toContain('was cancelled');
    const claims = newClaimsWithEmail();
    const target = await social.comeBack(jar, await leave(), { claims });
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token).email).toBe(claims.email);
    expect(answerAt(target).iss).toBe(server.environment.issuer);
  });

  test('if sign-up is disabled, the login page tells a new user that no account exists', async () => {
    const login = hostedLogin(server);
    const refused = async (change: Readonly<Record<string, string>>) => {
      const jar = browser();
      const page = await jar.open(login.address(change));
      const authorization = leftTo(await page.submit({ method: 'google' }, '/login/'));
      const code = upstream.issue(authorization, { claims: newClaims() });
      return (await jar.open(social.callback(authorization, { code }))).html;
    };
    const noAccount = 'There is no account for this sign-in';
    expect(await refused({ createNewUser: 'false' })).toContain(noAccount);
    for (const change of [{ hostedSignUp: false }, { publicSignup: false }])
      await withApplication(server, change, async () => {
        expect(await refused({})).toContain(noAccount);
      });
  });

  test('a user can log in to an organization with an account at an identity provider', async () => {
    const [login, jar] = [hostedLogin(server), browser()];
    const claims = newClaimsWithEmail();
    const userId = await findUserId(await social.logIn(browser(), claims));
    const { organizationId } = await storeMember(server, { userId });
    const authorization = await readLocation(
      await jar.request(login.address({ ...direct, org_id: organizationId })),
    );
    const { body } = await login.exchange(await social.comeBack(jar, authorization, { claims }));
    expect(decodeClaims(body.id_token)).toMatchObject({ sub: userId, org_id: organizationId });
    const { knownDevices } = await server.ports(['knownDevices']);
    const browserHash = hashSecret(jar.cookies.get('__Host-browser') ?? '');
    expect(await knownDevices.isKnown(userId, browserHash, Math.floor(Date.now() / 1000))).toBe(true);
  });

  test('after a social login that requires MFA, the login page asks for the second factor', async () => {
    const [login, jar, email] = [hostedLogin(server), browser(), newEmail()];
    const claims = newClaimsWithEmail(email);
    await tokensAt(await social.logIn(browser(), claims));
    const authorization = await readLocation(
      await jar.request(login.address({ ...direct, acr_values: 'mfa urn:cis:google_direct' })),
    );
    const code = upstream.issue(authorization, { claims });
    const factor = await jar.open(social.callback(authorization, { code }));
    const sent = await factor.submit({ method: 'email' });
    const target = leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({ amr: ['social', 'eotp', 'mfa'], acr: 'mfa' });
  });
});
