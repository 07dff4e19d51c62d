import { describe, expect, test } from '@jest/globals';
import { CONFIRM, DAY, useTenant } from '../stories/people.ts';
import { formOf, headingOf, hostedLogin } from '../support/fixtures/hosted-login.ts';
import { givePasskey, makePasskey } from '../support/fixtures/hosted-passkeys.ts';
import { otlAt } from '../support/server/otl.ts';

/**
 * The attacker reads one mailbox and says, on the page of the second factor, that it is lost. The recovery is for users who
 * have lost it, so every address is told, it waits a day, and each address and the factor itself stop it.
 */

const tenant = useTenant();
const { server, main, withBoth, withPasskey, recordOf, told, linkTo, lose, press } = tenant;
const login = hostedLogin(server);
const { otl } = otlAt(server);

const mfa = { acr_values: 'mfa' };
const STARTED = 'We told all your addresses';
const REQUESTED = 'Recovery of your account at Demo';

/** Whose notices come before those of the attack. */
async function victim() {
  const person = await withPasskey();
  await server.settleEvents();
  return person;
}

/** Whether one code in the mailbox is enough to add a passkey by the API. */
const canBind = async (email: string) => (await main.bind((await main.byCode(email)).body)).status === 200;

const recoveryOf = async (userId: string) => (await recordOf(userId)).recovery;

describe('A2: a stranger who reads the mailbox asks for a recovery', () => {
  test('it can be asked for once a day, so the mailbox is not flooded', async () => {
    const { email, userId } = await victim();
    await lose(email);
    expect(headingOf(await lose(email))).toBe(STARTED);
    expect((await told(email)).filter(({ subject }) => subject === REQUESTED)).toHaveLength(1);
    await press(await linkTo(email));
    expect(headingOf(await lose(email))).toBe(CONFIRM);
    expect(await recoveryOf(userId)).toBeUndefined();
  });

  test('before the first factor, and in another browser, there is nothing to ask for', async () => {
    const { email, userId } = await victim();
    const jar = login.browser();
    const page = await login.toCode(jar, email, mfa);
    const second = await page.submit({ passcode: '00000000' });
    const path = /action="(\/login\/[^/"]+)/.exec(second.html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf: formOf(second).csrf });
    for (const act of ['lost', 'recover']) {
      expect(headingOf(await jar.open(`${path}/${act}`, { method: 'POST', body }))).toBe('Check your email');
      expect((await login.browser().open(`${path}/${act}`, { method: 'POST', body })).status).toBe(404);
    }
    expect(await recoveryOf(userId)).toBeUndefined();
  });

  test('while it counts the link still stops it, and says that something may have been bound', async () => {
    const { email } = await victim();
    await lose(email);
    const link = await linkTo(email);
    await server.advanceClock(DAY + 1);
    expect(await canBind(email)).toBe(true);
    const { html } = await press(link);
    expect(html).toContain('The recovery is stopped');
    expect(html).toContain('remove passkeys and devices that you don’t know');
    expect(html).not.toContain('Nothing was changed');
  });
});

describe('A2: the honest user who has lost the passkey', () => {
  test('adds a new one on our pages after a day, by a code alone, and logs in with both', async () => {
    const { email, userId } = await victim();
    expect((await lose(email)).html).toMatch(/Come back in 24 hours .*, for 3 days/);
    await server.advanceClock(DAY + 1);
    const jar = login.browser();
    const offer = await (await main.onPages(email, mfa, jar)).submit({}, '/lost');
    expect(headingOf(offer)).toBe('Add a passkey');
    const { passkey, page } = await makePasskey(server, jar, offer);
    expect(headingOf(page)).toBe(CONFIRM);
    const claims = await main.claimsAt(await givePasskey(server, jar, page, passkey));
    expect(claims).toMatchObject({ sub: userId, acr: 'mfa' });
    // The new passkey shows that nothing is lost any more.
    expect((await told(email)).map(({ subject }) => subject)).toContain('A passkey was added at Demo');
    expect(await recoveryOf(userId)).toBeUndefined();
  });

  test('has it at once from an operator, which every address is told of', async () => {
    const { email, phone, userId } = await withBoth();
    expect(await otl('user', 'recover', userId, '--yes')).toMatchObject({ code: 0 });
    const [mail] = await told(email);
    expect(mail?.subject).toBe('Recovery of your account at Demo was granted');
    // Nothing says which factor is lost, so a login by one stops nothing.
    expect(mail?.text).not.toContain('sign in with');
    const texts = (await told(phone)).map(({ text }) => text);
    expect(texts).toEqual(['The ways to sign in to your Demo account were changed. Not you? Contact Demo.']);
    expect(await canBind(email)).toBe(true);
    expect(await otl('user', 'cancel-recovery', userId)).toMatchObject({ code: 0 });
    expect(await canBind(email)).toBe(false);
  });
});
