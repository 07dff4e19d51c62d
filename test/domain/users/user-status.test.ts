import { expect, test } from '@jest/globals';
import { isSessionValid } from '../../../shared/domain/users/user-status.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someSession, someUser, T } from '../../support/server/records.ts';

const own = { userId: 'user', tenantId: 'tenant' };
const erasure = { erasureId: 'e', requestedAt: T, effectiveAt: T, hasBegun: false };

test.each<[string, Partial<User> | undefined, Partial<Session>, boolean]>([
  ['of an active user continues', {}, {}, true],
  ['of a deleted user ends', undefined, {}, false],
  ['of another user ends', { userId: 'other' }, {}, false],
  ['of another tenant ends', { tenantId: 'other' }, {}, false],
  ['of a disabled user ends', { status: 'Disabled' }, {}, false],
  ['of a user who has requested deletion ends', { erasure }, {}, false],
  ['of a generation that has ended ends', { generations: { valid: [2], highest: 2 } }, {}, false],
])('a session continues only while its user is active: a session %s', (_, user, session, goesOn) => {
  const found = user && someUser({ ...own, status: 'Active', ...user });
  expect(isSessionValid(found, someSession({ ...own, ...session }))).toBe(goesOn);
});
