import { expect, test } from '@jest/globals';
import { magicLinks } from '../../../shared/dynamo/flows/magic-links.ts';
import { someLink, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('magic links', (store) => {
  const links = () => magicLinks(store().table('flows'));

  async function stored(change: Parameters<typeof someLink>[0] = {}) {
    const link = someLink(change);
    await links().put(link);
    return link;
  }

  test('a stored magic link is read back unchanged', async () => {
    const link = await stored({
      state: '',
      requestIdHash: 'request',
      deliveredToHash: 'to',
      deviceId: 'device',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
      interstitial: true,
    });
    expect(await links().find(link.hash)).toEqual(link);
    expect(await links().find('unknown')).toBeUndefined();
  });

  test('the caller that consumed a magic link can restore it unchanged', async () => {
    const link = await stored({ deliveredToHash: 'to', deviceId: 'device', userAgent: 'agent' });
    await links().consume(link.hash, T + 1, 'holder');
    await links().undoConsume(link, 'holder');
    expect(await links().find(link.hash)).toEqual(link);
    await links().revoke(link.hash);
    await links().undoConsume(link, 'holder');
    expect(await links().find(link.hash)).toBeUndefined();
  });

  test('a revoked or unknown magic link cannot be consumed', async () => {
    const link = await stored();
    await links().revoke(link.hash);
    expect(await links().consume(link.hash, T + 1)).toBe(false);
    expect(await links().find(link.hash)).toBeUndefined();
    expect(await links().consume('unknown', T + 1)).toBe(false);
  });

  test('a magic link is deleted one day after its use', async () => {
    const link = await stored();
    const purgeAt = async () =>
      (
        await store()
          .table('flows')
          .get({ pk: `link#${link.hash}`, sk: 'link' })
      )?.purge_at;
    expect(await purgeAt()).toBe(link.sentAt + 86_400);
    await links().consume(link.hash, T + 5);
    expect(await purgeAt()).toBe(T + 5 + 86_400);
  });
});
