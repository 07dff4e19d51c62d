import { describe, expect, jest, test } from '@jest/globals';
import {
  type ChangeEffect,
  findChangeEffect,
  requireMayChange,
  requireTenantAccess,
} from '../../../shared/domain/users/authority.ts';
import type { AdminCaller, ClientCaller } from '../../../shared/operation.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';
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

/** Creates a caller with the given client fields, whose token has the scopes `permissions`. */
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
  effect: ChangeEffect,
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

describe('callers who may change a user', () => {
  test.each<[string, ClientCaller | AdminCaller, readonly boolean[]]>([
    ['an admin token may change every user', admin, [true, true, true, true]],
    ['a client may change only users who belong to no other application', plain, [true, false, false, false]],
    ['a client whose permission list has users:edit may change every user', listed, [true, true, true, true]],
    [
      'a client whose role has users:edit may change every user',
      client({ roles: ['support'] }),
      [true, true, true, true],
    ],
    [
      'a client whose token lacks users:edit may change only its own users',
      client({ permissions: ['users:edit'] }, []),
      [true, false, false, false],
    ],
    [
      'a client whose permission list lacks users:edit may change only its own users',
      client({ permissions: ['users:read'] }),
      [true, false, false, false],
    ],
  ])('only permitted callers may change a user: %s', async (_title, caller, expected) => {
    for (const effect of ['opens', 'closes'] as const)
      expect(
        await Promise.all([own, shared, ofOther, ofNone].map((user) => mayChange(caller, user, effect))),
      ).toEqual(expected);
  });

  test.each([
    ['may', ['member'], true],
    ['may not', ['organizationAdmin'], false],
    ['may not', ['organizationCreator'], false],
  ])(
    'a client %s extend access to the account of a user with the organization role %j',
    async (_can, roles, may) => {
      for (const caller of [plain, listed]) {
        expect(await mayChange(caller, own, 'opens', roles)).toBe(may);
        expect(await mayChange(caller, own, 'closes', roles)).toBe(true);
      }
      expect(await mayChange(admin, own, 'opens', roles)).toBe(true);
    },
  );

  test('a client may not extend access to the account of a user who has an operator role', async () => {
    const operator = { ...own, roles: ['operator'] };
    expect(await mayChange(listed, operator, 'opens')).toBe(false);
    expect(await mayChange(listed, operator, 'closes')).toBe(true);
  });
});

test.each<[ChangeEffect, OperatorRole, readonly string[], boolean]>([
  ['opens', 'admin', ['billing'], true],
  ['closes', 'admin', ['billing'], false],
  ['opens', 'admin', [], false],
  ['opens', 'support', [], false],
])(
  'a fresh login is required if an operator changes a user with rights (%s, operator role %s, user roles %j, required: %s)',
  async (effect, role, roles, isRequired) => {
    const guard = jest.fn();
    const operator: AdminCaller = {
      ...{ kind: 'admin', tenant, operator: { userId: 'operator', role, authTime: T, guard } },
    };
    expect(await mayChange(operator, { ...own, roles }, effect)).toBe(true);
    expect(guard).toHaveBeenCalledTimes(isRequired ? 1 : 0);
  },
);

test.each<[string, ClientCaller | AdminCaller, boolean]>([
  ['an admin token', admin, true],
  ['a client with the permission', listed, true],
  ['a client without the permission', plain, false],
])('data of all users is readable only with a tenant-wide permission: %s', (_title, caller, may) => {
  const read = () => requireTenantAccess(caller, 'users:edit');
  if (may) read();
  else expect(read).toThrow(expect.objectContaining({ key: 'insufficient_permission' }));
});

describe('user changes that extend or restrict access to an account', () => {
  const email = someAddress('a@example.com');
  const user = someUser({ email, phoneNumber: someAddress('+12015550100'), groups: ['a'] });

  test.each<[Partial<User>, ChangeEffect | undefined]>([
    [{}, undefined],
    [{ firstName: 'Ada', language: 'en', customAppData: { a: 1 }, updatedAt: T + 1 }, undefined],
    [{ email: { ...email, undeliverable: { reason: 'bounce', since: T } } }, undefined],
    [{ email: someAddress('b@example.com') }, 'opens'],
    [{ email: { ...email, standing: 'claimed' } }, 'opens'],
    [{ phoneNumber: someAddress('+12015550101') }, 'opens'],
    [{ username: 'ada' }, 'opens'],
    [{ customIdentifiers: [{ type: 'card', value: '7' }] }, 'opens'],
    [{ externalIds: [{ applicationId: 'app', value: 'e-1' }] }, 'opens'],
    [{ email: { ...email, scope: 'app-2' } }, 'opens'],
    [{ generations: { ...user.generations, highest: 9 } }, 'opens'],
    [{ groups: ['a', 'b'] }, 'opens'],
    [{ roles: ['operator'] }, 'opens'],
    [{ status: 'Disabled' }, 'closes'],
    [{ status: 'Disabled', username: 'ada' }, 'opens'],
    [{ status: 'Pending' }, 'opens'],
  ])('the effect of a change to the user fields %j on access to the account is "%s"', (change, effect) => {
    expect(findChangeEffect(user, { ...user, ...change })).toBe(effect);
  });

  test('re-enabling a disabled user extends access to the account', () => {
    expect(findChangeEffect({ ...user, status: 'Disabled' }, user)).toBe('opens');
  });
});
