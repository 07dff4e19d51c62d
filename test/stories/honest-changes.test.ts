// Legitimate users change their addresses, lose a factor, or undo the changes that a thief has made.
import { expect, test } from '@jest/globals';
import { readHeading } from '../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import {
  ACCOUNT,
  ADDITIONAL_FACTOR_REQUIRED,
  createClientFor,
  DAY,
  HOUR,
  MINUTE,
  readSub,
  useTenant,
} from './people.ts';

const tenant = useTenant();
const { server, main, claimed, withMail, withBoth, withPasskey, readRecord, listPasskeys, asOperator } =
  tenant;
const { told, linkTo, press, leadsToAnother, wayBack, replaceOnAccount, lose, mentionsLoss } = tenant;
const { supportFor, readEverything, givePasskey, browser } = tenant;

/** Returns true if a login with only an email code is enough to add a passkey. */
const bindsByMail = async ({ email }: { readonly email: string }) =>
  (await main.bind((await main.byCode(email)).body)).status === 200;

/** Returns true if the phone number received notices, none of which has a link. */
const textedWithoutLink = async (phone: string) => {
  const texts = await told(phone);
  return texts.length > 0 && texts.every(({ links }) => links.length === 0);
};

test('H3: setting a phone number as verified, or with a recent session of the user, does not invalidate other credentials', async () => {
  const verifier = await createClientFor(server, main, ['users:edit', 'users:verify']);
  const ways = [
    (userId: string, phone_number: string, session_id: string) =>
      main.change(userId, { phone_number, session_id }),
    (userId: string, phone_number: string) =>
      verifier.change(userId, { phone_number, phone_number_verified: true }),
  ];
  const { users } = await server.ports(['users']);
  for (const put of ways) {
    const [{ email, userId, tokens }, phone] = [await withMail(), newPhoneNumber()];
    expect((await put(userId, phone, tokens.session_id)).status).toBe(200);
    expect((await users.find(userId))?.changes).toMatchObject([{ undoCondition: 'link' }]);
    for (const to of [phone, email, phone]) expect(readSub(await main.byCode(to))).toBe(userId);
  }

  // A client without the permission users:verify cannot set a verified address.
  const editor = await createClientFor(server, main, ['users:create', 'users:edit']);
  const person = await withMail();
  for (const said of [
    { phone_number: newPhoneNumber(), phone_number_verified: true },
    { email_verified: true },
  ]) {
    const made = server.post('/v1/users', { email: newEmail(), ...said }, { token: await editor.token() });
    for (const answer of [await editor.change(person.userId, said), await made])
      expect(answer).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('users:verify') },
      });
  }
  expect(await readRecord(person.userId)).not.toHaveProperty('phone_number');

  // A session that is older than ten minutes or was created without a factor is rejected, not ignored.
  const { userId, tokens } = await withMail();
  await server.advanceClock(11 * MINUTE);
  const byWord = await main.direct(userId);
  const before = await readRecord(userId);
  for (const { session_id } of [tokens, byWord])
    expect((await main.change(userId, { phone_number: newPhoneNumber(), session_id })).status).toBe(403);
  expect(await readRecord(userId)).toEqual(before);
});

test("H4: a login with a phone number that was set without a session invalidates the user's earlier credentials", async () => {
  const [{ email, userId, passkey }, phone] = [await withPasskey(), newPhoneNumber()];
  expect((await main.change(userId, { phone_number: phone })).status).toBe(200);
  expect(readSub(await main.byCode(phone))).toBe(userId);
  expect(await main.byCode(email)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
  expect((await main.byPasskey(passkey)).status).toBe(403);
  expect(await linkTo(email)).toBeDefined();

  // Each superseded credential is reinstated separately.
  const { session_id } = (await main.byCode(phone)).body;
  expect(readSub(await main.byCode(email, { session_id }))).toBe(userId);
  expect(readSub(await main.byCode(email))).toBe(userId);
  expect((await main.byPasskey(passkey)).status).toBe(403);
  expect(readSub(await main.byPasskey(passkey, { session_id }))).toBe(userId);
  expect(readSub(await main.byPasskey(passkey))).toBe(userId);

  // The link in the notice reinstates the email address once, within 7 days.
  const reader = await withMail();
  const added = newPhoneNumber();
  await main.change(reader.userId, { phone_number: added });
  await server.settleEvents();
  expect(readSub(await main.byCode(added))).toBe(reader.userId);
  const link = await linkTo(reader.email);
  await server.advanceClock(7 * DAY - HOUR);
  const page = await wayBack(link, added, reader.email);
  expect([page.status, readSub(await main.byCode(reader.email))]).toEqual([200, reader.userId]);
  expect((await press(link)).status).toBe(400);
  const third = newPhoneNumber();
  await main.change(reader.userId, { phone_number: third });
  await server.settleEvents();
  expect(readSub(await main.byCode(third))).toBe(reader.userId);
  const late = await linkTo(reader.email);
  await server.advanceClock(7 * DAY + 1);
  expect([late !== link, (await press(late)).status]).toEqual([true, 404]);

  // A notice by SMS has no link. Using an address that was never verified does not reinstate other credentials.
  const phoneOnly = newPhoneNumber();
  const other = await main.make({ phone_number: phoneOnly });
  await main.byCode(phoneOnly);
  const mailbox = newEmail();
  await main.change(other, { email: mailbox });
  expect(readSub(await main.byCode(mailbox))).toBe(other);
  expect(await textedWithoutLink(phoneOnly)).toBe(true);
  const unproven = await claimed();
  const bound = await main.register((await main.byCode(unproven.email)).body);
  const moved = newEmail();
  await main.change(unproven.userId, { email: moved });
  const own = await main.byCode(moved);
  await main.byCode(unproven.phone, { session_id: own.body.session_id });
  expect([readSub(own), (await main.byPasskey(bound.passkey)).status]).toEqual([unproven.userId, 403]);
});

test('H4: the API response and the user’s timeline explain the effect of setting a phone number without a session', async () => {
  type Answer = { result: { email?: object; phone_number?: object } };
  const [{ email, userId }, phone] = [await withMail(), newPhoneNumber()];
  const { body } = await main.put(`/v1/users/${userId}`, { phone_number: phone });
  const { result } = body as Answer;
  expect(result.phone_number).toEqual({
    value: phone,
    phone_number_verified: false,
    supersedes_account: true,
  });
  expect(result.email).toEqual({ value: email, email_verified: true });
  await server.settleEvents();
  const timeline = await server.get<{ result: Record<string, unknown>[] }>(`/v1/users/${userId}/timeline`, {
    token: await server.adminToken(),
  });
  expect(timeline.body.result).toContainEqual(
    expect.objectContaining({ type: 'user.phone_added', supersedes_account: 'phone_number' }),
  );

  expect(readSub(await main.byCode(phone))).toBe(userId);
  expect(await readRecord(userId)).toMatchObject({
    phone_number: { value: phone, phone_number_verified: true },
  });
  expect(await readRecord(userId)).not.toMatchObject({ phone_number: { supersedes_account: true } });
  const refused = await main.byCode(email);
  expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('session_id') } });

  // A number that is set with a session supersedes nothing, so the response has no warning.
  const joining = await withMail();
  const { body: joined } = await main.put(`/v1/users/${joining.userId}`, {
    phone_number: newPhoneNumber(),
    session_id: joining.tokens.session_id,
  });
  expect((joined as Answer).result.phone_number).not.toHaveProperty('supersedes_account');
});

test('H7: for 7 days, the owner can restore a phone number that was replaced on the account page', async () => {
  const { email, phone, userId } = await withBoth();
  const added = newPhoneNumber();
  const page = await replaceOnAccount(await main.account(email), added, phone);
  expect([readHeading(page), readSub(await main.byCode(email))]).toEqual([ACCOUNT, userId]);
  expect(readSub(await main.byCode(added))).toBe(userId);
  expect((await told(phone))[0]?.text).toContain('no longer belongs to your Demo account');

  const link = await linkTo(email);
  expect(link).toBeDefined();
  await server.advanceClock(7 * DAY - HOUR);
  // The link alone is not enough to undo the change, because the change was made with two factors.
  expect(leadsToAnother(await press(link))).toBe(true);
  await server.advanceClock(HOUR + 1);
  expect((await press(link)).status).toBe(404);
  expect(await readRecord(userId)).toMatchObject({ email: { value: email }, phone_number: { value: added } });
});

test('H8: a user who has reported a lost factor can add a credential with an email code after the recovery delay', async () => {
  const [waiting, stopped, found] = [await withBoth(), await withBoth(), await withBoth()];
  const [late, risky] = [await withBoth(), await withBoth()];
  // Waits so that the notice of the loss is the newest message.
  await server.settleEvents();
  const report = { signal: 'sim_swap' };
  expect((await main.put(`/v1/users/${risky.userId}/phone-risk`, report)).status).toBe(200);
  for (const { email, phone } of [waiting, stopped, found, late]) {
    expect(readHeading(await lose(email))).toBe('We’ve notified all your addresses');
    expect(await linkTo(email)).toBeDefined();
    expect(await textedWithoutLink(phone)).toBe(true);
  }
  // Reporting a risk for the phone number also starts a recovery.
  expect(await linkTo(risky.email)).toBeDefined();
  expect(await told(risky.phone)).toEqual([]);

  expect(mentionsLoss(await main.onPages(waiting.email))).toBe(true);
  expect((await press(await linkTo(stopped.email))).status).toBe(200);
  expect(readSub(await main.byCode(found.phone))).toBe(found.userId);
  await server.settleEvents();
  const everyone = { waiting, stopped, found, late, risky };
  const binding = async (people: object) => {
    const outcomes: string[] = [];
    for (const [name, person] of Object.entries(people)) if (await bindsByMail(person)) outcomes.push(name);
    return outcomes;
  };
  await server.advanceClock(DAY - HOUR);
  expect(await binding(everyone)).toEqual([]);
  await server.advanceClock(HOUR + 1);
  expect(await binding({ waiting, stopped, found, risky })).toEqual(['waiting', 'risky']);
  // Three days later, a login still does not require the lost factor.
  await server.advanceClock(3 * DAY + HOUR);
  expect(await binding({ stopped, found, late })).toEqual(['late']);
});

test('H9: a recovery granted by an operator or a client with `users:recover` takes effect immediately', async () => {
  const operator = await createClientFor(server, main, ['users:recover']);
  const grant = async (userId: string, token: string) =>
    (await server.put(`/v1/users/${userId}/recovery`, {}, { token })).status;
  for (const token of [await server.adminToken(), await operator.token()]) {
    const person = await withBoth();
    expect(await bindsByMail(person)).toBe(false);
    expect(await grant(person.userId, token)).toBe(200);
    expect(await bindsByMail(person)).toBe(true);
    expect(await linkTo(person.email)).toBeDefined();
    expect(await told(person.phone)).not.toEqual([]);
  }
  const powerful = await withBoth();
  await asOperator(powerful.userId, { roles: ['buyer'] });
  expect(await grant(powerful.userId, await operator.token())).toBe(403);
  expect(await bindsByMail(powerful)).toBe(false);
  expect(await grant(powerful.userId, await server.adminToken())).toBe(200);
});

test('H14: the link in a notice undoes the reported change and all later changes that a thief has made', async () => {
  const { email, phone, userId } = await withBoth();
  const own = await main.bind((await main.byBoth(email, phone)).body);
  // The thief replaces the email address and the phone number, removes the owner's passkey and adds another passkey.
  const [mailbox, number] = [newEmail('thief'), newPhoneNumber()];
  expect((await main.change(userId, { email: mailbox })).status).toBe(200);
  expect(readSub(await main.byCode(mailbox))).toBe(userId);
  await server.advanceClock(DAY);
  expect((await main.change(userId, { phone_number: number })).status).toBe(200);
  expect(readSub(await main.byCode(number))).toBe(userId);
  const [credential] = await listPasskeys(userId);
  const path = `/v1/users/${userId}/webauthn-credentials/${credential?.credential_id}`;
  expect((await server.delete(path, { token: await main.token() })).status).toBe(204);
  const thief = await main.byCode(number);
  const bound = await main.register(thief.body);
  expect(readSub(await main.byPasskey(bound.passkey))).toBe(userId);

  const page = await press(await linkTo(email));
  expect([page.status, readHeading(page)]).toEqual([200, 'Your email address is restored']);
  expect(await readRecord(userId)).toMatchObject({
    email: { value: email, email_verified: true },
    phone_number: { value: phone, phone_number_verified: true },
  });
  for (const to of [email, phone]) expect(readSub(await main.byCode(to))).toBe(userId);
  if (!own.passkey) throw new Error('the owner bound no passkey');
  expect(readSub(await main.byPasskey(own.passkey))).toBe(userId);
  expect((await main.byPasskey(bound.passkey)).status).toBe(403);
  for (const to of [mailbox, number]) expect(readSub(await main.byCode(to))).not.toBe(userId);
  const { session_id, refresh_token } = thief.body;
  expect((await main.post('/v1/auth/session/authenticate', { session_id })).status).toBe(400);
  expect((await main.post('/v1/auth/token/refresh', { refresh_token })).status).toBe(400);
});

test("H15: a backend can identify a user by external ID after the user's address has changed", async () => {
  const external_user_id = `crm-${newEmail()}`;
  const { email, userId } = await withMail({ external_user_id });
  const added = newEmail();
  await replaceOnAccount(await main.account(email), added);
  expect(await readRecord(userId)).toMatchObject({ email: { value: added } });
  const asBefore = { external_user_id, user_email: email };
  const hint = { external_user_id, webauthn_identifier: email };
  for (const days of [0, 400]) {
    await server.advanceClock(days * DAY);
    const { status, body } = await main.registerExternal(asBefore);
    expect([days, status, body.user_id]).toEqual([days, 200, userId]);
    const hinted = await main.registerByHint(hint);
    expect([days, hinted.status]).toEqual([days, 200]);
    expect(readSub(await main.byPasskey(await hinted.makePasskey()))).toBe(userId);
  }

  const other = await main.make({ email });
  expect(readSub(await main.byCode(email))).toBe(other);
  expect((await main.registerExternal(asBefore)).status).toBe(409);
  expect((await main.registerByHint(hint)).status).toBe(409);
  expect((await main.registerExternal({ external_user_id, user_email: added })).status).toBe(200);
});

test('H19: a user who lost the mailbox can log in with an address set by support, after the delay or with another factor', async () => {
  const owner = async () => {
    const [person, phone] = [await withPasskey(), newPhoneNumber()];
    const { session_id: begun } = (await main.byCode(person.email)).body;
    const { session_id } = (await main.byPasskey(person.passkey, { session_id: begun })).body;
    expect((await main.change(person.userId, { phone_number: phone, session_id })).status).toBe(200);
    expect(readSub(await main.byCode(phone, { session_id }))).toBe(person.userId);
    return { ...person, phone, next: newEmail('next') };
  };
  type Owner = Awaited<ReturnType<typeof owner>>;
  const passkeySession = async ({ passkey }: Owner) => (await main.byPasskey(passkey)).body.session_id;
  const ways: Readonly<Record<string, (person: Owner) => Promise<unknown>>> = {
    waits: () => server.advanceClock(DAY + MINUTE),
    givesInSession: async (person) => main.byCode(person.next, { session_id: await passkeySession(person) }),
    async givesOnPages({ next, passkey }) {
      const jar = browser();
      await givePasskey(jar, await main.onPages(next, {}, jar), passkey);
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    const person = await owner();
    await (await supportFor(person.userId)).set({ email: person.next });
    const session = await passkeySession(person);
    const before = await readEverything(person.userId);
    expect([name, await main.byCode(person.next)]).toMatchObject([name, ADDITIONAL_FACTOR_REQUIRED]);
    await way(person);
    expect([name, readSub(await main.byCode(person.next))]).toEqual([name, person.userId]);
    expect(await readRecord(person.userId)).toMatchObject({ email: { email_verified: true } });
    const after = await readEverything(person.userId);
    expect(after.passkeys.length).toBe(before.passkeys.length);
    expect(after.sessions).toContain(session);
    expect(readSub(await main.byCode(person.phone))).toBe(person.userId);
    expect(readSub(await main.byPasskey(person.passkey))).toBe(person.userId);
  }
});
