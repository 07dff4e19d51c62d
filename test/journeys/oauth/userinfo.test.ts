import { describe, expect, test } from '@jest/globals';
import type { CodeFacts } from '../../../shared/domain/oauth/code-facts.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeResource } from '../../support/fixtures/tenants.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { exchange, logIn, refresh, storeCode } from '../../support/tools/authorized.ts';

const server = useTestServer();
const login = hostedLogin(server);

const show = (token: string) => server.get('/oidc/me', { token });

function expectRefused(answer: TestAnswer<unknown>, status: number, error: string, scheme = 'Bearer'): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { error } });
  expect(answer.headers.get('www-authenticate')).toMatch(new RegExp(`^${scheme} error="${error}"`));
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
}
const expectInvalid = (answer: TestAnswer<unknown>, scheme?: string) =>
  expectRefused(answer, 401, 'invalid_token', scheme);

/** Creates a user with all data that UserInfo can show. */
async function newUser() {
  const fields = {
    email: newEmail(),
    phone_number: newPhoneNumber(),
    username: `ada.${crypto.randomUUID()}`,
    name: { first_name: 'Ada', last_name: 'Lovelace' },
    picture: 'https://example.com/ada.png',
    language: 'en-GB',
    groups: ['staff'],
  };
  return { fields, user: await createUser(server, fields) };
}

async function tokenFor(userId: string, change: Partial<CodeFacts> = {}) {
  return (await exchange(server, await storeCode(server, userId, change))).body;
}

/** Returns the claims of the scope `profile` that are expected for a user created by `newUser` (OIDC Core §5.4). */
const expectedProfile = (fields: Awaited<ReturnType<typeof newUser>>['fields']) => ({
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  preferred_username: fields.username,
  picture: fields.picture,
  locale: fields.language,
  updated_at: expect.any(Number),
});

/** Logs in on the hosted pages. Returns the granted scope and the claims from UserInfo, except `sub`. */
async function shownAfter(email: string, request: Readonly<Record<string, string>>) {
  const { body: tokens } = await login.exchange(await login.logIn(login.browser(), email, request));
  const { payload } = await verifyToken(server, tokens.id_token, server.environment.client_id);
  const { sub, ...claims } = (await show(tokens.access_token)).body;
  expect(sub).toBe(payload.sub);
  return { scope: tokens.scope, claims };
}

describe('N091 claims that UserInfo returns', () => {
  test('UserInfo returns the claims of the granted scope and the same subject as the ID token', async () => {
    const { fields, user } = await newUser();
    const sub = user.user_id;
    const email = { email: fields.email, email_verified: false };
    const phone = { phone_number: fields.phone_number, phone_number_verified: false };
    const profile = expectedProfile(fields);
    for (const [scope, claims] of [
      ['openid', {}],
      ['openid email', email],
      ['openid phone offline_access', phone],
      ['openid profile', profile],
      ['email openid profile phone', { ...email, ...phone, ...profile }],
      ['openid constructor __proto__ toString', {}],
    ] as const) {
      const tokens = await tokenFor(sub, { scope });
      const { status, body, headers } = await show(tokens.access_token);
      expect({ status, body }).toEqual({ status: 200, body: { sub, ...claims } });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const { payload } = await verifyToken(server, tokens.id_token, server.environment.client_id);
      expect(payload.sub).toBe(sub);
    }
  });

  test("UserInfo returns the user's profile if the scope profile was granted", async () => {
    const { fields } = await newUser();
    expect(await shownAfter(fields.email, { scope: 'openid profile address' })).toEqual({
      scope: 'openid profile',
      claims: expectedProfile(fields),
    });
    const email = newEmail();
    await createUser(server, { email });
    expect(await shownAfter(email, { scope: 'openid profile' })).toEqual({
      scope: 'openid profile',
      claims: { updated_at: expect.any(Number) },
    });
  });

  test('UserInfo returns claims that the authorization request asked for (OIDC Core §5.5)', async () => {
    const { fields } = await newUser();
    const userinfo = {
      name: null,
      picture: { essential: true },
      username: {},
      groups: null,
      locale: { value: 'tlh' },
      phone_number: { values: ['+12015550100', fields.phone_number] },
      email_verified: { value: 'no such value' },
      roles: null,
      shoe_size: null,
    };
    const claims = JSON.stringify({ userinfo });
    expect(await shownAfter(fields.email, { scope: 'openid email', claims })).toEqual({
      scope: 'openid email',
      claims: {
        email: fields.email,
        email_verified: true,
        name: 'Ada Lovelace',
        picture: fields.picture,
        username: fields.username,
        groups: fields.groups,
        phone_number: fields.phone_number,
      },
    });
  });

  test('UserInfo returns requested claims with current data after a token refresh', async () => {
    const { fields, user } = await newUser();
    const asked = { userinfo: { name: null, phone_number: { value: fields.phone_number } } };
    const target = await login.logIn(login.browser(), fields.email, {
      scope: 'openid offline_access',
      prompt: 'consent',
      claims: JSON.stringify(asked),
    });
    const { body: first } = await login.exchange(target);
    const change = { phone_number: newPhoneNumber(), end_sessions: false };
    await server.put(`/v1/users/${user.user_id}`, change, { token: await server.clientToken() });
    const { body: second } = await refresh(server, first.refresh_token ?? '');
    expect((await show(second.access_token)).body).toEqual({ sub: user.user_id, name: 'Ada Lovelace' });
  });

  test('UserInfo accepts GET and POST requests', async () => {
    const { tokens } = await logIn(server);
    const { body } = await show(tokens.access_token);
    const token = tokens.access_token;
    expect((await server.request('/oidc/me', { method: 'POST', token })).body).toEqual(body);
    expect((await server.form('/oidc/me', { any: 'thing' }, { token })).body).toEqual(body);
    expect((await server.request('/oidc/me', { method: 'HEAD', token })).status).toBe(200);
  });
});

describe('rejected UserInfo requests', () => {
  test('N013 UserInfo accepts a token only in the Authorization header', async () => {
    const { tokens } = await logIn(server);
    expectInvalid(await server.get(`/oidc/me?access_token=${tokens.access_token}`));
    expectInvalid(await server.form('/oidc/me', { access_token: tokens.access_token }));
  });

  test('N095 UserInfo rejects ID tokens, refresh tokens and authorization codes', async () => {
    const { user, tokens } = await logIn(server);
    const { code } = await storeCode(server, user.user_id);
    for (const token of [tokens.id_token, tokens.refresh_token, code, 'nonsense'])
      expectInvalid(await show(token));
  });

  test('UserInfo rejects a token without the scope openid with the error insufficient_scope', async () => {
    const { user } = await logIn(server);
    const { access_token } = await tokenFor(user.user_id, { scope: 'email' });
    expectRefused(await show(access_token), 403, 'insufficient_scope');
  });

  test('N044 UserInfo rejects a token issued for another resource', async () => {
    const resource = await storeResource(server);
    const { user } = await logIn(server);
    const { access_token } = await tokenFor(user.user_id, { resources: [resource.uri] });
    expectInvalid(await show(access_token));
  });

  test('UserInfo rejects a token of an ended session', async () => {
    const [over, disabled, gone, old] = await Promise.all([0, 1, 2, 3].map(() => logIn(server)));
    if (!over || !disabled || !gone || !old) throw new Error('no user logged in');
    const token = await server.clientToken();
    await server.post('/v1/auth/logout', {}, { token: over.tokens.access_token });
    await server.put(`/v1/users/${disabled.user.user_id}`, { status: 'Disabled' }, { token });
    await server.delete(`/v1/users/${gone.user.user_id}`, { token });
    for (const { tokens } of [over, disabled, gone]) expectInvalid(await show(tokens.access_token));
    expect((await show(old.tokens.access_token)).status).toBe(200);
    await server.advanceClock(3600);
    expectInvalid(await show(old.tokens.access_token));
  });
});
