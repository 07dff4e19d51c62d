import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { applicationClient } from '../../support/fixtures/application-client.ts';
import {
  decodeClaims,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import { toOrigin } from '../../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { type SoftwarePasskey, usePasskey } from '../../support/tools/software-authenticator.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });
const { address, begin } = passkeyLogin(server, login);

const VERIFY = 'Verify your email';

const app = applicationClient(server);

/** Creates a user with a verified phone number, a passkey, and an unverified email address that a backend has set. */
async function withAddress() {
  const [phone, email] = [newPhoneNumber(), newEmail()];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { body: tokens } = await app.byCode(phone, { channel: 'sms' });
  const { passkey } = await app.register(tokens);
  await app.put(`/v1/users/${userId}`, { email });
  return { userId, phone, email, passkey };
}

/** Uses the passkey in a direct passkey login (section B of the API). Returns the next page. */
async function byPasskey(passkey: SoftwarePasskey, change = {}) {
  const { page, options } = await begin(change);
  return page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
}

async function claimsAt(target: URL) {
  const { status, body } = await login.exchange(target, { code_verifier: undefined });
  expect(status).toBe(200);
  return decodeClaims(body.id_token);
}

const messagesTo = async (to: string) => (await server.messages({ to })).length;

/** Direct passkey logins (section B of the API), which verify the email address by default (parameter `verifications`). */
describe('passkey login of a user with an unverified email address', () => {
  test('a direct passkey login asks the user once to verify an unverified email address', async () => {
    const { userId, phone, email, passkey } = await withAddress();
    const page = await byPasskey(passkey);
    expect(readHeading(page)).toBe(VERIFY);
    expect(page.html).not.toContain(email);
    expect(await messagesTo(email)).toBe(0);
    const sent = await page.submit({ method: 'email' });
    expect(readPageError(await sent.submit({ passcode: '0000000' }))).toMatch(/isn’t right/);
    const claims = await claimsAt(leftTo(await sent.submit({ passcode: await server.codeTo(email) })));
    // The address is not a second factor, because the owner of the passkey could have chosen any address.
    expect(claims).toMatchObject({ sub: userId, email, email_verified: true, amr: ['webauthn', 'eotp'] });
    expect(claims.acr).toBeUndefined();
    expect(await findUser(server, userId)).toMatchObject({ email: { email_verified: true } });

    expect(await claimsAt(leftTo(await byPasskey(passkey)))).toMatchObject({ email_verified: true });
    expect((await app.byPasskey(passkey)).status).toBe(200);
    expect((await app.byCode(phone, { channel: 'sms' })).status).toBe(200);
  });

  test('a direct passkey login verifies the email address by a link if the application sends links', async () => {
    const { email, passkey } = await withAddress();
    await withApplication(server, { loginPreferences: { passkey: {}, link: {} } }, async () => {
      const { jar, page, options } = await begin();
      const asked = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
      await asked.submit({ method: 'link' });
      const done = await (await jar.open(await server.linkTo(email))).submit({});
      expect(await claimsAt(leftTo(done))).toMatchObject({ email_verified: true });
    });
  });

  test('with `verifications=phone`, a direct passkey login verifies the phone number before the email address', async () => {
    const [{ email, passkey, userId }, number] = [await withAddress(), newPhoneNumber()];
    await app.put(`/v1/users/${userId}`, { phone_number: number });
    const asked = await byPasskey(passkey, { verifications: 'phone' });
    expect(readHeading(asked)).toBe('Add your phone number');
    const texted = await asked.submit({ phone_number: number });
    const page = await texted.submit({ passcode: await server.codeTo(number) });
    expect(readHeading(page)).toBe(VERIFY);
    const sent = await page.submit({ method: 'email' });
    await claimsAt(leftTo(await sent.submit({ passcode: await server.codeTo(email) })));
    expect(await findUser(server, userId)).toMatchObject({
      email: { email_verified: true },
      phone_number: { phone_number_verified: true },
    });
  });

  test('on the passkey page, a user who logs in by SMS is also asked to verify the email address', async () => {
    const { email, phone } = await withAddress();
    const sent = await (await login.browser().open(address())).submit({ identifier: phone, method: 'sms' });
    const offer = await sent.submit({ passcode: await server.codeTo(phone) });
    // Declines the offer to create another passkey.
    const page = await offer.submit({}, '/later');
    expect(readHeading(page)).toBe(VERIFY);
    const mailed = await page.submit({ method: 'email' });
    const end = leftTo(await mailed.submit({ passcode: await server.codeTo(email) }));
    expect(await claimsAt(end)).toMatchObject({ amr: ['sms', 'eotp'], email_verified: true });
  });

  test('a code verifies only the email address to which the code was sent', async () => {
    const { userId, email, passkey } = await withAddress();
    const sent = await (await byPasskey(passkey)).submit({ method: 'email' });
    const digits = await server.codeTo(email);
    const next = newEmail();
    await app.put(`/v1/users/${userId}`, { email: next, end_sessions: false });
    expect(readPageError(await sent.submit({ passcode: digits }))).toMatch(/isn’t right/);
    const page = await sent.submit({}, '/change');
    const again = await page.submit({ method: 'email' });
    leftTo(await again.submit({ passcode: await server.codeTo(next) }));
  });

  test("verifying the email address after a login with a client's passkey supersedes the other credentials", async () => {
    const { userId, phone, email, passkey } = await withAddress();
    const bound = await app.registerFor(userId);
    const sent = await (await byPasskey(bound.passkey)).submit({ method: 'email' });
    const end = leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
    expect(await claimsAt(end)).toMatchObject({ sub: userId, email_verified: true });
    expect((await app.byPasskey(bound.passkey)).status).toBe(200);
    expect(await claimsAt(leftTo(await byPasskey(bound.passkey)))).toMatchObject({ email_verified: true });
    expect((await app.byCode(phone, { channel: 'sms' })).status).toBe(403);
    expect((await app.byPasskey(passkey)).status).toBe(403);
  });

  test('a passkey login skips the verification of the email address if the application has not enabled email', async () => {
    const { email, passkey } = await withAddress();
    await withApplication(server, { loginPreferences: { passkey: {}, sms: {} } }, async () => {
      expect(await claimsAt(leftTo(await byPasskey(passkey)))).toMatchObject({
        email,
        email_verified: false,
      });
    });
    expect(await messagesTo(email)).toBe(0);
  });
});

describe('passkey logins that do not verify an email address', () => {
  test('a passkey login does not ask the user for a missing email address', async () => {
    const phone = newPhoneNumber();
    await createUser(server, { phone_number: phone });
    const { passkey } = await app.register((await app.byCode(phone, { channel: 'sms' })).body);
    leftTo(await byPasskey(passkey));
  });

  test('a login at the authorization endpoint does not ask the user to verify the email address', async () => {
    const { phone } = await withAddress();
    const target = await login.logIn(login.browser(), phone, {}, 'sms');
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({ email_verified: false });
  });
});
