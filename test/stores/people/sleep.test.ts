import { describe, expect, test } from '@jest/globals';
import { isAsleep, isOver } from '../../../shared/domain/identifiers/sleep.ts';
import { addVerifiedAddress } from '../../../shared/domain/users/verified-address.ts';
import { wakeOfUser } from '../../../shared/domain/users/wake.ts';
import { deviceKeys } from '../../../shared/dynamo/people/device-keys.ts';
import { identifierReservations } from '../../../shared/dynamo/people/identifiers.ts';
import { passkeyRecords, passkeys } from '../../../shared/dynamo/people/passkeys.ts';
import { userRecords, users } from '../../../shared/dynamo/people/users.ts';
import type { Address, User } from '../../../shared/ports/people.ts';
import { useLossyStore } from '../../support/server/lossy-store.ts';
import { someTenant, someUser, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const email: Address = { value: 'ada@example.com', verified: false };
const phoneNumber: Address = { value: '+12015550100', verified: false };
const byMail = { attribute: 'email', value: email.value } as const;
const byText = { attribute: 'phoneNumber', value: phoneNumber.value } as const;

describeStore('the first proof of an address', (store) => {
  const known = () => users(store().table('people'));

  async function stored(change: Partial<User> = {}): Promise<User> {
    const user = someUser({ email, phoneNumber, status: 'Active', ...change });
    expect(await userRecords(store().table('people')).put(user)).toBe(true);
    return user;
  }

  test('puts the rest to sleep in the write that notes the login', async () => {
    const { userId } = await stored();
    expect(await known().recordLogin({ userId, at: T, proven: byMail, sleepsAt: T })).toBe(true);
    expect(await known().find(userId)).toMatchObject({
      asleepBefore: T,
      lastAuthAt: T,
      email: { verified: true, wokenAt: T },
      phoneNumber,
    });
  });

  test('and 16 logins by what sleeps then: all that come after it are refused', async () => {
    const { userId } = await stored();
    const logins = Promise.all(
      Array.from({ length: 16 }, (_, n) => known().recordLogin({ userId, at: T + n })),
    );
    expect(await known().recordLogin({ userId, at: T, proven: byMail, sleepsAt: T })).toBe(true);
    expect(await known().recordLogin({ userId, at: T + 99 })).toBe(false);
    await logins;
    expect(await known().recordLogin({ userId, at: T + 99, asleepBefore: T })).toBe(true);
  });

  test('comes first once: of 8 proofs of a mailbox and 8 of a number at once, one puts the other to sleep', async () => {
    const user = await stored();
    const proofs = Array.from({ length: 16 }, (_, n) =>
      n % 2 === 0
        ? known().putToSleep(user, byMail, T)
        : known().recordLogin({ userId: user.userId, at: T, proven: byText, sleepsAt: T }),
    );
    expect((await Promise.all(proofs)).filter(Boolean)).toHaveLength(1);
    const { email: mail, phoneNumber: number } = (await known().find(user.userId)) ?? {};
    expect([mail?.wokenAt, number?.wokenAt].filter((at) => at === T)).toHaveLength(1);
  });

  test('puts what was never proven to sleep too, and ends what a login has begun by then', async () => {
    const first = await stored();
    await known().putToSleep(first, byMail, T);
    const slept = (await known().find(first.userId)) as User;
    expect([isAsleep(slept, phoneNumber), isOver(slept, {})]).toEqual([true, false]);
    const late = await stored();
    await known().recordLogin({ userId: late.userId, at: T });
    // Read before that login.
    await known().putToSleep(late, byMail, T);
    const user = (await known().find(late.userId)) as User;
    expect([user.disputedAt, isAsleep(user, phoneNumber), isOver(user, {})]).toEqual([T, true, true]);
    const other = await stored();
    await known().recordLogin({ userId: other.userId, at: T });
    const read = { userId: other.userId, at: T, proven: byMail, sleepsAt: T };
    expect(await known().recordLogin({ ...read, disputes: false })).toBe(true);
    expect((await known().find(other.userId))?.disputedAt).toBe(T);
  });

  test('at one application alone limits no address that is proven in the tenant, of 16 at once in any order', async () => {
    const { userId } = await stored();
    const prove = (provenAt: string | null) =>
      known().recordLogin({ userId, at: T, proven: byMail, provenAt });
    expect(await prove('side')).toBe(true);
    expect((await known().find(userId))?.email).toEqual({ ...email, verified: true, provenAt: 'side' });
    const proofs = Array.from({ length: 16 }, (_, n) => prove(n === 7 ? null : 'side'));
    expect((await Promise.all(proofs)).every(Boolean)).toBe(true);
    expect((await known().find(userId))?.email).toEqual({ ...email, verified: true });
    const slept = await stored({ email: { ...email, verified: true, provenAt: 'side' } });
    await known().putToSleep(slept, byMail, T);
    expect((await known().find(slept.userId))?.email).toEqual({ ...email, verified: true, wokenAt: T });
  });

  test('puts nothing to sleep when the address is no longer the user’s', async () => {
    const user = await stored();
    const gone = { attribute: 'email', value: 'bob@example.com' } as const;
    expect(await known().putToSleep(user, gone, T)).toBe(false);
    expect(await known().recordLogin({ userId: user.userId, at: T, proven: gone, sleepsAt: T })).toBe(true);
    expect(await known().find(user.userId)).not.toHaveProperty('asleepBefore');
  });

  test('wakes an address that is proven again, and a later sleep needs the one before', async () => {
    const user = await stored();
    await known().putToSleep(user, byMail, T);
    const slept = { userId: user.userId, asleepBefore: T };
    expect(await known().recordLogin({ ...slept, at: T + 1, proven: byText })).toBe(true);
    expect((await known().find(user.userId))?.phoneNumber).toMatchObject({ verified: true, wokenAt: T });
    expect(await known().putToSleep(user, byMail, T + 2)).toBe(false);
    expect(await known().putToSleep(slept, byMail, T + 2)).toBe(true);
  });

  test('lets a login from before it wake nothing and add no number', async () => {
    const user = await stored({ lastAuthAt: T - 1, phoneNumber: { ...phoneNumber, verified: true } });
    await known().putToSleep(user, byMail, T);
    const ports = {
      userRecords: userRecords(store().table('people')),
      identifierReservations: identifierReservations(store().table('people')),
      sessions: { endAllOf: async () => 0 },
    };
    const tenant = someTenant({ tenantId: user.tenantId });
    await wakeOfUser(ports, tenant, user, ['phoneNumber']);
    const number = '+12015550101';
    const adding = addVerifiedAddress(
      ports,
      tenant,
      user.userId,
      { phone_number: number, phone_number_verified: true },
      T,
      () => {},
      {
        ownSessionId: undefined,
      },
    );
    await expect(adding).rejects.toMatchObject({ key: 'access_denied' });
    const slept = (await known().find(user.userId)) as User;
    expect(slept.phoneNumber?.value).toBe(phoneNumber.value);
    expect(isAsleep(slept, slept.phoneNumber ?? {})).toBe(true);
  });

  test('nothing that is gone wakes', async () => {
    const { userId } = await stored();
    await passkeys(store().table('people')).wake(userId, 'gone', T);
    await deviceKeys(store().table('people')).wake(userId, 'gone', T);
    expect(await passkeyRecords(store().table('people')).listOf(userId)).toEqual([]);
    expect(await deviceKeys(store().table('people')).listOf(userId)).toEqual([]);
  });

  describe('when the answer is lost', () => {
    const { proxy, table } = useLossyStore(store);

    test('has still come first', async () => {
      const user = await stored();
      proxy().lose('UpdateItem', 'break');
      expect(await users(table('people')).putToSleep(user, byMail, T)).toBe(true);
      expect(await users(table('people')).putToSleep(user, byMail, T)).toBe(false);
    });
  });
});
