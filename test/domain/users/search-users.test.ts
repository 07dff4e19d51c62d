import { expect, test } from '@jest/globals';
import {
  buildUserFilter,
  findUsersByExternalId,
  type UserSearch,
} from '../../../shared/domain/users/search-users.ts';
import { someAddress, someApplication, someTenant, someUser } from '../../support/server/records.ts';

const ann = someUser({
  email: someAddress('Ann.Lee@Example.com'),
  phoneNumber: someAddress('+12015550123'),
  username: 'annie',
  firstName: 'Ann',
  lastName: 'L\u00e9e',
  groups: ['staff', 'beta'],
  externalIds: [{ applicationId: 'app', value: 'crm-7' }],
});
const disabled = someUser({ status: 'Disabled' });

test.each<readonly [UserSearch, boolean, boolean]>([
  [{ status: 'Active' }, true, false],
  [{ status: 'Disabled' }, false, true],
  [{ group: 'beta' }, true, false],
  [{ group: 'bet' }, false, false],
  [{ external_user_id: 'crm-7' }, true, false],
  [{ external_user_id: 'CRM-7' }, false, false],
  [{ q: 'lee@EXAMPLE' }, true, false],
  [{ q: '5550' }, true, false],
  [{ q: 'NIE' }, true, false],
  [{ q: 'ann le\u0301e' }, true, false],
  [{ q: 'bob' }, false, false],
  [{ q: 'ann', status: 'Disabled' }, false, false],
  [{ q: 'ann', group: 'staff', status: 'Active' }, true, false],
])('the user search %j finds exactly the users whose fields match', (search, annFits, disabledFits) => {
  const fits = buildUserFilter(search);
  expect([fits?.(ann), fits?.(disabled)]).toEqual([annFits, disabledFits]);
});

test('a user search without criteria applies no filter', () => {
  expect(buildUserFilter({})).toBeUndefined();
});

test('a search for an external ID in all applications returns users in the order of their creation', async () => {
  const tenant = someTenant();
  const { tenantId } = tenant;
  const users = [8, 7, 9].map((createdAt) => {
    const { applicationId } = someApplication();
    const externalIds = [{ applicationId, value: 'crm-7' }];
    return someUser({
      tenantId,
      userId: applicationId,
      applications: [applicationId],
      externalIds,
      createdAt,
    });
  });
  const applications = users.map(({ userId }) => someApplication({ tenantId, applicationId: userId }));
  const ids = users.map(({ userId }) => userId);
  const ports = {
    applicationRecords: { list: async () => ({ items: applications }) },
    identifiers: { find: async () => ids.shift() },
    users: { find: async (userId: string) => users.find((user) => user.userId === userId) },
  } as never;
  const { items } = await findUsersByExternalId(ports, tenant, { value: 'crm-7', request: { limit: 10 } });
  expect(items.map(({ createdAt }) => createdAt)).toEqual([7, 8, 9]);
});
