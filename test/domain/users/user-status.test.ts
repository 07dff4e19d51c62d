import { expect, test } from '@jest/globals';
import { isSessionValid } from '../../../shared/domain/users/user-status.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someSession, someUser, T } from '../../support/server/records.ts';

const own = { userId: 'user', tenantId: 'tenant' };
const erasure = { erasureId: 'e', requestedAt: T, effectiveAt: T, hasBegun: false };

test.each<[string, Partial<User> | undefined, Partial<Session>, boolean]>([
  ['a session of an active user continues', {}, {}, true],
  ['a session of a deleted user ends', undefined, {}, false],
  ['a session of another user ends', { userId: 'other' }, {}, false],
  ['a session of another tenant ends', { tenantId: 'other' }, {}, false],
  ['a session of a disabled user ends', { status: 'Disabled' }, {}, false],
  ['a session of a user who has requested deletion ends', { erasure }, {}, false],
  [
    'a session of a credential generation that is no longer valid ends',
    { generations: { valid: [2], highest: 2 } },
    {},
    false,
  ],
])('a session continues only while its user is active: %s', (_, user, session, goesOn) => {
  const found = user && someUser({ ...own, status: 'Active', ...user });
  expect(isSessionValid(found, someSession({ ...own, ...session }))).toBe(goesOn);
});
