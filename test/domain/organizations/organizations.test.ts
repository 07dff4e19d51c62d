import { expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { createMember, updateMember } from '../../../shared/domain/organizations/members.ts';
import { findMembership, requireMembership } from '../../../shared/domain/organizations/membership.ts';
import {
  createOrganization,
  deleteOrganization,
} from '../../../shared/domain/organizations/organizations.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { someMembership, someOrganization, someTenant, T } from '../../support/server/records.ts';
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
