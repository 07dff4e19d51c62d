// Legitimate users log in with the addresses and passkeys that their application has stored.
import { expect, test } from '@jest/globals';
import { codeBased } from '../support/fixtures/code-based.ts';
import { answerIn, hostedLogin, leftTo, readHeading } from '../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { ADD_NUMBER, CONFIRM, createApplicationWithClient, readAcr, readSub, useTenant } from './people.ts';

const { server, main, side, claimed, withMail, withPasskey, browser, givePasskey, tellsWhere, readRecord } =
  useTenant();

test('H1: a user created with an email address and a phone number can log in with a code or link sent to either one', async () => {
  for (const byMail of [main.byCode, main.byLink]) {
    const { email, phone, userId } = await claimed();
    for (let times = 0; times < 2; times += 1)
      expect([readSub(await byMail(email)), readSub(await main.byCode(phone))]).toEqual([userId, userId]);
  }
});

test('H2: the first login with a second address asks the user once to verify the first address as well', async () => {
  const { email, phone, userId } = await claimed();
  expect((await main.claimsAt(await main.onPages(email))).sub).toBe(userId);
  const asked = await main.onPages(phone);
  expect(readHeading(asked)).toBe(CONFIRM);
  expect((await main.claimsAt(await main.give(asked, email))).sub).toBe(userId);
  for (const to of [phone, email, phone])
    expect((await main.claimsAt(await main.onPages(to))).sub).toBe(userId);
});

test('H5: a code-based login with require_mfa completes with an email code and an SMS code', async () => {
  const twoFactors = { require_mfa: true };
  const backend = codeBased(server, await main.token());
  for (const before of [undefined, 'email', 'phone'] as const)
    for (const order of [
      ['email', 'phone'],
      ['phone', 'email'],
    ] as const) {
      const person = await claimed();
      if (before) expect(readSub(await main.byCode(person[before]))).toBe(person.userId);
      const jar = browser();
      const ways = {
        email: () => backend.resultByEmail(person.email, twoFactors),
        phone: () => backend.resultBySms(person.phone, twoFactors),
      };
      const first = leftTo(await jar.open(await ways[order[0]]()));
      expect([before, order, answerIn(first).error]).toEqual([before, order, 'mfa_required']);
      const second = answerIn(leftTo(await jar.open(await ways[order[1]]())));
      expect([before, order, second]).toEqual([before, order, { code: expect.any(String) }]);
      expect(readAcr(await backend.exchange(second.code ?? ''))).toBe('mfa');
    }
});

test('H6: an email code and an SMS code in the same session result in a two-factor login', async () => {
  const { email, phone, userId } = await claimed();
  const both = await main.byBoth(email, phone);
  expect([readSub(both), readAcr(both)]).toEqual([userId, 'mfa']);
});

test('H12: a passkey registered through the API becomes valid tenant-wide when its owner uses it with an email code on hosted pages', async () => {
  for (const bind of ['by the user', 'by the client']) {
    const { email, userId, tokens } = await withMail();
    const { passkey } = await (bind === 'by the user' ? main.register(tokens) : main.registerFor(userId));
    expect(readSub(await main.byPasskey(passkey))).toBe(userId);
    expect(readSub(await side.byPasskey(passkey))).not.toBe(userId);
    const jar = browser();
    // Login pages do not ask for a passkey that a client has added. Its owner starts with the passkey on the account page.
    if (bind === 'by the user')
      leftTo(await givePasskey(jar, await main.onPages(email, { acr_values: 'mfa' }, jar), passkey));
    else await main.give(await givePasskey(jar, await main.openAccount(jar), passkey), email);
    for (const place of [main, side]) expect(readSub(await place.byPasskey(passkey))).toBe(userId);
  }
});

test('H16: a session of a login through the channel `direct` at a second application is valid only at that application', async () => {
  const { email, userId } = await withMail();
  const { session_id } = await side.direct(userId);
  const living = async (place: typeof side) =>
    (await place.post('/v1/auth/session/authenticate', { session_id })).status;
  expect([await living(side), await living(main)]).toEqual([200, 400]);

  const fresh = (await main.byCode(email)).body;
  const change = { phone_number: newPhoneNumber(), session_id: fresh.session_id };
  expect((await main.change(userId, change)).status).toBe(200);
  expect((await main.change(userId, { status: 'Disabled' })).status).toBe(200);
  expect((await server.delete(`/v1/users/${userId}`, { token: await main.token() })).status).toBe(204);
});

test('H17: a user who has only an email address can add a passkey on hosted pages', async () => {
  const shop = await createApplicationWithClient(server, { methods: { email: {}, passkey: {} } });
  const email = newEmail();
  const userId = await shop.make({ email });
  const passkey = await shop.registerOnPage(hostedLogin(server), email);
  for (const place of [shop, main, side]) expect(readSub(await place.byPasskey(passkey))).toBe(userId);
});

test('H18: at an application that does not offer passkeys, a user who has a passkey cannot add a phone number', async () => {
  const { email, userId, passkey } = await withPasskey();
  const texts = await createApplicationWithClient(server, { name: 'Texts', methods: { email: {}, sms: {} } });
  const phone = newPhoneNumber();
  const refused = await texts.onPages(email, { acr_values: 'phone_number' });
  expect([readHeading(refused) === ADD_NUMBER, tellsWhere(refused)]).toEqual([false, true]);
  expect(tellsWhere(await (await texts.account(email)).submit({}, 'account/phone'))).toBe(true);
  expect(await readRecord(userId)).not.toHaveProperty('phone_number');

  // At an application that offers passkeys, the user can add the number after using the passkey.
  const jar = browser();
  const asked = await main.onPages(email, { acr_values: 'phone_number' }, jar);
  const form = await givePasskey(jar, asked, passkey);
  const texted = await form.submit({ phone_number: phone });
  leftTo(await texted.submit({ passcode: await server.codeTo(phone) }));
  expect(await readRecord(userId)).toMatchObject({
    phone_number: { value: phone, phone_number_verified: true },
  });
});
