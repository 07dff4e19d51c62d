import { afterEach, expect, jest, test } from '@jest/globals';
import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { requireUserByIdentifier } from '../../../shared/domain/identifiers/find-user.ts';
import { makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function advanceClock(seconds: number): void {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + seconds * 1000);
}

/** Wraps ports so that `userRecords.put` fails, as if the process had been killed just before it stored the user. */
function dyingBeforePut(ports: StoredPorts): StoredPorts {
  const put = () => Promise.reject(new Error('the process was killed'));
  return { ...ports, userRecords: { ...ports.userRecords, put } };
}

const outcomes = async (calls: readonly Promise<unknown>[]) => {
  const settled = await Promise.allSettled(calls);
  return settled
    .map((outcome) => (outcome.status === 'fulfilled' ? 'made' : String(outcome.reason.key)))
    .sort();
};

describeStore('creating users', (store) => {
  test('only one of many concurrent requests creates a user with the same email address', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const made = await outcomes(
      Array.from({ length: 20 }, (_, index) =>
        makeUser(ports, tenant, { email: index % 2 ? 'ann@example.com' : 'ANN@example.com' }),
      ),
    );
    expect(made).toEqual([...Array(19).fill('identifier_taken'), 'made']);
    expect((await ports.userRecords.list(tenant.tenantId, { limit: 50 })).items).toHaveLength(1);
  });

  test('if a crash interrupts the creation of a user, the identifiers become free after one minute', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const fields = { email: 'ann@example.com', username: 'ann' };
    await expect(makeUser(dyingBeforePut(ports), tenant, fields)).rejects.toThrow('killed');

    await expect(requireUserByIdentifier(ports, tenant, 'email', fields.email)).rejects.toMatchObject({
      key: 'user_not_found',
    });
    advanceClock(ORPHANED_RESERVATION_SECONDS - 1);
    await expect(makeUser(ports, tenant, fields)).rejects.toMatchObject({
      key: 'identifier_taken',
    });
    advanceClock(2);
    const made = await outcomes([makeUser(ports, tenant, fields), makeUser(ports, tenant, fields)]);
    expect(made).toEqual(['identifier_taken', 'made']);
  });

  test('creating a user fails if an identifier reservation has expired', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const slow: StoredPorts = {
      ...ports,
      identifierReservations: {
        ...ports.identifierReservations,
        async reserve(...call) {
          const outcome = await ports.identifierReservations.reserve(...call);
          advanceClock(ORPHANED_RESERVATION_SECONDS);
          return outcome;
        },
      },
    };
    await expect(makeUser(slow, tenant, { username: 'ann' })).rejects.toMatchObject({
      key: 'service_unavailable',
    });
    await expect(makeUser(ports, tenant, { username: 'ann' })).resolves.toBeDefined();
  });
});
