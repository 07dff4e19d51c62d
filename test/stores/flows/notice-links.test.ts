import { expect, test } from '@jest/globals';
import { EXPIRED_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { noticeLinks } from '../../../shared/dynamo/flows/notice-links.ts';
import { noticeLinkKey } from '../../../shared/dynamo/keys.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('notice links', (store) => {
  test('a notice link with an extended expiry stays valid until the new expiry', async () => {
    const table = store().table('flows');
    const links = noticeLinks(table);
    const hash = unique('hash');
    await links.put({ hash, target: 'sealed', expiresAt: T + 10 });
    await links.extend(hash, T + 100);
    expect(await links.find(hash, T + 99)).toMatchObject({ hash });
    expect(await links.find(hash, T + 100)).toBeUndefined();
    const { expires_at, purge_at } = (await table.get(noticeLinkKey(hash))) ?? {};
    expect([expires_at, purge_at]).toEqual([T + 100, T + 100 + EXPIRED_KEPT_SECONDS]);
  });
});
