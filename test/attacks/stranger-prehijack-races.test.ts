import { describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/domain/basis/random.ts';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { codeAt, codeBased } from '../support/fixtures/code-based.ts';
import { claimsOf, headingOf, hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { askForOptions, passkeyLogin } from '../support/fixtures/hosted-passkeys.ts';
import { type CreationAnswer, originOf } from '../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { answerAt, locationOf, useSocialLogin } from '../support/providers/social.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';
import { createPasskey } from '../support/tools/software-authenticator.ts';

/**
 * The account of stranger-prehijack.test.ts: what the attacker has under way when the victim comes, social accounts, names that
 * the account had from its making on (a “trojan identifier”), and what is shut out of the attacker’s.
 */

const { server, social, browser } = useSocialLogin();

const app = applicationClient(server);
const login = hostedLogin(server);

/** The attacker's account, with a number, and the address that its profile page has set. */
async function account() {
  const [phone, email] = [newPhoneNumber(), newEmail('victim')];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { body: tokens } = await app.byCode(phone, { channel: 'sms' });
  const { passkey } = await app.register(tokens);
  const takeAddress = () => app.put(`/v1/users/${userId}`, { email });
  return { userId, phone, email, passkey, takeAddress };
}

/** An account that a backend has made with the victim's address and the attacker's number. */
async function twoNames() {
  const [email, phone] = [newEmail('victim'), newPhoneNumber()];
  const { user_id: userId } = await createUser(server, { email, phone_number: phone });
  const typed = { email: [email, 'email'], sms: [phone, 'sms'] } as const;
  /** A login on our pages, up to what comes after the digits. */
  const onPages = async (method: 'email' | 'sms', jar = login.browser(), change = {}) => {
    const [to, channel] = typed[method];
    return login.afterCode(jar, to, change, channel);
  };
  return { userId, email, phone, onPages };
}

describe('of a victim who comes, and', () => {
  test('codes that the attacker has not exchanged yet', async () => {
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

  test('a hosted login that the attacker has half done adds neither a passkey nor itself', async () => {
    const [phone, email] = [newPhoneNumber(), newEmail('victim')];
    const { user_id: userId } = await createUser(server, { phone_number: phone });
    await app.byCode(phone, { channel: 'sms' });
    await app.put(`/v1/users/${userId}`, { email });
    const jar = login.browser();
    const { address } = passkeyLogin(server, login);
    const sent = await (await jar.open(address())).submit({ identifier: phone, method: 'sms' });
    const offer = await sent.submit({ passcode: await server.codeTo(phone) });
    const options = (await askForOptions<CreationAnswer>(jar, offer)).body;
    const made = createPasskey(options, originOf(server));
    await app.byCode(email);
    const page = await offer.submit({ credential: made.result });
    expect(page.left?.searchParams.has('code') ?? false).toBe(false);
    expect((await app.byPasskey(made.passkey)).status).not.toBe(200);
  });
});

describe('an account at a provider', () => {
  test.each(['by section B', 'on our pages'])(
    'is linked after the address alone, whatever is shut out: %s',
    async (way) => {
      const { userId, email, takeAddress } = await account();
      await takeAddress();
      await app.byCode(email);
      const [jar, direct] = [browser(), { acr_values: 'urn:cis:google_direct' }];
      const away = await locationOf(
        await jar.request(way === 'on our pages' ? login.address(direct) : social.path('google')),
      );
      const claims = { sub: newId(), email, email_verified: true };
      const target = await social.comeBack(jar, away, { claims });
      const { body } = await (way === 'on our pages' ? login.exchange(target) : social.exchange(target));
      expect(claimsOf(body.id_token).sub).toBe(userId);
    },
  );
});

const hasLeft = (page: BrowserPage) => page.left?.searchParams.has('code') ?? false;

describe('a name that nothing has proven when another one is', () => {
  test('nor by an account at a provider with that address', async () => {
    const { email, onPages } = await twoNames();
    expect(hasLeft(await onPages('sms'))).toBe(true);
    const target = await social.logIn(browser(), { sub: newId(), email, email_verified: true });
    expect(answerAt(target)).toMatchObject({ error: 'access_denied' });
    expect(hasLeft(await onPages('sms'))).toBe(true);
  });

  test('counts once its owner has proven it in their own browser, though that login had no end', async () => {
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

describe('what is shut out of an attacker’s', () => {
  test('is a verified number neither in tokens, at UserInfo nor in the record', async () => {
    const { userId, email, phone, takeAddress } = await account();
    const isVerified = async () => (await findUser(server, userId)).phone_number?.phone_number_verified;
    await takeAddress();
    const names = { email_verified: null, phone_number: null, phone_number_verified: null };
    const claims = { id_token: names };
    const expected = { email_verified: true, phone_number: phone, phone_number_verified: false };
    for (let times = 0; times < 2; times += 1) {
      const { body } = await app.byCode(email, { claims });
      expect(claimsOf(body.id_token)).toMatchObject(expected);
      expect((await server.get('/oidc/me', { token: body.access_token })).body).toMatchObject(expected);
      expect(await isVerified()).toBe(false);
    }
    const { body } = await app.byCode(email);
    await app.byCode(phone, { channel: 'sms', session_id: body.session_id });
    const later = await app.byCode(email, { claims });
    expect(claimsOf(later.body.id_token)).toMatchObject({ ...expected, phone_number_verified: true });
    expect(await isVerified()).toBe(true);
  });

  test('is not the verified number that a login must end with', async () => {
    const { userId, email, takeAddress } = await account();
    await takeAddress();
    await app.byCode(email);
    const page = await login.afterCode(login.browser(), email, { acr_values: 'phone_number' });
    expect(headingOf(page)).toBe('Add your phone number');
    const number = newPhoneNumber();
    const texted = await page.submit({ phone_number: number });
    leftTo(await texted.submit({ passcode: await server.codeTo(number) }));
    const { phone_number } = await findUser(server, userId);
    expect(phone_number).toEqual({ value: number, phone_number_verified: true });
    expect((await app.byCode(number, { channel: 'sms' })).status).toBe(200);
  });
});
