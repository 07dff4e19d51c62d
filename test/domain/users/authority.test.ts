import { describe, expect, test } from '@jest/globals';
import { type Effect, effectOf, requireMayChange } from '../../../shared/domain/users/authority.ts';
import type { AdminCaller, ClientCaller } from '../../../shared/operation.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someMembership,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';

const tenant = someTenant();
const application = someApplication({
  applicationId: 'app',
  roles: [{ name: 'support', permissions: ['users:edit'] }],
});
const admin: AdminCaller = { kind: 'admin', client: someClient(), tenant };

/** A client whose token has `permissions`, and its list and roles as changed. */
const client = (
  change: Parameters<typeof someClient>[0] = {},
  permissions = ['users:edit'],
): ClientCaller => ({
  ...{ kind: 'client', client: someClient(change), tenant, application, permissions },
});
const plain = client();
const listed = client({ permissions: ['users:edit'] });

const own = someUser({ applications: ['app'] });
const shared = someUser({ applications: ['app', 'side'] });
const ofOther = someUser({ applications: ['side'] });
const ofNone = someUser();

const mayChange = async (
  caller: ClientCaller | AdminCaller,
  user: User,
  effect: Effect,
  memberRoles: readonly string[] = [],
) => {
  const member = someMembership({ userId: user.userId, roles: memberRoles });
  const ports = { membershipRecords: { listOfUser: async () => [member] } };
  try {
    await requireMayChange(ports, caller, user, { permission: 'users:edit', effect });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ key: 'insufficient_permission' });
    return false;
  }
};

describe('who may change a user', () => {
  test.each<[string, ClientCaller | AdminCaller, readonly boolean[]]>([
    ['an admin token: of all', admin, [true, true, true, true]],
    ['a client: of its application alone', plain, [true, false, false, false]],
    ['one with the permission in its list: of all', listed, [true, true, true, true]],
    ['one with it in a role: of all', client({ roles: ['support'] }), [true, true, true, true]],
    ['one whose token lacks it', client({ permissions: ['users:edit'] }, []), [true, false, false, false]],
    ['one with another in its list', client({ permissions: ['users:read'] }), [true, false, false, false]],
  ])('%s', async (_title, caller, expected) => {
    for (const effect of ['opens', 'closes'] as const)
      expect(
        await Promise.all([own, shared, ofOther, ofNone].map((user) => mayChange(caller, user, effect))),
      ).toEqual(expected);
  });

  test.each([
    [['member'], true],
    [['organizationAdmin'], false],
    [['organizationCreator'], false],
  ])('with %j in an organization, by a client of the user: %s', async (roles, may) => {
    for (const caller of [plain, listed]) {
      expect(await mayChange(caller, own, 'opens', roles)).toBe(may);
      expect(await mayChange(caller, own, 'closes', roles)).toBe(true);
    }
    expect(await mayChange(admin, own, 'opens', roles)).toBe(true);
  });

  test('roles of one’s own are power', async () => {
    const operator = { ...own, roles: ['operator'] };
    expect(await mayChange(listed, operator, 'opens')).toBe(false);
    expect(await mayChange(listed, operator, 'closes')).toBe(true);
  });
});

describe('what a change does', () => {
  const email = someAddress('a@example.com');
  const user = someUser({ email, phoneNumber: someAddress('+12015550100'), groups: ['a'] });

  test.each<[Partial<User>, Effect | undefined]>([
    [{}, undefined],
    [{ firstName: 'Ada', language: 'en', customAppData: { a: 1 }, updatedAt: T + 1 }, undefined],
    [{ email: { ...email } }, undefined],
    [{ email: someAddress('b@example.com') }, 'opens'],
    [{ email: { ...email, standing: 'claimed' } }, 'opens'],
    [{ phoneNumber: someAddress('+12015550101') }, 'opens'],
    [{ username: 'ada' }, 'opens'],
    [{ customIdentifiers: [{ type: 'card', value: '7' }] }, 'opens'],
    [{ externalIds: [{ applicationId: 'app', value: 'e-1' }] }, 'opens'],
    [{ email: { ...email, scope: 'app-2' } }, 'opens'],
    [{ generations: { ...user.generations, last: 9 } }, 'opens'],
    [{ groups: ['a', 'b'] }, 'opens'],
    [{ roles: ['operator'] }, 'opens'],
    [{ status: 'Disabled' }, 'closes'],
    [{ status: 'Disabled', username: 'ada' }, 'opens'],
    [{ status: 'Pending' }, 'opens'],
  ])('%j: %s', (change, effect) => {
    expect(effectOf(user, { ...user, ...change })).toBe(effect);
  });

  test('to let a suspended user in again opens', () => {
    expect(effectOf({ ...user, status: 'Disabled' }, user)).toBe('opens');
  });
});
