import { expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { createMember } from '../../../shared/domain/organizations/members.ts';
import { requireMembership } from '../../../shared/domain/organizations/membership.ts';
import {
  createOrganization,
  deleteOrganization,
} from '../../../shared/domain/organizations/organizations.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
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
