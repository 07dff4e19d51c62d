import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readPageError, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';
import { isFull } from '../../support/tools/full-run.ts';

const { server, login } = useHostedLogin();
beforeEach(() => server.nextMinute());

/** Returns the seconds until the page enables the button that sends another message. */
const readWait = ({ html }: BrowserPage) => Number(/data-seconds="(\d+)"/.exec(html)?.[1] ?? 0);

describe('message limits of the hosted pages', () => {
  let limited: { readonly client_id: string };
  beforeAll(async () => {
    const { clientId } = await storeApplication(server, { rateLimits: { sendsPerMinute: 2 } });
    limited = { client_id: clientId };
  });

  test('the number of messages per minute is limited per recipient, even for unknown recipients', async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await createUser(server, { email: known });
    for (const email of [known, unknown]) {
      const page = await login.toCode(login.browser(), email, limited);
      expect(readPageError(await page.submit({}, '/resend'))).toBeUndefined();
      const refused = await page.submit({}, '/resend');
      expect([refused.status, readPageError(refused)]).toEqual([
        200,
        expect.stringMatching(/^Too many requests\. Try again in (?:1 minute|\d+ seconds)\.$/),
      ]);
    }
    expect(await server.messages({ to: known })).toHaveLength(2);
    await server.advanceClock(60);
    expect(readPageError(await login.toCode(login.browser(), known, limited))).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 6])(
    'with a limit of %s messages per minute, the resend button is enabled when the next message is allowed',
    async (sendsPerMinute) => {
      const { clientId } = await storeApplication(server, { rateLimits: { sendsPerMinute } });
      let page = await login.toCode(login.browser(), newEmail(), { client_id: clientId });
      for (let resends = 0; resends < 3; resends += 1) {
        await server.advanceClock(readWait(page));
        page = await page.submit({}, '/resend');
        expect(readPageError(page)).toBeUndefined();
      }
    },
  );

  test('the resend button stays disabled for at least the time that the error message states', async () => {
    const page = await login.toCode(login.browser(), newEmail(), limited);
    await page.submit({}, '/resend');
    await server.advanceClock(5);
    const refused = await page.submit({}, '/resend');
    const [, seconds] = /Try again in (\d+) seconds/.exec(readPageError(refused) ?? '') ?? [];
    expect(readWait(refused)).toBeGreaterThanOrEqual(Number(seconds));
  });

  test('N116 requests from unknown browsers do not exhaust the message limit of known browsers', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const own = login.browser();
    await login.logIn(own, email, limited);
    await server.advanceClock(60);
    const stranger = await login.toCode(login.browser(), email, limited);
    await stranger.submit({}, '/resend');
    expect(readPageError(await stranger.submit({}, '/resend'))).toMatch(/^Too many requests/);
    await login.logIn(own, email, { ...limited, prompt: 'login' });
  });

  test('N116 requests from unknown browsers do not prevent the message for the second factor of a login', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number });
    const stranger = await login.toCode(login.browser(), phone_number, limited, 'sms');
    await stranger.submit({}, '/resend');
    expect(readPageError(await stranger.submit({}, '/resend'))).toMatch(/^Too many requests/);
    const page = await login.toCode(login.browser(), email, { ...limited, acr_values: 'mfa' });
    const second = await page.submit({ passcode: await server.codeTo(email) });
    expect(readPageError(await second.submit({ method: 'sms' }))).toBeUndefined();
  });

  test('the number of messages per minute is limited per network address, across all recipients', async () => {
    const { clientId: client_id } = await storeApplication(server, { rateLimits: { anonymousPerMinute: 2 } });
    const send = async () => {
      const page = await login.browser().open(login.address({ client_id }));
      return page.submit({ identifier: newEmail(), method: 'email' });
    };
    for (let sends = 0; sends < 2; sends += 1) expect(readPageError(await send())).toBeUndefined();
    expect(readPageError(await send())).toMatch(/^Too many requests/);
    // Each application has its own limits.
    expect(readPageError(await login.toCode(login.browser(), newEmail()))).toBeUndefined();
    await server.advanceClock(60);
    expect(readPageError(await send())).toBeUndefined();
    const dump = await dumpTable('flows');
    const found = ['window#address%23', '127.0.0.1', '::1'].map((text) => dump.includes(text));
    expect(found).toEqual([true, false, false]);
  });
});

const OFFICE = isFull ? 60 : 16;

test(`${OFFICE} users behind one network address can log in within a minute`, async () => {
  const people = Array.from({ length: OFFICE }, () => newEmail('office'));
  const token = await server.clientToken();
  for (const email of people) await server.post('/v1/users', { email }, { token });
  await server.nextMinute();
  const ends: URL[] = [];
  while (ends.length < people.length) {
    const batch = people.slice(ends.length, ends.length + 8);
    ends.push(...(await Promise.all(batch.map((email) => login.logIn(login.browser(), email)))));
  }
  expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(people.length);
}, 300_000);
