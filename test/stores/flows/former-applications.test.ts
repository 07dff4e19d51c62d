import { expect, test } from '@jest/globals';
import { formerApplications } from '../../../shared/dynamo/flows/former-applications.ts';
import { formerApplicationKey } from '../../../shared/dynamo/keys.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('the list of deleted applications', (store) => {
  test('the list of a tenant’s deleted applications contains each application until its entry expires', async () => {
    const applications = formerApplications(store().table('flows'));
    const [tenant, other] = [unique('tenant'), unique('tenant')];
    await applications.remember(tenant, 'app-1', T + 10);
    await applications.remember(tenant, 'app-1', T + 20);
    await applications.remember(tenant, 'app-2', T + 10);
    await applications.remember(other, 'app-3', T + 10);
    expect((await applications.listOf(tenant, T + 9)).toSorted()).toEqual(['app-1', 'app-2']);
    expect(await applications.listOf(tenant, T + 10)).toEqual(['app-1']);
    expect(await applications.listOf(tenant, T + 20)).toEqual([]);
    expect(await store().table('flows').get(formerApplicationKey(tenant, 'app-2'))).toMatchObject({
      purge_at: T + 10 + 3600,
    });
  });
});
