import { expect, test } from '@jest/globals';
import { formerIssuers } from '../../../shared/dynamo/directory/former-issuers.ts';
import { T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('previous issuers of applications', (store) => {
  test('the previous issuer of an application cannot be found after the end of the migration period', async () => {
    const issuers = formerIssuers(store().table('directory'));
    const former = {
      ...{ applicationId: 'app', issuer: 'https://old.example.com', audience: 'shop', until: T },
      jwksUri: 'https://old.example.com/jwks',
    };
    await issuers.put(former);
    expect(await issuers.find('app', T - 1)).toEqual(former);
    expect(await issuers.find('app', T)).toBeUndefined();
    await issuers.remove('app');
    expect(await issuers.find('app', T - 1)).toBeUndefined();
  });
});
