import { expect, test } from '@jest/globals';
import { holders as storedHolders } from '../../../shared/dynamo/people/holders.ts';
import { identifierReservations } from '../../../shared/dynamo/people/identifiers.ts';
import { passkeyRecords } from '../../../shared/dynamo/people/passkeys.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('owners of identifiers and credentials', (store) => {
  const holders = () => storedHolders(store().table('people'));
  const now = () => Math.floor(Date.now() / 1000);

  test('the owners of 130 identifiers are returned in the order of the identifiers', async () => {
    const [tenant, id] = [unique('tenant'), unique('credential')];
    const names = Array.from({ length: 130 }, (_, n) => ({ type: 'username', value: `name-${n}` }));
    for (const n of [0, 3, 129])
      await identifierReservations(store().table('people')).reserve(
        tenant,
        names[n] as never,
        `user-${n}`,
        T,
      );
    await passkeyRecords(store().table('people')).reserve(id, 'user-id', T);
    const found = await holders().find(tenant, [...names, names[3] as never], [unique('free'), id, id]);
    expect(found).toHaveLength(134);
    expect(found.flatMap((userId, at) => (userId ? [[at, userId]] : []))).toEqual([
      [0, 'user-0'],
      [3, 'user-3'],
      [129, 'user-129'],
      [130, 'user-3'],
      [132, 'user-id'],
      [133, 'user-id'],
    ]);
    expect(await holders().find(unique('tenant'), names, [])).toEqual(names.map(() => undefined));
  });

  test('a credential ID with an expired reservation has no owner', async () => {
    const [held, past] = [unique('credential'), unique('credential')];
    const records = passkeyRecords(store().table('people'));
    await records.reserve(held, 'user', T, now() + 60);
    await records.reserve(past, 'user', T, now());
    const impossible = { type: 'username', value: 'x'.repeat(3000) };
    expect(await holders().find('tenant', [impossible], [held, past])).toEqual([
      undefined,
      'user',
      undefined,
    ]);
  });
});
