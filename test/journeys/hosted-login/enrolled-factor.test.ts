import { beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../../shared/ports/people.ts';
import { ADD_NUMBER, CONFIRM, MINUTE, newPlace, type Place, useTenant } from '../../stories/people.ts';
import { answerIn, headingOf, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { makePasskey } from '../../support/fixtures/hosted-passkeys.ts';
import { made } from '../../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

/** A person with one kind at an application that demands two and lets them make the other (`enrol_second_factor`). */

const {
  server,
  main,
  withMail,
  withPasskey,
  passkeysOf,
  recordOf,
  asOperator,
  told,
  linkTo,
  press,
  ...tenant
} = useTenant();

const mfa = { acr_values: 'mfa' };
const ADD_PASSKEY = 'Add a passkey';
const ADDED = 'A passkey was added at Side';

/** Offers mail and passkeys; mail and numbers; numbers and passkeys; all of them. */
let [passkeys, numbers, texts, all] = [{} as Place, {} as Place, {} as Place, {} as Place];

beforeAll(async () => {
  const enrolling = (...methods: readonly string[]) =>
    newPlace(server, {
      enrol_second_factor: true,
      notices: { credentials_changed: false, contact_changed: false },
      methods: Object.fromEntries(methods.map((method) => [method, {}])),
    });
  passkeys = await enrolling('email', 'passkey');
  numbers = await enrolling('email', 'sms');
  texts = await enrolling('sms', 'passkey');
  all = await enrolling('email', 'sms', 'passkey');
});

/** A login that makes a passkey the second factor. */
async function enrolled(to: string, at = passkeys, jar = tenant.browser()) {
  const asked = await at.onPages(to, mfa, jar);
  expect(headingOf(asked)).toBe(ADD_PASSKEY);
  const { passkey, page } = await makePasskey(server, jar, asked);
  return { jar, passkey, page };
}

async function giveNumber(page: BrowserPage, number: string): Promise<BrowserPage> {
  const code = await page.submit({ phone_number: number });
  return code.submit({ passcode: await server.codeTo(number) });
}

const refusalOf = (page: BrowserPage) => answerIn(leftTo(page)).error;

describe('a person with one kind', () => {
  test('makes a passkey, arrives with two, is told, and gives both the next time', async () => {
    const { email, userId } = await withMail();
    const { passkey, page } = await enrolled(email);
    expect(await passkeys.claimsAt(page)).toMatchObject({
      sub: userId,
      acr: 'mfa',
      amr: ['eotp', 'webauthn', 'mfa'],
    });
    expect((await told(email)).map(({ subject }) => subject)).toEqual([ADDED]);

    const jar = tenant.browser();
    const asked = await passkeys.onPages(email, mfa, jar);
    expect(headingOf(asked)).toBe(CONFIRM);
    const again = await passkeys.claimsAt(await tenant.givePasskey(jar, asked, passkey));
    expect(again).toMatchObject({ sub: userId, acr: 'mfa' });
    expect((await told(email)).filter(({ subject }) => subject === ADDED)).toHaveLength(1);
  });

  test('makes a number, and the link in the mail takes it away', async () => {
    const { email, userId } = await withMail();
    const number = newPhoneNumber();
    const asked = await numbers.onPages(email, mfa);
    expect(headingOf(asked)).toBe(ADD_NUMBER);
    expect(await numbers.claimsAt(await giveNumber(asked, number))).toMatchObject({
      sub: userId,
      acr: 'mfa',
    });
    expect((await told(email)).map(({ subject }) => subject)).toEqual(['A phone number was added at Side']);

    expect(headingOf(await press(await linkTo(email)))).toBe('The change is undone');
    expect(await recordOf(userId)).not.toHaveProperty('phone_number');
  });

  test('without a mailbox is told by a text with the link', async () => {
    const number = newPhoneNumber();
    const userId = await main.make({ phone_number: number });
    expect((await main.byCode(number)).status).toBe(200);
    await enrolled(number, texts);
    const [text] = await told(number);
    expect(text?.text).toContain('has a new second factor. Not you? Undo it: http');
    expect(headingOf(await press(await linkTo(number)))).toBe('The change is undone');
    expect(await passkeysOf(userId)).toEqual([]);
  });

  test('gives the one kind anew first, where the login of the browser is old', async () => {
    const { email } = await withMail();
    const jar = tenant.browser();
    leftTo(await passkeys.onPages(email, {}, jar));
    await server.advanceClock(11 * MINUTE);
    const asked = await passkeys.open(jar, mfa);
    expect([headingOf(asked), /action="[^"]*\/later"/.test(asked.html)]).toEqual([CONFIRM, false]);
    expect(headingOf(await passkeys.give(asked, email))).toBe(ADD_PASSKEY);
  });

  test('goes back with an error who makes none', async () => {
    const { email, userId } = await withMail();
    const asked = await passkeys.onPages(email, mfa);
    expect(refusalOf(await asked.submit({}, '/later'))).toBe('access_denied');
    expect(await passkeysOf(userId)).toEqual([]);
    expect(await told(email)).toEqual([]);
  });

  test('is led there by a demand alone', async () => {
    const { email } = await withMail();
    expect((await passkeys.claimsAt(await passkeys.onPages(email))).acr).toBeUndefined();
  });
});

describe('what one kind has made', () => {
  test('is two factors at no other application before it is given there', async () => {
    const { email } = await withMail();
    const { jar, passkey, page } = await enrolled(email);
    leftTo(page);
    expect(refusalOf(await main.open(jar, { ...mfa, prompt: 'none' }))).toBe('interaction_required');
    expect(answerIn(leftTo(await passkeys.open(jar, { ...mfa, prompt: 'none' }))).code).toBeDefined();

    const asked = await main.open(jar, mfa);
    expect(headingOf(asked)).toBe(CONFIRM);
    expect((await main.claimsAt(await tenant.givePasskey(jar, asked, passkey))).acr).toBe('mfa');
  });

  test('binds nothing in the login that has made it', async () => {
    const { email, userId } = await withMail();
    const { jar, page } = await enrolled(email);
    const { session_id, access_token } = (await hostedLogin(server).exchange(leftTo(page), {}, passkeys))
      .body;
    expect((await passkeys.bind({ access_token, session_id } as never)).status).toBe(401);
    expect((await main.change(userId, { phone_number: newPhoneNumber(), session_id })).status).toBe(403);
    const account = await passkeys.openAccount(jar);
    const asked = await account.submit({}, 'account/email');
    expect([headingOf(asked), tenant.offersPasskey(asked)]).toEqual([CONFIRM, true]);
    expect(await passkeysOf(userId)).toHaveLength(1);
  });

  test('is asked for where the same login binds more', async () => {
    const { email } = await withMail();
    const jar = tenant.browser();
    const asked = await all.onPages(email, { acr_values: 'mfa phone_number' }, jar);
    const { passkey, page } = await makePasskey(server, jar, asked);
    expect([headingOf(page), tenant.offersPasskey(page)]).toEqual([CONFIRM, true]);
    expect(headingOf(await tenant.givePasskey(jar, page, passkey))).toBe(ADD_NUMBER);
  });

  test('is ended by the link alone, with all that it has changed since, and does not come back', async () => {
    const { email, userId } = await withMail();
    const { passkey } = await enrolled(email);
    const link = await linkTo(email);
    const jar = tenant.browser();
    const asked = await (await passkeys.account(email, jar)).submit({}, 'account/email');
    const form = await tenant.givePasskey(jar, asked, passkey);
    const thief = newEmail('thief');
    const code = await form.submit({ identifier: thief });
    await code.submit({ passcode: await server.codeTo(thief) });
    expect(await recordOf(userId)).toMatchObject({ email: { value: thief } });

    expect(headingOf(await press(link))).toBe('The change is undone');
    expect(await recordOf(userId)).toMatchObject({ email: { value: email } });
    expect(await passkeysOf(userId)).toEqual([]);
    expect((await main.byPasskey(passkey)).status).toBe(400);
    expect(refusalOf(await passkeys.open(jar, { ...mfa, prompt: 'none' }))).toBe('login_required');
    expect((await press(link)).status).toBe(400);
  });

  test('is no kind any more where the number was there before', async () => {
    const { email, userId } = await withMail();
    const number = newPhoneNumber();
    expect((await asOperator(userId, { phone_number: number })).status).toBe(200);
    const { userRecords } = await server.ports(['userRecords']);
    const read = async () => (await userRecords.find(userId)) as User & Required<Pick<User, 'phoneNumber'>>;
    // Proven once, with less than binding asks.
    const user = await read();
    const { generations, phoneNumber } = user;
    const counting = [...generations.counting, phoneNumber.generation];
    const verified = { ...phoneNumber, standing: 'verified' } as const;
    const before = { ...user, generations: { ...generations, counting }, phoneNumber: verified };
    await userRecords.replace(user, before);
    leftTo(await giveNumber(await numbers.onPages(email, mfa), number));
    expect((await read()).phoneNumber.standing).toBe('proven');
    expect(headingOf(await press(await linkTo(email)))).toBe('The change is undone');
    expect((await read()).phoneNumber).toEqual(verified);
  });
});

describe('no second factor is made', () => {
  const denied = async (to: string, at: Place) => refusalOf(await at.onPages(to, mfa));

  test('by a person with a role, or who administers an organization', async () => {
    const ordinary = await withMail();
    const powerful = await withMail();
    expect((await asOperator(powerful.userId, { roles: ['editor'] })).status).toBe(200);
    const administrator = await withMail();
    const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
    const member = { user_id: administrator.userId, roles: ['organizationAdmin'] };
    await made(server, `/v1/organizations/${org_id}/members`, member);

    for (const { email, userId } of [powerful, administrator]) {
      expect(await denied(email, passkeys)).toBe('access_denied');
      expect(await passkeysOf(userId)).toEqual([]);
    }
    expect(headingOf(await passkeys.onPages(ordinary.email, mfa))).toBe(ADD_PASSKEY);
  });

  test('where the account has another that the application does not offer', async () => {
    const { email, userId } = await withPasskey();
    expect(await denied(email, numbers)).toBe('access_denied');
    expect(await recordOf(userId)).not.toHaveProperty('phone_number');
    // Also one that is good elsewhere alone.
    const other = await withMail();
    expect((await main.bind((await main.byCode(other.email)).body)).status).toBe(200);
    expect(await denied(other.email, numbers)).toBe('access_denied');
  });

  test('where no address can be told of it', async () => {
    const { userId, passkey } = await withPasskey();
    const { userRecords } = await server.ports(['userRecords']);
    const user = await userRecords.find(userId);
    if (!user) throw new Error('the user is gone');
    const { email: _, ...rest } = user;
    await userRecords.replace(user, rest);
    const jar = tenant.browser();
    const page = await tenant.givePasskey(jar, await texts.open(jar, mfa), passkey);
    expect(refusalOf(page)).toBe('access_denied');
  });

  test('while another is said to be lost', async () => {
    const { email } = await tenant.withBoth();
    await tenant.lose(email);
    expect(await denied(email, passkeys)).toBe('access_denied');
  });
});
