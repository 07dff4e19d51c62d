import { beforeAll, describe, expect, test } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { claimsOf, headingOf, leftTo, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { askForOptions } from '../support/fixtures/hosted-passkeys.ts';
import { originOf, type RequestAnswer } from '../support/fixtures/passkeys.ts';
import { createProvenUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import type { BrowserJar, BrowserPage } from '../support/tools/browser-jar.ts';
import { type SoftwarePasskey, usePasskey } from '../support/tools/software-authenticator.ts';

/**
 * The attacker reads one mailbox, and binds a second factor at a side application that asks for fewer kinds than the account
 * has. At the main application it makes no two factors (NIST SP 800-63B-4 §4.1.2.1).
 */

const { server, login } = useHostedLogin({ rateLimits: 'off' });

let main: ReturnType<typeof applicationClient>;
let side: ReturnType<typeof applicationClient>;
let sideClientId: string;

beforeAll(async () => {
  const { client_id: clientId, client_secret: clientSecret } = server.environment;
  main = applicationClient(server, { clientId, clientSecret });
  const stored = await storeApplication(server, { name: 'Side' });
  sideClientId = stored.clientId;
  side = applicationClient(server, stored);
});

/** A person with a mailbox and a passkey that the main application takes. */
async function victim() {
  const email = newEmail('victim');
  const { user_id: userId } = await createProvenUser(server, { email });
  return { email, userId, passkey: await main.registerOnPage(login, email) };
}

const atSide = (more: Record<string, string>) => login.address({ client_id: sideClientId, ...more });

/** A login on the pages of the side application by a code to the mailbox, which adds a number. */
async function numberOnPages(email: string, number: string, jar = login.browser()): Promise<BrowserJar> {
  const first = await jar.open(atSide({ acr_values: 'phone_number' }));
  const sent = await first.submit({ identifier: email, method: 'email' });
  const page = await sent.submit({ passcode: await login.digits(email) });
  expect(headingOf(page)).toBe('Add your phone number');
  const texted = await page.submit({ phone_number: number });
  leftTo(await texted.submit({ passcode: await login.digits(number) }));
  return jar;
}

/** The backend of the side application sets a number, and has it proven in the session of the login. */
async function numberByApi({ email, userId }: { email: string; userId: string }, number: string) {
  const { session_id } = (await side.byCode(email)).body;
  expect((await side.put(`/v1/users/${userId}`, { phone_number: number, end_sessions: false })).status).toBe(
    200,
  );
  expect((await side.byCode(number, { channel: 'sms', session_id })).status).toBe(200);
}

/** `acr` of a login by mail and text at an application, through its API. */
async function acrOfMailAndText(application: typeof main, email: string, number: string) {
  const { session_id } = (await application.byCode(email)).body;
  const { status, body } = await application.byCode(number, { channel: 'sms', session_id });
  expect(status).toBe(200);
  return claimsOf(body.access_token).acr;
}

async function givePasskey(
  jar: BrowserJar,
  page: BrowserPage,
  passkey: SoftwarePasskey,
): Promise<BrowserPage> {
  const { body: options } = await askForOptions<RequestAnswer>(jar, page);
  return page.submit({ credential: usePasskey(passkey, options, originOf(server)) });
}

describe('a number that the mailbox alone has bound at an application without passkeys', () => {
  test.each([
    ['on its pages', ({ email }: { email: string }, number: string) => numberOnPages(email, number)],
    ['through its API', numberByApi],
  ])('%s makes no two factors elsewhere, and logs in everywhere', async (_, bind) => {
    const [person, number] = [await victim(), newPhoneNumber()];
    await bind(person, number);
    expect(await acrOfMailAndText(side, person.email, number)).toBe('mfa');
    expect(await acrOfMailAndText(main, person.email, number)).toBeUndefined();
    const jar = login.browser();
    const sent = await login.toCode(jar, person.email, { acr_values: 'mfa' });
    const page = await sent.submit({ passcode: await login.digits(person.email) });
    expect([headingOf(page), page.html.includes('value="sms"')]).toEqual(['Confirm it’s you', false]);

    const alone = await main.byCode(number, { channel: 'sms' });
    expect([alone.status, claimsOf(alone.body.access_token).sub]).toEqual([200, person.userId]);
    const done = leftTo(await givePasskey(jar, page, person.passkey));
    expect(claimsOf((await login.exchange(done)).body.id_token).acr).toBe('mfa');
  });

  test('takes no session of the side application to two factors elsewhere', async () => {
    const [{ email, passkey }, number] = [await victim(), newPhoneNumber()];
    const jar = await numberOnPages(email, number);
    const first = await jar.open(atSide({ acr_values: 'mfa' }));
    const texted = await first.submit({ method: 'sms' });
    leftTo(await texted.submit({ passcode: await login.digits(number) }));
    expect(
      leftTo(await jar.open(atSide({ acr_values: 'mfa', prompt: 'none' }))).searchParams.has('code'),
    ).toBe(true);

    const quiet = leftTo(await jar.open(login.address({ acr_values: 'mfa', prompt: 'none' })));
    expect(quiet.searchParams.get('error')).toBe('interaction_required');
    const page = await jar.open(login.address({ acr_values: 'mfa' }));
    leftTo(await givePasskey(jar, page, passkey));
    expect(
      leftTo(await jar.open(login.address({ acr_values: 'mfa', prompt: 'none' }))).searchParams.has('code'),
    ).toBe(true);
  });

  test('is confirmed by its owner in a login with the mailbox and the passkey, and counts in the tenant', async () => {
    const [{ email, passkey }, number] = [await victim(), newPhoneNumber()];
    await numberOnPages(email, number);
    const jar = login.browser();
    const sent = await login.toCode(jar, number, { acr_values: 'mfa' }, 'sms');
    const second = await sent.submit({ passcode: await login.digits(number) });
    const mailed = await second.submit({ method: 'email' });
    const third = await mailed.submit({ passcode: await login.digits(email) });
    expect(headingOf(third)).toBe('Confirm it’s you');
    leftTo(await givePasskey(jar, third, passkey));
    expect(await acrOfMailAndText(main, email, number)).toBe('mfa');
  });

  test('while one that is bound by every kind there is counts in the tenant at once', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email });
    await numberOnPages(email, number);
    expect(await acrOfMailAndText(main, email, number)).toBe('mfa');
  });
});

describe('what counts at the side application alone', () => {
  test('binds nothing in the tenant beside the mailbox', async () => {
    const email = newEmail('victim');
    const { user_id: userId } = await createProvenUser(server, { email });
    await main.registerFor(userId);
    const offering = await storeApplication(server, {
      loginPreferences: { email: {}, sms: {}, passkey: {} },
    });
    const other = applicationClient(server, offering);
    const [jar, number] = [login.browser(), newPhoneNumber()];
    const passkey = await other.registerOnPage(login, email, jar);
    const first = await jar.open(login.address({ client_id: offering.clientId, acr_values: 'phone_number' }));
    const sent = await (await givePasskey(jar, first, passkey)).submit({ method: 'email' });
    const next = await sent.submit({ passcode: await login.digits(email) });
    expect(headingOf(next)).toBe('Add your phone number');
    const texted = await next.submit({ phone_number: number });
    leftTo(await texted.submit({ passcode: await login.digits(number) }));
    expect(await findUser(server, userId)).toMatchObject({ phone_number: { phone_number_verified: true } });
    expect(await acrOfMailAndText(main, email, number)).toBeUndefined();
  });
});
