import { expect, test } from '@jest/globals';
import { consumeMove, requireMovable } from '../../../shared/domain/moving/moved-session.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someApplication, someTenant, someUser, T } from '../../support/server/records.ts';

const applicationId = 'app';
const value = 'e-1';
const imported = { applicationId, value, isImported: true } as const;
const lock = { applicationId, since: T };

test.each<[string, Partial<User> | undefined, boolean, object?]>([
  ['an imported user', {}, true],
  ['an unknown user', undefined, false],
  ['a user whose external ID a client has set', { externalIds: [{ applicationId, value }] }, false],
  [
    'a user who was imported with another ID',
    {
      externalIds: [
        { applicationId, value },
        { ...imported, value: 'e-2' },
      ],
    },
    false,
  ],
  [
    'a user who was imported for another application',
    {
      externalIds: [
        { applicationId, value },
        { ...imported, applicationId: 'side' },
      ],
    },
    false,
  ],
  ['a test user', { isTest: true }, false],
  ['a user with a role', { roles: ['billing'] }, false],
  ['a user whose codes are locked here', {}, false, { locks: [lock] }],
  ['a user whose codes are locked elsewhere', {}, true, { locks: [{ ...lock, applicationId: 'side' }] }],
  ['a user whose codes are disabled', {}, false, { isFull: true }],
])(
  'only an imported user without a lock or rights may exchange a session of the previous system: %s',
  async (_title, change, may, {
    locks = [],
    isFull = false,
  }: { locks?: unknown[]; isFull?: boolean } = {}) => {
    const tenant = someTenant();
    const { tenantId } = tenant;
    const user = change && someUser({ tenantId, externalIds: [imported], ...change });
    const ports = {
      identifiers: { find: async () => user?.userId },
      users: { find: async () => user },
      membershipRecords: { listOfUser: async () => [] },
      guesses: { areFull: async () => isFull },
      otps: { locksOf: async () => locks },
    } as never;
    const found = requireMovable(
      ports,
      { tenant, application: someApplication({ applicationId }) },
      value,
      T,
    );
    if (may) expect(await found).toBe(user);
    else await expect(found).rejects.toMatchObject({ key: 'system_invalid_input' });
  },
);

test('a session of the previous system can be exchanged once', async () => {
  for (const isFirst of [true, false]) {
    const ports = { sessionExchanges: { record: async () => isFirst } } as never;
    const moving = consumeMove(ports, someUser(), { at: T, authTime: T - 60, holder: 'holder' });
    if (isFirst) expect(await moving).toMatchObject({ method: 'moved', at: T - 60 });
    else await expect(moving).rejects.toMatchObject({ key: 'system_invalid_input' });
  }
});
