import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { formOf, headingOf, leftTo, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { askForOptions, givePasskey } from '../support/fixtures/hosted-passkeys.ts';
import {
  type CreationAnswer,
  originOf,
  type Person,
  register,
  registerPasskey,
  startRegistration,
} from '../support/fixtures/passkeys.ts';
import { createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { otlWith } from '../support/server/otl.ts';
import { createPasskey, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';

/**
 * The attacker reads one mailbox and says, on the page of the second factor, that it is lost. The recovery is for users who
 * have lost it, so every address is told, it waits a day, and each address and the factor itself stop it.
 */

const { server, login } = useHostedLogin({ rateLimits: 'off', events: true });

const HOUR = 3600;
const DAY = 24 * HOUR;

interface Victim extends Person {
  readonly phone: string;
  readonly passkey: SoftwarePasskey;
}

/** A user with a proven mailbox, a proven number where asked for, and a passkey. */
async function victim({ withPhone = false } = {}): Promise<Victim> {
  const [email, phone] = [newEmail('victim'), newPhoneNumber()];
  const user = await createUser(server, { email, ...(withPhone ? { phone_number: phone } : {}) });
  const person = { user, email, tokens: await tokensBy(server, 'email', email) };
  const passkey = await registerPasskey(server, person);
  if (withPhone) await tokensBy(server, 'sms', phone, { session_id: person.tokens.session_id });
  // Its notices come before those of the attack.
  await server.settleEvents();
  return { ...person, phone, passkey };
}

/** The page of the second factor, after a code in the mailbox. */
async function atSecondFactor(email: string, jar = login.browser()) {
  // Notices on their way would be newer than the code.
  await server.settleEvents();
  return login.afterCode(jar, email, { acr_values: 'mfa' });
}

const STARTED = 'We told all your addresses';

async function askForRecovery(email: string): Promise<string | undefined> {
  const page = await (await atSecondFactor(email)).submit({}, '/lost');
  // One that has begun already is said at once.
  return headingOf(page.html.includes('/recover"') ? await page.submit({}, '/recover') : page);
}

const toldTo = async (to: string) => {
  await server.settleEvents();
  return (await server.messages({ to })).filter(({ codes }) => codes.length === 0);
};

async function stopLinkTo(email: string): Promise<string> {
  const links = (await toldTo(email)).flatMap((mail) => mail.links);
  const stop = links.find((link) => link.includes('/notice?'));
  const { pathname, search } = new URL(stop ?? 'https://nothing.invalid');
  return `${pathname}${search}`;
}

/** Whether one code in the mailbox is enough to add a passkey by the API. */
async function canBind(person: Person): Promise<boolean> {
  await server.settleEvents();
  const fresh = { ...person, tokens: await tokensBy(server, 'email', person.email) };
  const token = fresh.tokens.access_token;
  const { status } = await server.post('/v1/auth/webauthn/register/start', {}, { token });
  if (status !== 200) return false;
  const made = createPasskey(await startRegistration(server, fresh), originOf(server));
  return (await register(server, fresh, made.result)).status === 200;
}

const recoveryOf = async ({ user }: Person) => {
  const { body } = await server.get<{ result: { recovery?: object } }>(`/v1/users/${user.user_id}`, {
    token: await server.clientToken(),
  });
  return body.result.recovery;
};

const REQUESTED = 'Recovery of your account at Demo';

describe('A2: a stranger who reads the mailbox asks for a recovery', () => {
  test('it can be asked for once a day, so the mailbox is not flooded', async () => {
    const person = await victim();
    await askForRecovery(person.email);
    expect(await askForRecovery(person.email)).toBe(STARTED);
    expect((await toldTo(person.email)).filter(({ subject }) => subject === REQUESTED)).toHaveLength(1);
    await server.form(await stopLinkTo(person.email), {});
    expect(await askForRecovery(person.email)).toBe('Confirm it’s you');
    expect(await recoveryOf(person)).toBeUndefined();
  });

  test('before the first factor, and in another browser, there is nothing to ask for', async () => {
    const { email, ...person } = await victim();
    const jar = login.browser();
    const page = await login.toCode(jar, email, { acr_values: 'mfa' });
    const second = await page.submit({ passcode: '00000000' });
    const path = /action="(\/login\/[^/"]+)/.exec(second.html)?.[1] ?? '';
    const { csrf } = formOf(second);
    const body = new URLSearchParams({ csrf });
    for (const act of ['lost', 'recover']) {
      expect(headingOf(await jar.open(`${path}/${act}`, { method: 'POST', body }))).toBe('Check your email');
      expect((await login.browser().open(`${path}/${act}`, { method: 'POST', body })).status).toBe(404);
    }
    expect(await recoveryOf({ email, ...person })).toBeUndefined();
  });

  test('while it counts the link still stops it, and says that something may have been bound', async () => {
    const person = await victim();
    await askForRecovery(person.email);
    const link = await stopLinkTo(person.email);
    await server.advanceClock(DAY + 1);
    expect(await canBind(person)).toBe(true);
    const { body } = await server.form<string>(link, {});
    expect(String(body)).toContain('The recovery is stopped');
    expect(String(body)).toContain('remove passkeys and devices that you don’t know');
    expect(String(body)).not.toContain('Nothing was changed');
  });
});

describe('A2: the honest user who has lost the passkey', () => {
  test('adds a new one on our pages after a day, by a code alone, and logs in with both', async () => {
    const person = await victim();
    const page = await (await atSecondFactor(person.email)).submit({}, '/lost');
    const { html } = await page.submit({}, '/recover');
    expect(html).toMatch(/Come back in 24 hours .*, for 3 days/);
    await server.advanceClock(DAY + 1);
    const jar = login.browser();
    const offer = await (await atSecondFactor(person.email, jar)).submit({}, '/lost');
    expect(headingOf(offer)).toBe('Add a passkey');
    const { body: creation } = await askForOptions<CreationAnswer>(jar, offer);
    const made = createPasskey(creation, originOf(server));
    const second = await offer.submit({ credential: made.result });
    expect(headingOf(second)).toBe('Confirm it’s you');
    const done = await givePasskey(server, jar, second, made.passkey);
    const { body } = await login.exchange(leftTo(done));
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ sub: person.user.user_id, acr: 'mfa' });
    // The new passkey shows that nothing is lost any more.
    await server.settleEvents();
    expect(await recoveryOf(person)).toBeUndefined();
    expect((await toldTo(person.email)).map(({ subject }) => subject)).toContain(
      'A passkey was added at Demo',
    );
  });

  test('has it at once from an operator, which every address is told of', async () => {
    const person = await victim({ withPhone: true });
    const args = ['user', 'recover', person.user.user_id, '--yes'];
    expect((await otlWith({ OTL_ENDPOINT: server.url }, args)).code).toBe(0);
    const [mail] = await toldTo(person.email);
    expect(mail?.subject).toBe('Recovery of your account at Demo was granted');
    // Nothing says which factor is lost, so a login by one stops nothing.
    expect(mail?.text).not.toContain('sign in with');
    const texts = (await toldTo(person.phone)).map(({ text }) => text);
    expect(texts).toEqual(['The ways to sign in to your Demo account were changed. Not you? Contact Demo.']);
    expect(await canBind(person)).toBe(true);
    const stop = ['user', 'cancel-recovery', person.user.user_id];
    expect((await otlWith({ OTL_ENDPOINT: server.url }, stop)).code).toBe(0);
    expect(await canBind(person)).toBe(false);
  });
});

test('A2: every grant is told, however many a client makes', async () => {
  const person = await victim();
  const token = await server.adminToken();
  for (let times = 0; times < 4; times += 1) {
    const path = `/v1/users/${person.user.user_id}/recovery`;
    expect((await server.put(path, {}, { token })).status).toBe(200);
    await server.settleEvents();
  }
  const told = await toldTo(person.email);
  const granted = told.filter(({ links }) => links.some((link) => link.includes('/notice?')));
  expect(granted).toHaveLength(4);
});
