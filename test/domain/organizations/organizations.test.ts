import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createMember,
  deleteMember,
  listMembers,
  memberRecord,
  requireMember,
  updateMember,
} from '../../../shared/domain/organizations/members.ts';
import { requireMembership } from '../../../shared/domain/organizations/membership.ts';
import {
  createOrganization,
  deleteOrganization,
  requireOrganization,
  updateOrganization,
} from '../../../shared/domain/organizations/organizations.ts';
import { createUser } from '../../../shared/domain/users/create-user.ts';
import { MemberRecord } from '../../../shared/schemas/organizations.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('organizations and members', (store) => {
  test('a member is made once, has roles, and leaves', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    const body = { user_id: userId, roles: ['organizationAdmin', 'billing', 'billing'] };
    const made = await createMember(ports, tenant, organizationId, body, nowSeconds());
    const record = memberRecord(made);
    expect(record).toMatchObject({
      org_id: organizationId,
      user_id: userId,
      roles: ['organizationAdmin', 'billing'],
    });
    expect(v.parse(MemberRecord, record)).toEqual(record);
    await expect(createMember(ports, tenant, organizationId, body, nowSeconds())).rejects.toMatchObject({
      key: 'already_member',
    });

    await updateMember(ports, tenant, organizationId, userId, { roles: ['billing'] }, nowSeconds());
    expect((await requireMember(ports, tenant, organizationId, userId)).roles).toEqual(['billing']);
    expect((await updateMember(ports, tenant, organizationId, userId, {}, nowSeconds())).roles).toEqual([
      'billing',
    ]);
    expect(
      (await updateMember(ports, tenant, organizationId, userId, { roles: null }, nowSeconds())).roles,
    ).toEqual([]);

    await deleteMember(ports, tenant, organizationId, userId);
    await expect(deleteMember(ports, tenant, organizationId, userId)).rejects.toMatchObject({
      key: 'member_not_found',
    });
  });

  test('deleting an organization ends its memberships and keeps the users', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    await createMember(ports, tenant, organizationId, { user_id: userId }, nowSeconds());
    await deleteOrganization(ports, tenant, organizationId);
    await expect(requireOrganization(ports, tenant, organizationId)).rejects.toMatchObject({
      key: 'organization_not_found',
    });
    await expect(requireMembership(ports, tenant.tenantId, userId, organizationId)).rejects.toMatchObject({
      key: 'membership_missing',
    });
    expect(await ports.users.find(userId)).toBeDefined();
  });

  test('a membership that outlives its organization is no access', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    const { userId } = await createUser(ports, tenant, { username: 'bob' }, nowSeconds());
    const membership = await createMember(ports, tenant, organizationId, { user_id: userId }, nowSeconds());
    await deleteOrganization(ports, tenant, organizationId);
    await ports.membershipRecords.put(membership);
    await expect(requireMembership(ports, tenant.tenantId, userId, organizationId)).rejects.toMatchObject({
      key: 'membership_missing',
    });
  });

  test('nothing reaches across tenants', async () => {
    const ports = storedPorts(store());
    const [tenant, stranger] = [someTenant(), someTenant()];
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    const outsider = await createUser(ports, stranger, { username: 'eve' }, nowSeconds());
    await expect(
      createMember(ports, tenant, organizationId, { user_id: outsider.userId }, nowSeconds()),
    ).rejects.toMatchObject({ key: 'user_not_found' });
    for (const attempt of [
      () => updateOrganization(ports, stranger, organizationId, { name: 'Mine' }, nowSeconds()),
      () => deleteOrganization(ports, stranger, organizationId),
      () => listMembers(ports, stranger, organizationId, { limit: 10 }),
      () => createMember(ports, stranger, organizationId, { user_id: outsider.userId }, nowSeconds()),
    ])
      await expect(attempt()).rejects.toMatchObject({ key: 'organization_not_found' });
  });

  test('members are listed page by page', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { organizationId } = await createOrganization(ports, tenant, { name: 'Acme' }, nowSeconds());
    for (const username of ['a', 'b', 'c']) {
      const { userId } = await createUser(ports, tenant, { username }, nowSeconds());
      await createMember(ports, tenant, organizationId, { user_id: userId }, nowSeconds());
    }
    const first = await listMembers(ports, tenant, organizationId, { limit: 2 });
    expect(first.items).toHaveLength(2);
    const cursor = first.nextCursor;
    if (cursor === undefined) throw new Error('there is no next page');
    const second = await listMembers(ports, tenant, organizationId, { limit: 2, cursor });
    expect(second.items).toHaveLength(1);
    expect(second.nextCursor).toBeUndefined();
  });
});
