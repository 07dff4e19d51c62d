import { describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_FAILURES } from '../../../shared/domain/basis/limits.ts';
import { toAddressCounterKey } from '../../../shared/domain/credentials/guesses.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { demoTenant, withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  decodeClaims,
  failTimes,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import {
  createProvenUser,
  createUser,
  findUser,
  newEmail,
  newPhoneNumber,
} from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

/** Parameter of an authorization request that requires a verified phone number (section F of the API). */
const phone = { acr_values: 'phone_number' };

/** Logs in with an email code. Returns the page after the code. */
async function afterMail(jar: BrowserJar, email: string, change = {}): Promise<BrowserPage> {
  return login.afterCode(jar, email, { ...phone, ...change });
}

async function add(page: BrowserPage, number: string): Promise<BrowserPage> {
  const sent = await page.submit({ phone_number: number });
  return sent.submit({ passcode: await server.codeTo(number) });
}

async function exchangeTokens(target: URL) {
  const { status, body } = await login.exchange(target);
  expect(status).toBe(200);
  return decodeClaims(body.id_token);
}

describe('login that requires a verified phone number', () => {
  test('if a login requires a phone number, a user without a number is asked to add and verify one', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    const { user_id } = await createUser(server, { email });
    const jar = login.browser();
    const page = await afterMail(jar, email);
    expect(readHeading(page)).toBe('Add your phone number');
    const claims = await exchangeTokens(leftTo(await add(page, number)));
    // The number is not a second factor, because an attacker who reads the mailbox could have added any number.
    expect(claims).toMatchObject({ sub: user_id, amr: ['eotp'], email_verified: true });
    expect(claims.acr).toBeUndefined();
    expect(await findUser(server, user_id)).toMatchObject({
      email: { value: email, email_verified: true },
      phone_number: { value: number, phone_number_verified: true },
    });
    // Later logins do not ask for the number again.
    const again = leftTo(await jar.open(login.address({ ...phone, prompt: 'none' })));
    expect(again.searchParams.get('code')).not.toBeNull();
    leftTo(await afterMail(login.browser(), email));
    leftTo(
      await (await login.toCode(login.browser(), number, phone, 'sms')).submit({
        passcode: await server.codeTo(number),
      }),
    );
  });

  test('if a login requires a phone number, a user with an unverified number is asked to verify it', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    const { user_id } = await createUser(server, { email, phone_number: number });
    const page = await afterMail(login.browser(), email);
    expect(readHeading(page)).toBe('Add your phone number');
    // The page does not show the unverified number, because another person could have set it.
    expect(page.html).not.toContain(number);
    const claims = await exchangeTokens(leftTo(await add(page, number)));
    expect(claims).toMatchObject({ sub: user_id, amr: ['eotp'] });
    expect(await findUser(server, user_id)).toMatchObject({
      email: { email_verified: true },
      phone_number: { phone_number_verified: true },
    });
  });

  test('a user who is already logged in must log in again before adding a phone number', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    const { user_id } = await createUser(server, { email });
    const jar = login.browser();
    await exchangeTokens(await login.logIn(jar, email));
    const silent = leftTo(await jar.open(login.address({ ...phone, prompt: 'none' })));
    expect(silent.searchParams.get('error')).toBe('interaction_required');
    expect((await jar.open(login.address(phone))).html).toContain('name="identifier"');
    const page = await afterMail(jar, email, {});
    expect(readHeading(page)).toBe('Add your phone number');
    const claims = await exchangeTokens(leftTo(await add(page, number)));
    expect(claims).toMatchObject({ sub: user_id, amr: ['eotp'] });
  });

  test('a sign-up that requires a phone number creates a user with a verified email address and phone number', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    const page = await afterMail(login.browser(), email, { createNewUser: 'true' });
    expect(readHeading(page)).toBe('Add your phone number');
    const target = leftTo(await add(page, number));
    const token = await server.clientToken();
    expect((await server.get(`/v1/users/phone-number/${encodeURIComponent(number)}`, { token })).status).toBe(
      404,
    );
    const { sub } = await exchangeTokens(target);
    expect(await findUser(server, sub ?? '')).toMatchObject({
      status: 'Active',
      email: { value: email, email_verified: true },
      phone_number: { value: number, phone_number_verified: true },
    });
  });

  test("another user's phone number is rejected only after the code sent to it was entered", async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    await createUser(server, { phone_number: number });
    const { user_id } = await createUser(server, { email });
    const denied = { error: 'access_denied', error_description: 'The phone number belongs to another user' };
    for (const [who, change] of [
      [email, {}],
      [newEmail(), { createNewUser: 'true' }],
    ] as const) {
      const page = await afterMail(login.browser(), who, change);
      const sent = await page.submit({ phone_number: number });
      expect(readHeading(sent)).toBe('Check your phone');
      const wrong = await sent.submit({ passcode: '0000000' });
      expect(readPageError(wrong)).toMatch(/isn’t right/);
      const target = leftTo(await sent.submit({ passcode: await server.codeTo(number) }));
      expect(answerIn(target)).toEqual(denied);
    }
    expect((await findUser(server, user_id)).phone_number).toBeUndefined();
  });

  test('after an invalid phone number, a user can enter another number', async () => {
    const [email, wrong, right] = [newEmail(), newPhoneNumber(), newPhoneNumber()];
    const { user_id } = await createUser(server, { email });
    const page = await afterMail(login.browser(), email);
    const refused = await page.submit({ phone_number: '12345' });
    expect([readHeading(refused), readPageError(refused)]).toEqual([
      'Add your phone number',
      expect.stringMatching(/^Choose the country/),
    ]);
    expect(refused.html).toContain('value="12345"');
    const sent = await page.submit({ phone_number: wrong });
    const back = await sent.submit({}, '/change');
    expect(readHeading(back)).toBe('Add your phone number');
    const again = await (await back.submit({ phone_number: right })).submit({}, '/resend');
    leftTo(await again.submit({ passcode: await server.codeTo(right) }));
    expect((await findUser(server, user_id)).phone_number?.value).toBe(right);
  });

  test('wrong codes are counted per phone number across browsers', async () => {
    const number = newPhoneNumber();
    const ask = async () => {
      const email = newEmail();
      await createUser(server, { email });
      return (await afterMail(login.browser(), email)).submit({ phone_number: number });
    };
    const ports = await server.ports(['guesses.count']);
    const tenant = await demoTenant(server);
    const hash = identifierHash(tenant, { type: 'phone_number', value: number });
    const counter = { userHash: toAddressCounterKey(tenant, hash), callerType: 'signed-in' };
    const at = Math.floor(Date.now() / 1000);
    for (let failures = 0; failures < PASSCODE_MAX_FAILURES - 2; failures += 1)
      await ports.guesses.count(counter, PASSCODE_MAX_FAILURES, at);
    expect(readPageError(await failTimes(await ask(), 2))).toMatch(/isn’t right/);
    const other = await ask();
    const right = await other.submit({ passcode: await server.codeTo(number) });
    expect(readPageError(right)).toMatch(/^You can’t sign in with a code/);
  });

  test('a login that requires a phone number ends with an error if SMS is not enabled', async () => {
    const email = newEmail();
    await createUser(server, { email });
    await withApplication(server, { loginPreferences: { email: {} } }, async () => {
      const target = leftTo(await afterMail(login.browser(), email));
      expect(answerIn(target)).toEqual({
        error: 'access_denied',
        error_description: 'A verified phone number is required, and no text messages are sent',
      });
    });
  });

  test('a phone number added during a login is not a second factor of that login', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const target = leftTo(await afterMail(login.browser(), email, { acr_values: 'mfa phone_number' }));
    expect(answerIn(target).error).toBe('access_denied');
  });
});

let numbers = 0;
/** Returns a new German mobile number, as it is written in Germany and with the country code. */
function newNumber() {
  numbers += 1;
  const digits = String(4_000_000 + numbers);
  return { national: `0151 / ${digits}`, abroad: `+49151${digits}` };
}

const chosenIn = ({ html }: BrowserPage) => /value="([A-Z]*)" selected/.exec(html)?.[1];
const typedIn = ({ html }: BrowserPage) => /type="tel"[^>]* value="([^"]*)"/.exec(html)?.[1];

const ASKS = 'Which country is your number from?';

describe('phone number typed without a country code', () => {
  test('the login page adds the chosen country code to a phone number without a country code', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const number = newNumber();
    const page = await login.afterCode(login.browser(), email, {
      acr_values: 'phone_number',
      ui_locales: 'en-DE',
    });
    expect([readHeading(page), chosenIn(page)]).toEqual(['Add your phone number', 'DE']);

    const none = await page.submit({ phone_number: number.national, country: '' });
    const wrong = await page.submit({ phone_number: '0151', country: 'FR' });
    for (const refused of [none, wrong])
      expect(readPageError(refused)).toBe('Choose the country, and enter a valid phone number.');
    expect([chosenIn(none), typedIn(none)]).toEqual([undefined, number.national]);
    expect([chosenIn(wrong), typedIn(wrong)]).toEqual(['FR', '0151']);

    const sent = await page.submit({ phone_number: number.national, country: 'DE' });
    expect(sent.html).toContain(`>${number.abroad}<`);
    const other = await (await sent.submit({}, '/change')).submit({
      phone_number: number.abroad,
      country: 'FR',
    });
    expect(other.html).toContain(`>${number.abroad}<`);
    leftTo(await other.submit({ passcode: await server.codeTo(number.abroad) }));
    expect(await findUser(server, user_id)).toMatchObject({ phone_number: { value: number.abroad } });
  });

  test('if a phone number repeats the country code, the user must confirm it before an SMS is sent', async () => {
    const { abroad: address } = newNumber();
    const typed = address.slice(1);
    const first = await login.browser().open(login.address({ createNewUser: 'true' }));
    const which = await first.submit({ identifier: typed, method: 'sms' });
    const asked = await which.submit({ identifier: typed, country: 'DE', method: 'sms' });
    expect([readHeading(asked), readPageError(asked)]).toEqual([
      ASKS,
      expect.stringMatching(/^If you typed the country code/),
    ]);
    expect(typedIn(asked)).toBe(address);
    expect(await server.messages({ to: `+49${typed}` })).toEqual([]);
    await asked.submit({ identifier: address, country: 'DE', method: 'sms' });
    expect(await server.messages({ to: address })).toHaveLength(1);
  });

  test('the login page asks for the country of known and unknown phone numbers in the same way', async () => {
    const [known, unknown] = [newNumber(), newNumber()];
    await createProvenUser(server, { email: newEmail(), phone_number: known.abroad });
    for (const { national, abroad } of [unknown, known]) {
      const first = await login.browser().open(login.address({ createNewUser: 'false' }));
      expect(first.html).not.toContain('<select');
      const asked = await first.submit({ identifier: national, method: 'email' });
      expect([asked.status, readHeading(asked), typedIn(asked)]).toEqual([200, ASKS, national]);
      expect(readPageError(asked)).toBeUndefined();
      const again = await asked.submit({ identifier: national, country: '', method: 'sms' });
      expect([readHeading(again), typedIn(again)]).toEqual([ASKS, national]);
      expect(readPageError(again)).toMatch(/^Choose the country/);
      const sent = await again.submit({ identifier: national, country: 'DE', method: 'sms' });
      expect(sent.html).toContain(
        `If <strong dir="ltr">${abroad}</strong> has an account, a code is on its way.`,
      );
      expect(await server.messages({ to: abroad })).toHaveLength(abroad === known.abroad ? 1 : 0);
      if (abroad === known.abroad) leftTo(await sent.submit({ passcode: await server.codeTo(abroad) }));
    }
  });

  test('a phone number has the same limits and locks with and without the country code', async () => {
    const { national, abroad } = newNumber();
    await createProvenUser(server, { email: newEmail(), phone_number: abroad });
    const closed = await failTimes(await login.toCode(login.browser(), abroad, {}, 'sms'));
    const first = await closed.submit({}, '/change');
    const asked = await first.submit({ identifier: national, method: 'sms' });
    const again = await asked.submit({ identifier: national, country: 'DE', method: 'sms' });
    expect(readPageError(again)).toMatch(/^Too many wrong codes/);
    expect(await server.messages({ to: abroad })).toHaveLength(1);
  });

  test('if users can log in only by SMS, the login page asks for the country immediately', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { sms: {} } });
    const { national, abroad } = newNumber();
    const page = await login.browser().open(login.address({ client_id: clientId, ui_locales: 'de-CH de' }));
    expect(chosenIn(page)).toBe('CH');
    const sent = await page.submit({ identifier: national, country: 'DE', method: 'sms' });
    expect(sent.html).toContain(abroad);
  });

  test('if the application accepts only email addresses, the login page rejects a phone number', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { email: {} } });
    const page = await login.browser().open(login.address({ client_id: clientId }));
    const refused = await page.submit({ identifier: newNumber().national, method: 'email' });
    expect(readPageError(refused)).toBe('Enter a valid email address.');
  });
});

test('a user who enters an email address but requests an SMS sees a message that explains the error', async () => {
  const email = newEmail();
  const page = await login.toCode(login.browser(), email, {}, 'sms');
  expect(readPageError(page)).toBe(
    'Text messages go to a phone number, not to an email address. Enter your number.',
  );
  expect(page.html).toContain(`value="${email}"`);
  expect(await server.messages({ to: email })).toEqual([]);
});
