import { expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { createUser } from '../../../shared/domain/users/create-user.ts';
import { grantRecovery, requestRecovery } from '../../../shared/domain/users/recovery.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const NUMBER = '+12015550123';
const anywhere = { smsCountries: 'any' } as const;
const windows = { count: async () => ({ admitted: true, exhausted: false, fill: 0 }) as const };

describeStore('recovery', (store) => {
  const ports = () => ({ ...storedPorts(store()), windows });

  async function phoneUser() {
    const tenant = someTenant();
    const { userId } = await createUser(ports(), tenant, { phone_number: NUMBER }, nowSeconds());
    await ports().users.recordLogin({
      ...{ userId, at: nowSeconds() },
      proven: { attribute: 'phoneNumber', value: NUMBER },
    });
    return { tenant, userId };
  }

  test('is impossible where the one proven number is in a country that gets no text', async () => {
    const { tenant, userId } = await phoneUser();
    const ask = (settings: Parameters<typeof requestRecovery>[1]) =>
      requestRecovery(ports(), settings, tenant, userId, ['sms'], nowSeconds());
    await expect(ask({ smsCountries: ['DE'] })).rejects.toMatchObject({ key: 'recovery_impossible' });
    expect(await ask(anywhere)).toMatchObject({ isNew: true });
  });

  test('that is granted while another is asked for stays granted', async () => {
    const { tenant, userId } = await phoneUser();
    const at = nowSeconds();
    const meanwhile = {
      count: async () => {
        await grantRecovery(ports(), tenant, userId, at);
        return windows.count();
      },
    };
    const asked = await requestRecovery(
      { ...ports(), windows: meanwhile },
      anywhere,
      tenant,
      userId,
      ['sms'],
      at,
    );
    expect(asked).toMatchObject({ isNew: false, recovery: { effectiveAt: at } });
    expect((await ports().userRecords.find(userId))?.recovery?.effectiveAt).toBe(at);
  });
});
