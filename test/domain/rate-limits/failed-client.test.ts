import { expect, test } from '@jest/globals';
import { countFailedClient, mayReadAgain } from '../../../shared/domain/rate-limits/failed-client.ts';
import { T, unique } from '../../support/server/records.ts';

test('a network with too many failed client authentications causes at most one read per second of the client record', async () => {
  const tenant = { tenantId: unique('tenant'), salt: 'c2FsdA' } as never;
  const client = { ...(tenant as object), clientId: unique('client') } as never;
  const from = (now: number) => ({ sourceAddress: '192.0.2.1', now });
  let counted = 0;
  const count = async () => ({ admitted: false, retryAfterSeconds: 30, counted: counted++ });
  expect([mayReadAgain(client, from(T)), mayReadAgain(client, from(T))]).toEqual([true, true]);
  for (let failures = 0; failures < 2; failures++) {
    const failing = countFailedClient({ windows: { count } } as never, tenant, from(T));
    await expect(failing).rejects.toMatchObject({ key: 'rate_limited' });
  }
  // A flood of failures over the limit causes no writes.
  expect(counted).toBe(1);
  const times = [T, T, T + 1, T + 1, T + 30, T + 30];
  expect(times.map((at) => mayReadAgain(client, from(at)))).toEqual([true, false, true, false, true, true]);
});
