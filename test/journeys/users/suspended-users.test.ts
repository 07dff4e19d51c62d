// Suspended and erased users are rejected immediately, with every type of credential, and without waiting for a cache.
import { describe, expect, test } from '@jest/globals';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { signByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { answerIn, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import {
  login as loginByPasskey,
  registerPasskey,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, tokensBy } from '../../support/fixtures/tokens.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { exchange, introspect, refresh, storeCode } from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });

type Json = Readonly<Record<string, unknown>>;

const endings: Readonly<Record<string, (userId: string, token: string) => Promise<TestAnswer<Json>>>> = {
  suspended: (userId, token) => server.put(`/v1/users/${userId}`, { status: 'Disabled' }, { token }),
  erased: (userId, token) => server.delete(`/v1/users/${userId}`, { token }),
};

/** Creates a user with every type of credential. Returns functions that use the credentials. */
async function createEntryPoints() {
  const token = await server.clientToken();
  const as = { token };
  const email = newEmail();
  const user = await createUser(server, { email });
  const hosted = hostedLogin(server);
  const jar = hosted.browser();
  // Verifies the address before adding credentials, because the first verification supersedes earlier credentials.
  await hosted.exchange(await hosted.logIn(jar, email));
  const first = { user, email, tokens: await tokensBy(server, 'email', email) };
  const passkey = await registerPasskey(server, first);
  const { tokens } = await withBothFactors(server, first, passkey);
  const of = { identifier_type: 'email', identifier: email };
  const redirect_uri = server.environment.redirect_uris[0];
  const link = await server.post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, ...of }, as);
  const code = await storeCode(server, user.user_id);
  const approval = await signByDeviceKey(server, { user, email, tokens }, 'EC', { amount: '5' });
  const organization = await storeMember(server, { userId: user.user_id, roles: ['organizationAdmin'] });
  const { session_id } = tokens;
  const { body: administrator } = await server.post<TokenResponse>(
    '/v1/auth/session/authenticate',
    { session_id, org_id: organization.organizationId },
    as,
  );
  const sectionC = codeBased(server, token);
  await sectionC.sendLink({ email });
  const mailed = new URL(await server.linkTo(email)).searchParams.get('code') ?? '';
  await sectionC.sendEmailOtp({ email });
  const [mail] = await server.messages({ to: email });
  // Requests this code by user ID, because another code for the email address would invalidate the first one.
  const byId = { identifier_type: 'user_id', identifier: user.user_id };
  const sent = await server.post('/v1/auth/otp/send', { channel: 'direct', ...byId }, as);
  const { client_id, client_secret } = server.environment;
  return {
    userId: user.user_id,
    token,
    A4: () => server.post('/v1/auth/otp/authenticate', { ...byId, passcode: sent.body.code }, as),
    A2: () => server.post('/v1/auth/link/email/authenticate', { code: link.body.code }, as),
    exchange: () => exchange(server, code),
    refresh: () => refresh(server, tokens.refresh_token),
    userInfo: () => server.get('/oidc/me', { token: tokens.access_token }),
    ownKeys: () => server.get('/v1/auth/device-keys', { token: tokens.access_token }),
    sectionCLink: () => server.post('/v1/token', { code: mailed, client_id, client_secret }),
    sectionCCode: () => sectionC.validateEmailOtp({ email, passcode: mail?.codes[0] ?? '' }),
    sectionCSend: () => sectionC.sendEmailOtp({ email }),
    sectionCSendLink: () => sectionC.sendLink({ email }),
    startApproval: () =>
      server.post('/v1/auth/approvals/start', { user_id: user.user_id, approval_data: {} }, as),
    approval: () => server.post('/v1/auth/approvals/authenticate', approval, as),
    registration: () => server.post('/v1/auth/webauthn/register/start', {}, { token: tokens.access_token }),
    members: () =>
      server.get(`/v1/organizations/${organization.organizationId}/members`, {
        token: administrator.access_token,
      }),
    active: async () => (await introspect(server, tokens.access_token)).active,
    session: () => server.post('/v1/auth/session/authenticate', { session_id: tokens.session_id }, as),
    passkey: () => loginByPasskey(server, passkey),
    sendOtp: () => server.post('/v1/auth/otp/send', { channel: 'direct', ...of }, as),
    sendLink: () => server.post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, ...of }, as),
    signOn: async () => answerIn(leftTo(await jar.open(hosted.address({ prompt: 'none' })))),
  };
}

const REFUSED: Readonly<Record<string, Readonly<Record<string, readonly [number, RegExp]>>>> = {
  suspended: {
    sendOtp: [403, /User is not active/],
    sendLink: [403, /User is not active/],
    A4: [403, /User is not active/],
    A2: [403, /User is not active/],
    exchange: [400, /User is not active/],
    refresh: [400, /refresh_token/],
    userInfo: [401, /Invalid token/],
    ownKeys: [401, /Invalid token/],
    session: [400, /Session not found/],
    passkey: [403, /User is not active/],
    sectionCLink: [400, /User is not active/],
    sectionCCode: [403, /User is not active/],
    sectionCSend: [403, /User is not active/],
    sectionCSendLink: [403, /User is not active/],
    startApproval: [403, /User is not active/],
    approval: [403, /User is not active/],
    registration: [401, /Invalid token/],
    members: [401, /Invalid token/],
  },
  erased: {
    sendOtp: [404, /User not found/],
    sendLink: [404, /User not found/],
    A4: [400, /Invalid passcode/],
    A2: [400, /User not found/],
    exchange: [400, /User not found/],
    refresh: [400, /refresh_token/],
    userInfo: [401, /Invalid token/],
    ownKeys: [401, /Invalid token/],
    session: [400, /Session not found/],
    passkey: [400, /Invalid passkey/],
    sectionCLink: [400, /User not found/],
    sectionCCode: [400, /Invalid passcode/],
    sectionCSend: [404, /User not found/],
    sectionCSendLink: [404, /User not found/],
    startApproval: [404, /User not found/],
    approval: [400, /Invalid approval/],
    registration: [401, /Invalid token/],
    members: [401, /Invalid token/],
  },
};

describe.each(Object.entries(endings))('access by a user who is %s', (ending, end) => {
  test('a suspended or erased user is rejected immediately at every entry point', async () => {
    const { userId, token: _, signOn, active, ...entryPoints } = await createEntryPoints();
    expect(await signOn()).toHaveProperty('code');
    expect(await active()).toBe(true);
    expect((await entryPoints.userInfo()).status).toBe(200);
    expect((await end(userId, await server.adminToken())).status).toBeLessThan(300);
    const refused = REFUSED[ending] ?? {};
    expect(Object.keys(refused).toSorted()).toEqual(Object.keys(entryPoints).toSorted());
    for (const [name, [status, message]] of Object.entries(refused)) {
      const answer = await entryPoints[name as keyof typeof entryPoints]();
      const { message: told } = answer.body as { readonly message?: unknown };
      expect([name, answer.status, String(told)]).toEqual([name, status, expect.stringMatching(message)]);
    }
    expect(await active()).toBe(false);
    expect(await signOn()).toMatchObject({ error: 'login_required' });
  });
});

test('every entry point that rejects suspended users accepts active users', async () => {
  const { userId: _, token: __, signOn, active: ___, ...entryPoints } = await createEntryPoints();
  for (const [name, open] of Object.entries(entryPoints))
    expect([name, (await open()).status]).toEqual([name, 200]);
  expect(await signOn()).toHaveProperty('code');
});

test('a re-enabled user must log in again', async () => {
  const { userId, token: _, ...entryPoints } = await createEntryPoints();
  const token = await server.adminToken();
  await endings.suspended?.(userId, token);
  await server.put(`/v1/users/${userId}`, { status: 'Active' }, { token });
  expect((await entryPoints.refresh()).status).toBe(400);
  expect((await entryPoints.session()).status).toBe(400);
  expect((await entryPoints.userInfo()).status).toBe(401);
  expect(await entryPoints.signOn()).toMatchObject({ error: 'login_required' });
  expect((await entryPoints.passkey()).status).toBe(200);
});
