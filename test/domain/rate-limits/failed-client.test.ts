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

test('a container forgets all reads of client records before it remembers more than 10,000', async () => {
  const tenant = { tenantId: unique('tenant'), salt: 'c2FsdA' } as never;
  const from = { sourceAddress: '192.0.2.1', now: T };
  const count = async () => ({ admitted: false, retryAfterSeconds: 30 });
  await expect(countFailedClient({ windows: { count } } as never, tenant, from)).rejects.toThrow();
  const read = (clientId = unique('client')) => {
    const isAllowed = mayReadAgain({ ...(tenant as object), clientId } as never, from);
    return { clientId, isAllowed };
  };
  const first = read();
  let last = first;
  while (!read(first.clientId).isAllowed) last = read();
  // The container remembers two reads now: the last one and the repeated first one.
  for (let n = 3; n <= 10_000; n += 1) read();
  expect(read(last.clientId).isAllowed).toBe(false);
  read();
  expect(read(last.clientId).isAllowed).toBe(true);
});
