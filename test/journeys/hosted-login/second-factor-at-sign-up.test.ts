// A new user at an application that requires two factors.
import { describe, expect, test } from '@jest/globals';
import {
  answerIn,
  decodeClaims,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { askForOptions, givePasskey } from '../../support/fixtures/hosted-passkeys.ts';
import { type CreationAnswer, toOrigin } from '../../support/fixtures/passkeys.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { type StoredApplication, storeApplication } from '../../support/fixtures/tenants.ts';
import { atOnce } from '../../support/server/at-once.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';
import { createPasskey } from '../../support/tools/software-authenticator.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

const mfa = { acr_values: 'mfa' };
const PASSKEY = 'Add a passkey';
const NUMBER = 'Add your phone number';
const OTHER_WAY = 'Try another way';

const offering = (...methods: readonly string[]) =>
  storeApplication(server, {
    publicSignup: true,
    hostedSignUp: true,
    loginPreferences: Object.fromEntries(methods.map((method) => [method, {}])),
  });

/** Starts a sign-up at the client's application and verifies the address by a code. Returns the page after the code. */
async function signUp(
  { clientId: client_id }: StoredApplication,
  to = newEmail(),
  change: Readonly<Record<string, string>> = mfa,
) {
  const jar = login.browser();
  const method = to.includes('@') ? 'email' : 'sms';
  return { jar, to, page: await login.afterCode(jar, to, { client_id, ...change }, method) };
}

async function newPasskey(jar: BrowserJar, page: BrowserPage) {
  const { body } = await askForOptions<CreationAnswer>(jar, page);
  return createPasskey(body, toOrigin(server));
}

async function byNumber(page: BrowserPage, number = newPhoneNumber()): Promise<BrowserPage> {
  const code = await page.submit({ phone_number: number });
  return code.submit({ passcode: await server.codeTo(number) });
}

const tokensAt = async (target: URL, client: StoredApplication) =>
  (await login.exchange(target, { client_id: client.clientId }, client)).body;

describe('new user at an application that requires two factors', () => {
  test('a passkey created during the sign-up counts as the second factor of the login', async () => {
    const client = await offering('email', 'passkey');
    const { jar, to, page } = await signUp(client);
    expect(readHeading(page)).toBe(PASSKEY);
    expect(page.html).toContain('asks for a second way to confirm it’s you.');
    expect(page.html).not.toContain(OTHER_WAY);
    const { passkey, result } = await newPasskey(jar, page);
    const tokens = await tokensAt(leftTo(await page.submit({ credential: result })), client);
    const claims = decodeClaims(tokens.id_token);
    expect(claims).toMatchObject({ acr: 'mfa', amr: ['eotp', 'webauthn', 'mfa'], new_user: true });

    const later = login.browser();
    const asked = await login.afterCode(later, to, { client_id: client.clientId, ...mfa });
    expect(readHeading(asked)).toBe('Confirm it’s you');
    const again = await tokensAt(leftTo(await givePasskey(server, later, asked, passkey)), client);
    expect(decodeClaims(again.id_token)).toMatchObject({ sub: claims.sub, acr: 'mfa', new_user: false });
  });

  test('during a sign-up that requires two factors, a new user can add a phone number as the second factor', async () => {
    for (const methods of [
      ['email', 'sms'],
      ['email', 'sms', 'passkey'],
    ]) {
      const client = await offering(...methods);
      const { page } = await signUp(client);
      const offersPasskey = methods.includes('passkey');
      if (offersPasskey) expect(page.html).toContain(OTHER_WAY);
      const asked = offersPasskey ? await page.submit({}, '/later') : page;
      expect(readHeading(asked)).toBe(NUMBER);
      const number = newPhoneNumber();
      const tokens = await tokensAt(leftTo(await byNumber(asked, number)), client);
      expect(decodeClaims(tokens.id_token)).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
      const token = await server.adminToken();
      const path = `/v1/users/${decodeClaims(tokens.id_token).sub}`;
      const { body } = await server.get<{ result: object }>(path, { token });
      expect(body.result).toMatchObject({ phone_number: { value: number, phone_number_verified: true } });
    }
  });

  test('a new user who declines the second factor returns to the application without an account', async () => {
    const client = await offering('sms', 'passkey');
    const { jar, page } = await signUp(client, newPhoneNumber());
    const { result } = await newPasskey(jar, page);
    const tokens = await tokensAt(leftTo(await page.submit({ credential: result })), client);
    expect(decodeClaims(tokens.id_token)).toMatchObject({ acr: 'mfa', amr: ['sms', 'webauthn', 'mfa'] });

    const other = await signUp(client, newPhoneNumber());
    expect(answerIn(leftTo(await other.page.submit({}, '/later'))).error).toBe('access_denied');
    const token = await server.adminToken();
    const path = `/v1/users/phone-number/${encodeURIComponent(other.to)}`;
    expect((await server.get(path, { token })).status).toBe(404);
  });

  test('sign-ups on several devices with the same email address and phone number create one user', async () => {
    const client = await offering('email', 'sms');
    const [email, number] = [newEmail(), newPhoneNumber()];
    const targets: URL[] = [];
    for (let n = 0; n < 4; n += 1)
      targets.push(leftTo(await byNumber((await signUp(client, email)).page, number)));
    const [first, ...others] = targets as [URL, ...URL[]];
    const all = (await atOnce(others.length, (n) => tokensAt(others[n] as URL, client))).concat(
      await tokensAt(first, client),
    );
    const claims = all.map(({ id_token }) => decodeClaims(id_token));
    expect(new Set(claims.map(({ sub }) => sub)).size).toBe(1);
    for (const each of claims) expect(each).toMatchObject({ acr: 'mfa', amr: ['eotp', 'sms', 'mfa'] });
    expect(claims.filter(({ new_user }) => new_user)).toHaveLength(1);
  });

  test('a second device that created another passkey for the same email address cannot complete the sign-up', async () => {
    const client = await offering('email', 'passkey');
    const email = newEmail();
    const targets: URL[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { jar, page } = await signUp(client, email);
      const { result } = await newPasskey(jar, page);
      targets.push(leftTo(await page.submit({ credential: result })));
    }
    const [one, other] = targets as [URL, URL];
    await tokensAt(one, client);
    const refused = await login.exchange(other, { client_id: client.clientId }, client);
    expect(refused.body.error).toBe('invalid_grant');
  });

  test('a sign-up that requires two factors ends with an error if the application offers no second factor', async () => {
    const { page } = await signUp(await offering('email'));
    expect(answerIn(leftTo(page)).error_description).toBe(
      'A second factor is required, and the user has none',
    );
  });
});

describe('credentials that are not accepted as a second factor', () => {
  test('a user cannot add a required second factor during a login unless the application sets enrol_second_factor', async () => {
    const client = await offering('email', 'sms', 'passkey');
    const email = newEmail();
    await createProvenUser(server, { email });
    expect(answerIn(leftTo((await signUp(client, email)).page)).error).toBe('access_denied');
  });

  test('a phone number verified because of acr_values=phone_number is no second factor of a sign-up', async () => {
    const client = await offering('email', 'sms');
    const { page } = await signUp(client, newEmail(), { acr_values: 'phone_number' });
    const tokens = await tokensAt(leftTo(await byNumber(page)), client);
    expect(decodeClaims(tokens.id_token)).toMatchObject({ amr: ['eotp'] });
    expect(decodeClaims(tokens.id_token).acr).toBeUndefined();
  });

  test("another user's phone number does not count as a second factor during a sign-up", async () => {
    const client = await offering('email', 'sms', 'passkey');
    const taken = newPhoneNumber();
    await createProvenUser(server, { email: newEmail(), phone_number: taken });
    const one = await signUp(client);
    const refused = leftTo(await byNumber(await one.page.submit({}, '/later'), taken));
    expect(answerIn(refused).error).toBe('access_denied');
    const other = await signUp(client);
    const page = await other.page.submit({ credential: 'nonsense' });
    expect([readHeading(page), readPageError(page) !== undefined]).toEqual([PASSKEY, true]);
  });

  test('submitting the passkey of a sign-up several times at once yields only one authorization code', async () => {
    const client = await offering('email', 'passkey');
    const { jar, page } = await signUp(client);
    const { result } = await newPasskey(jar, page);
    const pages = await atOnce(8, () => page.submit({ credential: result }));
    expect(pages.filter(({ left }) => left?.searchParams.has('code'))).toHaveLength(1);
  });

  test('a sign-up is rejected if another user verified the address in the meantime', async () => {
    const client = await offering('email', 'passkey');
    const { jar, to, page } = await signUp(client);
    await createProvenUser(server, { email: to });
    const { result } = await newPasskey(jar, page);
    const target = leftTo(await page.submit({ credential: result }));
    const { status, body } = await login.exchange(target, { client_id: client.clientId }, client);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
});
