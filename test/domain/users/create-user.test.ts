import { afterEach, expect, jest, test } from '@jest/globals';
import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { requireUserByIdentifier } from '../../../shared/domain/identifiers/find-user.ts';
import {
  PROVEN_GENERATIONS,
  TENANT_WIDE,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import { chooseApplications, createUser } from '../../../shared/domain/users/create-user.ts';
import { requireTestDataOnly } from '../../../shared/domain/users/test-user.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import type { User } from '../../../shared/ports/people.ts';
import { makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { provenTrust, someAddress, someTenant, someUser } from '../../support/server/records.ts';
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

test.each<[readonly string[], readonly string[] | null | undefined, readonly string[] | undefined]>([
  [['shop'], undefined, ['shop']],
  [['shop', 'side'], null, []],
  [[], undefined, []],
  [['shop', 'side'], ['side', 'side'], ['side']],
  [['shop'], [], []],
  [['shop'], ['shop', 'side'], undefined],
])('a caller with the applications %j that names %j creates a user of %j', (known, named, chosen) => {
  const choose = () => chooseApplications(known, named);
  if (chosen) expect(choose()).toEqual(chosen);
  else expect(choose).toThrow('applications: must be applications of the caller');
});

test.each<[readonly string[], object, Partial<User>]>([
  [[], {}, { applications: [], generations: UNPROVEN_GENERATIONS }],
  [['shop'], { email_verified: true }, { applications: ['shop'], generations: PROVEN_GENERATIONS }],
  [
    ['shop', 'side', 'third'],
    { phone_number: '+12015550123', phone_number_verified: true },
    { applications: ['shop', 'side'], generations: PROVEN_GENERATIONS },
  ],
])('a user of the applications %j created with %j has the fields %j', async (applications, more, fields) => {
  const ports = {
    identifierReservations: { reserve: async () => 'new' },
    userRecords: { put: async ({ tenantId }: User) => tenantId === tenant.tenantId },
  } as never;
  const tenant = someTenant();
  const create = (at: Tenant) =>
    createUser(ports, at, { email: 'ann@example.com', ...more }, { applications, at: 7 });
  const [only, ...others] = applications;
  const scope = others.length > 0 ? TENANT_WIDE : (only ?? TENANT_WIDE);
  expect(await create(tenant)).toMatchObject({ ...fields, email: { scope } });
  await expect(create(someTenant())).rejects.toThrow('a fresh user ID is in use');
});

test('a test user cannot have an account at a provider', () => {
  const user = someUser({ isTest: true, email: someAddress('ann+test@example.com') });
  expect(requireTestDataOnly(user)).toBe(user);
  const identities = [{ provider: 'google', subject: 'ann', ...provenTrust }];
  expect(() => requireTestDataOnly({ ...user, identities })).toThrow('identities: must be empty');
});

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
