import { expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { findRecoveryToAnnounce } from '../../../shared/domain/hosted-login/announced-loss.ts';
import type { OpenLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { PROVEN_GENERATIONS, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import { beginRecovery, grantRecovery } from '../../../shared/domain/users/pending-recovery.ts';
import type { PendingRecovery } from '../../../shared/ports/people.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { provenTrust, someTenant, someUse, someUser } from '../../support/server/records.ts';
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
