// Users who change their email address or phone number on the account page and verify the new one by a code.
import { describe, expect, test } from '@jest/globals';
import { readHeading, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { createProvenUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { refresh } from '../../support/tools/authorized.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off', events: true });

const CONFIRM = 'Confirm it’s you';

async function someone() {
  const email = newEmail();
  const { user_id: userId } = await createProvenUser(server, { email });
  const account = createAccountActions(server, login);
  const jar = login.browser();
  return { email, userId, account, jar, page: await account.open(email, jar) };
}

/** Submits a new email address on the account page. Returns the page that asks for the code sent to this address. */
async function toCode(page: BrowserPage, to: string): Promise<BrowserPage> {
  return (await page.submit({}, 'account/email')).submit({ identifier: to });
}

describe('changing addresses on the account page', () => {
  test('on the account page, a user can change the email address by entering a code sent to the new address', async () => {
    const { email, userId, page } = await someone();
    const wanted = { prompt: 'consent', scope: 'openid offline_access' };
    const other = (await login.exchange(await login.logIn(login.browser(), email, wanted))).body;
    const to = newEmail('new');
    const asked = await page.submit({}, 'account/email');
    expect(asked.html).toMatch(
      /It replaces <strong dir="ltr">.•••@.*<\/strong>. We’ll send that address a link/,
    );
    const code = await asked.submit({ identifier: to });
    expect(code.html).toContain(to);
    const [mail] = await server.messages({ to });
    expect(mail?.links).toEqual([]);
    expect(mail?.subject).toBe('Confirm your new address at Demo');
    expect(mail?.text).not.toContain('sign in');
    const done = await code.submit({ passcode: await server.codeTo(to) });
    expect(readHeading(done)).toBe('Your account');
    expect(done.html).toContain(`Your account now uses <strong dir="ltr">${to}</strong>.`);
    expect(done.html).not.toContain('You can make your change now');
    expect((await findUser(server, userId)).email).toMatchObject({ value: to, email_verified: true });
    expect((await refresh(server, other.refresh_token)).status).toBe(400);

    await server.settleEvents();
    const [told] = await server.messages({ to: email });
    expect(told?.subject).toBe('Your email address at Demo was changed');
    const { pathname, search } = new URL(told?.links[0] ?? '');
    await server.form<string>(`${pathname}${search}`, {});
    expect((await findUser(server, userId)).email).toMatchObject({ value: email });
  });

  test('a user cannot change their email address to that of another user', async () => {
    const victim = await someone();
    const { email, userId, page } = await someone();
    const code = await toCode(page, victim.email);
    const wrong = await code.submit({ passcode: '0000000' });
    expect(wrong.html).toContain('role="alert"');
    const refused = await wrong.submit({ passcode: await server.codeTo(victim.email) });
    expect(refused.html).toContain('Nothing was changed');
    expect((await findUser(server, userId)).email).toMatchObject({ value: email });
    expect((await findUser(server, victim.userId)).email).toMatchObject({ value: victim.email });
  });

  test('changing the email address requires a login within the last 10 minutes', async () => {
    const { userId, email, page, account, jar } = await someone();
    const to = newEmail('attacker');
    const code = await toCode(page, to);
    await server.advanceClock(599);
    const sent = await server.codeTo(to);
    await server.advanceClock(2);
    const late = await code.submit({ passcode: sent });
    expect(readHeading(late)).toBe(CONFIRM);
    const stale = await (await jar.open(account.address())).submit({}, 'account/email');
    expect(readHeading(stale)).toBe(CONFIRM);
    expect((await findUser(server, userId)).email).toMatchObject({ value: email });
  });

  test('changing the email address of an account with two factors requires a login with both factors', async () => {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number: phone });
    const account = createAccountActions(server, login);
    const page = await account.open(email);
    expect(readHeading(await page.submit({}, 'account/email'))).toBe(CONFIRM);
  });
});

test('if an application sends only emailed links, a user verifies a new address with a link', async () => {
  const { clientId } = await storeApplication(server, { loginPreferences: { link: {} } });
  const email = newEmail();
  const { user_id: userId } = await createProvenUser(server, { email });
  const jar = login.browser();
  const account = createAccountActions(server, login);
  const byLink = async (to: string, by = jar) => by.open(await server.linkTo(to));
  await (await jar.open(account.address(clientId))).submit({ identifier: email, method: 'link' });
  const page = await (await byLink(email)).submit({}, 'link');
  const asked = await page.submit({}, 'account/email');
  expect(asked.html).toContain('Send a link');
  const to = newEmail('new');
  const sent = await asked.submit({ identifier: to });
  expect(sent.html).toMatch(/We sent a link to .*new\./);
  expect((await byLink(to, login.browser())).status).toBe(404);
  expect((await findUser(server, userId)).email).toMatchObject({ value: email });
  const done = await (await byLink(to)).submit({}, 'link');
  expect(done.html).toContain(to);
  expect((await findUser(server, userId)).email).toMatchObject({ value: to, email_verified: true });

  const late = newEmail('late');
  await (await done.submit({}, 'account/email')).submit({ identifier: late });
  const link = await byLink(late);
  await server.advanceClock(601);
  expect(readHeading(await link.submit({}, 'link'))).toBe(CONFIRM);
  expect((await findUser(server, userId)).email).toMatchObject({ value: to });
});

test('on the account page, a user can add a phone number by entering a code sent by SMS', async () => {
  const { userId, page } = await someone();
  const phone = newPhoneNumber();
  const asked = await page.submit({}, 'account/phone');
  const code = await asked.submit({ phone_number: phone });
  const done = await code.submit({ passcode: await server.codeTo(phone) });
  expect(done.html).toContain(`Your account now uses <strong dir="ltr">${phone}</strong>.`);
  const { phone_number: number } = (await findUser(server, userId)) as unknown as { phone_number: object };
  expect(number).toMatchObject({ value: phone, phone_number_verified: true });
});

describe('removing an address on the account page without a replacement', () => {
  async function withBoth() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const { user_id: userId } = await createProvenUser(server, { email, phone_number: phone });
    const page = await createAccountActions(server, login).open(email);
    return { email, phone, userId, asked: await page.submit({ item: 'phone' }, 'addresses/remove') };
  }
  const byPhone = async (asked: BrowserPage, phone: string) =>
    (await asked.submit({ method: 'sms' })).submit({ passcode: await server.codeTo(phone) });

  test("removing an address on the account page requires a login with both factors and ends the user's other sessions", async () => {
    const { email, phone, userId, asked } = await withBoth();
    expect(readHeading(asked)).toBe(CONFIRM);
    const wanted = { prompt: 'consent', scope: 'openid offline_access' };
    const other = (await login.exchange(await login.logIn(login.browser(), email, wanted))).body;
    expect(await findUser(server, userId)).toMatchObject({ phone_number: { value: phone } });
    const back = await byPhone(asked, phone);
    const done = await back.submit({ item: 'phone' }, 'addresses/remove');
    expect(done.html).toContain('Your phone number was removed.');
    expect(await findUser(server, userId)).toMatchObject({ email: { value: email } });
    expect(await findUser(server, userId)).not.toHaveProperty('phone_number');
    expect((await refresh(server, other.refresh_token)).status).toBe(400);
    await server.settleEvents();
    const [told] = await server.messages({ to: phone });
    expect(told?.text).toContain('no longer belongs');

    expect(done.html).not.toContain('addresses/remove');
    const last = await back.submit({ item: 'email' }, 'addresses/remove');
    expect(last.html).toContain('This is your only way to sign in.');
    expect(await findUser(server, userId)).toMatchObject({ email: { value: email } });
  });

  test('a removed address receives a notice even if a later database call of the removal fails', async () => {
    let broken = 0;
    // Tries several values, because the number of queries before the removal depends on what the function has cached.
    for (const skip of [3, 4, 5, 6]) {
      const { email, phone, userId, asked } = await withBoth();
      const back = await byPhone(asked, phone);
      const fault = { service: 'dynamodb', action: 'Query', operation: 'removeOwnAddress' } as const;
      await server.faults.inject({ ...fault, effect: 'error', code: 'Throttling', skip, times: 9 });
      const { status } = await back.submit({ item: 'email' }, 'addresses/remove');
      await server.faults.clear();
      if ((await findUser(server, userId)).email) continue;
      if (status === 503) broken += 1;
      await server.settleEvents();
      const [told] = await server.messages({ to: email });
      expect(told?.links).toHaveLength(1);
    }
    expect(broken).toBeGreaterThan(0);
  });

  test('if a user removes the email address and the phone number at the same time, one of them remains', async () => {
    const { phone, userId, asked } = await withBoth();
    const back = await byPhone(asked, phone);
    await Promise.all(['email', 'phone'].map((item) => back.submit({ item }, 'addresses/remove')));
    const left = Object.keys(await findUser(server, userId)).filter((name) =>
      /^(email|phone_number)$/.test(name),
    );
    expect(left).toHaveLength(1);
  });
});
