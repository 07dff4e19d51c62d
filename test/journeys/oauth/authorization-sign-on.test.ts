import { describe, expect, test } from '@jest/globals';
import { LOGIN_TRANSACTION_SECONDS, SESSION_IDLE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { asksWho, readCode, readErrorCode, useAuthorization } from '../../support/fixtures/authorization.ts';
import { answerIn, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication, storeMember, storeTenant } from '../../support/fixtures/tenants.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const { server, login, loggedIn, pushed, ask, exchangeTokens } = useAuthorization();

describe('single sign-on between clients of a tenant', () => {
  test('N081 single sign-on keeps the auth_time of the original login', async () => {
    const { jar, target, userId } = await loggedIn();
    const first = await exchangeTokens(target);
    await server.advanceClock(600);
    for (const change of [{}, { prompt: 'none' }, { prompt: 'consent' }]) {
      const again = await exchangeTokens(leftTo(await ask(jar, { nonce: 'another', ...change })));
      expect(again.claims).toMatchObject({
        sub: userId,
        nonce: 'another',
        auth_time: first.claims.auth_time,
        amr: ['eotp'],
      });
      expect(again.session_id).toBe(first.session_id);
    }
  });

  test('after a session has begun in another tab, a reloaded login page offers to continue with this session', async () => {
    const { email, userId } = await loggedIn();
    const jar = login.browser();
    const [open, forced] = [await ask(jar, { nonce: 'other-tab' }), await ask(jar, { prompt: 'login' })];
    const first = await exchangeTokens(await login.logIn(jar, email));

    const reloaded = await jar.open(open.response.url);
    expect(asksWho(reloaded.html)).toBe(false);
    const again = await exchangeTokens(leftTo(await reloaded.submit({}, '/continue')));
    expect(again.claims).toMatchObject({ sub: userId, nonce: 'other-tab', amr: ['eotp'] });
    expect(again.session_id).toBe(first.session_id);

    const kept = await jar.open(forced.response.url);
    expect(asksWho(kept.html)).toBe(true);
  });

  test('single sign-on works across all clients and applications of a tenant', async () => {
    const { jar, userId } = await loggedIn();
    const another = await storeClient(server);
    const { application, ...client } = await storeApplication(server);
    for (const each of [another, client]) {
      const target = leftTo(await ask(jar, { client_id: each.clientId, prompt: 'none' }));
      const { claims } = await exchangeTokens(target, {}, each);
      expect(claims).toMatchObject({ sub: userId, aud: each.clientId });
    }
    expect(application.tenantId).toBe(server.environment.tenant_id);
  });

  test('single sign-on does not apply to other tenants', async () => {
    const { jar, email } = await loggedIn();
    const other = await storeTenant(server);
    const { clientId: client_id } = other;
    expect(readErrorCode(leftTo(await ask(jar, { client_id, prompt: 'none' })))).toBe('login_required');
    expect(asksWho((await ask(jar, { client_id })).html)).toBe(true);

    // Renaming the cookie to the name for the other tenant does not log the user in there.
    const [name, value] = [...jar.cookies].find(([each]) => each.startsWith('__Host-login-')) ?? ['', ''];
    const forged = login.browser();
    forged.put(`__Host-login-${other.application.tenantId}`, value);
    forged.put(name, value);
    expect(readErrorCode(leftTo(await ask(forged, { client_id, prompt: 'none' })))).toBe('login_required');

    // In the other tenant, the same email address belongs to no user or to a different user.
    const page = await login.toCode(jar, email, { client_id });
    expect(page.html).toContain('name="passcode"');
    expect((await server.messages({ to: email })).length).toBe(1);
    expect(readCode(leftTo(await ask(jar, { prompt: 'none' })))).not.toBeNull();
  });

  test('each login by single sign-on extends the lifetime of the login cookie', async () => {
    const { jar } = await loggedIn();
    for (let uses = 0; uses < 2; uses += 1) {
      await server.advanceClock(SESSION_IDLE_SECONDS - 60);
      const answer = await jar.request(login.address({ prompt: 'none' }));
      const [cookie = ''] = answer.headers.getSetCookie();
      const name = `__Host-login-${server.environment.tenant_id}`;
      expect(cookie).toContain(`${name}=${jar.cookies.get(name)}; `);
      expect(cookie).toContain(`Max-Age=${SESSION_IDLE_SECONDS}`);
      const target = new URL(answer.headers.get('location') ?? '');
      expect((await login.exchange(target)).status).toBe(200);
    }
  });

  test('single sign-on is rejected for a disabled or erased user', async () => {
    const token = () => server.clientToken();
    const [one, other] = [await loggedIn(), await loggedIn()];
    await server.put(`/v1/users/${one.userId}`, { status: 'Disabled' }, { token: await token() });
    await server.delete(`/v1/users/${other.userId}`, { token: await token() });
    for (const { jar } of [one, other])
      expect(readErrorCode(leftTo(await ask(jar, { prompt: 'none' })))).toBe('login_required');
  });

  test('single sign-on ignores a login cookie with a wrong secret', async () => {
    const { jar } = await loggedIn();
    const { jar: other } = await loggedIn();
    const name = `__Host-login-${server.environment.tenant_id}`;
    const value = jar.cookies.get(name) ?? '';
    const secret = (other.cookies.get(name) ?? '').slice(-43);
    for (const forged of [
      `${value.slice(0, -43)}${secret}`,
      value.slice(0, -1),
      value.slice(0, -44),
      `${value}x`,
      secret,
      '.',
      '',
      'constructor',
    ]) {
      const thief = login.browser();
      thief.put(name, forged);
      expect(readErrorCode(leftTo(await ask(thief, { prompt: 'none' })))).toBe('login_required');
    }
  });
});

describe('authorization requests that require a new login', () => {
  test('N084 prompt=login requires a new login and creates another session', async () => {
    const { jar, email, target } = await loggedIn();
    const first = await exchangeTokens(target);
    await server.advanceClock(60);
    const again = await exchangeTokens(await login.logIn(jar, email, { prompt: 'login' }));
    expect(again.session_id).not.toBe(first.session_id);
    expect(again.claims.auth_time).toBeGreaterThanOrEqual(first.claims.auth_time + 60);
  });

  test('N082 a login that is older than max_age must be repeated', async () => {
    const { jar, email } = await loggedIn();
    const none = async (max_age: string) =>
      readErrorCode(leftTo(await ask(jar, { prompt: 'none', max_age })));
    await server.advanceClock(100);
    expect(await none('3600')).toBeNull();
    expect(await none('90')).toBe('login_required');
    expect(await none('0')).toBe('login_required');
    expect(asksWho((await ask(jar, { max_age: '90' })).html)).toBe(true);
    const target = await login.logIn(jar, email, { max_age: '90' });
    const { claims } = await exchangeTokens(target);
    expect(claims.auth_time).toBeGreaterThanOrEqual((claims.iat ?? 0) - 5);
    expect(await none('90')).toBeNull();
  });

  test.each([
    { value: { amount: '100.00', to: 'Dana' } },
    { type: 'money_transfer', data: { amount: '100.00', to: 'Dana' } },
  ])(
    'an authorization request with approval data requires a new login even during an active session: %j',
    async (approval) => {
      const { jar, email } = await loggedIn();
      const claims = JSON.stringify({ id_token: { approval_data: approval } });
      expect(readErrorCode(leftTo(await ask(jar, await pushed({ claims, prompt: 'none' }))))).toBe(
        'login_required',
      );
      const target = await login.logIn(jar, email, await pushed({ claims }));
      const [mail] = await server.messages({ to: email });
      expect(mail?.text).toContain('100.00');
      expect(mail?.text).toContain(approval.type ?? '');
      expect((await exchangeTokens(target)).claims.approval_data).toEqual(approval.value ?? approval);
      expect((await exchangeTokens(leftTo(await ask(jar)))).claims.approval_data).toBeUndefined();
    },
  );

  test('approval data in the query of an authorization request is rejected', async () => {
    const claims = JSON.stringify({ id_token: { approval_data: { value: { note: 'call this number' } } } });
    const answer = answerIn(leftTo(await ask(login.browser(), { claims })));
    expect(answer).toMatchObject({ error: 'invalid_request' });
    expect(answer.error_description).toContain('approval_data');
  });

  test('N092 a login is rejected if id_token_hint names another user', async () => {
    const [one, other] = [await loggedIn(), await loggedIn()];
    const { id_token: id_token_hint } = await exchangeTokens(one.target);
    expect(readCode(leftTo(await ask(one.jar, { id_token_hint, prompt: 'none' })))).not.toBeNull();
    const foreign = await ask(other.jar, { id_token_hint, prompt: 'none' });
    expect(readErrorCode(leftTo(foreign))).toBe('login_required');

    const wrong = await login.logIn(other.jar, other.email, { id_token_hint });
    expect(answerIn(wrong)).toEqual({
      error: 'access_denied',
      error_description: 'id_token_hint: names another user',
    });
    expect(readCode(await login.logIn(other.jar, one.email, { id_token_hint }))).not.toBeNull();
  });

  test('an expired login page rejects any code and says that the login has expired', async () => {
    const { email } = await loggedIn();
    const page = await login.toCode(login.browser(), email, { prompt: 'login' });
    await server.advanceClock(LOGIN_TRANSACTION_SECONDS);
    const late = await page.submit({ passcode: await server.codeTo(email) });
    expect([late.status, late.left]).toEqual([404, undefined]);
    expect(late.html).toContain('This sign\u2011in has expired');
  });
});

describe('second factor that an authorization request requires', () => {
  const mfa = { acr_values: 'mfa' };
  const essential = {
    claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['phr', 'mfa'] } } }),
  };

  test.each([
    ['acr_values=mfa', mfa],
    ['N088 an essential acr claim', essential],
  ])(
    'N089 a login with %s requires a second factor, and its tokens contain both factors',
    async (_, change) => {
      const [email, phone_number] = [newEmail(), newPhoneNumber()];
      await createProvenUser(server, { email, phone_number });
      const jar = login.browser();
      const second = await login.afterCode(jar, email, change);
      expect(second.left).toBeUndefined();
      expect(second.html).toContain('Confirm it’s you');
      expect(second.html).toContain('value="sms"');
      expect(second.html).not.toContain('value="email"');
      expect(second.html).not.toContain(phone_number);
      const text = await second.submit({ method: 'sms' });
      const target = leftTo(await text.submit({ passcode: await server.codeTo(phone_number) }));
      const { claims } = await exchangeTokens(target);
      expect(claims).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
      // The browser's session has both factors, so later logins need no page.
      const again = await exchangeTokens(leftTo(await ask(jar, { ...change, prompt: 'none' })));
      expect(again.claims).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
    },
  );

  test('a user without a second factor can log in to a client that only prefers MFA', async () => {
    const client = await storeClient(server, { acrValues: 'prefer' });
    const prefer = { client_id: client.clientId, acr_values: 'phr mfa phone_number' };
    const email = newEmail();
    await createUser(server, { email });
    const jar = login.browser();
    const first = await exchangeTokens(await login.logIn(jar, email, prefer), {}, client);
    expect(first.claims).toMatchObject({ amr: ['eotp'] });
    expect(first.claims.acr).toBeUndefined();
    const silent = await ask(jar, { ...prefer, prompt: 'none' });
    expect((await exchangeTokens(leftTo(silent), {}, client)).claims.amr).toEqual(['eotp']);
    const page = await ask(jar, prefer);
    const again = await exchangeTokens(leftTo(await page.submit({})), {}, client);
    expect(again.session_id).toBe(first.session_id);
    const denied = await login.logIn(login.browser(), email, { ...prefer, ...essential });
    expect(answerIn(denied).error).toBe('access_denied');
    const quiet = await ask(jar, { ...prefer, ...essential, prompt: 'none' });
    expect(readErrorCode(leftTo(quiet))).toBe('interaction_required');

    const known = await loggedIn();
    const pushedRequest = await pushed(prefer, client);
    expect((await ask(known.jar, pushedRequest)).html).toContain('Confirm it’s you');
  });

  test('a user with one factor can log in to a client that prefers MFA and requests all supported acr_values', async () => {
    const { acr_values_supported: all } = (
      await server.get<{ acr_values_supported: string[] }>('/oidc/.well-known/openid-configuration')
    ).body;
    const client = await storeClient(server, { acrValues: 'prefer' });
    for (const values of [all, all.toReversed()]) {
      const email = newEmail();
      await createUser(server, { email });
      const asked = { client_id: client.clientId, acr_values: values.join(' ') };
      const { claims } = await exchangeTokens(await login.logIn(login.browser(), email, asked), {}, client);
      expect(claims.amr).toEqual(['eotp']);
    }
  });

  test("a step-up adds a second factor to the browser's session", async () => {
    const { jar, target, phone } = await loggedIn();
    const first = await exchangeTokens(target);
    expect(first.claims.acr).toBeUndefined();
    expect(readErrorCode(leftTo(await ask(jar, { ...mfa, prompt: 'none' })))).toBe('interaction_required');
    await server.advanceClock(60);
    const second = await ask(jar, mfa);
    expect(second.html).toContain('Confirm it’s you');
    const text = await second.submit({ method: 'sms' });
    const { claims, session_id } = await exchangeTokens(
      leftTo(await text.submit({ passcode: await server.codeTo(phone) })),
    );
    expect(claims).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
    expect(claims.auth_time).toBeGreaterThanOrEqual(first.claims.auth_time + 60);
    expect(session_id).toBe(first.session_id);
    expect(readCode(leftTo(await ask(jar, { ...mfa, prompt: 'none' })))).not.toBeNull();
  });

  test('a step-up fails if its session has ended in the meantime', async () => {
    const { jar, target, phone } = await loggedIn();
    const { access_token } = await exchangeTokens(target);
    const second = await ask(jar, mfa);
    const text = await second.submit({ method: 'sms' });
    await server.post('/v1/auth/logout', undefined, { token: access_token });
    const done = await text.submit({ passcode: await server.codeTo(phone) });
    expect(done.left && readCode(done.left)).toBeFalsy();
    expect(readErrorCode(leftTo(await ask(jar, { prompt: 'none' })))).toBe('login_required');
  });

  test('an authorization request that requires MFA fails if the user has no second factor', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const jar = login.browser();
    const denied = await login.logIn(jar, email, mfa);
    expect(answerIn(denied)).toEqual({
      error: 'access_denied',
      error_description: 'A second factor is required, and the user has none',
    });
    expect(readErrorCode(leftTo(await ask(jar, { prompt: 'none' })))).toBe('login_required');
  });
});

describe('authorization request for an organization', () => {
  test('a user who is not a member of an organization cannot log in to it', async () => {
    const { jar, userId, email } = await loggedIn();
    const organizationId = newId();
    const refused = { error: 'access_denied', error_description: 'User is not a member of the organization' };
    expect(answerIn(leftTo(await ask(jar, { org_id: organizationId })))).toEqual(refused);
    expect(answerIn(await login.logIn(login.browser(), email, { org_id: organizationId }))).toEqual(refused);
    await storeMember(server, { userId, organizationId });
    for (const target of [
      leftTo(await ask(jar, { org_id: organizationId })),
      await login.logIn(login.browser(), email, { org_id: organizationId }),
    ])
      expect((await exchangeTokens(target)).claims.org_id).toBe(organizationId);
    const other = await storeMember(server, { userId, organizationId: newId(), tenantId: 'other' });
    expect(answerIn(leftTo(await ask(jar, { org_id: other.organizationId })))).toEqual(refused);
  });
});
