// The attacker reads a user's mailbox and creates an identity provider account with its address. This account proves no more
// than the mailbox (NIST SP 800-63B-4 §4.1.2.1), so linking it has the same requirements as adding any other factor.
import { describe, expect, test } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { decodeClaims, hostedLogin, leftTo, readHeading } from '../support/fixtures/hosted-login.ts';
import { givePasskey } from '../support/fixtures/hosted-passkeys.ts';
import { type Person, registerPasskey } from '../support/fixtures/passkeys.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { answerAt, newClaims, newClaimsWithEmail, useSocialLogin } from '../support/providers/social.ts';
import type { BrowserJar, BrowserPage } from '../support/tools/browser-jar.ts';

const { upstream, server, social, browser } = useSocialLogin();
const login = hostedLogin(server);

async function mailboxOnly(): Promise<Person> {
  const email = newEmail('victim');
  const user = await createUser(server, { email });
  return { user, email, tokens: await tokensBy(server, 'email', email) };
}

async function withPasskey() {
  const person = await mailboxOnly();
  return { person, passkey: await registerPasskey(server, person) };
}

const readIdentities = async ({ user }: Person): Promise<unknown> =>
  ((await findUser(server, user.user_id)) as unknown as { identities?: unknown[] }).identities ?? [];

const made = (email: string) => newClaimsWithEmail(email, { sub: `made-with-${email}` });

const googleAccount = (email: string) => ({
  provider: 'google',
  issuer: upstream.issuer,
  subject: `made-with-${email}`,
});

/** Presses the provider's button on a login page and logs in at the provider, whose ID token has these claims. */
async function byProvider(jar: BrowserJar, page: BrowserPage, claims: Record<string, unknown>) {
  const away = (await page.submit({ method: 'google' })).left;
  if (!away) throw new Error('the page did not lead to the provider');
  return jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
}

describe("identity provider account created by an attacker who reads the user's mailbox", () => {
  test('a direct social login does not link an identity provider account to a user who has a passkey', async () => {
    const { person } = await withPasskey();
    const target = await social.logIn(browser(), made(person.email));
    expect(answerAt(target)).toEqual({
      error: 'access_denied',
      error_description: 'An account with this address exists: log in to it in another way',
    });
    expect(await readIdentities(person)).toEqual([]);

    const alone = await mailboxOnly();
    expect(answerAt(await social.logIn(browser(), made(alone.email)))).toEqual({ code: expect.any(String) });
    expect(await readIdentities(alone)).toEqual([googleAccount(alone.email)]);
  });

  test('a linked identity provider account can be the second factor of a step-up', async () => {
    const person = await mailboxOnly();
    await social.logIn(browser(), made(person.email));
    const jar = login.browser();
    await login.logIn(jar, person.email);
    const page = await jar.open(login.address({ acr_values: 'mfa' }));
    const target = leftTo(await byProvider(jar, page, made(person.email)));
    expect(decodeClaims((await login.exchange(target)).body.id_token)).toMatchObject({ acr: 'mfa' });
  });

  test('on hosted pages, a user who has a passkey must use it before an identity provider account is linked', async () => {
    const { person, passkey } = await withPasskey();
    const jar = login.browser();
    const page = await byProvider(jar, await jar.open(login.address()), made(person.email));
    expect(readHeading(page)).toBe('Confirm it’s you');
    // The page does not offer an email code, because both the code and the account prove only the mailbox.
    expect(page.html).not.toContain('value="email"');
    expect(await readIdentities(person)).toEqual([]);

    leftTo(await givePasskey(server, jar, page, passkey));
    expect(await readIdentities(person)).toEqual([googleAccount(person.email)]);
  });

  /** Creates an application that offers email and the provider, but no passkeys. */
  async function withoutPasskeys() {
    const google = { clientId: upstream.clientId, issuer: upstream.issuer, trustedForEmail: true };
    const side = await storeApplication(server, { loginPreferences: { email: {}, google } });
    const { providerSecretRecords } = await server.ports(['providerSecretRecords']);
    const { clientSecret, issuer } = upstream;
    await providerSecretRecords.put(side.application.applicationId, 'google', { clientSecret, issuer });
    return { client_id: side.clientId };
  }

  test('a login without passkeys links no identity provider account if the user has a tenant-wide passkey', async () => {
    const person = await mailboxOnly();
    await applicationClient(server).registerOnPage(login, person.email);
    const target = await social.logIn(browser(), made(person.email), await withoutPasskeys());
    expect(answerAt(target)).toMatchObject({ error: 'access_denied' });
    expect(await readIdentities(person)).toEqual([]);
  });

  test("an identity provider account linked without the user's passkey is not a second factor", async () => {
    const { person, passkey } = await withPasskey();
    await social.logIn(browser(), made(person.email), await withoutPasskeys());
    expect(await readIdentities(person)).toEqual([googleAccount(person.email)]);

    const byMail = async (page: BrowserPage, named: object = { identifier: person.email }) =>
      (await page.submit({ ...named, method: 'email' })).submit({
        passcode: await server.codeTo(person.email),
      });
    const mfa = login.address({ acr_values: 'mfa' });
    const jar = browser();
    expect((await byMail(await jar.open(mfa))).html).not.toContain('value="google"');
    const other = browser();
    const page = await byMail(await byProvider(other, await other.open(mfa), made(person.email)), {});
    expect(readHeading(page)).toBe('Confirm it’s you');

    // Not even a login with the owner's passkey makes the account a second factor.
    leftTo(await givePasskey(server, other, page, passkey));
    const third = browser();
    expect((await byMail(await third.open(mfa))).html).not.toContain('value="google"');
  });

  test('an email code and an identity provider account linked in the same login count as one factor', async () => {
    const person = await mailboxOnly();
    const jar = login.browser();
    const first = await byProvider(
      jar,
      await jar.open(login.address({ acr_values: 'mfa' })),
      made(person.email),
    );
    expect(answerAt(leftTo(first)).error).toBe('access_denied');
    expect(await readIdentities(person)).toEqual([googleAccount(person.email)]);
  });
});

describe('email code login to an account with a linked identity provider account', () => {
  async function linked() {
    const person = await mailboxOnly();
    await social.logIn(browser(), made(person.email));
    return person;
  }

  test('a user with a linked identity provider account cannot add a passkey after an email code login alone', async () => {
    const person = await linked();
    const { access_token: token } = await tokensBy(server, 'email', person.email);
    const refused = await server.post('/v1/auth/webauthn/register/start', {}, { token });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", acr_values="mfa", max_age=600',
    ]);
  });

  test('on hosted pages, a user must log in with the linked identity provider account before adding a phone number', async () => {
    const person = await linked();
    const jar = login.browser();
    const page = await login.afterCode(jar, person.email, { acr_values: 'phone_number' });
    expect(readHeading(page)).toBe('Confirm it’s you');
    const other = await byProvider(jar, page, newClaims());
    expect(readHeading(other)).toBe('Confirm it’s you');

    const next = await byProvider(jar, other, made(person.email));
    expect(readHeading(next)).toBe('Add your phone number');
    const number = newPhoneNumber();
    const texted = await next.submit({ phone_number: number });
    const { body } = await login.exchange(
      leftTo(await texted.submit({ passcode: await server.codeTo(number) })),
    );
    expect(decodeClaims(body.id_token)).toMatchObject({
      sub: person.user.user_id,
      amr: ['eotp', 'social', 'mfa'],
    });
  });
});
