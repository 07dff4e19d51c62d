import { describe, expect, test } from '@jest/globals';
import { upstreamLogins } from '../../../shared/dynamo/flows/upstream-logins.ts';
import type { UpstreamLogin } from '../../../shared/ports/authorization.ts';
import { someUpstreamLogin } from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('logins at identity providers', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const logins = () => upstreamLogins(store().table('flows'));
  const lossy = () => upstreamLogins(table('flows'));

  async function stored(change: Partial<UpstreamLogin> = {}): Promise<UpstreamLogin> {
    const login = someUpstreamLogin(change);
    await logins().put(login);
    return login;
  }

  test('a login at an identity provider is deleted one hour after its expiry', async () => {
    const { hash, expiresAt } = await stored();
    const item = await store()
      .table('flows')
      .get({ pk: `upstream#${hash}`, sk: 'upstream' });
    expect(item?.purge_at).toBe(expiresAt + 3600);
  });

  test('reading a login at an identity provider with an unknown or invalid key returns nothing', async () => {
    for (const hash of [unique('hash'), '', '\ud800', 'x'.repeat(5000)]) {
      expect(await logins().storeResponse(hash, 'sealed', T)).toBe(false);
      expect(await logins().find(hash)).toBeUndefined();
    }
  });

  describe('responses that identity providers send through a browser by POST', () => {
    test('only one of 30 concurrent responses of an identity provider is stored', async () => {
      const { hash } = await stored();
      const kept = await atOnce(30, (n) => logins().storeResponse(hash, `answer ${n}`, T));
      expect(kept.filter(Boolean)).toHaveLength(1);
      expect((await logins().find(hash))?.answer).toBe(`answer ${kept.indexOf(true)}`);
    });

    test('a response of an identity provider is not stored after its login has expired', async () => {
      const [consumed, expired] = [await stored(), await stored()];
      await logins().consume(consumed.hash, T);
      expect(await logins().storeResponse(consumed.hash, 'late', T)).toBe(false);
      expect(await logins().storeResponse(expired.hash, 'late', expired.expiresAt)).toBe(false);
      expect((await logins().find(consumed.hash))?.answer).toBeUndefined();
    });

    test('storing a response of an identity provider succeeds if the DynamoDB response is lost', async () => {
      const { hash } = await stored();
      proxy().lose('UpdateItem', 'break');
      expect(await lossy().storeResponse(hash, 'first', T)).toBe(true);
      expect(await lossy().storeResponse(hash, 'second', T)).toBe(false);
    });
  });
});
