import { expect, test } from '@jest/globals';
import { consents } from '../../../shared/dynamo/people/consents.ts';
import type { Consent } from '../../../shared/ports/consents.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { someConsent, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('stored consents', (store) => {
  const { proxy, table: lossy } = useLossyStore(store, PATIENT_MS);
  const records = () => consents(store().table('people'));

  async function given(change: Partial<Consent> = {}): Promise<Consent> {
    const consent = someConsent(change);
    expect(await records().grant(consent, undefined, T)).toBe(true);
    return consent;
  }

  test('only one of 30 concurrent requests stores the first consent', async () => {
    const consent = someConsent();
    const gives = await atOnce(30, (n) =>
      records().grant({ ...consent, revision: `by-${n}`, scopes: [`scope-${n}`] }, undefined, T),
    );
    expect(gives.filter(Boolean)).toHaveLength(1);
    expect(await records().find(consent.userId, consent.key, T)).toMatchObject({
      scopes: [`scope-${gives.indexOf(true)}`],
    });
  });

  test('only one of 30 concurrent changes to the same consent is applied', async () => {
    const seen = await given();
    const change = (n: number) => records().grant({ ...seen, revision: `by-${n}` }, seen, T);
    expect((await atOnce(30, change)).filter(Boolean)).toHaveLength(1);
    const now = await records().find(seen.userId, seen.key, T);
    expect(await records().end(seen.userId, seen.key)).toBe(true);
    expect(await records().grant({ ...seen, revision: 'late' }, now, T)).toBe(false);
    expect(await records().listOf(seen.userId, T)).toEqual([]);
  });

  test('only one of 30 concurrent callers can end the same consent', async () => {
    const { userId, key, mark } = await given();
    const [ends] = await Promise.all([
      atOnce(30, () => records().end(userId, key)),
      atOnce(30, () => records().use(userId, { key, mark }, T)),
    ]);
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await records().use(userId, { key, mark }, T)).toBeUndefined();
    // Recording a use must not create the consent again.
    expect(await records().listOf(userId, T)).toEqual([]);
  });

  test('the use of a consent is not recorded if the consent has changed since it was read', async () => {
    const consent = await given();
    const { userId, key, mark, expiresAt } = consent;
    expect(await records().use(userId, { key, mark: 'of another' }, T)).toBeUndefined();
    expect(await records().use(userId, { key, mark }, T + 5)).toEqual({ ...consent, usedAt: T + 5 });
    expect(await records().use(userId, { key, mark }, expiresAt)).toBeUndefined();
    expect(await records().find(userId, key, expiresAt - 1)).toMatchObject({ usedAt: T + 5 });
    expect(await records().find(userId, key, expiresAt)).toBeUndefined();
  });

  test('an expired consent can be replaced', async () => {
    const { userId, key, expiresAt, ...rest } = await given();
    const again = { ...rest, userId, key, mark: 'new', revision: 'new', expiresAt: expiresAt + 600 };
    expect(await records().grant(again, undefined, expiresAt - 1)).toBe(false);
    expect(await records().grant(again, undefined, expiresAt)).toBe(true);
  });

  test('storing a consent succeeds if the DynamoDB response is lost', async () => {
    const consent = someConsent();
    proxy().lose('PutItem', 'break');
    expect(await consents(lossy('people')).grant(consent, undefined, T)).toBe(true);
    proxy().lose('DeleteItem', 'break');
    expect(await consents(lossy('people')).end(consent.userId, consent.key)).toBe(true);
  });
});
