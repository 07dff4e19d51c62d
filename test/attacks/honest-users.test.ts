import { describe, expect, test } from '@jest/globals';
import { claimsOf, errorOf, headingOf, leftTo, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { askForOptions, passkeyLogin } from '../support/fixtures/hosted-passkeys.ts';
import {
  type CreationAnswer,
  originOf,
  type Person,
  type RequestAnswer,
  registerPasskey,
} from '../support/fixtures/passkeys.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';
import { isFull } from '../support/tools/full-run.ts';
import { createPasskey, usePasskey } from '../support/tools/software-authenticator.ts';

/** Ordinary people at the hosted pages: what stops attackers must not stop them. */

const { server, login } = useHostedLogin();
const { begin } = passkeyLogin(server, login);

const claimsAt = async (target: URL, change = {}) => {
  const { status, body } = await login.exchange(target, change);
  expect(status).toBe(200);
  return claimsOf(body.id_token);
};
const subAt = async (jar: BrowserJar, email: string, change = {}) =>
  (await claimsAt(await login.logIn(jar, email, change))).sub;

async function someone(): Promise<{ readonly email: string; readonly userId: string }> {
  const email = newEmail();
  const { user_id: userId } = await createUser(server, { email });
  return { email, userId };
}

/** A user with a mailbox and a passkey. */
async function withPasskey() {
  const email = newEmail();
  const user = await createUser(server, { email });
  const person: Person = { user, email, tokens: await tokensBy(server, 'email', email) };
  return { person, passkey: await registerPasskey(server, person) };
}

describe('a new device', () => {
  test('1 a new phone: one code by mail, as on the old one', async () => {
    const { email, userId } = await someone();
    for (const phone of [login.browser(), login.browser()]) expect(await subAt(phone, email)).toBe(userId);
  });

  test('2 a new phone that the passkey syncs to: the passkey alone', async () => {
    const { person, passkey } = await withPasskey();
    const { page, options } = await begin();
    const end = await page.submit({ credential: usePasskey(passkey, options, originOf(server)) });
    const claims = await claimsAt(leftTo(end), { code_verifier: undefined });
    expect(claims).toMatchObject({ sub: person.user.user_id, amr: ['webauthn'] });
  });

  test('3 a lost passkey: the mailbox still logs in, where one factor is enough', async () => {
    const { person } = await withPasskey();
    expect(await subAt(login.browser(), person.email)).toBe(person.user.user_id);
  });

  test('4 a first passkey, offered after a login by mail: no further step, and it logs in the next time', async () => {
    const { email, userId } = await someone();
    const { jar, page } = await begin();
    const sent = await page.submit({ identifier: email, method: 'email' });
    const offer = await sent.submit({ passcode: await server.codeTo(email) });
    expect(headingOf(offer)).toBe('Add a passkey');
    const asked = await askForOptions<CreationAnswer>(jar, offer);
    const { passkey, result } = createPasskey(asked.body, originOf(server));
    const end = await offer.submit({ credential: result });
    expect((await claimsAt(leftTo(end), { code_verifier: undefined })).sub).toBe(userId);
    const next = await begin();
    const again = await next.page.submit({ credential: usePasskey(passkey, next.options, originOf(server)) });
    expect((await claimsAt(leftTo(again), { code_verifier: undefined })).sub).toBe(userId);
  });

  test('5 a payment asks for a second factor: the browser of the morning gives the passkey alone', async () => {
    const { person, passkey } = await withPasskey();
    const jar = login.browser();
    await login.logIn(jar, person.email);
    await server.advanceClock(3 * 3600);
    const page = await jar.open(login.address({ acr_values: 'mfa' }));
    expect(page.html).not.toContain('name="identifier"');
    const { body } = await askForOptions<RequestAnswer>(jar, page);
    const end = await page.submit({ credential: usePasskey(passkey, body, originOf(server)) });
    expect(await claimsAt(leftTo(end))).toMatchObject({ sub: person.user.user_id, acr: 'mfa' });
  });

  test('6 a second factor by text: a proven number, in the same login', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    const { user_id } = await createProvenUser(server, { email, phone_number });
    const sent = await login.toCode(login.browser(), email, { acr_values: 'mfa' });
    const choice = await sent.submit({ passcode: await server.codeTo(email) });
    const texted = await choice.submit({ method: 'sms' });
    const end = await texted.submit({ passcode: await server.codeTo(phone_number) });
    expect(await claimsAt(leftTo(end))).toMatchObject({ sub: user_id, acr: 'mfa' });
  });
});

describe('one browser, several people', () => {
  test('7 a family shares a tablet: each logs in, and none is logged in as another', async () => {
    const [ann, ben] = [await someone(), await someone()];
    const tablet = login.browser();
    for (const who of [ann, ben, ann])
      expect(await subAt(tablet, who.email, { prompt: 'login' })).toBe(who.userId);
    const quiet = await tablet.open(login.address({ prompt: 'none' }));
    expect((await claimsAt(leftTo(quiet))).sub).toBe(ann.userId);
  });

  test('8 a visitor forgets to log out in a library, and ends all sessions at home', async () => {
    const { email, userId } = await someone();
    const library = login.browser();
    await login.logIn(library, email);
    const { access_token: token } = await tokensBy(server, 'email', email);
    expect((await server.delete(`/v1/auth/users/${userId}/sessions`, { token })).status).toBe(204);
    const left = leftTo(await library.open(login.address({ prompt: 'none' })));
    expect(left.searchParams.get('error')).toBe('login_required');
    expect(await subAt(login.browser(), email)).toBe(userId);
  });

  test('9 two applications of one company: one login', async () => {
    const { email, userId } = await someone();
    const jar = login.browser();
    await login.logIn(jar, email);
    const other = await storeApplication(server);
    const target = leftTo(await jar.open(login.address({ client_id: other.clientId })));
    const { body } = await login.exchange(target, {}, other);
    expect(claimsOf(body.id_token).sub).toBe(userId);
  });
});

describe('everyday trouble', () => {
  test('10 a typing error, then the right digits', async () => {
    const { email, userId } = await someone();
    const page = await login.toCode(login.browser(), email);
    const digits = await server.codeTo(email);
    const wrong = digits.replace(/.$/, (last) => String((Number(last) + 1) % 10));
    const again = await page.submit({ passcode: wrong });
    expect(errorOf(again)).toBeDefined();
    expect((await claimsAt(leftTo(await again.submit({ passcode: digits })))).sub).toBe(userId);
  });

  test('11 an impatient user: a second code, and its digits log in', async () => {
    const { email, userId } = await someone();
    const page = await login.toCode(login.browser(), email);
    const first = await server.codeTo(email);
    const second = await page.submit({}, '/resend');
    expect(errorOf(second)).toBeUndefined();
    const digits = await server.codeTo(email);
    expect(digits).not.toBe(first);
    expect((await claimsAt(leftTo(await second.submit({ passcode: digits })))).sub).toBe(userId);
  });

  test('12 a long call: the code has expired, and a new one logs in', async () => {
    const { email, userId } = await someone();
    const page = await login.toCode(login.browser(), email);
    const late = await server.codeTo(email);
    await server.advanceClock(6 * 60);
    const expired = await page.submit({ passcode: late });
    expect(errorOf(expired)).toMatch(/expired/);
    const next = await expired.submit({}, '/resend');
    const end = leftTo(await next.submit({ passcode: await server.codeTo(email) }));
    expect((await claimsAt(end)).sub).toBe(userId);
  });

  test('13 a new customer signs up, and comes back as the same one', async () => {
    const email = newEmail('customer');
    const sub = await subAt(login.browser(), email, { createNewUser: 'true' });
    expect(sub).toMatch(/^[a-z0-9]{25}$/);
    expect(await subAt(login.browser(), email)).toBe(sub);
  });
});

const OFFICE = isFull ? 200 : 40;

test(`14 an office of ${OFFICE} behind one address logs in within a minute`, async () => {
  const people = Array.from({ length: OFFICE }, () => newEmail('office'));
  const token = await server.clientToken();
  for (const email of people) await server.post('/v1/users', { email }, { token });
  // Windows begin with the full minute.
  await server.advanceClock(61 - ((Date.now() / 1000) % 60));
  const ends: URL[] = [];
  while (ends.length < people.length) {
    const batch = people.slice(ends.length, ends.length + 8);
    ends.push(...(await Promise.all(batch.map((email) => login.logIn(login.browser(), email)))));
  }
  expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(people.length);
}, 300_000);
