// N123: notices. The functions of the deployment turn an event of an account into an email to its user.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../lib/local/emulators/basis/faults.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber, useUpTries } from '../../support/fixtures/people.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true });
const login = hostedLogin(server);
let token: string;
beforeEach(async () => {
  token = await server.clientToken();
});

const NEW_DEVICE = 'New sign-in to Demo';
const settings = {
  areas: 'all',
  mailFrom: 'no-reply@login.example',
  browserOrigin: 'http://localhost',
  smsCountries: 'any',
  rateLimits: 'off',
} as const;
const EMAIL = 'Your email address at Demo was changed';
const PHONE = 'Your phone number at Demo was changed';
const FIRST_PHONE = 'A phone number was added at Demo';
const LOCKED = 'Too many wrong codes at Demo';

/** Fault that makes SES reject the next mail. */
const REFUSAL = {
  ...{ service: 'ses', action: 'SendRawEmail', code: 'MessageRejected', times: 1 },
  effect: 'error',
} as const satisfies Fault;

const logIn = (email: string, device_id = 'phone') => tokensBy(server, 'email', email, { device_id });

/** Creates a user with a verified address, who has already logged in from the device `phone`. */
async function newPerson(fields: object = {}) {
  const email = newEmail('notice');
  const { user_id: userId } = await createUser(server, { email, ...fields });
  await logIn(email);
  return { email, userId };
}

async function lock(email: string): Promise<void> {
  const who = { identifier_type: 'email', identifier: email };
  await server.post('/v1/auth/otp/send', { channel: 'direct', ...who }, { token });
  await useUpTries((passcode) => server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token }));
}

const change = async (userId: string, fields: object) => {
  const { status } = await server.put(`/v1/users/${userId}`, fields, { token });
  expect(status).toBe(200);
};

const noticesTo = async (to: string) => {
  await server.settleEvents();
  const mails = await server.messages({ to });
  return mails.filter(({ codes }) => codes.length === 0);
};
const subjectsTo = async (to: string) => (await noticesTo(to)).map(({ subject }) => subject);

async function setApplication(flag: '--notices' | '--brand', value: object | null): Promise<void> {
  const { code } = await otlWith({ OTL_ENDPOINT: server.url }, [
    ...['application', 'update', server.environment.app_id],
    ...[flag, JSON.stringify(value)],
  ]);
  expect(code).toBe(0);
  // Functions cache applications for a minute.
  await server.advanceClock(61);
}

/** Returns a function that handles messages of the notice queue as the deployed function does. */
async function queue() {
  const { notifyAll } = await import('../../../functions/events/notices.ts');
  const sending = ['replays', 'windows', 'mailer', 'smsSender', 'noticeLinks', 'timeline'] as const;
  const people = ['users', 'passkeys', 'operatorRecords'] as const;
  const ports = await server.ports(['clients', 'applications', 'tenants', ...sending, ...people]);
  return (messages: Parameters<typeof notifyAll>[2]) => notifyAll(ports, settings, messages);
}

describe('N123: notices to users by email', () => {
  test('a user is notified of a login from a new device', async () => {
    const { email } = await newPerson();
    expect(await subjectsTo(email)).toEqual([]);
    await logIn(email, 'tablet');
    expect(await subjectsTo(email)).toEqual([NEW_DEVICE]);
    await logIn(email, 'phone');
    await logIn(email, 'tablet');
    expect(await subjectsTo(email)).toEqual([NEW_DEVICE]);
  });

  test('a user is notified when their codes are locked after failed attempts', async () => {
    const { email, userId } = await newPerson();
    await lock(email);
    const [notice] = await noticesTo(email);
    expect(notice).toMatchObject({ subject: LOCKED });
    expect(await subjectsTo(email)).toEqual([LOCKED]);
    // The timeline stores the message ID, by which a later delivery report of the provider finds the message.
    const admin = await server.adminToken();
    const { body } = await server.get<{ result: object[] }>(`/v1/users/${userId}/timeline`, { token: admin });
    const sent = { type: 'message.sent', notice: 'locked', message_id: expect.any(String) };
    expect(body.result).toContainEqual(expect.objectContaining(sent));
  });

  test("a notice has the application's brand and a link to the account page", async () => {
    const { email, userId } = await newPerson();
    await setApplication('--brand', { primary_color: '#0b7a4b' });
    await lock(email);
    const [notice] = await noticesTo(email);
    const href = `${server.url.replace('127.0.0.1', 'localhost')}/account?client_id=${server.environment.client_id}`;
    expect(new Set(notice?.links)).toEqual(new Set([href]));
    expect(notice?.html).toContain('background:#0b7a4b');
    // Opening the link redirects to a login to the account page.
    expect((await server.get(href)).status).toBe(303);
    await setApplication('--brand', null);
    // The notice of a change that can be undone has an undo link instead.
    await change(userId, { phone_number: newPhoneNumber() });
    expect((await noticesTo(email))[0]?.links[0]).toContain('/notice?link=');
    // The notice to a replaced address has no link to the account page.
    await change(userId, { email: newEmail() });
    const [former] = await noticesTo(email);
    expect(former).toMatchObject({ subject: EMAIL });
    expect(former?.links.join()).not.toContain('/account');
  });

  test('a notice contains no link to the account page if the application does not use the hosted login', async () => {
    const { email } = await newPerson();
    await withApplication(server, { loginPreferences: { direct: {} } }, async () => {
      token = await server.clientToken();
      await lock(email);
      const [notice] = await noticesTo(email);
      expect(notice).toMatchObject({ subject: LOCKED });
      expect(notice?.links.join()).not.toContain('/account');
    });
  });

  test("the notice about a changed phone number is in the user's language", async () => {
    const { email, userId } = await newPerson({ language: 'de-AT' });
    await change(userId, { phone_number: newPhoneNumber() });
    const first = 'Eine Telefonnummer wurde bei Demo hinzugefügt';
    expect(await subjectsTo(email)).toEqual([first]);
    await change(userId, { phone_number: null });
    expect(await subjectsTo(email)).toEqual(['Ihre Telefonnummer bei Demo wurde geändert', first]);
  });

  test('a user is notified when a phone number is replaced on the hosted pages', async () => {
    const { email, userId } = await newPerson({ phone_number: newPhoneNumber() });
    await server.put(`/v1/users/${userId}/phone-risk`, { signal: 'sim_swap' }, { token });
    const page = await login.toCode(login.browser(), email, { acr_values: 'phone_number' });
    const add = await page.submit({ passcode: await server.codeTo(email) });
    const number = newPhoneNumber();
    const sent = await add.submit({ phone_number: number });
    leftTo(await sent.submit({ passcode: await server.codeTo(number) }));
    expect((await subjectsTo(email)).toSorted()).toEqual([NEW_DEVICE, PHONE].toSorted());
  });

  test('the notice about a change that a management client made names the tenant', async () => {
    const { email, userId } = await newPerson({ phone_number: newPhoneNumber() });
    // Disables the notices of the application, which does not affect notices in the name of the tenant.
    await setApplication('--notices', { contact_changed: false });
    token = await server.adminToken();
    await change(userId, { phone_number: null });
    expect(await subjectsTo(email)).toEqual([PHONE]);
    await setApplication('--notices', { contact_changed: null });
  });

  test('the notice about a changed email address is sent to the previous address', async () => {
    const { email, userId } = await newPerson();
    const next = newEmail();
    await change(userId, { email: next });
    expect(await subjectsTo(email)).toEqual([EMAIL]);
    expect(await server.messages({ to: next })).toEqual([]);
    const [mail] = await noticesTo(email);
    expect(await server.rawMail(mail?.id ?? '')).not.toContain(next);
    // An unverified address gets no notices of later changes.
    await change(userId, { email: newEmail(), phone_number: newPhoneNumber() });
    await change(userId, { phone_number: null });
    expect(await server.messages({ to: next })).toEqual([]);
  });

  test('changing only the letter case of an address causes no notice', async () => {
    const { email, userId } = await newPerson();
    await change(userId, { email: email.toUpperCase() });
    expect(await subjectsTo(email)).toEqual([]);
  });

  test('a notice that could not be sent is sent again later', async () => {
    const { email, userId } = await newPerson();
    const next = newEmail();
    await server.settleEvents();
    await server.faults.inject(REFUSAL);
    await change(userId, { email: next });
    expect(await subjectsTo(email)).toEqual([]);
    const { body } = await server.get(`/v1/users/${userId}`, { token });
    expect(body).toMatchObject({ result: { email: { value: next } } });
    await server.advanceClock(91);
    expect(await subjectsTo(email)).toEqual([EMAIL]);
    await server.advanceClock(86_400);
    expect(await subjectsTo(email)).toEqual([EMAIL]);
  });

  test('an event that is delivered twice causes only one notice', async () => {
    const tell = await queue();
    const { email, userId } = await newPerson();
    const { tenant_id, app_id: application_id } = server.environment;
    const detail = {
      ...{ id: `${userId}/login.locked`, type: 'login.locked', time: new Date().toISOString() },
      ...{ tenant_id, application_id, user_id: userId },
    };
    const message = (messageId: string) => ({
      ...{ messageId, body: JSON.stringify({ detail }) },
      attributes: { ApproximateReceiveCount: '1' },
    });
    const told = () => tell([message('a'), message('b'), message('c')]);
    expect(await Promise.all([told(), told()])).toEqual([[], []]);
    await told();
    await server.advanceClock(3600);
    await told();
    expect(await subjectsTo(email)).toEqual([LOCKED]);
    // An event with the ID of another tenant does not notify this user.
    const foreign = { ...detail, id: 'foreign', tenant_id: 'other' };
    await tell([{ ...message('d'), body: JSON.stringify({ detail: foreign }) }]);
    expect(await subjectsTo(email)).toEqual([LOCKED]);
  });

  test('a notice in the dead-letter queue is sent when the queue delivers it again', async () => {
    const tell = await queue();
    const { email, userId } = await newPerson();
    const { tenant_id } = server.environment;
    const detail = {
      ...{ id: `${userId}/login.locked`, type: 'login.locked', time: new Date().toISOString() },
      ...{ tenant_id, application_id: 'deleted', user_id: userId },
    };
    const again = { messageId: 'a', body: JSON.stringify({ detail }) };
    const attempt = (count: number) =>
      tell([{ ...again, attributes: { ApproximateReceiveCount: String(count) } }]);
    await server.faults.inject({ ...REFUSAL, times: 5 });
    for (const count of [1, 2, 3, 4, 5]) {
      expect(await attempt(count)).toEqual(['a']);
      await server.advanceClock(90);
    }
    expect(await attempt(1)).toEqual([]);
    expect(await attempt(1)).toEqual([]);
    // The event names a deleted application, so the notice names the tenant (`Demo`).
    expect(await subjectsTo(email)).toEqual([LOCKED]);
  });

  test('a user receives at most three notices of one type per day', async () => {
    const { email, userId } = await newPerson();
    for (let times = 0; times < 6; times += 1) {
      await change(userId, { phone_number: newPhoneNumber() });
      await server.settleEvents();
    }
    const told = [PHONE, PHONE, PHONE, FIRST_PHONE];
    expect(await subjectsTo(email)).toEqual(told);
    await lock(email);
    expect((await subjectsTo(email)).toSorted()).toEqual([LOCKED, ...told].toSorted());
  });

  test('a user receives no notices of a type that the application has turned off', async () => {
    const { email, userId } = await newPerson();
    await setApplication('--notices', { new_device: false, contact_changed: false, locked: false });
    await lock(email);
    await server.advanceClock(1800);
    await logIn(email, 'tablet');
    await change(userId, { phone_number: newPhoneNumber() });
    await change(userId, { phone_number: newPhoneNumber() });
    expect(await noticesTo(email)).toEqual([]);
    await change(userId, { email: newEmail() });
    expect(await subjectsTo(email)).toEqual([EMAIL]);
    await setApplication('--notices', { locked: null });
    const other = await newPerson();
    await lock(other.email);
    expect(await subjectsTo(other.email)).toEqual([LOCKED]);
    await setApplication('--notices', { new_device: null, contact_changed: null });
  });
});
