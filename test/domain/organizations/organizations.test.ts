import { describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import {
  createMember,
  deleteMember,
  listMembers,
  requireMember,
  requireReachableOrganization,
  updateMember,
} from '../../../shared/domain/organizations/members.ts';
import {
  findMembership,
  listMemberPermissions,
  requireMembership,
} from '../../../shared/domain/organizations/membership.ts';
import {
  createOrganization,
  deleteOrganization,
} from '../../../shared/domain/organizations/organizations.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { someMembership, someOrganization, someTenant, someUser, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('organizations and members', (store) => {
  test('a membership in a deleted organization grants no access', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    const { userId } = await makeUser(ports, tenant, { username: 'bob' });
    const organization = { tenant, organizationId };
    const membership = await createMember(ports, organization, { user_id: userId }, nowSeconds());
    await deleteOrganization(ports, tenant, organizationId, withoutTimeLimit(nowSeconds()));
    await ports.membershipRecords.put(membership);
    await expect(requireMembership(ports, tenant.tenantId, userId, organizationId)).rejects.toMatchObject({
      key: 'membership_missing',
    });
  });
});

test('a membership is valid only in the tenant of the organization and of the user', async () => {
  const [membership, organization] = [
    someMembership({ tenantId: 'tenant' }),
    someOrganization({ tenantId: 'tenant' }),
  ];
  const other = { tenantId: 'other' };
  for (const [held, of, found] of [
    [membership, organization, membership],
    [membership, undefined, undefined],
    [undefined, organization, undefined],
    [{ ...membership, ...other }, organization, undefined],
    [membership, { ...organization, ...other }, undefined],
  ] as const) {
    const ports = {
      memberships: { find: async () => held },
      organizations: { find: async () => of },
    } as never;
    expect(await findMembership(ports, 'tenant', 'user', 'organization')).toBe(found);
  }
});

test('a member who is removed during a change is not added again', async () => {
  const tenant = someTenant();
  const { tenantId } = tenant;
  const ports = {
    organizationRecords: { find: async () => someOrganization({ tenantId }) },
    membershipRecords: { find: async () => someMembership({ tenantId }), replace: async () => false },
  } as never;
  const changing = updateMember(ports, { tenant, organizationId: 'org', userId: 'user' }, { roles: [] }, T);
  await expect(changing).rejects.toMatchObject({ key: 'member_not_found' });
});

describe('members of an organization', () => {
  const tenant = someTenant();
  const { tenantId } = tenant;
  const name = { tenant, organizationId: 'organization' };
  const membership = someMembership({ tenantId });
  const fields = { user_id: 'user', roles: ['buyer'] };

  const createPorts = ({ organization = { tenantId }, held = membership, user = {}, done = true } = {}) =>
    ({
      organizationRecords: { find: async () => someOrganization(organization), remove: async () => true },
      membershipRecords: {
        ...{ find: async () => held, listOfOrganization: async () => ({ items: [] }) },
        ...{ put: async () => done, replace: async () => done, remove: async () => done },
      },
      users: { find: async () => someUser({ tenantId, ...user }) },
      jobs: { put: async (job: object) => job, remove: async () => true },
    }) as never;

  test.each<[string, (ports: never) => Promise<unknown>]>([
    ['adds a member', (ports) => createMember(ports, name, fields, T)],
    ['reads a member', (ports) => requireMember(ports, name, 'user')],
    ['lists members', (ports) => listMembers(ports, name, { limit: 1 })],
    ['changes a member', (ports) => updateMember(ports, { ...name, userId: 'user' }, { roles: [] }, T)],
    ['removes a member', (ports) => deleteMember(ports, name, 'user')],
    [
      'deletes the organization',
      (ports) => deleteOrganization(ports, tenant, 'organization', withoutTimeLimit(T)),
    ],
  ])('a caller %s only in an organization of the own tenant', async (_title, call) => {
    await call(createPorts());
    await expect(call(createPorts({ organization: someOrganization() }))).rejects.toMatchObject({
      key: 'organization_not_found',
    });
  });

  test('a user can be added once, and a test user not at all', async () => {
    const add = (given: Parameters<typeof createPorts>[0]) =>
      createMember(createPorts(given), name, fields, T);
    const { userId } = someUser();
    expect(await add({})).toEqual({
      ...{ organizationId: 'organization', userId: 'user', tenantId, roles: ['buyer'] },
      ...{ createdAt: T, updatedAt: T },
    });
    await expect(add({ done: false })).rejects.toMatchObject({ key: 'already_member' });
    await expect(add({ user: { isTest: true } })).rejects.toThrow('user_id: a test user');
    await expect(add({ user: { userId, tenantId: 'other' } })).rejects.toMatchObject({
      key: 'user_not_found',
    });
  });

  test('a membership of another tenant, or one that was just removed, is not found', async () => {
    const remove = (given: Parameters<typeof createPorts>[0]) =>
      deleteMember(createPorts(given), name, 'user');
    for (const given of [{ held: someMembership() }, { done: false }])
      await expect(remove(given)).rejects.toMatchObject({ key: 'member_not_found' });
  });

  test('the administrator of an organization can manage only this organization', () => {
    const admin = { kind: 'org-admin', tenant, organizationId: 'organization' } as never;
    expect(requireReachableOrganization(admin, 'organization')).toEqual(name);
    expect(requireReachableOrganization({ kind: 'admin', tenant } as never, 'organization')).toEqual(name);
    expect(() => requireReachableOrganization(admin, 'other')).toThrow(
      expect.objectContaining({ key: 'organization_not_found' }),
    );
  });

  test('only administrators of an organization have permissions', () => {
    const all = ['members:create', 'members:read', 'members:edit', 'members:delete'];
    for (const [role, permissions] of [
      ['organizationAdmin', all],
      ['organizationCreator', all],
      ['buyer', []],
    ] as const)
      expect(listMemberPermissions({ ...membership, roles: [role] })).toEqual(permissions);
  });
});
