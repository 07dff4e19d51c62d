// The attacker reads a user's mailbox. A login with one factor must not be able to add the second factor (NIST SP 800-63B-4
// §4.1.2.1, ASVS 6.3.7, 7.5.1). Otherwise an email code would be enough to add a passkey and then log in with both.
import { describe, expect, test } from '@jest/globals';
import { ACCOUNT, CONFIRM, DAY, readAcr, useTenant } from '../stories/people.ts';
import { hostedLogin, readHeading } from '../support/fixtures/hosted-login.ts';
import { type CreationAnswer, toOrigin } from '../support/fixtures/passkeys.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import type { TestAnswer } from '../support/server/test-server.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { createPasskey, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
const { main, withMail } = useTenant(server);

/** Creates a user with a verified email address and a passkey registered through the API. */
async function withPasskey() {
  const person = await withMail();
  return { ...person, passkey: (await main.register(person.tokens)).passkey };
}

/** Logs in with only an email code, as an attacker who reads the mailbox can. */
const logInAsReader = async (email: string) => (await main.byCode(email)).body;
const logInAsOwner = async (email: string, passkey: SoftwarePasskey) =>
  main.byPasskey(passkey, { session_id: (await logInAsReader(email)).session_id });

const challenge = 'Bearer error="insufficient_user_authentication", acr_values="mfa", max_age=600';

function expectStepUp(answer: TestAnswer<unknown>, header = challenge): void {
  expect(answer.headers.get('www-authenticate')).toBe(header);
  expect(answer).toMatchObject({
    status: 401,
    body: { error: 'insufficient_user_authentication', error_code: 401 },
  });
}

const askToRegister = ({ access_token: token }: TokenResponse) =>
  server.post<CreationAnswer>('/v1/auth/webauthn/register/start', {}, { token });

const addDeviceKey = ({ access_token: token }: TokenResponse) =>
  server.post<{ result: { key_id: string } }>(
    '/v1/auth/device-keys',
    { public_key: newKey().jwk, name: 'Phone' },
    { token },
  );

describe('attacker who reads email codes of an account that has a second factor', () => {
  test('a passkey registration fails if it began after an email code login and the user has since added a passkey', async () => {
    const { email, tokens } = await withMail();
    const reader = await logInAsReader(email);
    const { result } = createPasskey((await askToRegister(reader)).body, toOrigin(server));
    await main.register(tokens);
    const json = { webauthn_encoded_result: result };
    expectStepUp(await server.post('/v1/auth/webauthn/register', json, { token: reader.access_token }));
  });

  test('N090 a user who has a passkey cannot add or remove a device key after a login with only an email code', async () => {
    const { email, passkey } = await withPasskey();
    const [reader, owner] = [await logInAsReader(email), (await logInAsOwner(email, passkey)).body];
    expectStepUp(await addDeviceKey(reader));
    const added = await addDeviceKey(owner);
    expect(added.status).toBe(201);
    const path = `/v1/auth/device-keys/${added.body.result.key_id}`;
    expectStepUp(await server.delete(path, { token: reader.access_token }));
    expect((await server.delete(path, { token: owner.access_token })).status).toBe(204);
  });
});

test('adding a second factor to an account that has only one factor requires a recent login', async () => {
  const { email, tokens } = await withMail();
  await server.advanceClock(13 * DAY);
  const { refresh_token } = tokens;
  const token = await server.clientToken();
  const stale = await server.post<TokenResponse>('/v1/auth/token/refresh', { refresh_token }, { token });
  expect(stale.status).toBe(200);
  const header = 'Bearer error="insufficient_user_authentication", max_age=600';
  expectStepUp(await askToRegister(stale.body), header);
  expect((await main.register(await logInAsReader(email))).status).toBe(200);
});

describe("login after a user's email address was changed and verified", () => {
  const other = () => ({ email: newEmail('other') });
  type Changes = (email: string) => readonly object[];
  const ways: readonly (readonly [string, Changes])[] = [
    ['changing the address and changing it back', (email) => [other(), { email }]],
    ['changing the letter case of the address', (email) => [{ email: email.toUpperCase() }]],
    [
      'changing the letter case, then the address, and changing it back',
      (email) => [{ email: email.toUpperCase() }, other(), { email }],
    ],
    [
      'removing the address and adding it again',
      (email) => [{ username: newEmail('name'), email: null }, { email }],
    ],
  ];
  test.each(ways)(
    'after a client has changed the email address, a two-factor login still requires the passkey: %s',
    async (_, changes) => {
      const { email, userId, passkey } = await withPasskey();
      for (const change of changes(email))
        expect((await main.change(userId, { ...change })).status).toBe(200);
      for (let times = 0; times < 2; times += 1)
        expectStepUp(await askToRegister(await logInAsReader(email)));
      expect((await main.byPasskey(passkey)).status).toBe(200);
      const owner = await logInAsOwner(email, passkey);
      expect(readAcr(owner)).toBe('mfa');
      expect((await main.register(owner.body)).status).toBe(200);
    },
  );
});

describe('second factor verified by an attacker who can only read the mailbox', () => {
  test('a phone number that was replaced and then set again is a second factor only after a passkey login', async () => {
    const [{ email, userId }, number] = [await withPasskey(), newPhoneNumber()];
    const change = (phone_number: string) => main.change(userId, { phone_number, end_sessions: false });
    await change(number);
    await main.byBoth(email, number);
    await change(newPhoneNumber());
    await change(number);
    expect((await main.byCode(number)).status).toBe(200);
    const both = await main.byBoth(email, number);
    expect([both.status, readAcr(both)]).toEqual([200, undefined]);
    expectStepUp(await askToRegister(both.body));

    const own = await main.give(await main.account(number, login.browser()), email);
    expect(readHeading(own)).toBe(ACCOUNT);
    expect(readHeading(await own.submit({}, 'passkeys/add'))).toBe(CONFIRM);
  });

  test('an email address verified after an SMS code login is not a second factor if the user has a passkey', async () => {
    const [number, email] = [newPhoneNumber(), newEmail()];
    const userId = await main.make({ phone_number: number });
    await main.register((await main.byCode(number)).body);
    const { session_id } = (await main.byCode(number)).body;
    await main.change(userId, { email, end_sessions: false });
    const link = { identifier_type: 'email', identifier: email, redirect_uri: login.redirectUri };
    await main.post('/v1/auth/link/email/send', link);
    const opened = await server.get(await server.linkTo(email));
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
    const proven = await main.post('/v1/auth/link/email/authenticate', { code, session_id });
    expect(proven).toMatchObject({ status: 200, body: { session_id } });
    expect(readAcr(await main.byCode(email, { session_id }))).toBeUndefined();
  });
});
