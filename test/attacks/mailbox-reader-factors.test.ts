import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { headingOf, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import {
  login as logInByPasskey,
  originOf,
  type Person,
  register,
  registerPasskey,
  startRegistration,
} from '../support/fixtures/passkeys.ts';
import { changeUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { logInBy, type TokenResponse, tokensBy } from '../support/fixtures/tokens.ts';
import type { TestAnswer } from '../support/server/test-server.ts';
import { createPasskey, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';

/**
 * The attacker reads one mailbox. One factor must not make the second (NIST SP 800-63B-4 §4.1.2.1, ASVS 6.3.7, 7.5.1): a
 * code in the mailbox plus what it made would be `acr: mfa`.
 */

const { server, login } = useHostedLogin({ rateLimits: 'off' });

/** A user whose mailbox is proven. */
async function mailboxOnly(fields: object = {}): Promise<Person> {
  const email = newEmail('victim');
  const user = await createUser(server, { email, ...fields });
  return { user, email, tokens: await tokensBy(server, 'email', email) };
}

/** A user with a mailbox and a passkey. */
async function withPasskey(): Promise<{ readonly person: Person; readonly passkey: SoftwarePasskey }> {
  const person = await mailboxOnly();
  return { person, passkey: await registerPasskey(server, person) };
}

/** What the attacker has: a login by a code in the mailbox, minutes old. */
const attackerOf = async (person: Person): Promise<Person> => ({
  ...person,
  tokens: await tokensBy(server, 'email', person.email),
});

/** The owner: code and passkey in one session. */
async function ownerOf(person: Person, passkey: SoftwarePasskey): Promise<Person> {
  const { session_id } = await tokensBy(server, 'email', person.email);
  const { status, body } = await logInByPasskey(server, passkey, { fields: { session_id } });
  expect(status).toBe(200);
  return { ...person, tokens: body };
}

const acrOf = ({ access_token }: Pick<TokenResponse, 'access_token'>) => decodeJwt(access_token).acr;

const challenge = 'Bearer error="insufficient_user_authentication", acr_values="mfa", max_age=600';

function expectStepUp(answer: TestAnswer<unknown>, header = challenge): void {
  expect(answer.headers.get('www-authenticate')).toBe(header);
  expect(answer).toMatchObject({
    status: 401,
    body: { error: 'insufficient_user_authentication', error_code: 401 },
  });
}

const askToRegister = ({ tokens }: Person) =>
  server.post(
    '/v1/auth/webauthn/register/start',
    {},
    { token: tokens.access_token, headers: { origin: originOf(server) } },
  );

const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const addDeviceKey = ({ tokens }: Person) =>
  server.post<{ result: { key_id: string } }>(
    '/v1/auth/device-keys',
    { public_key: publicKey, name: 'Phone' },
    { token: tokens.access_token },
  );

describe('a code by email binds nothing to an account that has a second factor', () => {
  test('a registration begun before the owner’s first passkey is not finished after it', async () => {
    const person = await mailboxOnly();
    const attacker = await attackerOf(person);
    const { result } = createPasskey(await startRegistration(server, attacker), originOf(server));
    await registerPasskey(server, person);
    expectStepUp(await register(server, attacker, result));
  });

  test('N090 no device key is added or removed; its owner does both', async () => {
    const { person, passkey } = await withPasskey();
    const [attacker, owner] = [await attackerOf(person), await ownerOf(person, passkey)];
    expectStepUp(await addDeviceKey(attacker));
    const added = await addDeviceKey(owner);
    expect(added.status).toBe(201);
    const path = `/v1/auth/device-keys/${added.body.result.key_id}`;
    expectStepUp(await server.delete(path, { token: attacker.tokens.access_token }));
    expect((await server.delete(path, { token: owner.tokens.access_token })).status).toBe(204);
  });
});

describe('a first second factor needs the one there is', () => {
  test('a token of a login 13 days ago registers no passkey; a new login does', async () => {
    const person = await mailboxOnly();
    await server.advanceClock(13 * 86_400);
    const token = await server.clientToken();
    const json = { refresh_token: person.tokens.refresh_token };
    const refreshed = await server.post<TokenResponse>('/v1/auth/token/refresh', json, { token });
    expect(refreshed.status).toBe(200);
    const stale = { ...person, tokens: refreshed.body };
    expectStepUp(await askToRegister(stale), 'Bearer error="insufficient_user_authentication", max_age=600');
    await registerPasskey(server, await attackerOf(person));
  });
});

describe('a proof that the mailbox gives anew leaves the passkey asked for', () => {
  const other = () => ({ email: newEmail('other') });
  type Changes = (email: string) => readonly object[];
  const ways: readonly (readonly [string, Changes])[] = [
    ['another address, and back', (email) => [other(), { email }]],
    ['another spelling', (email) => [{ email: email.toUpperCase() }]],
    [
      'another spelling, another address, and back',
      (email) => [{ email: email.toUpperCase() }, other(), { email }],
    ],
    ['no address, and back', (email) => [{ username: newEmail('name'), email: null }, { email }]],
  ];
  test.each(ways)('after %s on the profile page of an application', async (_, changes) => {
    const { person, passkey } = await withPasskey();
    const token = await server.clientToken();
    for (const change of changes(person.email)) {
      const answer = await server.put(`/v1/users/${person.user.user_id}`, change, { token });
      expect(answer.status).toBe(200);
    }
    for (let times = 0; times < 2; times += 1) expectStepUp(await askToRegister(await attackerOf(person)));
    expect((await logInByPasskey(server, passkey)).status).toBe(200);
    const owner = await ownerOf(person, passkey);
    expect(acrOf(owner.tokens)).toBe('mfa');
    await registerPasskey(server, owner);
  });
});

describe('only what is proven opens as a second factor', () => {
  test.each([['the code by mail first'], ['the code by text first']])(
    'nor in a session of the API, %s',
    async (order) => {
      const person = await mailboxOnly();
      const number = newPhoneNumber();
      await changeUser(server, person.user.user_id, { phone_number: number });
      const byMail = (fields = {}) => logInBy(server, 'email', person.email, fields);
      const byText = (fields = {}) => logInBy(server, 'sms', number, fields);
      const [first, second] = order.includes('mail') ? [byMail, byText] : [byText, byMail];
      const { session_id } = (await first()).body;
      const joined = await second({ session_id });
      expect(joined.status).toBe(200);
      // By text first the number has the account alone: the mailbox comes back beside it, as the kind that it was.
      expect(acrOf(joined.body)).toBe(order.includes('mail') ? undefined : 'mfa');
      // Proven by now: a login by both is of two factors.
      const next = await tokensBy(server, 'email', person.email);
      expect(acrOf(await tokensBy(server, 'sms', number, { session_id: next.session_id }))).toBe('mfa');
    },
  );

  test('nor after it was changed and changed back, and the account page asks for the passkey', async () => {
    const { person } = await withPasskey();
    const [number, token] = [newPhoneNumber(), await server.clientToken()];
    const change = (phone_number: string) =>
      server.put(`/v1/users/${person.user.user_id}`, { phone_number, end_sessions: false }, { token });
    await change(number);
    await tokensBy(server, 'sms', number, { session_id: (await attackerOf(person)).tokens.session_id });
    await change(newPhoneNumber());
    await change(number);
    await tokensBy(server, 'sms', number);
    const { session_id } = (await attackerOf(person)).tokens;
    const both = await tokensBy(server, 'sms', number, { session_id });
    expect(acrOf(both)).toBeUndefined();
    expectStepUp(await askToRegister({ ...person, tokens: both }));

    const jar = login.browser();
    const account = `${new URL(server.environment.base_url).origin}/account?client_id=${server.environment.client_id}`;
    const first = await (await jar.open(account)).submit({ identifier: number, method: 'sms' });
    const confirm = await first.submit({ passcode: await server.codeTo(number) });
    const asked = await confirm.submit({ method: 'email' });
    const own = await asked.submit({ passcode: await server.codeTo(person.email) });
    expect(headingOf(own)).toBe('Your account');
    expect(headingOf(await own.submit({}, 'passkeys/add'))).toBe('Confirm it’s you');
  });

  test('nor an address that a link proves in a session of a number, where the account has a passkey', async () => {
    const [number, email] = [newPhoneNumber(), newEmail()];
    const user = await createUser(server, { phone_number: number });
    const first = await tokensBy(server, 'sms', number);
    await registerPasskey(server, { user, email, tokens: first });
    const { session_id } = await tokensBy(server, 'sms', number);
    const token = await server.clientToken();
    await changeUser(server, user.user_id, { email, end_sessions: false });
    const [redirect_uri] = server.environment.redirect_uris;
    const link = { identifier_type: 'email', identifier: email, redirect_uri };
    await server.post('/v1/auth/link/email/send', link, { token });
    const opened = await server.get(await server.linkTo(email));
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
    const proven = await server.post('/v1/auth/link/email/authenticate', { code, session_id }, { token });
    expect(proven).toMatchObject({ status: 200, body: { session_id } });
    expect(acrOf(await tokensBy(server, 'email', email, { session_id }))).toBeUndefined();
  });
});
