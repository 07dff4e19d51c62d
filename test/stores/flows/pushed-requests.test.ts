import { expect, test } from '@jest/globals';
import { pushedRequests } from '../../../shared/dynamo/flows/pushed-requests.ts';
import type { PushedRequest } from '../../../shared/ports/authorization.ts';
import { somePushedRequest } from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('pushed requests', (store) => {
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

  test('of 30 browsers exactly one gets it, as it was stored', async () => {
    const request = await stored();
    const got = await atOnce(30, (n) => requests().spend(request.hash, `browser-${n}`, T + 1));
    expect(got.filter((found) => found !== undefined)).toEqual([request]);
  });

  test('only the browser that has it may load it again until it expires', async () => {
    const request = await stored();
    const [own, other] = [unique('browser'), unique('browser')];
    for (const at of [T, T + 1, T + 59]) {
      expect(await requests().spend(request.hash, own, at)).toEqual(request);
      expect(await requests().spend(request.hash, other, at)).toBeUndefined();
    }
    expect(await requests().spend(request.hash, own, T + 60)).toBeUndefined();
  });

  test('ten loads of one browser at once all get it', async () => {
    const request = await stored();
    const browser = unique('browser');
    const got = await atOnce(10, () => requests().spend(request.hash, browser, T));
    expect(got).toEqual(Array.from({ length: 10 }, () => request));
  });

  test('no browser gets an expired one, or becomes its owner', async () => {
    const request = await stored();
    expect(await requests().spend(request.hash, 'late', T + 60)).toBeUndefined();
    expect(await raw(request.hash)).not.toHaveProperty('browser_hash');
    expect(await requests().spend(request.hash, 'early', T + 59)).toEqual(request);
  });

  test('finds nothing by an unknown or impossible key, and writes nothing', async () => {
    const unknown = unique('hash');
    for (const hash of [unknown, '', '\ud800', 'x'.repeat(5000)])
      expect(await requests().spend(hash, 'browser', T)).toBeUndefined();
    expect(await raw(unknown)).toBeUndefined();
  });

  test('storing it again does not free it for another browser', async () => {
    const request = await stored();
    await requests().spend(request.hash, 'own', T);
    await requests().put(request);
    expect(await requests().spend(request.hash, 'other', T)).toBeUndefined();
  });

  test('it is swept an hour after its end', async () => {
    const { hash } = await stored();
    expect(await raw(hash)).toMatchObject({ purge_at: T + 60 + 3600 });
    await requests().spend(hash, 'browser', T);
    expect(await raw(hash)).toMatchObject({ purge_at: T + 60 + 3600 });
  });
});
