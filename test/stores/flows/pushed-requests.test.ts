import { expect, test } from '@jest/globals';
import { pushedRequests } from '../../../shared/dynamo/flows/pushed-requests.ts';
import type { PushedRequest } from '../../../shared/ports/authorization.ts';
import { somePushedRequest } from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('pushed authorization requests', (store) => {
  const requests = () => pushedRequests(store().table('flows'));

  async function stored(): Promise<PushedRequest> {
    const request = somePushedRequest();
    await requests().put(request);
    return request;
  }
  const raw = (hash: string) =>
    store()
      .table('flows')
      .get({ pk: `par#${hash}`, sk: 'par' });

  test('only one of 30 concurrent browsers can load a pushed authorization request', async () => {
    const request = await stored();
    const got = await atOnce(30, (n) => requests().spend(request, `browser-${n}`, T + 1));
    expect(got.filter((found) => found !== undefined)).toEqual([request]);
  });

  test('a client cannot use the pushed authorization request of another client', async () => {
    const request = await stored();
    const { hash } = request;
    const got = await atOnce(31, (n) =>
      requests().spend(n === 15 ? request : { hash, clientId: `other-${n}` }, `browser-${n}`, T),
    );
    expect(got.filter((found) => found !== undefined)).toEqual([request]);
    expect(await raw(hash)).toMatchObject({ browser_hash: 'browser-15' });
  });

  test('the first browser that loads a pushed authorization request is the only one that can load it again', async () => {
    const request = await stored();
    const [own, other] = [unique('browser'), unique('browser')];
    for (const at of [T, T + 1, T + 59]) {
      expect(await requests().spend(request, own, at)).toEqual(request);
      expect(await requests().spend(request, other, at)).toBeUndefined();
    }
    expect(await requests().spend(request, own, T + 60)).toBeUndefined();
  });

  test('ten concurrent loads of a pushed authorization request by one browser all succeed', async () => {
    const request = await stored();
    const browser = unique('browser');
    const got = await atOnce(10, () => requests().spend(request, browser, T));
    expect(got).toEqual(Array.from({ length: 10 }, () => request));
  });

  test('an expired pushed authorization request cannot be loaded', async () => {
    const request = await stored();
    expect(await requests().spend(request, 'late', T + 60)).toBeUndefined();
    expect(await raw(request.hash)).not.toHaveProperty('browser_hash');
    expect(await requests().spend(request, 'early', T + 59)).toEqual(request);
  });

  test('loading a pushed authorization request with an unknown or invalid key returns nothing', async () => {
    const unknown = unique('hash');
    for (const hash of [unknown, '', '\ud800', 'x'.repeat(5000)])
      expect(await requests().spend({ hash, clientId: 'client' }, 'browser', T)).toBeUndefined();
    expect(await raw(unknown)).toBeUndefined();
  });

  test('storing a pushed authorization request again does not make it available to another browser', async () => {
    const request = await stored();
    await requests().spend(request, 'own', T);
    await requests().put(request);
    expect(await requests().spend(request, 'other', T)).toBeUndefined();
  });

  test('a pushed authorization request is deleted one hour after its expiry', async () => {
    const request = await stored();
    const { hash } = request;
    expect(await raw(hash)).toMatchObject({ purge_at: T + 60 + 3600 });
    await requests().spend(request, 'browser', T);
    expect(await raw(hash)).toMatchObject({ purge_at: T + 60 + 3600 });
  });
});
