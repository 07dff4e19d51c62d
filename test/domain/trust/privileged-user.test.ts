import { expect, test } from '@jest/globals';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { isPrivilegedUser } from '../../../shared/domain/trust/privileged-user.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someMembership, someUser } from '../../support/server/records.ts';

test.each<[string, Partial<User>, readonly string[], boolean]>([
  ['without roles', {}, [], false],
  ['with a role', { roles: ['support'] }, [], true],
  ['of the operators', { tenantId: OPERATORS_TENANT_ID }, [], true],
  ['who is a member of an organization', {}, ['member'], false],
  ['who administers an organization', {}, ['organizationAdmin'], true],
])('a user %s is privileged or not, as expected', async (_, change, memberRoles, expected) => {
  const listOfUser = async () => memberRoles.map((role) => someMembership({ roles: [role] }));
  expect(await isPrivilegedUser({ membershipRecords: { listOfUser } }, someUser(change))).toBe(expected);
});
