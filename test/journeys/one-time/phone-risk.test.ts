// N119: after a risk signal for a phone number was reported, such as a swapped SIM, no SMS is sent to the number.
import { describe, expect, test } from '@jest/globals';
import { RECOVERY_DELAY_HOURS, SECONDS_PER_HOUR } from '../../../shared/domain/basis/limits.ts';
import { codeBasedPeople, useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { decodeClaims, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { login as logInByPasskey, newPerson, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, newEmail, newPhoneNumber, useUpTries } from '../../support/fixtures/people.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

interface UserBody {
  readonly result: {
    readonly phone_number?: { readonly value: string; readonly risk?: Readonly<Record<string, string>> };
  };
}

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
const sectionC = useCodeBased(server);

const { newBrowser, newUser, byEmail, bySms } = codeBasedPeople(server, sectionC);
const riskPath = (userId: string) => `/v1/users/${userId}/phone-risk`;
const report = (userId: string, fields: object = { signal: 'sim_swap' }) =>
  sectionC.put<UserBody>(riskPath(userId), fields);
const clear = (userId: string) => sectionC.delete(riskPath(userId));
const readPhone = async (userId: string) =>
  (await sectionC.get<UserBody>(`/v1/users/${userId}`)).body.result.phone_number;
const change = (userId: string, fields: object) => sectionC.put(`/v1/users/${userId}`, fields);
const texts = async (to: string) => (await server.messages({ to })).length;

const REFUSED = {
  status: 400,
  body: {
    error_code: 'external_provider_configuration_error',
    message: expect.stringMatching(/at risk \(sim_swap\)/),
  },
};
const send = (identifier: string, more: object = {}) =>
  sectionC.post<{ code?: string }>('/v1/auth/otp/send', {
    channel: 'sms',
    identifier_type: 'phone_number',
    identifier,
    ...more,
  });
const authenticate = (identifier: string, passcode: string | undefined, identifier_type = 'phone_number') =>
  sectionC.post('/v1/auth/otp/authenticate', { identifier_type, identifier, passcode });

async function atRisk() {
  const person = await newUser();
  expect(await report(person.user_id)).toMatchObject({ status: 200 });
  return person;
}

const readError = ({ html }: BrowserPage) => /role="alert">.*?<p>([^<]*)/s.exec(html)?.[1];
const readHeading = ({ html }: BrowserPage) => /<h1[^>]*>([^<]*)/.exec(html)?.[1];

describe('N119 risk signal for a phone number', () => {
  test('a reported risk signal is stored with the phone number until the signal is cleared', async () => {
    const { user_id, phone_number: value } = await newUser();
    const told = { signal: 'number_ported', reason: 'carrier:42', observed_at: '2026-01-31T13:00:00+01:00' };
    const { status, body } = await report(user_id, told);
    const risk = {
      signal: 'number_ported',
      reason: 'carrier:42',
      observed_at: '2026-01-31T12:00:00.000Z',
      reported_at: expect.stringMatching(/^20.+Z$/),
    };
    const shown = { value, phone_number_verified: true, risk };
    expect([status, body.result.phone_number]).toEqual([200, shown]);
    expect(await readPhone(user_id)).toEqual(shown);
    const exported = await sectionC.get(`/v1/users/${user_id}/export`);
    expect(exported.body).toMatchObject({ result: { user: { phone_number: { risk } } } });
    await report(user_id, { signal: 'other' });
    const later = (await readPhone(user_id))?.risk;
    expect(later).toEqual({
      signal: 'other',
      observed_at: later?.reported_at,
      reported_at: expect.any(String),
    });
    expect(await clear(user_id)).toMatchObject({ status: 204 });
    expect(await readPhone(user_id)).toEqual({ value, phone_number_verified: true });
  });

  test('reporting and clearing a risk signal both publish an event', async () => {
    const { user_id } = await newUser();
    const lines = await logLines(async () => {
      await report(user_id);
      await clear(user_id);
      await clear(user_id);
    });
    expect(lines.map(({ user_id: user, audit }) => [user, audit])).toEqual([
      [user_id, ['user.phone_risk_set']],
      [user_id, ['user.phone_risk_cleared']],
      [user_id, undefined],
    ]);
  });

  test.each([
    ['no fields', {}, /^signal/],
    ['an unknown signal', { signal: 'rumour' }, /^signal/],
    ['an invalid date', { signal: 'other', observed_at: 'yesterday' }, /^observed_at/],
    ['a date that does not exist', { signal: 'other', observed_at: '2026-02-30T00:00:00Z' }, /^observed_at/],
    [
      'a date in the future',
      { signal: 'other', observed_at: '2126-01-01T00:00:00Z' },
      /^observed_at.*future/,
    ],
    ['a sentence as reason', { signal: 'other', reason: 'Ann called us' }, /^reason/],
    ['a reason of more than 64 characters', { signal: 'other', reason: 'a'.repeat(65) }, /^reason/],
  ])('a risk signal with %s is rejected', async (_, fields, message) => {
    const { user_id } = await newUser();
    expect(await report(user_id, fields)).toMatchObject({
      status: 400,
      body: { error_code: 400, message: expect.stringMatching(message) },
    });
    expect(await readPhone(user_id)).not.toHaveProperty('risk');
  });

  test('a risk signal for a user without a phone number is rejected', async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    expect(await report(user_id)).toMatchObject({ status: 404, body: { error_code: 404 } });
    expect(await clear(user_id)).toMatchObject({ status: 204 });
    for (const call of [report, clear])
      expect(await call('unknown')).toMatchObject({ status: 404, body: { message: 'User not found' } });
  });

  test("a risk signal ends when the user's phone number changes", async () => {
    const { user_id, phone_number } = await atRisk();
    await change(user_id, { phone_number, name: { first_name: 'Ann' } });
    expect(await readPhone(user_id)).toHaveProperty('risk.signal', 'sim_swap');
    const other = newPhoneNumber();
    await change(user_id, { phone_number: other });
    expect(await readPhone(user_id)).toEqual({
      value: other,
      phone_number_verified: false,
      supersedes_account: true,
    });
    expect(await send(other)).toMatchObject({ status: 200 });
  });

  test('otl can set, show and clear a risk signal', async () => {
    const { user_id } = await newUser();
    const { otl } = otlAt(server, 'user');
    const set = await otl('phone-risk', user_id, '--signal', 'device_swap', '--reason', 'desk', '--json');
    expect(JSON.parse(set.stdout)).toMatchObject({
      phone_number: { risk: { signal: 'device_swap', reason: 'desk' } },
    });
    expect((await otl('show', user_id)).stdout).toContain('(verified, at risk: device_swap)');
    expect(await otl('phone-risk', user_id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('signal'),
    });
    expect(await otl('clear-phone-risk', user_id)).toMatchObject({ code: 0 });
    expect(await readPhone(user_id)).not.toHaveProperty('risk');
  });
});

describe('N119 login with a phone number that was reported as at risk', () => {
  test('a backend cannot send an SMS to a phone number that was reported as at risk', async () => {
    const { user_id, phone_number } = await atRisk();
    expect(await send(phone_number)).toMatchObject(REFUSED);
    const byId = { identifier_type: 'user_id', identifier: user_id };
    expect(await send('', byId)).toMatchObject(REFUSED);
    expect(await send('', { ...byId, custom_phone_number: phone_number })).toMatchObject(REFUSED);
    expect(await sectionC.sendSmsOtp({ phone_number })).toMatchObject({
      status: 400,
      body: { error_code: 400, message: [REFUSED.body.message] },
    });
    expect(await texts(phone_number)).toBe(0);
    await clear(user_id);
    expect(await send(phone_number)).toMatchObject({ status: 200 });
  });

  test('a user whose phone number is at risk can log in with an email code or a code returned to the backend', async () => {
    const { phone_number, email } = await atRisk();
    expect(await send(phone_number, { channel: 'email' })).toMatchObject({ status: 200 });
    const digits = await server.codeTo(email);
    expect(await authenticate(phone_number, digits)).toMatchObject({ status: 200 });
    const direct = await send(phone_number, { channel: 'direct' });
    expect(await authenticate(phone_number, direct.body.code)).toMatchObject({ status: 200 });
    expect(await sectionC.exchange(await readCode(await sectionC.resultByEmail(email)))).toMatchObject({
      status: 200,
    });
  });

  test('a user whose phone number was reported as at risk can log in with a passkey', async () => {
    const person = await newPerson(server);
    await change(person.user.user_id, { phone_number: newPhoneNumber() });
    const passkey = await registerPasskey(server, person);
    await report(person.user.user_id);
    expect(await logInByPasskey(server, passkey)).toMatchObject({ status: 200 });
  });

  test('an SMS code is rejected if its phone number was reported as at risk after the sending', async () => {
    const { user_id, phone_number } = await newUser();
    await send(phone_number);
    const digits = await server.codeTo(phone_number);
    await report(user_id);
    const lines = await logLines(async () => {
      expect(await authenticate(phone_number, digits)).toMatchObject({
        status: 400,
        body: { error_code: 'auth_invalid_credentials' },
      });
    });
    expect(lines).toMatchObject([{ user_id, audit: ['login.failed'] }]);
  });

  test('a code sent to custom_phone_number is rejected if the number was reported as at risk', async () => {
    const { user_id, phone_number } = await newUser();
    const byId = { identifier_type: 'user_id', identifier: user_id };
    await send('', { ...byId, custom_phone_number: phone_number });
    const digits = await server.codeTo(phone_number);
    await report(user_id);
    expect(await authenticate(user_id, digits, 'user_id')).toMatchObject({ status: 400 });
    const other = newPhoneNumber();
    await send('', { ...byId, custom_phone_number: other });
    expect(await authenticate(user_id, await server.codeTo(other), 'user_id')).toMatchObject({ status: 200 });
  });

  test('a code-based login cannot be completed with a phone number reported as at risk', async () => {
    const first = await newUser();
    await sectionC.sendSmsOtp({ phone_number: first.phone_number });
    const passcode = await server.codeTo(first.phone_number);
    await report(first.user_id);
    // The correct code counts as a wrong code. Otherwise the lock would reveal which code is correct.
    const validate = () => sectionC.validateSmsOtp({ phone_number: first.phone_number, passcode });
    for (const { status } of await useUpTries(validate)) expect(status).toBe(400);
    expect((await validate()).status).toBe(403);
    const second = await newUser();
    const code = await readCode(await sectionC.resultBySms(second.phone_number));
    await report(second.user_id);
    expect(await sectionC.exchange(code)).toMatchObject({ status: 400 });
  });

  test('a phone number reported as at risk does not count as a second factor', async () => {
    const { user_id, ...rest } = await newUser();
    const person = { user_id, ...rest };
    const browser = newBrowser();
    expect(await bySms(browser, person)).toMatchObject({ error: 'mfa_required' });
    await report(user_id);
    // The SMS code no longer counts, so the email code is the first factor, and the user has no second factor.
    expect(await byEmail(browser, person)).toMatchObject({ error: 'access_denied' });
    await clear(user_id);
    expect(await byEmail(newBrowser(), person)).toMatchObject({
      error_description: 'A second factor is required: sms',
    });
  });
});

const readCode = async (result: string) =>
  leftTo(await newBrowser().open(result)).searchParams.get('code') ?? '';

/** Returns the page without random values and without the user's input. */
function toPageShape({ status, html }: BrowserPage): string {
  const anonymous = html
    .replace(/name="csrf" value="[^"]*"/g, 'name="csrf"')
    .replace(/\/(login|passkey)\/[\w-]{43}/g, '/$1/…')
    .replace(/<time [^>]*>[^<]*<\/time>/g, '<time>')
    .replace(/(data-seconds="|Available in )\d+/g, '$1…')
    .replace(/<strong dir="ltr">[^<]*<\/strong>/g, '<strong>masked</strong>');
  return `${status}\n${anonymous}`;
}

describe('N119 phone number at risk on the hosted pages', () => {
  test('hosted pages treat a phone number at risk like a number without a user', async () => {
    const { phone_number } = await atRisk();
    const walk = async (number: string) => {
      const sent = await login.toCode(newBrowser(), number, {}, 'sms');
      const wrong = await sent.submit({ passcode: '000000' });
      return [sent, wrong, await wrong.submit({}, '/resend')].map(toPageShape);
    };
    expect(await walk(phone_number)).toEqual(await walk(newPhoneNumber()));
    expect(await texts(phone_number)).toBe(0);
  });

  test('hosted pages reject an SMS code if its phone number was reported as at risk after the sending', async () => {
    const { user_id, phone_number, email } = await newUser();
    const jar = newBrowser();
    const sent = await login.toCode(jar, phone_number, {}, 'sms');
    const passcode = await server.codeTo(phone_number);
    await report(user_id);
    const wrong = await sent.submit({ passcode });
    expect(readError(wrong)).toMatch(/isn’t right/);
    const identify = await wrong.submit({}, '/change');
    const mailed = await identify.submit({ identifier: email, method: 'email' });
    const told = await mailed.submit({ passcode: await server.codeTo(email) });
    expect(readHeading(told)).toBe('A way to sign in was reported lost');
    const target = leftTo(await told.submit({}, '/heard'));
    expect(await login.exchange(target)).toMatchObject({ status: 200 });
  });

  test('an authorization code of an SMS login is rejected once the phone number is reported as at risk', async () => {
    const { user_id, phone_number } = await newUser();
    const target = await login.logIn(newBrowser(), phone_number, {}, 'sms');
    await report(user_id);
    expect(await login.exchange(target)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('on hosted pages, a phone number reported as at risk does not count as a second factor', async () => {
    const { email, phone_number, user_id } = await atRisk();
    const mfa = { acr_values: 'mfa' };
    const page = await login.toCode(newBrowser(), email, mfa);
    const denied = leftTo(await page.submit({ passcode: await server.codeTo(email) }));
    expect(denied.searchParams.get('error')).toBe('access_denied');
    // In another login, the number is reported after the SMS code was used as the first factor.
    await clear(user_id);
    const jar = newBrowser();
    const text = await login.toCode(jar, phone_number, mfa, 'sms');
    const second = await text.submit({ passcode: await server.codeTo(phone_number) });
    const mailed = await second.submit({ method: 'email' });
    await report(user_id);
    expect(readHeading(await jar.open(mailed.response.url))).toBe(readHeading(mailed));
    const ended = leftTo(await mailed.submit({ passcode: await server.codeTo(email) }));
    expect(ended.searchParams.get('error')).toBe('access_denied');
  });

  test('on hosted pages, an earlier SMS code to a phone number at risk is not accepted as the first factor', async () => {
    const person = await newUser();
    const mfa = login.address({ acr_values: 'mfa' });
    const jar = newBrowser();
    await bySms(jar, person);
    expect(readHeading(await jar.open(mfa))).toBe('Confirm it’s you');
    await report(person.user_id);
    expect((await jar.open(mfa)).html).toContain('name="identifier"');
  });

  test('after the recovery delay, a user can replace a phone number at risk on the hosted pages', async () => {
    const { user_id, email, phone_number } = await newUser();
    await login.exchange(await login.logIn(newBrowser(), phone_number, {}, 'sms'));
    const phone = { acr_values: 'phone_number' };
    const jar = newBrowser();
    await login.exchange(await login.logIn(jar, email));
    await report(user_id);
    const silent = leftTo(await jar.open(login.address({ ...phone, prompt: 'none' })));
    expect(silent.searchParams.get('error')).toBe('interaction_required');
    const early = await login.toCode(newBrowser(), email, phone);
    const denied = leftTo(await early.submit({ passcode: await server.codeTo(email) }));
    expect(denied.searchParams.get('error')).toBe('access_denied');
    await server.advanceClock(RECOVERY_DELAY_HOURS * SECONDS_PER_HOUR);
    await sectionC.connect();
    const asked = await login.toCode(newBrowser(), email, phone);
    const add = await asked.submit({ passcode: await server.codeTo(email) });
    expect(readHeading(add)).toBe('Add your phone number');
    const same = await add.submit({ phone_number });
    expect(readError(same)).toMatch(/couldn’t be sent/);
    const before = await texts(phone_number);
    const other = newPhoneNumber();
    const sent = await same.submit({ phone_number: other });
    const told = await sent.submit({ passcode: await server.codeTo(other) });
    const target = leftTo(await told.submit({}, '/heard'));
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({ sub: user_id, amr: ['eotp'] });
    expect(await readPhone(user_id)).toEqual({ value: other, phone_number_verified: true });
    expect(await texts(phone_number)).toBe(before);
  });

  test('a code cannot verify a phone number that was reported as at risk after the code was sent', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    const { user_id } = await createUser(server, { email });
    const page = await login.toCode(newBrowser(), email, { acr_values: 'phone_number' });
    const add = await page.submit({ passcode: await server.codeTo(email) });
    const sent = await add.submit({ phone_number });
    await change(user_id, { phone_number });
    await report(user_id);
    const passcode = await server.codeTo(phone_number);
    expect(readError(await sent.submit({ passcode }))).toMatch(/isn’t right/);
    expect(await readPhone(user_id)).toMatchObject({ phone_number_verified: false, risk: {} });
  });
});
