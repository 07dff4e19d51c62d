import { describe, expect, test } from '@jest/globals';
import { RECOVERY_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { findRecoveryToAnnounce } from '../../../shared/domain/hosted-login/announced-loss.ts';
import type { OpenLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { PROVEN_GENERATIONS, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import {
  beginRecovery,
  cancelRecovery,
  cancelsRecovery,
  grantRecovery,
  mustNotifyRecovery,
  NEVER,
} from '../../../shared/domain/users/pending-recovery.ts';
import type { AuthenticationMethod } from '../../../shared/ports/flows.ts';
import type { PendingRecovery, User } from '../../../shared/ports/people.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { provenTrust, someAddress, someTenant, someUse, someUser } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const NUMBER = '+12015550123';
const anywhere = { smsCountries: 'any' } as const;
const windows = { count: async () => ({ admitted: true, exhausted: false, fill: 0 }) as const };

describeStore('pending recovery of a lost factor', (store) => {
  const ports = () => ({ ...storedPorts(store()), windows });

  async function phoneUser() {
    const tenant = someTenant();
    const { userId } = await makeUser(ports(), tenant, { phone_number: NUMBER });
    await ports().users.recordLogin({
      ...{ userId, at: nowSeconds(), generations: UNPROVEN_GENERATIONS },
      proven: {
        attribute: 'phoneNumber',
        value: NUMBER,
        trust: provenTrust,
        newGenerations: PROVEN_GENERATIONS,
      },
    });
    return { tenant, userId };
  }

  test('a user whose only phone number is in a country without SMS cannot start a recovery', async () => {
    const { tenant, userId } = await phoneUser();
    const ask = (settings: Parameters<typeof beginRecovery>[1]) =>
      beginRecovery(ports(), settings, { tenant, userId, kinds: ['phone'] }, nowSeconds());
    await expect(ask({ smsCountries: ['DE'] })).rejects.toMatchObject({ key: 'recovery_impossible' });
    expect(await ask(anywhere)).toMatchObject({ isNew: true });
  });

  test('a repeated request for an open recovery does not count against the limit', async () => {
    const { tenant, userId } = await phoneUser();
    const asked = { tenant, userId, kinds: ['phone'] } as const;
    const { recovery } = await beginRecovery(ports(), anywhere, asked, nowSeconds());
    const used = {
      count: async () => ({ admitted: false, exhausted: true, fill: 1, retryAfterSeconds: 60 }) as const,
    };
    const repeated = await beginRecovery({ ...ports(), windows: used }, anywhere, asked, nowSeconds());
    expect(repeated).toEqual({ recovery, isNew: false });
  });

  test('a recovery requested by a user does not replace a recovery granted by an operator', async () => {
    const { tenant, userId } = await phoneUser();
    const at = nowSeconds();
    const meanwhile = {
      count: async () => {
        await grantRecovery(ports(), { ...tenant, userId }, at);
        return windows.count();
      },
    };
    const asked = await beginRecovery(
      { ...ports(), windows: meanwhile },
      anywhere,
      { tenant, userId, kinds: ['phone'] },
      at,
    );
    expect(asked).toMatchObject({ isNew: false, recovery: { cause: 'granted', effectiveAt: at } });
    expect((await ports().userRecords.find(userId))?.recovery?.effectiveAt).toBe(at);
  });
});

test('the first login during a pending recovery informs the user of the recovery', () => {
  const at = 1_000;
  const recovery = { cause: 'lost', effectiveAt: 2_000, endsAt: 3_000 } as unknown as PendingRecovery;
  const told = (progress: object, uses = [someUse()], time = at) =>
    findRecoveryToAnnounce({ progress } as OpenLogin, someUser({ recovery }), uses, time);
  expect(told({})).toBe(recovery);
  for (const progress of [{ heard: true }, { recovering: true }, { held: {} }])
    expect(told(progress)).toBeUndefined();
  expect(told({}, [])).toBeUndefined();
  expect(told({}, [someUse({ worth: 'quarantined' })])).toBeUndefined();
  expect(told({}, [someUse()], 3_000)).toBeUndefined();
});

const lost: PendingRecovery = {
  ...{ cause: 'lost', kinds: ['phone'], since: 1_000, effectiveAt: 2_000, endsAt: 3_000 },
};

test.each<[string, Partial<PendingRecovery>, number, boolean]>([
  ['a lost factor', {}, 2_999, true],
  ['a lost factor after its end', {}, 3_000, false],
  ['a recovery that an operator has granted', { cause: 'granted' }, 1_000, false],
  ['a recovery that takes effect only by an operator', { effectiveAt: NEVER }, 1_000, false],
])('logins announce the recovery of a user: %s (%j at %d: %s)', (_, change, at, isAnnounced) => {
  expect(mustNotifyRecovery({ ...lost, ...change }, at)).toBe(isAnnounced);
});

test.each<[AuthenticationMethod, Partial<PendingRecovery>, boolean]>([
  ['sms', {}, true],
  ['eotp', {}, false],
  ['otp', {}, false],
  ['sms', { endsAt: 1_000 }, false],
  ['sms', { cause: 'risk' }, false],
])('a login with the method %s cancels a recovery of a lost phone with %j: %s', (method, change, cancels) => {
  expect(cancelsRecovery({ ...lost, ...change }, method, 1_000)).toBe(cancels);
});

describe('starting and ending a recovery', () => {
  const phoneNumber = someAddress(NUMBER);
  const risk = { signal: 'sim_swap', observedAt: 1, reportedAt: 1 } as const;

  /** Creates a user with the given fields. `stored` contains each stored record. */
  function stored(change: Partial<User>) {
    const user = someUser({ phoneNumber, ...change });
    const records: User[] = [];
    const userRecords = {
      find: async () => user,
      replace: async (_: User, next: User) => records.push(next) > 0,
    };
    const membershipRecords = { listOfUser: async () => [] };
    return { user, records, ports: { userRecords, membershipRecords, windows } as never };
  }

  test('a new recovery takes effect after the delay, and includes the factors of an earlier recovery', async () => {
    const { user, ports, records } = stored({ recovery: { ...lost, kinds: ['passkey'] } });
    const tenant = someTenant({ tenantId: user.tenantId, recoveryDelayHours: 2 });
    const asked = { tenant, userId: user.userId, kinds: ['phone'] } as const;
    const times = { since: 3_000, effectiveAt: 10_200, endsAt: 10_200 + RECOVERY_SECONDS };
    const recovery = { cause: 'lost', kinds: ['passkey', 'phone'], ...times };
    expect(await beginRecovery(ports, anywhere, asked, 3_000)).toEqual({ recovery, isNew: true });
    expect(records).toEqual([{ ...user, recovery }]);
  });

  test('a recovery that an operator grants takes effect immediately', async () => {
    const { user, ports, records } = stored({});
    await grantRecovery(ports, user, 500);
    const times = { since: 500, effectiveAt: 500, endsAt: 500 + RECOVERY_SECONDS };
    const kinds = ['mail', 'phone', 'passkey', 'social'];
    expect(records).toEqual([{ ...user, updatedAt: 500, recovery: { cause: 'granted', kinds, ...times } }]);
  });

  test.each<[number, number | undefined, boolean]>([
    [2_999, undefined, true],
    [2_999, 1_000, true],
    [2_999, 1_001, false],
    [3_000, 1_000, false],
  ])(
    'a recovery is cancelled only before its end and by its own link (at %d, since %s: %s)',
    async (at, since, may) => {
      const { user, ports, records } = stored({ recovery: lost });
      const cancelling = cancelRecovery(ports, user, at, since);
      if (!may) return expect(cancelling).rejects.toMatchObject({ key: 'notice_link_over' });
      const { recovery: _, ...rest } = user;
      expect([await cancelling, records]).toEqual([rest, [rest]]);
    },
  );

  test('after a cancelled recovery, a phone number at risk is still required', async () => {
    const { user, ports, records } = stored({ recovery: lost, phoneNumber: { ...phoneNumber, risk } });
    await cancelRecovery(ports, user, 1_500);
    const recovery = { ...lost, kinds: ['phone'], effectiveAt: NEVER, endsAt: 1_500 };
    expect(records).toEqual([{ ...user, recovery }]);
  });
});
