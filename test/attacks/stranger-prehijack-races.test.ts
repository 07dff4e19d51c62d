// Pre-hijacked accounts, continued from `stranger-prehijack.test.ts`: logins that the attacker began before the victim's login,
// identity provider accounts, a second identifier on the account ("trojan identifier"), and superseded credentials.
import { describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/domain/basis/random.ts';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { codeAt, codeBased } from '../support/fixtures/code-based.ts';
import { decodeClaims, hostedLogin, leftTo, readHeading } from '../support/fixtures/hosted-login.ts';
import { askForOptions, passkeyLogin } from '../support/fixtures/hosted-passkeys.ts';
import { type CreationAnswer, toOrigin } from '../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { answerAt, readLocation, useSocialLogin } from '../support/providers/social.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';
import { createPasskey } from '../support/tools/software-authenticator.ts';

const { server, social, browser } = useSocialLogin();

const app = applicationClient(server);
const login = hostedLogin(server);

/**
 * Creates the attacker's account with a phone number and a passkey. `takeAddress` adds the victim's email address.
 */
async function account() {
  const [phone, email] = [newPhoneNumber(), newEmail('victim')];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { body: tokens } = await app.byCode(phone, { channel: 'sms' });
  const { passkey } = await app.register(tokens);
  const takeAddress = () => app.put(`/v1/users/${userId}`, { email });
  return { userId, phone, email, passkey, takeAddress };
}

/** Creates an account with two unverified identifiers: the victim's email address and the attacker's phone number. */
async function twoNames() {
  const [email, phone] = [newEmail('victim'), newPhoneNumber()];
  const { user_id: userId } = await createUser(server, { email, phone_number: phone });
  const typed = { email: [email, 'email'], sms: [phone, 'sms'] } as const;
  /** Logs in on the hosted pages with a code by this method. Returns the page after the code. */
  const onPages = async (method: 'email' | 'sms', jar = login.browser(), change = {}) => {
    const [to, channel] = typed[method];
    return login.afterCode(jar, to, change, channel);
  };
  return { userId, email, phone, onPages };
}

describe("attacker's unfinished login that began before the victim's login", () => {
  test("the victim's login invalidates authorization codes that an attacker has not exchanged yet", async () => {
    const { phone, email, takeAddress } = await account();
    await takeAddress();
    const hosted = await login.logIn(login.browser(), phone, {}, 'sms');
    const backend = codeBased(server, await server.clientToken());
    const result = await backend.resultBySms(phone);
    const opened = await codeAt(await backend.resultBySms(phone));
    await app.byCode(email);
    expect((await login.exchange(hosted)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await backend.exchange(opened)).status).toBe(400);
    expect((await backend.exchange(await codeAt(result))).status).toBe(400);
  });

  test('once the victim has logged in, an attacker cannot continue an unfinished hosted login', async () => {
    const [phone, email] = [newPhoneNumber(), newEmail('victim')];
    const { user_id: userId } = await createUser(server, { phone_number: phone });
    await app.byCode(phone, { channel: 'sms' });
    await app.put(`/v1/users/${userId}`, { email });
    const jar = login.browser();
    const { address } = passkeyLogin(server, login);
    const sent = await (await jar.open(address())).submit({ identifier: phone, method: 'sms' });
    const offer = await sent.submit({ passcode: await server.codeTo(phone) });
    const options = (await askForOptions<CreationAnswer>(jar, offer)).body;
    const made = createPasskey(options, toOrigin(server));
    await app.byCode(email);
    const page = await offer.submit({ credential: made.result });
    expect(page.left?.searchParams.has('code') ?? false).toBe(false);
    expect((await app.byPasskey(made.passkey)).status).not.toBe(200);
  });
});

describe('victim of account pre-hijacking who logs in with an identity provider account', () => {
  test.each(['by a direct login', 'on our pages'])(
    'a victim can log in to a pre-hijacked account with an identity provider account: %s',
    async (way) => {
      const { userId, email, takeAddress } = await account();
      await takeAddress();
      await app.byCode(email);
      const [jar, direct] = [browser(), { acr_values: 'urn:cis:google_direct' }];
      const away = await readLocation(
        await jar.request(way === 'on our pages' ? login.address(direct) : social.path('google')),
      );
      const claims = { sub: newId(), email, email_verified: true };
      const target = await social.comeBack(jar, away, { claims });
      const { body } = await (way === 'on our pages' ? login.exchange(target) : social.exchange(target));
      expect(decodeClaims(body.id_token).sub).toBe(userId);
    },
  );
});

const hasLeft = (page: BrowserPage) => page.left?.searchParams.has('code') ?? false;

describe('verification of one of several unverified identifiers', () => {
  test('a login with an identity provider account whose address is unverified does not supersede the phone number', async () => {
    const { email, onPages } = await twoNames();
    expect(hasLeft(await onPages('sms'))).toBe(true);
    const target = await social.logIn(browser(), { sub: newId(), email, email_verified: true });
    expect(answerAt(target)).toMatchObject({ error: 'access_denied' });
    expect(hasLeft(await onPages('sms'))).toBe(true);
  });

  test('an unverified phone number becomes valid when its owner verifies it, even if the login is not completed', async () => {
    const { email, phone } = await twoNames();
    const jar = login.browser();
    await login.logIn(jar, email);
    const { address } = passkeyLogin(server, login);
    const sent = await (await jar.open(address())).submit({ identifier: phone, method: 'sms' });
    const offer = await sent.submit({ passcode: await server.codeTo(phone) });
    expect(hasLeft(offer)).toBe(false);
    expect((await app.byCode(phone, { channel: 'sms' })).status).toBe(200);
  });
});

describe("attacker's phone number on an account after the victim has logged in", () => {
  test("after the victim's login, the attacker's phone number is unverified in tokens and in UserInfo", async () => {
    const { userId, email, phone, takeAddress } = await account();
    const isVerified = async () => (await findUser(server, userId)).phone_number?.phone_number_verified;
    await takeAddress();
    const names = { email_verified: null, phone_number: null, phone_number_verified: null };
    const claims = { id_token: names };
    const expected = { email_verified: true, phone_number: phone, phone_number_verified: false };
    for (let times = 0; times < 2; times += 1) {
      const { body } = await app.byCode(email, { claims });
      expect(decodeClaims(body.id_token)).toMatchObject(expected);
      expect((await server.get('/oidc/me', { token: body.access_token })).body).toMatchObject(expected);
      expect(await isVerified()).toBe(false);
    }
    const { body } = await app.byCode(email);
    await app.byCode(phone, { channel: 'sms', session_id: body.session_id });
    const later = await app.byCode(email, { claims });
    expect(decodeClaims(later.body.id_token)).toMatchObject({ ...expected, phone_number_verified: true });
    expect(await isVerified()).toBe(true);
  });

  test("an attacker's superseded phone number does not satisfy a request for a verified phone number", async () => {
    const { userId, email, takeAddress } = await account();
    await takeAddress();
    await app.byCode(email);
    const page = await login.afterCode(login.browser(), email, { acr_values: 'phone_number' });
    expect(readHeading(page)).toBe('Add your phone number');
    const number = newPhoneNumber();
    const texted = await page.submit({ phone_number: number });
    leftTo(await texted.submit({ passcode: await server.codeTo(number) }));
    const { phone_number } = await findUser(server, userId);
    expect(phone_number).toEqual({ value: number, phone_number_verified: true });
    expect((await app.byCode(number, { channel: 'sms' })).status).toBe(200);
  });
});
