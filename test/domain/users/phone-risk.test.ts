import { expect, test } from '@jest/globals';
import { DAY_SECONDS, RECOVERY_SECONDS, SIGNAL_SKEW_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { toWireDate } from '../../../shared/domain/basis/time.ts';
import { NEVER } from '../../../shared/domain/users/pending-recovery.ts';
import { clearPhoneRisk, reportPhoneRisk } from '../../../shared/domain/users/phone-risk.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { PendingRecovery, User } from '../../../shared/ports/people.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';

const phoneNumber = someAddress('+12015550123');
const risk = { signal: 'sim_swap', observedAt: T - 9, reportedAt: T - 9 } as const;
const owner = someUser({ phoneNumber });
const atRisk = someUser({ phoneNumber: { ...phoneNumber, risk } });
const pending = { cause: 'risk', since: T, effectiveAt: T + DAY_SECONDS } as const;
const started = { ...pending, kinds: ['phone'], endsAt: T + DAY_SECONDS + RECOVERY_SECONDS } as const;

/** Creates ports that read `user`, and the list of the records that are stored. */
function portsOf(user: User) {
  const stored: User[] = [];
  const userRecords = {
    find: async () => user,
    replace: async (_: User, next: User) => stored.push(next) > 0,
  };
  return { stored, ports: { userRecords, membershipRecords: { listOfUser: async () => [] } } as never };
}

async function report(user: User, fields: Partial<Parameters<typeof reportPhoneRisk>[2]> = {}) {
  const { stored, ports } = portsOf(user);
  const who = { tenant: someTenant({ tenantId: user.tenantId }), userId: user.userId };
  await reportPhoneRisk(ports, who, { signal: 'other', ...fields }, T);
  return stored;
}

test.each<[string, User, PendingRecovery | undefined]>([
  ['a factor starts a recovery', owner, started],
  [
    'a factor of a privileged user starts a recovery without an end',
    { ...owner, roles: ['buyer'] },
    {
      ...started,
      effectiveAt: NEVER,
      endsAt: NEVER,
    },
  ],
  ['a factor that is already at risk starts no second recovery', atRisk, undefined],
  [
    'an unverified number starts no recovery',
    someUser({ phoneNumber: { ...phoneNumber, standing: 'verified' }, roles: ['buyer'] }),
    undefined,
  ],
  [
    'a superseded number starts no recovery',
    someUser({ phoneNumber: { ...phoneNumber, generation: 0 } }),
    undefined,
  ],
])('a reported risk of a phone number is stored: %s', async (_, user, recovery) => {
  const reported = { signal: 'other', observedAt: T, reportedAt: T } as const;
  expect(await report(user)).toEqual([
    {
      ...user,
      ...(recovery && { recovery }),
      phoneNumber: { ...user.phoneNumber, risk: reported },
      updatedAt: T,
    },
  ]);
});

test.each([
  ['2026-10-31T23:59:59.900Z', Date.UTC(2026, 9, 31, 23, 59, 59) / 1000],
  [toWireDate(T + SIGNAL_SKEW_SECONDS), T + SIGNAL_SKEW_SECONDS],
])('the time %s of a risk signal is stored in epoch seconds', async (observed_at, observedAt) => {
  expect((await report(owner, { observed_at }))[0]?.phoneNumber?.risk?.observedAt).toBe(observedAt);
});

test.each([
  [toWireDate(T + SIGNAL_SKEW_SECONDS + 1), 'observed_at: lies in the future'],
  ['2026-02-30T00:00:00Z', 'observed_at: is not a date (RFC 3339)'],
  ['2026-10-31T25:00:00Z', 'observed_at: is not a date (RFC 3339)'],
])('the time %s of a risk signal is rejected', async (observed_at, message) => {
  await expect(report(owner, { observed_at })).rejects.toThrow(message);
});

test.each<[string, PendingRecovery | undefined, PendingRecovery | undefined]>([
  ['no recovery', undefined, undefined],
  ['a recovery because of the risk', started, undefined],
  [
    'a recovery of other factors as well',
    { ...started, kinds: ['phone', 'passkey'] },
    { ...started, cause: 'lost', kinds: ['passkey'] },
  ],
  ['a recovery of a lost phone', { ...started, cause: 'lost' }, { ...started, cause: 'lost' }],
])('clearing the risk of a phone number keeps other losses in the recovery: %s', async (_, before, after) => {
  const user = { ...atRisk, ...(before && { recovery: before }) };
  const { stored, ports } = portsOf(user);
  const cleared = { ...atRisk, phoneNumber, updatedAt: T, ...(after && { recovery: after }) };
  expect(await clearPhoneRisk(ports, user, T)).toEqual({ user: cleared, wasAtRisk: true });
  expect(stored).toEqual([cleared]);
});

test.each([
  ['no risk', owner],
  ['no phone number', someUser()],
])('clearing the risk of a user with %s stores nothing', async (_, user) => {
  const { stored, ports } = portsOf(user);
  expect(await clearPhoneRisk(ports, user, T)).toEqual({ user, wasAtRisk: false });
  expect(stored).toEqual([]);
});

test('a risk is neither reported nor cleared for a caller who may not change the user, or without a number', async () => {
  const check = () => Promise.reject(new ServiceError('insufficient_permission'));
  const { stored, ports } = portsOf(atRisk);
  const refused = { key: 'insufficient_permission' };
  await expect(report(atRisk, { check })).rejects.toMatchObject(refused);
  await expect(clearPhoneRisk(ports, atRisk, T, check)).rejects.toMatchObject(refused);
  expect(stored).toEqual([]);
  await expect(report(someUser())).rejects.toMatchObject({ key: 'user_phone_number_missing' });
});
