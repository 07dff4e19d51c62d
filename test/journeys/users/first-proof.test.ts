// First verifications of an address that supersede no credentials, and two that do. Others are in `stories` and `attacks`.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  currentGeneration,
  hasValidGeneration,
  TENANT_WIDE,
} from '../../../shared/domain/trust/generations.ts';
import type { User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { askForOptions } from '../../support/fixtures/hosted-passkeys.ts';
import { newPerson, type RequestAnswer, registerPasskey, toOrigin } from '../../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { type TokenResponse, tokensBy, tokensDirect } from '../../support/fixtures/tokens.ts';
import { socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';
import { usePasskey } from '../../support/tools/software-authenticator.ts';

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

/** Returns the trust fields of a credential that the user adds now. */
const createTrust = (user: User): Trust => ({
  ...{ standing: 'proven', scope: TENANT_WIDE },
  generation: currentGeneration(user),
  since: nowSeconds(),
});

const newPasskeyOwnedBy = (user: User) => ({
  ...createTrust(user),
  credentialId: newId(),
  userId: user.userId,
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

/** Creates an account with an unverified address, a session, a passkey, a device key and an identity provider account. */
async function hijacked() {
  const email = newEmail('victim');
  const { user_id: userId } = await createUser(server, { email, username: `attacker-${newId()}` });
  const { session_id: sessionId } = await tokensDirect(server, userId);
  await addBelongings(userId);
  return { userId, email, sessionId };
}

/** Stores a passkey, a device key and an identity provider account for the user. */
async function addBelongings(userId: string): Promise<void> {
  const { passkeyRecords, deviceKeys, userRecords } = await server.ports([
    'passkeyRecords',
    'deviceKeys',
    'userRecords',
  ]);
  const user = await userRecords.find(userId);
  if (!user) throw new Error('the user is gone');
  const passkey = newPasskeyOwnedBy(user);
  await passkeyRecords.reserve(passkey.credentialId, userId, nowSeconds());
  await passkeyRecords.put(passkey);
  const key = {
    keyId: newId(),
    userId,
    tenantId: passkey.tenantId,
    name: 'phone',
    algorithm: 'ecdsa',
  } as const;
  await deviceKeys.put({ ...key, ...createTrust(user), publicKey: 'key', createdAt: nowSeconds() });
  const identities = [{ provider: 'line', subject: 'attacker', ...createTrust(user) }];
  await userRecords.replace(user, { ...user, identities });
}

/** Returns the number of valid credentials of each type, and the IDs of the sessions. */
async function left({ userId }: { readonly userId: string }) {
  const { passkeyRecords, deviceKeys, sessions, userRecords } = await server.ports([
    'passkeyRecords',
    'deviceKeys',
    'sessions',
    'userRecords',
  ]);
  const user = await userRecords.find(userId);
  if (!user) throw new Error('the user is gone');
  const current = (credentials: readonly Trust[]) =>
    credentials.filter((each) => hasValidGeneration(user, each)).length;
  return {
    passkeys: current(await passkeyRecords.listOf(userId)),
    deviceKeys: current(await deviceKeys.listOf(userId)),
    identities: current(user.identities),
    sessions: (await sessions.listOf(userId, nowSeconds())).map(({ sessionId }) => sessionId),
  };
}

async function withPasskey() {
  const [login, person] = [hostedLogin(server), await newPerson(server)];
  const { body: tokens } = await login.exchange(await login.logIn(login.browser(), person.email));
  const passkey = await registerPasskey(server, { ...person, tokens });
  return { login, userId: person.user.user_id, email: person.email, passkey };
}

/** Changes the user's email address and changes it back, so that the address is no longer verified. */
async function changeAndChangeBack(userId: string, email: string): Promise<void> {
  const token = await server.clientToken();
  for (const next of [newEmail(), email])
    expect((await server.put(`/v1/users/${userId}`, { email: next }, { token })).status).toBe(200);
}

const everything = { passkeys: 1, deviceKeys: 1, identities: 1 };

test('linking an identity provider account by email address ends all earlier sessions of the user', async () => {
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

test("a user's first code-based login ends all earlier sessions of the user", async () => {
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

describe('address verification that supersedes no credentials', () => {
  test("verifying an address in the user's own session supersedes no credentials", async () => {
    const [phone, email] = [newPhoneNumber(), newEmail()];
    const { user_id: userId } = await createUser(server, { phone_number: phone });
    const own = await tokensBy(server, 'sms', phone);
    await addBelongings(userId);
    await server.put(`/v1/users/${userId}`, { email }, { token: await server.clientToken() });
    const { session_id } = await tokensBy(server, 'email', email, { session_id: own.session_id });
    expect(session_id).toBe(own.session_id);
    expect(await left({ userId })).toEqual({ ...everything, sessions: [own.session_id] });
  });

  test('verifying an address in a login that also uses the passkey supersedes no credentials', async () => {
    const { login, userId, email, passkey } = await withPasskey();
    const jar = login.browser();
    const page = await login.toCode(jar, email, { acr_values: 'mfa' });
    const factor = await page.submit({ passcode: await server.codeTo(email) });
    const { body: options } = await askForOptions<RequestAnswer>(jar, factor);
    await changeAndChangeBack(userId, email);
    await addBelongings(userId);
    const done = await factor.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
    expect(await left({ userId })).toMatchObject({ ...everything, passkeys: 2 });
    expect((await login.exchange(leftTo(done))).status).toBe(200);
  });

  test('linking an identity provider account in a login with the passkey supersedes no credentials', async () => {
    const { login, userId, email, passkey } = await withPasskey();
    const [jar, social] = [login.browser(), socialLogin(server, upstream)];
    const away = leftTo(await (await jar.open(login.address())).submit({ method: 'google' }));
    const claims = { sub: newId(), email, email_verified: true };
    const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const { body: options } = await askForOptions<RequestAnswer>(jar, page);
    await changeAndChangeBack(userId, email);
    const done = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
    expect(await left({ userId })).toMatchObject({ passkeys: 1, identities: 1 });
    expect((await login.exchange(leftTo(done))).status).toBe(200);
    expect(await findUser(server, userId)).toMatchObject({ email: { value: email, email_verified: true } });
  });

  test('a second verification of an address keeps credentials that were added after the first verification', async () => {
    const account = await hijacked();
    await tokensBy(server, 'email', account.email);
    const { passkeyRecords, userRecords } = await server.ports(['passkeyRecords', 'userRecords']);
    const user = await userRecords.find(account.userId);
    if (!user) throw new Error('the user is gone');
    await passkeyRecords.put(newPasskeyOwnedBy(user));
    const { session_id } = await tokensBy(server, 'email', account.email);
    const after = await left(account);
    expect(after.passkeys).toBe(1);
    expect(after.sessions).toContain(session_id);
    expect(after.sessions).toHaveLength(2);
  });
});
