// Users who delete their own account: for 7 days, the account is closed and can be restored. Then it is erased.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ERASURE_DELAY_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { updateTenant } from '../../../shared/domain/management/tenants.ts';
import { readForm, readHeading, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { otlWith } from '../../support/server/otl.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off', events: true });
const DELETION = 'account/deletion';
const DAY = 86_400;

const allow = async (account_deletion: boolean) => {
  const ports = await server.ports(['tenantRecords']);
  await updateTenant(ports, server.environment.tenant_id, { account_deletion }, nowSeconds());
};
beforeAll(() => allow(true));

const account = () => createAccountActions(server, login);
const asking = (jar: BrowserJar) => jar.open(account().address(undefined, '/deletion'));

interface Person {
  readonly email: string;
  readonly userId: string;
  readonly jar: BrowserJar;
  /** Page that asks the user to confirm the deletion of the account. */
  readonly page: BrowserPage;
}

/** Logs in a new user. Opens the page that asks for confirmation of the deletion. */
async function person(): Promise<Person> {
  const email = newEmail('leaving');
  const { user_id: userId } = await createProvenUser(server, { email });
  const jar = login.browser();
  await account().open(email, jar);
  return { email, userId, jar, page: await asking(jar) };
}

async function sleeper(): Promise<Person> {
  const someone = await person();
  const done = await someone.page.submit({}, DELETION);
  expect(readHeading(done)).toBe('Your account will be deleted');
  return someone;
}

type Shown = { readonly status: string; readonly erasure_at?: string };
const readRecord = async (userId: string) => {
  const { status, body } = await server.get<{ result: Shown }>(`/v1/users/${userId}`, {
    token: await server.clientToken(),
  });
  return status === 200 ? body.result : status;
};

const noticesTo = async (to: string) => {
  await server.settleEvents();
  return (await server.messages({ to })).filter(({ codes }) => codes.length === 0);
};

const codesTo = async (to: string) =>
  (await server.messages({ to })).filter(({ codes }) => codes.length > 0).length;

async function undoLink(to: string): Promise<string> {
  const told = (await noticesTo(to)).find(({ links }) => links.length > 0);
  const { pathname, search } = new URL(told?.links[0] ?? 'https://nothing.invalid');
  return `${pathname}${search}`;
}

async function sendCode(email: string): Promise<number> {
  const who = { identifier_type: 'email', identifier: email, channel: 'direct' };
  return (await server.post('/v1/auth/otp/send', who, { token: await server.clientToken() })).status;
}

test('an account that its user deletes is closed immediately and erased after 7 days', async () => {
  const { email, userId, jar, page } = await person();
  const tokens = await tokensBy(server, 'email', email);
  const before = nowSeconds();
  expect(page.html).toContain('Delete your account?');
  expect(page.html).toContain('with everything in it');
  expect(page.html).toMatch(/a link that we’ll send to l•••@e•••\.com/);
  expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
  const done = await page.submit({}, DELETION);
  expect([done.status, readHeading(done)]).toEqual([200, 'Your account will be deleted']);

  const record = (await readRecord(userId)) as Shown;
  expect(record.status).toBe('Active');
  const end = Date.parse(record.erasure_at ?? '') / 1000;
  // The clock of the server and the clock of the test may differ by some seconds.
  const shown = [page, done].map(({ html }) => Date.parse(/datetime="([^"]*)"/.exec(html)?.[1] ?? '') / 1000);
  for (const time of [end, ...shown])
    expect(Math.abs(time - before - ERASURE_DELAY_SECONDS)).toBeLessThan(30);

  // Existing tokens and sessions have ended, and new logins are rejected.
  const token = await server.clientToken();
  const { refresh_token, access_token } = tokens;
  expect((await server.post('/v1/auth/token/refresh', { refresh_token }, { token })).status).toBe(400);
  expect((await server.get('/oidc/me', { token: access_token })).status).toBe(401);
  expect(await sendCode(email)).toBe(403);
  expect(readHeading(await jar.open(account().address()))).toBe('Sign in to Demo');
  const [mail, ...others] = await noticesTo(email);
  expect([mail?.subject, others.length, mail?.links.length]).toEqual([
    'Your account at Demo will be deleted',
    0,
    1,
  ]);
  const codes = await codesTo(email);
  // A login attempt in an unknown browser shows the usual page, but no code is sent.
  expect(readHeading(await login.toCode(login.browser(), email))).toBe('Check your email');
  expect(await codesTo(email)).toBe(codes);
  const taken = await server.post('/v1/users', { email }, { token });
  expect(taken.status).toBe(409);

  await server.advanceClock(ERASURE_DELAY_SECONDS - DAY);
  expect(await readRecord(userId)).toMatchObject({ erasure_at: record.erasure_at });
  await server.advanceClock(DAY);
  expect(await readRecord(userId)).toBe(404);
  const { body } = await server.get<{ events: { detail: { type: string; user_id?: string } }[] }>(
    `${server.url}/_local/events`,
  );
  const told = body.events.map(({ detail }) => detail).filter((detail) => detail.user_id === userId);
  expect(told.map(({ type }) => type).filter((type) => type.startsWith('user.eras'))).toEqual(
    expect.arrayContaining(['user.erasure_requested', 'user.erased']),
  );
  expect((await server.get<string>(await undoLink(email))).status).toBe(404);
  const { user_id } = await createUser(server, { email });
  expect(user_id).not.toBe(userId);
});

test('a user who logs in to a deleted account receives an email with a link that restores it', async () => {
  const { email, userId } = await sleeper();
  await noticesTo(email);
  await server.advanceClock(3 * DAY);
  const seen = async (to: string) => {
    const { html } = await login.toCode(login.browser(), to);
    return html
      .replaceAll(to, 'typed')
      .replace(/(csrf" value="|\/login\/)[\w-]+/g, '$1')
      .replace(/(data-seconds="|Available in )\d+/g, '$1');
  };
  expect(await seen(email)).toBe(await seen(newEmail('unknown')));
  const [mail] = await noticesTo(email);
  expect([mail?.subject, mail?.codes, mail?.links.length]).toEqual([
    'Your account at Demo is about to be deleted',
    [],
    1,
  ]);
  expect(mail?.text).toMatch(/Permanently deleted: \d{4}-/);
  const link = await login.browser().open(await undoLink(email));
  expect(readHeading(await link.submit({}))).toBe('Your account won’t be deleted');
  await login.logIn(login.browser(), email);

  // A suspended user gets no restore link, because the user could not log in after a restore either.
  const other = await sleeper();
  const token = await server.adminToken();
  await server.put(`/v1/users/${other.userId}`, { status: 'Disabled' }, { token });
  const before = (await noticesTo(other.email)).length;
  await login.toCode(login.browser(), other.email);
  expect([(await noticesTo(other.email)).length, userId === other.userId]).toEqual([before, false]);
});

describe('link that restores a deleted account', () => {
  test('a restore link can be used only once and requires a confirmation', async () => {
    const { email, userId } = await sleeper();
    const link = await undoLink(email);
    const page = await server.get<string>(link);
    expect(String(page.body)).toContain('Keep your account at Demo?');
    expect(await readRecord(userId)).toHaveProperty('erasure_at');
    const pressed = await Promise.all(Array.from({ length: 4 }, () => server.form<string>(link, {})));
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(String(pressed.find(({ status }) => status === 200)?.body)).toContain(
      'Your account won’t be deleted',
    );
    expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
    const [told] = await noticesTo(email);
    expect([told?.subject, told?.links]).toEqual(['Your account at Demo won’t be deleted', []]);
    expect(await sendCode(email)).toBe(200);
    expect((await server.get<string>(link)).status).toBe(400);
    await server.advanceClock(ERASURE_DELAY_SECONDS + DAY);
    expect(await readRecord(userId)).toMatchObject({ status: 'Active' });
  });

  test('a restore link is rejected if it is forged or belongs to another deletion', async () => {
    const [own, other] = [await sleeper(), await sleeper()];
    const first = await undoLink(own.email);
    expect((await server.form(`${first.slice(0, -2)}xx`, {})).status).toBe(404);
    expect((await server.form(await undoLink(other.email), {})).status).toBe(200);
    expect(await readRecord(own.userId)).toHaveProperty('erasure_at');
    expect((await server.form(first, {})).status).toBe(200);
    await account().open(own.email, own.jar);
    await (await asking(own.jar)).submit({}, DELETION);
    expect((await server.form(first, {})).status).toBe(400);
    expect(await readRecord(own.userId)).toHaveProperty('erasure_at');
    expect((await server.form(await undoLink(own.email), {})).status).toBe(200);
  });

  test('the restore link is sent by SMS if the user has no email address', async () => {
    const phone = newPhoneNumber();
    const { user_id } = await createProvenUser(server, { phone_number: phone });
    const jar = login.browser();
    const code = await (await jar.open(account().address())).submit({ identifier: phone, method: 'sms' });
    await code.submit({ passcode: await server.codeTo(phone) });
    expect((await (await asking(jar)).submit({}, DELETION)).html).toContain('Use the link');
    const [text] = await noticesTo(phone);
    expect(text?.text).toContain('Your Demo account will be deleted in 7 days.');
    expect((await server.form(await undoLink(phone), {})).status).toBe(200);
    expect(await readRecord(user_id)).not.toHaveProperty('erasure_at');
  });
});

describe('API calls for accounts that are pending erasure', () => {
  test('a client or an operator can cancel a pending erasure or erase the user immediately', async () => {
    const token = await server.adminToken();
    const { userId } = await sleeper();
    const path = `/v1/users/${userId}`;
    const suspended = await server.put<{ result: Shown }>(path, { status: 'Active' }, { token });
    expect(suspended.body.result).toHaveProperty('erasure_at');
    for (let times = 0; times < 2; times += 1)
      expect((await server.delete(`${path}/erasure`, { token })).status).toBe(204);
    expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
    const other = await sleeper();
    const cancel = ['user', 'cancel-erasure', other.userId];
    expect((await otlWith({ OTL_ENDPOINT: server.url }, cancel)).code).toBe(0);
    expect(await readRecord(other.userId)).not.toHaveProperty('erasure_at');
    const last = await sleeper();
    expect((await server.delete(`/v1/users/${last.userId}`, { token })).status).toBe(204);
    expect((await server.delete(`/v1/users/${last.userId}/erasure`, { token })).status).toBe(404);
  });
});

test('submitting the account deletion form several times at once sends only one notice', async () => {
  const { email, userId, page } = await person();
  const pages = await Promise.all(Array.from({ length: 8 }, () => page.submit({}, DELETION)));
  expect(pages.map(readHeading)).toContain('Your account will be deleted');
  expect((await noticesTo(email)).map(({ subject }) => subject)).toEqual([
    'Your account at Demo will be deleted',
  ]);
  const { jobs } = await server.ports(['jobs']);
  const { items } = await jobs.list({ limit: 100 });
  expect(items.filter(({ subjectId }) => subjectId === userId)).toHaveLength(1);
});

describe('conditions for deleting an account', () => {
  test('a user can delete their account only after a recent login', async () => {
    const { email, userId, jar, page } = await person();
    await server.advanceClock(601);
    const asked = await page.submit({}, DELETION);
    expect(readHeading(asked)).toBe('Confirm it’s you');
    expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
    const again = await account().byCode(asked, email);
    expect(readHeading(again)).toBe('Delete your account?');
    expect(readHeading(await (await asking(jar)).submit({}, DELETION))).toBe('Your account will be deleted');
  });

  test('deleting an account with two factors requires a login with both factors', async () => {
    const email = newEmail('two');
    const phone_number = newPhoneNumber();
    const { user_id } = await createProvenUser(server, { email, phone_number });
    const jar = login.browser();
    const page = await account().open(email, jar);
    const { csrf } = readForm(page);
    const asked = await asking(jar);
    expect(readHeading(asked)).not.toBe('Delete your account?');
    const path = account().address(undefined, '/deletion');
    await jar.open(path, { method: 'POST', body: new URLSearchParams({ csrf }) });
    expect(await readRecord(user_id)).not.toHaveProperty('erasure_at');
    // After both factors, the page says that the email address and the phone number will be notified.
    const code = await asked.submit({ method: 'sms' }, 'second');
    await code.submit({ passcode: await server.codeTo(phone_number) });
    expect((await asking(jar)).html).toMatch(/a link that we’ll send to t•••@e•••\.com and [^<]*•••/);
  });

  test('an account deletion form that is submitted from another site or browser is rejected', async () => {
    const { userId, jar } = await person();
    const other = await person();
    const path = account().address(undefined, '/deletion');
    const { csrf: foreign } = readForm(other.page);
    for (const csrf of ['', 'x', foreign]) {
      const { html } = await jar.open(path, { method: 'POST', body: new URLSearchParams({ csrf }) });
      expect(html).toContain('This page was open for too long.');
    }
    expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
  });

  test('users cannot delete their accounts if the tenant does not allow account deletion', async () => {
    const { userId, jar, page } = await person();
    expect((await jar.open(account().address())).html).toContain('/account/deletion');
    await allow(false);
    await server.advanceClock(61);
    const shown = await asking(jar);
    expect([readHeading(shown), shown.html.includes('/account/deletion')]).toEqual(['Your account', false]);
    expect(readHeading(await page.submit({}, DELETION))).toBe('Your account');
    expect(await readRecord(userId)).not.toHaveProperty('erasure_at');
    await allow(true);
    await server.advanceClock(61);
  });
});
