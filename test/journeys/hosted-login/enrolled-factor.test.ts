// A user with one factor at an application that requires two and lets users add the second one (`enrol_second_factor`).
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../../shared/ports/people.ts';
import {
  ADD_NUMBER,
  type ApplicationClient,
  CONFIRM,
  createApplicationWithClient,
  MINUTE,
  useTenant,
} from '../../stories/people.ts';
import { answerIn, hostedLogin, leftTo, readHeading } from '../../support/fixtures/hosted-login.ts';
import { makePasskey } from '../../support/fixtures/hosted-passkeys.ts';
import { made } from '../../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const {
  server,
  main,
  withMail,
  withPasskey,
  listPasskeys,
  readRecord,
  asOperator,
  told,
  linkTo,
  press,
  ...tenant
} = useTenant();

const mfa = { acr_values: 'mfa' };
const ADD_PASSKEY = 'Add a passkey';
const ADDED = 'A passkey was added at Side';

/** Applications that offer, in this order: email and passkey; email and SMS; SMS and passkey; all three. */
let [passkeys, numbers, texts, all] = [
  {} as ApplicationClient,
  {} as ApplicationClient,
  {} as ApplicationClient,
  {} as ApplicationClient,
];

beforeAll(async () => {
  const enrolling = (...methods: readonly string[]) =>
    createApplicationWithClient(server, {
      enrol_second_factor: true,
      notices: { credentials_changed: false, contact_changed: false },
      methods: Object.fromEntries(methods.map((method) => [method, {}])),
    });
  passkeys = await enrolling('email', 'passkey');
  numbers = await enrolling('email', 'sms');
  texts = await enrolling('sms', 'passkey');
  all = await enrolling('email', 'sms', 'passkey');
});

/** Logs in with a code to the address and adds a passkey as the second factor during the login. */
async function enrolled(to: string, at = passkeys, jar = tenant.browser()) {
  const asked = await at.onPages(to, mfa, jar);
  expect(readHeading(asked)).toBe(ADD_PASSKEY);
  const { passkey, page } = await makePasskey(server, jar, asked);
  return { jar, passkey, page };
}

async function giveNumber(page: BrowserPage, number: string): Promise<BrowserPage> {
  const code = await page.submit({ phone_number: number });
  return code.submit({ passcode: await server.codeTo(number) });
}

const readRefusal = (page: BrowserPage) => answerIn(leftTo(page)).error;

describe('user with one factor at an application that requires two factors', () => {
  test('a user with one factor can add a passkey during a login that requires MFA and then has two factors', async () => {
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
    expect(readHeading(asked)).toBe(CONFIRM);
    const again = await passkeys.claimsAt(await tenant.givePasskey(jar, asked, passkey));
    expect(again).toMatchObject({ sub: userId, acr: 'mfa' });
    expect((await told(email)).filter(({ subject }) => subject === ADDED)).toHaveLength(1);
  });

  test('the link in an enrolment notice removes a phone number that was added as a second factor', async () => {
    const { email, userId } = await withMail();
    const number = newPhoneNumber();
    const asked = await numbers.onPages(email, mfa);
    expect(readHeading(asked)).toBe(ADD_NUMBER);
    expect(await numbers.claimsAt(await giveNumber(asked, number))).toMatchObject({
      sub: userId,
      acr: 'mfa',
    });
    expect((await told(email)).map(({ subject }) => subject)).toEqual(['A phone number was added at Side']);

    expect(readHeading(await press(await linkTo(email)))).toBe('The change is undone');
    expect(await readRecord(userId)).not.toHaveProperty('phone_number');
  });

  test('a user without an email address receives the notice about an added factor by SMS', async () => {
    const number = newPhoneNumber();
    const userId = await main.make({ phone_number: number });
    expect((await main.byCode(number)).status).toBe(200);
    await enrolled(number, texts);
    const [text] = await told(number);
    expect(text?.text).toContain('has a new second factor. Not you? Undo it: http');
    expect(readHeading(await press(await linkTo(number)))).toBe('The change is undone');
    expect(await listPasskeys(userId)).toEqual([]);
  });

  test('without a recent login, a user must repeat the first factor before adding a second factor', async () => {
    const { email } = await withMail();
    const jar = tenant.browser();
    leftTo(await passkeys.onPages(email, {}, jar));
    await server.advanceClock(11 * MINUTE);
    const asked = await passkeys.open(jar, mfa);
    expect([readHeading(asked), /action="[^"]*\/later"/.test(asked.html)]).toEqual([CONFIRM, false]);
    expect(readHeading(await passkeys.give(asked, email))).toBe(ADD_PASSKEY);
  });

  test('a user who declines to add a required second factor returns to the application with an error', async () => {
    const { email, userId } = await withMail();
    const asked = await passkeys.onPages(email, mfa);
    expect(readRefusal(await asked.submit({}, '/later'))).toBe('access_denied');
    expect(await listPasskeys(userId)).toEqual([]);
    expect(await told(email)).toEqual([]);
  });

  test('a login that does not require MFA does not ask for a second factor', async () => {
    const { email } = await withMail();
    expect((await passkeys.claimsAt(await passkeys.onPages(email))).acr).toBeUndefined();
  });
});

describe('use of a second factor that was added in a one-factor session', () => {
  test('a factor added at one application is valid at another application after its first use there', async () => {
    const { email } = await withMail();
    const { jar, passkey, page } = await enrolled(email);
    leftTo(page);
    expect(readRefusal(await main.open(jar, { ...mfa, prompt: 'none' }))).toBe('interaction_required');
    expect(answerIn(leftTo(await passkeys.open(jar, { ...mfa, prompt: 'none' }))).code).toBeDefined();

    const asked = await main.open(jar, mfa);
    expect(readHeading(asked)).toBe(CONFIRM);
    expect((await main.claimsAt(await tenant.givePasskey(jar, asked, passkey))).acr).toBe('mfa');
  });

  test('a user must use a newly added second factor before adding or changing another credential', async () => {
    const { email, userId } = await withMail();
    const { jar, page } = await enrolled(email);
    const { session_id, access_token } = (await hostedLogin(server).exchange(leftTo(page), {}, passkeys))
      .body;
    expect((await passkeys.bind({ access_token, session_id } as never)).status).toBe(401);
    expect((await main.change(userId, { phone_number: newPhoneNumber(), session_id })).status).toBe(403);
    const account = await passkeys.openAccount(jar);
    const asked = await account.submit({}, 'account/email');
    expect([readHeading(asked), tenant.offersPasskey(asked)]).toEqual([CONFIRM, true]);
    expect(await listPasskeys(userId)).toHaveLength(1);
  });

  test('a user who has just added a passkey must use it before adding a required phone number', async () => {
    const { email } = await withMail();
    const jar = tenant.browser();
    const asked = await all.onPages(email, { acr_values: 'mfa phone_number' }, jar);
    const { passkey, page } = await makePasskey(server, jar, asked);
    expect([readHeading(page), tenant.offersPasskey(page)]).toEqual([CONFIRM, true]);
    expect(readHeading(await tenant.givePasskey(jar, page, passkey))).toBe(ADD_NUMBER);
  });

  test('the link in an enrolment notice also reverts later changes that used the added factor', async () => {
    const { email, userId } = await withMail();
    const { passkey } = await enrolled(email);
    const link = await linkTo(email);
    const jar = tenant.browser();
    const asked = await (await passkeys.account(email, jar)).submit({}, 'account/email');
    const form = await tenant.givePasskey(jar, asked, passkey);
    const thief = newEmail('thief');
    const code = await form.submit({ identifier: thief });
    await code.submit({ passcode: await server.codeTo(thief) });
    expect(await readRecord(userId)).toMatchObject({ email: { value: thief } });

    expect(readHeading(await press(link))).toBe('The change is undone');
    expect(await readRecord(userId)).toMatchObject({ email: { value: email } });
    expect(await listPasskeys(userId)).toEqual([]);
    expect((await main.byPasskey(passkey)).status).toBe(400);
    expect(readRefusal(await passkeys.open(jar, { ...mfa, prompt: 'none' }))).toBe('login_required');
    expect((await press(link)).status).toBe(400);
  });

  test('undoing the enrolment of a phone number restores the earlier verification state of the number', async () => {
    const { email, userId } = await withMail();
    const number = newPhoneNumber();
    expect((await asOperator(userId, { phone_number: number })).status).toBe(200);
    const { userRecords } = await server.ports(['userRecords']);
    const read = async () => (await userRecords.find(userId)) as User & Required<Pick<User, 'phoneNumber'>>;
    // The number is verified but not proven, because it was verified without the factors that adding a credential requires.
    const user = await read();
    const { generations, phoneNumber } = user;
    const valid = [...generations.valid, phoneNumber.generation];
    const verified = { ...phoneNumber, standing: 'verified' } as const;
    const before = { ...user, generations: { ...generations, valid }, phoneNumber: verified };
    await userRecords.replace(user, before);
    leftTo(await giveNumber(await numbers.onPages(email, mfa), number));
    expect((await read()).phoneNumber.standing).toBe('proven');
    expect(readHeading(await press(await linkTo(email)))).toBe('The change is undone');
    expect((await read()).phoneNumber).toEqual(verified);
  });
});

describe('users who cannot add a second factor during a login', () => {
  const denied = async (to: string, at: ApplicationClient) => readRefusal(await at.onPages(to, mfa));

  test('a user with an administrative role cannot add a second factor after a one-factor login', async () => {
    const ordinary = await withMail();
    const powerful = await withMail();
    expect((await asOperator(powerful.userId, { roles: ['editor'] })).status).toBe(200);
    const administrator = await withMail();
    const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
    const member = { user_id: administrator.userId, roles: ['organizationAdmin'] };
    await made(server, `/v1/organizations/${org_id}/members`, member);

    for (const { email, userId } of [powerful, administrator]) {
      expect(await denied(email, passkeys)).toBe('access_denied');
      expect(await listPasskeys(userId)).toEqual([]);
    }
    expect(readHeading(await passkeys.onPages(ordinary.email, mfa))).toBe(ADD_PASSKEY);
  });

  test('a user whose second factor the application does not offer cannot add another second factor', async () => {
    const { email, userId } = await withPasskey();
    expect(await denied(email, numbers)).toBe('access_denied');
    expect(await readRecord(userId)).not.toHaveProperty('phone_number');
    // The same applies if the user's second factor is valid only at another application.
    const other = await withMail();
    expect((await main.bind((await main.byCode(other.email)).body)).status).toBe(200);
    expect(await denied(other.email, numbers)).toBe('access_denied');
  });

  test('a user without an address for notices cannot add a second factor', async () => {
    const { userId, passkey } = await withPasskey();
    const { userRecords } = await server.ports(['userRecords']);
    const user = await userRecords.find(userId);
    if (!user) throw new Error('the user is gone');
    const { email: _, ...rest } = user;
    await userRecords.replace(user, rest);
    const jar = tenant.browser();
    const page = await tenant.givePasskey(jar, await texts.open(jar, mfa), passkey);
    expect(readRefusal(page)).toBe('access_denied');
  });

  test('a user with a pending recovery cannot add a second factor', async () => {
    const { email } = await tenant.withBoth();
    await tenant.lose(email);
    expect(await denied(email, passkeys)).toBe('access_denied');
  });
});
