import { describe, expect, test } from '@jest/globals';
import {
  errorOf,
  failTimes,
  headingOf,
  leftTo,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

let numbers = 0;
/** A German mobile number, as people write it at home and abroad. */
function newNumber() {
  numbers += 1;
  const digits = String(4_000_000 + numbers);
  return { national: `0151 / ${digits}`, abroad: `+49151${digits}` };
}

const chosenIn = ({ html }: BrowserPage) => /value="([A-Z]*)" selected/.exec(html)?.[1];
const typedIn = ({ html }: BrowserPage) => /type="tel"[^>]* value="([^"]*)"/.exec(html)?.[1];

const ASKS = 'Which country is your number from?';

describe('a number typed without its country code', () => {
  test('is added with the country that was chosen; one with a plus sign needs none', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const number = newNumber();
    const page = await login.afterCode(login.browser(), email, {
      acr_values: 'phone_number',
      ui_locales: 'en-DE',
    });
    expect([headingOf(page), chosenIn(page)]).toEqual(['Add your phone number', 'DE']);

    const none = await page.submit({ phone_number: number.national, country: '' });
    const wrong = await page.submit({ phone_number: '0151', country: 'FR' });
    for (const refused of [none, wrong])
      expect(errorOf(refused)).toBe('Choose the country, and enter a valid phone number.');
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

  test('on the first page asks for the country, alike for all, and logs in', async () => {
    const [known, unknown] = [newNumber(), newNumber()];
    await createProvenUser(server, { email: newEmail(), phone_number: known.abroad });
    for (const { national, abroad } of [unknown, known]) {
      const first = await login.browser().open(login.address({ createNewUser: 'false' }));
      expect(first.html).not.toContain('<select');
      const asked = await first.submit({ identifier: national, method: 'email' });
      expect([asked.status, headingOf(asked), typedIn(asked)]).toEqual([200, ASKS, national]);
      expect(errorOf(asked)).toBeUndefined();
      const again = await asked.submit({ identifier: national, country: '', method: 'sms' });
      expect([headingOf(again), typedIn(again)]).toEqual([ASKS, national]);
      expect(errorOf(again)).toMatch(/^Choose the country/);
      const sent = await again.submit({ identifier: national, country: 'DE', method: 'sms' });
      expect(sent.html).toContain(
        `If <strong dir="ltr">${abroad}</strong> has an account, a code is on its way.`,
      );
      expect(await server.messages({ to: abroad })).toHaveLength(abroad === known.abroad ? 1 : 0);
      if (abroad === known.abroad) leftTo(await sent.submit({ passcode: await server.codeTo(abroad) }));
    }
  });

  test('is the same number to the guards', async () => {
    const { national, abroad } = newNumber();
    await createProvenUser(server, { email: newEmail(), phone_number: abroad });
    const closed = await failTimes(await login.toCode(login.browser(), abroad, {}, 'sms'), 3);
    const first = await closed.submit({}, '/change');
    const asked = await first.submit({ identifier: national, method: 'sms' });
    const again = await asked.submit({ identifier: national, country: 'DE', method: 'sms' });
    expect(errorOf(again)).toMatch(/^Too many wrong codes/);
    expect(await server.messages({ to: abroad })).toHaveLength(1);
  });

  test('is asked for with its country where numbers alone log in', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { sms: {} } });
    const { national, abroad } = newNumber();
    const page = await login.browser().open(login.address({ client_id: clientId, ui_locales: 'de-CH de' }));
    expect(chosenIn(page)).toBe('CH');
    const sent = await page.submit({ identifier: national, country: 'DE', method: 'sms' });
    expect(sent.html).toContain(abroad);
  });

  test('is no number where no text messages are sent', async () => {
    const { clientId } = await storeApplication(server, { loginPreferences: { email: {} } });
    const page = await login.browser().open(login.address({ client_id: clientId }));
    const refused = await page.submit({ identifier: newNumber().national, method: 'email' });
    expect(errorOf(refused)).toBe('Enter a valid email address.');
  });
});

test('a text message to an email address is explained', async () => {
  const email = newEmail();
  const page = await login.toCode(login.browser(), email, {}, 'sms');
  expect(errorOf(page)).toBe(
    'Text messages go to a phone number, not to an email address. Enter your number.',
  );
  expect(page.html).toContain(`value="${email}"`);
  expect(await server.messages({ to: email })).toEqual([]);
});
