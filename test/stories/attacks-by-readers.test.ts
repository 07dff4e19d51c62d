// The attacker reads a user's current or previous mailbox, or receives the SMS to a user's phone number.
import { expect, test } from '@jest/globals';
import { readHeading } from '../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import {
  ACCOUNT,
  ADD_NUMBER,
  CONFIRM,
  createApplicationWithClient,
  DAY,
  HOUR,
  readAcr,
  readSub,
  useTenant,
} from './people.ts';

const tenant = useTenant();
const { server, main, withMail, withBoth, withPasskey, readRecord, listPasskeys, readEverything } = tenant;
const { told, linkTo, press, lose, loseBehind, tellsWhere, leadsToAnother, replaceOnAccount } = tenant;

const report = async (userId: string) =>
  (await main.put(`/v1/users/${userId}/phone-risk`, { signal: 'sim_swap' })).status;

/** Returns true if a login with only a code to this address is enough to add a passkey. */
const bindsBy = async (to: string) => {
  const { status, body } = await main.byCode(to);
  return status === 200 && (await main.bind(body)).status === 200;
};

/** Logs in with both factors of the owner, an email code and the passkey, in one session. */
async function logInAsOwner(email: string, passkey: Parameters<typeof main.byPasskey>[0]) {
  const { session_id } = (await main.byCode(email)).body;
  return main.byPasskey(passkey, { session_id });
}

const readEmail = async (userId: string) => (await readRecord(userId)).email;
const proven = (value: string) => ({ value, email_verified: true });
const BACK = 'Your email address is restored';

/** Creates a user who has replaced the email address using both factors. Also returns the undo link sent to the old address. */
async function moved() {
  const person = await withBoth();
  const next = newEmail('next');
  const page = await replaceOnAccount(await main.account(person.email), next, person.phone);
  expect([readHeading(page), await readEmail(person.userId)]).toMatchObject([ACCOUNT, proven(next)]);
  return { ...person, next, link: await linkTo(person.email) };
}

test('A8: a login with only an email code cannot add or remove credentials of an account that has a second factor', async () => {
  const { email, userId, passkey } = await withPasskey();
  const [reader, phone] = [(await main.byCode(email)).body, newPhoneNumber()];
  const before = await readEverything(userId);
  const { access_token: token, session_id } = reader;
  expect((await main.bind(reader)).status).toBe(401);
  const path = `/v1/users/me/webauthn-credentials/${passkey.id.toString('base64url')}`;
  expect((await server.delete(path, { token })).status).toBe(401);
  expect((await main.change(userId, { phone_number: phone, session_id })).status).toBe(403);
  expect(await readEverything(userId)).toEqual(before);
  expect(readHeading(await main.onPages(email, { acr_values: 'phone_number' }))).toBe(CONFIRM);
  const account = await main.account(email);
  for (const form of ['account/phone', 'passkeys/add', 'passkeys/remove'])
    expect(readHeading(await account.submit({}, form))).toBe(CONFIRM);
  expect(await listPasskeys(userId)).toEqual(before.passkeys);
  expect(await readRecord(userId)).not.toHaveProperty('phone_number');

  // The owner, who logs in with both factors, can add credentials.
  const owner = (await main.byPasskey(passkey, { session_id })).body;
  const put = await main.change(userId, { phone_number: phone, session_id: owner.session_id });
  expect(put.status).toBe(200);
  const { users } = await server.ports(['users']);
  expect((await users.find(userId))?.changes).toMatchObject([{ undoCondition: 'kind' }]);
  expect((await main.bind((await logInAsOwner(email, passkey)).body)).status).toBe(200);
});

test('A9: the owner can cancel a recovery that an attacker with access to the mailbox has requested', async () => {
  const endings = [
    async ({ email }: { email: string }) => press(await linkTo(email)),
    async ({ email, phone }: { email: string; phone: string }) => main.byBoth(email, phone),
  ];
  const people = [await withBoth(), await withBoth()];
  // Waits for earlier notices, so that the notice of the recovery is the newest message.
  await server.settleEvents();
  for (const [index, person] of people.entries()) {
    await lose(person.email);
    expect(await linkTo(person.email)).toBeDefined();
    expect(await told(person.phone)).toHaveLength(1);
    expect(await bindsBy(person.email)).toBe(false);
    expect((await endings[index]?.(person))?.status).toBe(200);
  }
  await server.settleEvents();
  await server.advanceClock(DAY + HOUR);
  for (const { email, phone } of people) {
    expect(await bindsBy(email)).toBe(false);
    expect((await main.bind((await main.byBoth(email, phone)).body)).status).toBe(200);
  }
});

test('A10: an attacker who receives the user’s SMS codes after a SIM swap cannot add credentials to the account', async () => {
  const { email, phone, userId } = await withBoth();
  expect(readSub(await main.byCode(phone))).toBe(userId);
  expect(await bindsBy(phone)).toBe(false);
  expect(await report(userId)).toBe(200);
  expect((await main.byCode(phone)).status).toBe(400);
  expect(await bindsBy(email)).toBe(false);
  await server.advanceClock(DAY - HOUR);
  expect(await bindsBy(email)).toBe(false);
  await server.advanceClock(HOUR + 1);
  expect(await bindsBy(email)).toBe(true);
});

test('A11: an attacker who reads the previous mailbox cannot undo an address change without another factor', async () => {
  const { phone, userId, next, link } = await moved();
  const page = await press(link);
  expect([leadsToAnother(page), await readEmail(userId)]).toEqual([true, proven(next)]);
  for (const to of [phone, next]) expect(readSub(await main.byCode(to))).toBe(userId);

  // The owner confirms the undo with the phone number, even if the number was removed after the change.
  for (const isRemoved of [false, true]) {
    const owner = await moved();
    if (isRemoved) {
      const asked = await (await main.account(owner.next)).submit({ item: 'phone' }, 'addresses/remove');
      await (await main.give(asked, owner.phone)).submit({ item: 'phone' }, 'addresses/remove');
      expect(await readRecord(owner.userId)).not.toHaveProperty('phone_number');
    }
    await (await main.give(await press(owner.link), owner.phone)).submit({}, '/notice');
    expect([isRemoved, await readEmail(owner.userId)]).toEqual([isRemoved, proven(owner.email)]);
    expect(readSub(await main.byCode(owner.phone))).toBe(owner.userId);
  }

  // Without the phone number, the undo takes effect after the recovery delay, unless the owner cancels the recovery.
  const [waiting, stopped] = [await moved(), await moved()];
  for (const owner of [waiting, stopped]) await loseBehind(owner.link);
  expect(readSub(await main.byCode(stopped.phone))).toBe(stopped.userId);
  await server.settleEvents();
  await server.advanceClock(DAY - HOUR);
  await press(waiting.link);
  expect(await readEmail(waiting.userId)).toEqual(proven(waiting.next));
  await server.advanceClock(HOUR + 1);
  for (const owner of [waiting, stopped]) await press(owner.link);
  expect(await readEmail(waiting.userId)).toEqual(proven(waiting.email));
  expect(await readEmail(stopped.userId)).toEqual(proven(stopped.next));
});

test('A12: undoing an address change takes the address from another user only if the other user has not verified the address', async () => {
  const people = [await withMail(), await withMail()];
  for (const [index, { email, userId }] of people.entries()) {
    const thief = newEmail('thief');
    expect((await main.change(userId, { email: thief })).status).toBe(200);
    const decoy = await main.make({ email, username: `decoy-${email}` });
    const hasProven = index === 1;
    if (hasProven) expect(readSub(await main.byCode(email))).toBe(decoy);
    const page = await press(await linkTo(email));
    expect([hasProven, readHeading(page), page.status]).toEqual(
      hasProven ? [true, 'Another account uses this address', 400] : [false, BACK, 200],
    );
    expect(readSub(await main.byCode(email))).toBe(hasProven ? decoy : userId);
    expect(await readEmail(decoy)).toEqual(hasProven ? proven(email) : undefined);
    expect(await readEmail(userId)).toMatchObject({ value: hasProven ? thief : email });
  }
});

test('A13: setting an address with the `session_id` of a one-factor session fails if the account has two factors', async () => {
  const { email, phone, userId } = await withBoth();
  const before = await readRecord(userId);
  const sessionBy = async (to: string) => (await main.byCode(to)).body.session_id;
  for (const [to, fields] of [
    [phone, { email: newEmail('attacker') }],
    [email, { phone_number: newPhoneNumber() }],
    [email, { email: newEmail('attacker') }],
  ] as const)
    expect((await main.change(userId, { ...fields, session_id: await sessionBy(to) })).status).toBe(403);
  const { email: mailbox, phone_number } = before;
  expect(await readRecord(userId)).toMatchObject({ email: mailbox, phone_number });

  const [own, session_id] = [newEmail(), (await main.byBoth(email, phone)).body.session_id];
  expect((await main.change(userId, { email: own, session_id })).status).toBe(200);
  for (const to of [phone, own]) expect(readSub(await main.byCode(to))).toBe(userId);
});

test('A14: credentials that an undo has made invalid stay invalid if the undone address change is made again', async () => {
  const { email, userId, passkey } = await withPasskey();
  const thief = newEmail('thief');
  expect((await main.change(userId, { email: thief })).status).toBe(200);
  const first = await main.byCode(thief);
  const bound = await main.register(first.body);
  const number = newPhoneNumber();
  expect((await main.change(userId, { phone_number: number })).status).toBe(200);
  expect([readSub(first), readSub(await main.byPasskey(bound.passkey))]).toEqual([userId, userId]);

  expect(readHeading(await press(await linkTo(email)))).toBe(BACK);
  const own = await main.byCode(email);
  expect([readSub(own), (await main.byPasskey(bound.passkey)).status]).toEqual([userId, 403]);
  const { session_id } = own.body;
  expect((await main.byPasskey(passkey, { session_id })).status).toBe(200);

  expect((await main.change(userId, { email: thief })).status).toBe(200);
  expect(readSub(await main.byCode(thief))).toBe(userId);
  for (const each of [bound.passkey, passkey]) expect((await main.byPasskey(each)).status).toBe(403);
  const { session_id: before } = first.body;
  expect((await main.post('/v1/auth/session/authenticate', { session_id: before })).status).toBe(400);

  expect(readHeading(await press(await linkTo(email)))).toBe(BACK);
  expect(readSub(await main.byCode(email))).toBe(userId);
  expect((await main.byPasskey(bound.passkey)).status).toBe(403);
});

test('A16: a user who has a passkey cannot add a phone number after an email login to an application without passkeys', async () => {
  const texts = await createApplicationWithClient(server, { name: 'Texts', methods: { email: {}, sms: {} } });
  const { email, userId, passkey } = await withPasskey();
  const number = newPhoneNumber();
  const refused = await texts.onPages(email, { acr_values: 'phone_number' });
  expect([readHeading(refused) === ADD_NUMBER, tellsWhere(refused)]).toEqual([false, true]);
  const { session_id } = (await texts.byCode(email)).body;
  expect((await texts.change(userId, { phone_number: number, session_id })).status).toBe(403);
  expect(await readRecord(userId)).not.toHaveProperty('phone_number');
  const stepped = await logInAsOwner(email, passkey);
  expect([readSub(stepped), readAcr(stepped)]).toEqual([userId, 'mfa']);
});

test('A17: after the second factor was reported as lost or at risk, an email login cannot add credentials until the recovery delay ends', async () => {
  type Person = Awaited<ReturnType<typeof withBoth>>;
  const own = async ({ email, userId }: Person) => {
    const { session_id } = (await main.byCode(email)).body;
    return (await main.change(userId, { phone_number: newPhoneNumber(), session_id })).status;
  };
  const tricks: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
    risk: ({ userId }) => report(userId),
    recovery: ({ email }) => lose(email),
    PUT: own,
    'risk, then recovery': async ({ userId, email }) => [await report(userId), await lose(email)],
    'recovery, then risk': async ({ userId, email }) => [await lose(email), await report(userId)],
  };
  const people: [string, Person][] = [];
  for (const [trick, play] of Object.entries(tricks)) {
    const person = await withBoth();
    await server.settleEvents();
    const before = (await told(person.email)).length;
    await play(person);
    people.push([trick, person]);
    expect([trick, await own(person), await bindsBy(person.email)]).toEqual([trick, 403, false]);
    if (trick !== 'PUT') expect([trick, (await told(person.email)).length > before]).toEqual([trick, true]);
  }
  await server.advanceClock(DAY - HOUR);
  for (const [trick, person] of people)
    expect([trick, await own(person), await bindsBy(person.email)]).toEqual([trick, 403, false]);
  await server.advanceClock(HOUR + 1);
  const binding: string[] = [];
  for (const [trick, { email }] of people) if (await bindsBy(email)) binding.push(trick);
  expect(binding).toEqual(Object.keys(tricks).filter((trick) => trick !== 'PUT'));
});

test('A19: a phone number that an attacker who reads the mailbox adds and verifies does not count as a second factor', async () => {
  const { email, userId, passkey } = await withPasskey();
  const number = newPhoneNumber();
  expect((await main.change(userId, { phone_number: number })).status).toBe(200);
  for (const time of ['now', 'next']) {
    const both = await main.byBoth(email, number);
    expect([time, readSub(both), readAcr(both)]).toEqual([time, userId, undefined]);
    expect([time, (await main.bind(both.body)).status]).toEqual([time, 401]);
  }
  expect(await listPasskeys(userId)).toHaveLength(1);
  const owner = await logInAsOwner(email, passkey);
  expect([readSub(owner), (await main.bind(owner.body)).status]).toEqual([userId, 200]);
});
