import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/domain/basis/random.ts';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { claimsOf, headingOf, hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { askForOptions } from '../support/fixtures/hosted-passkeys.ts';
import { originOf, type RequestAnswer } from '../support/fixtures/passkeys.ts';
import {
  createProvenUser,
  createUser,
  findUser,
  newEmail,
  newPhoneNumber,
} from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { useSocialLogin } from '../support/providers/social.ts';
import type { BrowserJar, BrowserPage } from '../support/tools/browser-jar.ts';
import { type SoftwarePasskey, usePasskey } from '../support/tools/software-authenticator.ts';

/**
 * What an attacker binds at a side application is no second factor at the main one, which asks for more kinds (NIST SP 800-63B-4
 * §4.1.2.1): who reads one mailbox, and who holds a client of the side application. An address that the client has proven in a
 * session of its own is proven there alone: elsewhere its first login puts all earlier proofs to sleep.
 */

const { server, social, browser } = useSocialLogin();

let login: ReturnType<typeof hostedLogin>;
let main: ReturnType<typeof applicationClient>;
let side: ReturnType<typeof applicationClient>;
let sideClientId: string;
/** Another side application, whose backend reads its own codes. */
let direct: ReturnType<typeof applicationClient>;
let directClientId: string;

beforeAll(async () => {
  const { client_id: clientId, client_secret: clientSecret } = server.environment;
  login = hostedLogin(server);
  main = applicationClient(server, { clientId, clientSecret });
  const stored = await storeApplication(server, { name: 'Side' });
  sideClientId = stored.clientId;
  side = applicationClient(server, stored);
  const reading = await storeApplication(server, {
    loginPreferences: { email: {}, sms: {}, direct: {}, passkey: {} },
  });
  directClientId = reading.clientId;
  direct = applicationClient(server, reading);
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

type Attribute = 'email' | 'phone_number';
const newAddress = (attribute: Attribute) => (attribute === 'email' ? newEmail() : newPhoneNumber());
const by = (attribute: Attribute) => ({ channel: attribute === 'email' ? 'email' : 'sms' }) as const;

/** A person with an address that they have proven at the main application, and a passkey that they have there. */
async function known(attribute: Attribute) {
  const address = newAddress(attribute);
  const { user_id: userId } = await createUser(server, { [attribute]: address });
  const { body: tokens } = await main.byCode(address, by(attribute));
  const { passkey } = await main.register(tokens);
  return { userId, address, passkey, tokens };
}

/** The client adds its own address, and proves it in the session that it has made by a code that it read itself. */
async function prove(userId: string, attribute: Attribute, sessionId?: string) {
  const address = newAddress(attribute);
  const session_id = sessionId ?? (await direct.direct(userId)).session_id;
  const change = { [attribute]: address, end_sessions: false };
  expect((await direct.put(`/v1/users/${userId}`, change)).status).toBe(200);
  const { status, body } = await direct.byCode(address, { ...by(attribute), session_id });
  expect([status, body.session_id]).toEqual([200, session_id]);
  return address;
}

/** Whether a proof by the victim's own session and passkey still counts. */
async function isAwake({ passkey, tokens }: Awaited<ReturnType<typeof known>>) {
  const { session_id } = tokens;
  const session = await main.post('/v1/auth/session/authenticate', { session_id });
  return { session: session.status === 200, passkey: (await main.byPasskey(passkey)).status === 200 };
}
const AWAKE = { session: true, passkey: true };

describe('an address that a client has given the victim and proven in its own session', () => {
  test.each([
    ['a number', 'phone_number', 'email'],
    ['a mailbox', 'email', 'phone_number'],
  ] as const)('%s: elsewhere its first login puts to sleep what was before', async (_, own, victims) => {
    const person = await known(victims);
    const address = await prove(person.userId, own);
    expect(await isAwake(person)).toEqual(AWAKE);

    // At the side application it is the proven address that it was asked to be.
    const there = await direct.byCode(address, by(own));
    expect([there.status, claimsOf(there.body.access_token).sub]).toEqual([200, person.userId]);
    expect(await isAwake(person)).toEqual(AWAKE);

    const elsewhere = await main.byCode(address, by(own));
    expect([elsewhere.status, claimsOf(elsewhere.body.access_token).sub]).toEqual([200, person.userId]);
    expect(await isAwake(person)).toEqual({ session: false, passkey: false });
  });

  test('opens no other application by the cookie of a login at the side application, nor is it a second factor', async () => {
    const person = await known('email');
    const number = await prove(person.userId, 'phone_number');
    const jar = login.browser();
    const page = await jar.open(login.address({ client_id: directClientId }));
    const sent = await page.submit({ identifier: number, method: 'sms' });
    leftTo(await sent.submit({ passcode: await login.digits(number) }));
    const quiet = leftTo(await jar.open(login.address({ prompt: 'none' })));
    expect(quiet.searchParams.get('error')).toBe('login_required');

    const own = await login.toCode(login.browser(), person.address, { acr_values: 'mfa' });
    const second = await own.submit({ passcode: await login.digits(person.address) });
    expect(second.html).not.toContain('value="sms"');
    expect(await isAwake(person)).toEqual(AWAKE);
  });

  test('links no account at a provider in silence', async () => {
    const person = await known('phone_number');
    const email = await prove(person.userId, 'email');
    const target = await social.logIn(browser(), { sub: newId(), email, email_verified: true });
    await social.exchange(target);
    expect(await isAwake(person)).toEqual({ session: false, passkey: false });
  });

  test('gives the attacker no link that undoes the owner’s change', async () => {
    const person = await known('phone_number');
    await prove(person.userId, 'email');
    const own = newEmail('owner');
    expect((await main.put(`/v1/users/${person.userId}`, { email: own })).status).toBe(200);
    const { userRecords } = await server.ports(['userRecords']);
    const stored = await userRecords.find(person.userId);
    expect([stored?.email?.value, stored?.formerAddresses]).toEqual([own, undefined]);
  });

  test('is in the tenant what it is once its owner gives it on our pages beside what is awake', async () => {
    const person = await known('email');
    const number = await prove(person.userId, 'phone_number');
    const jar = login.browser();
    const page = await login.toCode(jar, person.address);
    leftTo(await page.submit({ passcode: await login.digits(person.address) }));
    const again = await login.toCode(jar, number, { prompt: 'login' }, 'sms');
    const done = leftTo(await again.submit({ passcode: await login.digits(number) }));
    expect((await login.exchange(done)).status).toBe(200);
    expect(await isAwake(person)).toEqual(AWAKE);
    expect((await main.byCode(number, { channel: 'sms' })).status).toBe(200);
    expect(await isAwake(person)).toEqual(AWAKE);
  });

  test('while one that is proven in a session of the owner logs in everywhere, and nothing sleeps', async () => {
    const person = await known('email');
    const { session_id } = (await direct.byCode(person.address)).body;
    const number = await prove(person.userId, 'phone_number', session_id);
    expect((await main.byCode(number, { channel: 'sms' })).status).toBe(200);
    expect(await isAwake(person)).toEqual(AWAKE);
  });
});

describe('a number that a passkey of the client adds on the pages of the side application', () => {
  test('opens no other application without sleep', async () => {
    const person = await known('email');
    const other = await storeApplication(server, {
      name: 'No mail',
      loginPreferences: { sms: {}, passkey: {} },
    });
    const app = applicationClient(server, other);
    const { passkey } = await app.registerFor(person.userId);
    const jar = login.browser();
    const first = await jar.open(login.address({ client_id: other.clientId, acr_values: 'phone_number' }));
    const page = await givePasskey(jar, first, passkey);
    expect(headingOf(page)).toBe('Add your phone number');
    const number = newPhoneNumber();
    const texted = await page.submit({ phone_number: number });
    leftTo(await texted.submit({ passcode: await login.digits(number) }));
    expect(await isAwake(person)).toEqual(AWAKE);
    expect((await main.byCode(number, { channel: 'sms' })).status).toBe(200);
    expect(await isAwake(person)).toEqual({ session: false, passkey: false });
    expect(await findUser(server, person.userId)).toMatchObject({
      phone_number: { phone_number_verified: true },
    });
  });
});
