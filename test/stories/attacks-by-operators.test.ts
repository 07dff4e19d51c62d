// The attacker is an operator with the role `support`, who sets a mailbox or phone number of their own for a user.
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../support/fixtures/application.ts';
import { readHeading } from '../support/fixtures/hosted-login.ts';
import { createOperator } from '../support/fixtures/operators.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { takes } from '../support/tools/full-run.ts';
import { ADDITIONAL_FACTOR_REQUIRED, CONFIRM, DAY, HOUR, readSub, useTenant } from './people.ts';

const { server, main, supportFor, withMail, withBoth, withPasskey, readRecord, asOperator, ...pages } =
  useTenant();
const { told, linkTo, press } = pages;

type Attribute = 'email' | 'phone_number';
const own = (attribute: Attribute) => (attribute === 'email' ? newEmail('support') : newPhoneNumber());

/** Creates a user with a verified email address and phone number. Support replaces one of them by the operator's own. */
async function replaced(attribute: Attribute, isRemovedFirst = false) {
  const person = await withBoth();
  const [support, theirs] = [await supportFor(person.userId), own(attribute)];
  if (isRemovedFirst) expect((await support.set({ [attribute]: null })).status).toBe(200);
  const answer = await support.set({ [attribute]: theirs });
  expect(answer.status).toBe(200);
  const other = attribute === 'email' ? person.phone : person.email;
  const former = attribute === 'email' ? person.email : person.phone;
  return { ...person, theirs, former, other, support, record: answer.body.result[attribute] };
}

const CASES = (['email', 'phone_number'] as const).flatMap((attribute) =>
  [false, true].map((isRemovedFirst) => ({ attribute, isRemovedFirst })),
);

describe('A22: address set by a support operator', () => {
  test.each(CASES.filter((_, index) => takes(index, 2)))(
    'a user cannot log in with only an address set by support until one day has passed ($attribute, removed first: $isRemovedFirst)',
    async ({ attribute, isRemovedFirst }) => {
      const { theirs, other, userId, record } = await replaced(attribute, isRemovedFirst);
      expect(record).toMatchObject({ value: theirs, opens_at: expect.any(String) });
      const opensAt = Date.parse((record as { opens_at: string }).opens_at) / 1000;
      expect(Math.abs(opensAt - Date.now() / 1000 - DAY)).toBeLessThan(5 * 60);
      expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
      expect(readHeading(await main.onPages(theirs))).toBe(CONFIRM);
      await server.advanceClock(DAY - HOUR);
      expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
      await server.advanceClock(HOUR + 60);
      const late = await main.byCode(theirs);
      expect(readSub(late)).toBe(userId);
      expect((await main.bind(late.body)).status).toBe(401);
      expect(readSub(await main.byCode(other))).toBe(userId);
      expect((await main.onPages(theirs)).left?.searchParams.get('code')).toEqual(expect.any(String));
    },
  );

  test.each(CASES.filter((_, index) => takes(index, 2)))(
    'if support changes an address, all other addresses get an undo link ($attribute, removed first: $isRemovedFirst)',
    async ({ attribute, isRemovedFirst }) => {
      const people = [await replaced(attribute, isRemovedFirst), await replaced(attribute, isRemovedFirst)];
      await server.settleEvents();
      await server.advanceClock(DAY - HOUR);
      for (const [index, { userId, former, other, theirs }] of people.entries()) {
        expect(await told(theirs)).toEqual([]);
        const links = [await linkTo(former), await linkTo(other)];
        expect(links).toEqual([expect.any(String), expect.any(String)]);
        await press(links[index]);
        expect(JSON.stringify((await readRecord(userId))[attribute] ?? {})).not.toContain(theirs);
        expect(readSub(await main.byCode(other))).toBe(userId);
      }
      expect((await readRecord(people[0]?.userId ?? ''))[attribute]).toMatchObject({
        value: people[0]?.former,
      });
    },
  );

  test('the application cannot switch off the notices about an address that support changes', async () => {
    await withApplication(server, { notices: { contactChanged: false } }, async () => {
      for (const attribute of ['email', 'phone_number'] as const) {
        const { former, other } = await replaced(attribute);
        expect([await linkTo(former), await linkTo(other)]).toEqual([expect.any(String), expect.any(String)]);
      }
    });
  });

  test('a user can log in with only an address set by support after using the address and another factor in one session', async () => {
    for (const attribute of ['email', 'phone_number'] as const) {
      const { theirs, other, userId } = await replaced(attribute);
      expect(readSub(await main.byBoth(other, theirs))).toBe(userId);
      for (const to of [theirs, other]) expect(readSub(await main.byCode(to))).toBe(userId);
    }
  });

  test('after using an address set by support in a session of the replaced address, a user can log in with only the new address', async () => {
    const { email, userId } = await withMail();
    const theirs = own('email');
    const { session_id } = (await main.byCode(email)).body;
    await (await supportFor(userId)).set({ email: theirs, end_sessions: false });
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    expect(readSub(await main.byCode(theirs, { session_id }))).toBe(userId);
    expect(readSub(await main.byCode(theirs))).toBe(userId);
  });

  test('after the recovery delay, a user can log in and add credentials with only an address that support has set', async () => {
    const { userId, email } = await withMail();
    const theirs = own('email');
    await (await supportFor(userId)).set({ email: theirs });
    expect(await linkTo(email)).toEqual(expect.any(String));
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    await server.advanceClock(DAY + 60);
    const late = await main.byCode(theirs);
    expect(readSub(late)).toBe(userId);
    expect((await main.bind(late.body)).status).toBe(200);
  });

  test('a user can log in immediately with an address that an admin sets as verified', async () => {
    const { theirs, userId } = await replaced('email');
    const admin = await createOperator(server, 'admin');
    const { status } = await server.request(`/v1/users/${userId}`, {
      method: 'PUT',
      headers: { ...admin.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ email: theirs, email_verified: true }),
    });
    expect(status).toBe(200);
    expect(readSub(await main.byCode(theirs))).toBe(userId);
  });

  test('a user without a verified address can log in immediately with an address set by support', async () => {
    const userId = await main.make({ email: newEmail() });
    const theirs = own('email');
    const { body } = await (await supportFor(userId)).set({ email: theirs });
    expect(body.result.email).toEqual({ value: theirs, email_verified: false });
    expect(readSub(await main.byCode(theirs))).toBe(userId);
  });

  test('an address set by support does not invalidate an address that the user verifies later', async () => {
    const email = newEmail();
    const userId = await main.make({ email });
    const theirs = own('phone_number');
    await (await supportFor(userId)).set({ phone_number: theirs });
    expect(readSub(await main.byCode(email))).toBe(userId);
    await server.advanceClock(DAY + 60);
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    expect(readSub(await main.byBoth(email, theirs))).toBe(userId);
  });
});

describe('A23: attempts by support to shorten the delay until an address set by support can be used for a login', () => {
  type Support = Awaited<ReturnType<typeof supportFor>>;
  const ACTS: Readonly<Record<string, (support: Support, theirs: string) => Promise<unknown>>> = {
    'a granted recovery': (support) => support.grant(),
    'a reported risk': (support) => support.reportRisk(),
    'an unlocking': (support) => support.unlock(),
    'another letter case': (support, theirs) => support.set({ email: theirs.toUpperCase() }),
    'the same change again': (support, theirs) => support.set({ email: theirs }),
    'a removal between': async (support, theirs) => {
      await support.set({ email: null });
      await support.set({ email: theirs });
    },
    'another address between': async (support, theirs) => {
      await support.set({ email: own('email') });
      await support.set({ email: theirs });
    },
    'another external ID': (support) => support.set({ external_user_id: newEmail('crm') }),
  };

  test.each(Object.keys(ACTS).filter((_, index) => takes(index, 4)))(
    '%s by support neither shortens the delay of an address set by support nor prevents its notices',
    async (name) => {
      const act = ACTS[name];
      const [first, last] = [await withBoth(), await withBoth()];
      for (const [person, isFirst] of [
        [first, true],
        [last, false],
      ] as const) {
        const [support, theirs] = [await supportFor(person.userId), own('email')];
        if (isFirst) await act?.(support, theirs);
        expect((await support.set({ email: theirs })).status).toBe(200);
        if (!isFirst) await act?.(support, theirs);
        for (const to of [person.email, person.phone])
          expect([to, await linkTo(to)]).toEqual([to, expect.any(String)]);
        expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
        await press(await linkTo(person.phone));
        expect((await readRecord(person.userId)).email).toMatchObject({ value: person.email });
      }
    },
  );

  test('a recovery or risk report by support does not shorten the delay until an address set by support can be used for a login', async () => {
    const { theirs, userId, phone } = await replaced('email');
    await server.advanceClock(DAY / 2);
    const support = await supportFor(userId);
    expect((await support.grant()).status).toBe(200);
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    expect((await support.reportRisk()).status).toBe(200);
    await server.advanceClock(DAY / 2 - HOUR);
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    expect((await main.byCode(phone)).status).toBe(400);
  });

  test('if no other address could be notified, an address set by support suffices for a login only after a login with another factor', async () => {
    const { userId, passkey, email } = await withPasskey();
    const { users } = await server.ports(['users']);
    const since = Math.floor(Date.now() / 1000);
    const user = { userId, tenantId: server.environment.tenant_id, createdAt: since };
    await users.markUndeliverable(user, email, { reason: 'bounce', since });
    const theirs = own('email');
    const { body } = await (await supportFor(userId)).set({ email: theirs });
    expect(body.result.email).toMatchObject({ opens_at: expect.stringMatching(/^9999-/) });
    await server.advanceClock(31 * DAY);
    expect(await main.byCode(theirs)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
    const { session_id } = (await main.byPasskey(passkey)).body;
    expect(readSub(await main.byCode(theirs, { session_id }))).toBe(userId);
    expect(readSub(await main.byCode(theirs))).toBe(userId);
  });

  test('a phone number still receives notices about new addresses for one day after it is flagged as at risk', async () => {
    const [soon, late] = [await withNumber(), await withNumber()];
    for (const { userId } of [soon, late]) await (await supportFor(userId)).reportRisk();
    const [mailbox, another] = [own('email'), own('email')];
    await (await supportFor(soon.userId)).set({ email: mailbox });
    const link = await linkTo(soon.phone);
    expect(link).toEqual(expect.any(String));
    await press(link);
    expect(await readRecord(soon.userId)).not.toHaveProperty('email');

    await server.advanceClock(DAY + 60);
    await (await supportFor(late.userId)).set({ email: another });
    expect((await readRecord(late.userId)).email).toMatchObject({
      opens_at: expect.stringMatching(/^9999-/),
    });
    await server.advanceClock(DAY + 60);
    expect(await main.byCode(another)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
  });
});

/** Creates a user whose only factor is a verified phone number. */
async function withNumber() {
  const phone = newPhoneNumber();
  const userId = await main.make({ phone_number: phone });
  expect(readSub(await main.byCode(phone))).toBe(userId);
  return { phone, userId };
}
