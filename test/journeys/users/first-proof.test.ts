import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { awakeAs, isAsleep } from '../../../shared/domain/identifiers/sleep.ts';
import type { Waking } from '../../../shared/ports/flows.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { askForOptions } from '../../support/fixtures/hosted-passkeys.ts';
import { newPerson, originOf, type RequestAnswer, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import type { TokenResponse } from '../../support/fixtures/tokens.ts';
import { socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';
import { usePasskey } from '../../support/tools/software-authenticator.ts';

/** Whose proof of an address puts nothing to sleep, and two whose does; the others are in attacks/stranger-prehijack. */

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream();
  const { clientId, issuer, clientSecret } = upstream;
  const preference = { clientId, issuer, trustedForEmail: true };
  server = await startTestServer({
    rateLimits: 'off',
    providers: { google: { preference, secret: { clientSecret } } },
  });
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  server.expectNoViolations();
});

const passkeyOf = (userId: string) => ({
  credentialId: newId(),
  userId,
  tenantId: server.environment.tenant_id,
  applicationId: server.environment.app_id,
  rpId: 'localhost',
  publicKey: 'key',
  signCount: 0,
  backupEligible: false,
  backedUp: false,
  transports: [],
  aaguid: '00000000-0000-0000-0000-000000000000',
  createdAt: nowSeconds(),
});

/** An account with a session, a passkey, a device key and an account at a provider, and an unproven address. */
async function hijacked() {
  const email = newEmail('victim');
  const { user_id: userId } = await createUser(server, { email, username: `attacker-${newId()}` });
  const token = await server.clientToken();
  const by = { identifier_type: 'user_id', identifier: userId };
  const { body: sent } = await server.post('/v1/auth/otp/send', { channel: 'direct', ...by }, { token });
  const { body } = await server.post<TokenResponse>(
    '/v1/auth/otp/authenticate',
    { passcode: sent.code, ...by },
    { token },
  );
  await addBelongings(userId);
  return { userId, email, sessionId: body.session_id };
}

/** What a logged-in user can have made. */
async function addBelongings(userId: string): Promise<void> {
  const { passkeyRecords, deviceKeys, userRecords } = await server.ports([
    'passkeyRecords',
    'deviceKeys',
    'userRecords',
  ]);
  const user = await userRecords.find(userId);
  if (!user) throw new Error('the user is gone');
  const awake = awakeAs(user.asleepBefore);
  const passkey = { ...passkeyOf(userId), ...awake };
  await passkeyRecords.reserve(passkey.credentialId, userId, nowSeconds());
  await passkeyRecords.put(passkey);
  const key = {
    keyId: newId(),
    userId,
    tenantId: passkey.tenantId,
    name: 'phone',
    algorithm: 'ecdsa',
  } as const;
  await deviceKeys.put({
    ...key,
    publicKey: 'key',
    createdAt: nowSeconds(),
    boundWith: ['sms', 'eml'],
    ...awake,
  });
  const identities = [{ provider: 'line', subject: 'attacker', ...awake }];
  await userRecords.replace(user, { ...user, identities });
}

/** What is awake, and the sessions. */
async function left({ userId }: { readonly userId: string }) {
  const { passkeyRecords, deviceKeys, sessions, userRecords } = await server.ports([
    'passkeyRecords',
    'deviceKeys',
    'sessions',
    'userRecords',
  ]);
  const user = await userRecords.find(userId);
  if (!user) throw new Error('the user is gone');
  const awake = (credentials: readonly Waking[]) =>
    credentials.filter((each) => !isAsleep(user, each)).length;
  return {
    passkeys: awake(await passkeyRecords.listOf(userId)),
    deviceKeys: awake(await deviceKeys.listOf(userId)),
    identities: awake(user.identities),
    sessions: (await sessions.listOf(userId, nowSeconds())).map(({ sessionId }) => sessionId),
  };
}

async function proveByOtp(email: string, more: Record<string, string> = {}): Promise<TokenResponse> {
  const token = await server.clientToken();
  const by = { identifier_type: 'email', identifier: email };
  await server.post('/v1/auth/otp/send', { channel: 'email', ...by }, { token });
  const passcode = (await server.messages({ to: email }))[0]?.codes[0];
  const answer = await server.post<TokenResponse>(
    '/v1/auth/otp/authenticate',
    { passcode, ...by, ...more },
    { token },
  );
  expect(answer.status).toBe(200);
  return answer.body;
}

async function withPasskey() {
  const [login, person] = [hostedLogin(server), await newPerson(server)];
  const { body: tokens } = await login.exchange(await login.logIn(login.browser(), person.email));
  const passkey = await registerPasskey(server, { ...person, tokens });
  return { login, userId: person.user.user_id, email: person.email, passkey };
}

/** In the middle of a login: the address is unproven afterwards, and there is more to put to sleep. */
async function changeAndChangeBack(userId: string, email: string): Promise<void> {
  const token = await server.clientToken();
  for (const next of [newEmail(), email])
    expect((await server.put(`/v1/users/${userId}`, { email: next }, { token })).status).toBe(200);
  await addBelongings(userId);
}

const everything = { passkeys: 1, deviceKeys: 1, identities: 1 };

test('an account at a provider that is linked with the address ends the sessions of before', async () => {
  const account = await hijacked();
  const social = socialLogin(server, upstream);
  const jar = new BrowserJar(new URL(server.environment.base_url).origin);
  const claims = { sub: newId(), email: account.email, email_verified: true };
  const { status, body } = await social.exchange(await social.logIn(jar, claims));
  expect([status, body.is_user_created]).toEqual([200, false]);
  expect(await left(account)).toEqual({
    ...{ passkeys: 0, deviceKeys: 0, identities: 1 },
    sessions: [body.session_id],
  });
  const { identities } = (await findUser(server, account.userId)) as unknown as { identities: unknown[] };
  expect(identities).toEqual([
    { provider: 'line', subject: 'attacker' },
    { provider: 'google', issuer: upstream.issuer, subject: claims.sub },
  ]);
});

test('a code-based login that ends at the token endpoint ends the sessions of before', async () => {
  const account = await hijacked();
  const backend = codeBased(server, await server.clientToken());
  const code = await codeAt(await backend.resultByEmail(account.email));
  const { client_id, client_secret } = server.environment;
  const fields = { grant_type: 'authorization_code', code, client_id, client_secret };
  const { body } = await server.form<TokenResponse>('/oidc/token', fields);
  expect(await left(account)).toEqual({
    ...{ passkeys: 0, deviceKeys: 0, identities: 0 },
    sessions: [body.session_id],
  });
});

describe('the proof of an address puts nothing to sleep of', () => {
  test('a user who proves it within their own session', async () => {
    const account = await hijacked();
    const { session_id } = await proveByOtp(account.email, { session_id: account.sessionId });
    expect(session_id).toBe(account.sessionId);
    expect(await left(account)).toEqual({ ...everything, sessions: [account.sessionId] });
  });

  test('a user who proves it in one login with a passkey that is awake', async () => {
    const { login, userId, email, passkey } = await withPasskey();
    const jar = login.browser();
    const page = await login.toCode(jar, email, { acr_values: 'mfa' });
    const factor = await page.submit({ passcode: await login.digits(email) });
    const { body: options } = await askForOptions<RequestAnswer>(jar, factor);
    await changeAndChangeBack(userId, email);
    const done = await factor.submit({ credential: usePasskey(passkey, options, originOf(server)) });
    expect(await left({ userId })).toMatchObject({ ...everything, passkeys: 2 });
    expect((await login.exchange(leftTo(done))).status).toBe(200);
  });

  test('a user who links an account at a provider by a passkey that is awake', async () => {
    const { login, userId, email, passkey } = await withPasskey();
    const [jar, social] = [login.browser(), socialLogin(server, upstream)];
    const away = leftTo(await (await jar.open(login.address())).submit({ method: 'google' }));
    const claims = { sub: newId(), email, email_verified: true };
    const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const { body: options } = await askForOptions<RequestAnswer>(jar, page);
    await changeAndChangeBack(userId, email);
    const done = await page.submit({ credential: usePasskey(passkey, options, originOf(server)) });
    expect(await left({ userId })).toMatchObject({ ...everything, passkeys: 2, identities: 2 });
    expect((await login.exchange(leftTo(done))).status).toBe(200);
    expect(await findUser(server, userId)).toMatchObject({ email: { value: email, email_verified: true } });
  });

  test('a user who has proven it before', async () => {
    const account = await hijacked();
    await proveByOtp(account.email);
    const { passkeyRecords, userRecords } = await server.ports(['passkeyRecords', 'userRecords']);
    const user = await userRecords.find(account.userId);
    await passkeyRecords.put({ ...passkeyOf(account.userId), ...awakeAs(user?.asleepBefore) });
    const { session_id } = await proveByOtp(account.email);
    const after = await left(account);
    expect(after.passkeys).toBe(1);
    expect(after.sessions).toContain(session_id);
    expect(after.sessions).toHaveLength(2);
  });
});
