import { describe, expect, test } from '@jest/globals';
import { findSignedInUser } from '../../../shared/flows/browser/signed-in-user.ts';
import { findLoginReplacedBy } from '../../../shared/flows/redirect-login/replaced-login.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  someAddress,
  someApplication,
  someSession,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';

const tenant = someTenant();
const application = someApplication({ tenantId: tenant.tenantId });
const ann = someUser({ email: someAddress('ann@example.com') });
const bob = someUser({ phoneNumber: someAddress('+12015550100'), tenantId: tenant.tenantId });
const session = someSession({ userId: ann.userId, tenantId: tenant.tenantId, browserHash: 'hash' });

const storing = (users: readonly User[], held: Session | undefined = session) => ({
  users: { find: async (userId: string) => users.find((user) => user.userId === userId) },
  sessions: { find: async () => held },
});

describe('login of another user that a login replaces', () => {
  const replaced = { userId: ann.userId, from: 'a•••@e•••.com', to: '••• ••• ••00' };

  test.each<[string, readonly User[], Session | undefined, User | undefined, object | undefined]>([
    ['another user', [ann, bob], session, bob, replaced],
    ['the same user', [ann], session, ann, undefined],
    ['no user', [ann, bob], undefined, bob, undefined],
    ['an erased user', [bob], session, bob, undefined],
    [
      'another user without the second factor',
      [ann, bob],
      { ...session, awaitsSecondFactor: true },
      bob,
      undefined,
    ],
    ['a user, before a sign-up', [ann, bob], session, undefined, undefined],
  ])(
    'the login of %s in a browser is replaced only after a confirmation',
    async (_, users, held, user, expected) => {
      const ports = storing(users, held);
      expect(await findLoginReplacedBy(ports, held, user)).toEqual(expected);
    },
  );
});

describe('user who is logged in to a browser', () => {
  const asked = {
    tenant,
    application,
    cookieSession: { sessionId: session.sessionId, browserHash: 'hash' },
    now: T,
  };
  const owner = { ...ann, tenantId: tenant.tenantId };

  test.each<[string, Partial<Session>, Partial<User>, boolean]>([
    ['a valid session', {}, {}, true],
    ['a session of another tenant', { tenantId: 'other' }, {}, false],
    ['a session that is too old', { startedAt: T - 99 * 86_400 }, {}, false],
    ['a session whose credentials are superseded', { generation: 0 }, {}, false],
    ['a session of a disabled user', {}, { status: 'Disabled' }, false],
    ['a session of a test user', {}, { isTest: true }, false],
  ])(
    'the user of %s is found only if they may log in to the application',
    async (_, change, userChange, isFound) => {
      const held = { ...session, ...change };
      const user = { ...owner, ...userChange };
      expect(await findSignedInUser(storing([user], held), asked)).toEqual(
        isFound ? { session: held, user } : {},
      );
    },
  );
});
