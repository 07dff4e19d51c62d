// The attacker reads a user's mailbox and falsely reports on the second-factor page that the second factor is lost. To protect
// the user, every address is notified, the recovery takes effect after a day, and a link in each notice or a login with the
// factor cancels the recovery.
import { describe, expect, test } from '@jest/globals';
import { CONFIRM, DAY, useTenant } from '../stories/people.ts';
import { hostedLogin, readForm, readHeading } from '../support/fixtures/hosted-login.ts';
import { givePasskey, makePasskey } from '../support/fixtures/hosted-passkeys.ts';
import { otlAt } from '../support/server/otl.ts';

const tenant = useTenant();
const { server, main, withBoth, withPasskey, readRecord, told, linkTo, lose, press } = tenant;
const login = hostedLogin(server);
const { otl } = otlAt(server);

const mfa = { acr_values: 'mfa' };
const STARTED = 'We’ve notified all your addresses';
const REQUESTED = 'Recovery of your account at Demo was requested';

/** Creates a user and waits for earlier notices, so that the next notice is about the attack. */
async function victim() {
  const person = await withPasskey();
  await server.settleEvents();
  return person;
}

/** Returns true if a login with only an email code is enough to add a passkey through the API. */
const canBind = async (email: string) => (await main.bind((await main.byCode(email)).body)).status === 200;

const readRecovery = async (userId: string) => (await readRecord(userId)).recovery;

describe('A2: account recovery requested by an attacker who reads the mailbox', () => {
  test('a user can request an account recovery only once a day', async () => {
    const { email, userId } = await victim();
    await lose(email);
    expect(readHeading(await lose(email))).toBe(STARTED);
    expect((await told(email)).filter(({ subject }) => subject === REQUESTED)).toHaveLength(1);
    await press(await linkTo(email));
    expect(readHeading(await lose(email))).toBe(CONFIRM);
    expect(await readRecovery(userId)).toBeUndefined();
  });

  test('a user can request an account recovery only after logging in with the first factor in the same browser', async () => {
    const { email, userId } = await victim();
    const jar = login.browser();
    const page = await login.toCode(jar, email, mfa);
    const second = await page.submit({ passcode: '00000000' });
    const path = /action="(\/login\/[^/"]+)/.exec(second.html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf: readForm(second).csrf });
    for (const act of ['lost', 'recover']) {
      expect(readHeading(await jar.open(`${path}/${act}`, { method: 'POST', body }))).toBe(
        'Check your email',
      );
      expect((await login.browser().open(`${path}/${act}`, { method: 'POST', body })).status).toBe(404);
    }
    expect(await readRecovery(userId)).toBeUndefined();
  });

  test('the link in a recovery notice cancels the recovery and asks the user to remove unknown credentials', async () => {
    const { email } = await victim();
    await lose(email);
    const link = await linkTo(email);
    await server.advanceClock(DAY + 1);
    expect(await canBind(email)).toBe(true);
    const { html } = await press(link);
    expect(html).toContain('The recovery was stopped');
    expect(html).toContain('remove any passkeys and devices that you don’t know');
    expect(html).not.toContain('Nothing was changed');
  });
});

describe('A2: account recovery requested by a user who has lost the passkey', () => {
  test('a user who has lost the passkey can add another passkey with an email code after one day', async () => {
    const { email, userId } = await victim();
    expect((await lose(email)).html).toMatch(/Come back in 24 hours .* 3 days/);
    await server.advanceClock(DAY + 1);
    const jar = login.browser();
    const offer = await (await main.onPages(email, mfa, jar)).submit({}, '/lost');
    expect(readHeading(offer)).toBe('Add a passkey');
    const { passkey, page } = await makePasskey(server, jar, offer);
    expect(readHeading(page)).toBe(CONFIRM);
    const claims = await main.claimsAt(await givePasskey(server, jar, page, passkey));
    expect(claims).toMatchObject({ sub: userId, acr: 'mfa' });
    // The login with the new passkey ends the recovery.
    expect((await told(email)).map(({ subject }) => subject)).toContain('A passkey was added at Demo');
    expect(await readRecovery(userId)).toBeUndefined();
  });

  test('an account recovery granted by an operator takes effect immediately', async () => {
    const { email, phone, userId } = await withBoth();
    expect(await otl('user', 'recover', userId, '--yes')).toMatchObject({ code: 0 });
    const [mail] = await told(email);
    expect(mail?.subject).toBe('Recovery of your account at Demo was granted');
    // A granted recovery does not name a lost factor, so the notice does not say that a login with the factor cancels it.
    expect(mail?.text).not.toContain('sign in with');
    const texts = (await told(phone)).map(({ text }) => text);
    expect(texts).toEqual(['The ways to sign in to your Demo account were changed. Not you? Contact Demo.']);
    expect(await canBind(email)).toBe(true);
    expect(await otl('user', 'cancel-recovery', userId)).toMatchObject({ code: 0 });
    expect(await canBind(email)).toBe(false);
  });
});
