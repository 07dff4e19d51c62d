import { expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { begun, unproven } from '../../../shared/domain/trust/generations.ts';
import { beginWait, grantRecovery } from '../../../shared/domain/users/wait.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { provenTrust, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const NUMBER = '+12015550123';
const anywhere = { smsCountries: 'any' } as const;
const windows = { count: async () => ({ admitted: true, exhausted: false, fill: 0 }) as const };

describeStore('a wait for what is lost', (store) => {
  const ports = () => ({ ...storedPorts(store()), windows });

  async function phoneUser() {
    const tenant = someTenant();
    const { userId } = await makeUser(ports(), tenant, { phone_number: NUMBER });
    await ports().users.recordLogin({
      ...{ userId, at: nowSeconds(), generations: unproven },
      proven: { attribute: 'phoneNumber', value: NUMBER, trust: provenTrust, handover: begun },
    });
    return { tenant, userId };
  }

  test('is impossible where the one proven number is in a country that gets no text', async () => {
    const { tenant, userId } = await phoneUser();
    const ask = (settings: Parameters<typeof beginWait>[1]) =>
      beginWait(ports(), settings, { tenant, userId, kinds: ['phone'] }, nowSeconds());
    await expect(ask({ smsCountries: ['DE'] })).rejects.toMatchObject({ key: 'recovery_impossible' });
    expect(await ask(anywhere)).toMatchObject({ isNew: true });
  });

  test('that is granted while another is asked for stays granted', async () => {
    const { tenant, userId } = await phoneUser();
    const at = nowSeconds();
    const meanwhile = {
      count: async () => {
        await grantRecovery(ports(), { ...tenant, userId }, at);
        return windows.count();
      },
    };
    const asked = await beginWait(
      { ...ports(), windows: meanwhile },
      anywhere,
      { tenant, userId, kinds: ['phone'] },
      at,
    );
    expect(asked).toMatchObject({ isNew: false, wait: { cause: 'granted', effectiveAt: at } });
    expect((await ports().userRecords.find(userId))?.wait?.effectiveAt).toBe(at);
  });
});
