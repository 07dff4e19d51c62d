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
});
const disabled = someUser({ status: 'Disabled' });

test.each<readonly [UserSearch, boolean, boolean]>([
  [{ status: 'Active' }, true, false],
  [{ status: 'Disabled' }, false, true],
  [{ group: 'beta' }, true, false],
  [{ group: 'bet' }, false, false],
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
  const unused = someApplication({ tenantId });
  const ports = {
    applicationRecords: { list: async () => ({ items: [unused, ...applications], nextCursor: 'next' }) },
    identifiers: { find: async (_: string, { type }: { readonly type: string }) => type.split(':')[1] },
    users: { find: async (userId: string) => users.find((user) => user.userId === userId) },
  } as never;
  const find = async (more: Partial<Parameters<typeof findUsersByExternalId>[2]> = {}) => {
    const search = { value: 'crm-7', request: { limit: 10 }, ...more };
    const { items, ...rest } = await findUsersByExternalId(ports, tenant, search);
    return { times: items.map(({ createdAt }) => createdAt), ...rest };
  };
  expect(await find()).toEqual({ times: [7, 8, 9], nextCursor: 'next' });
  expect(await find({ fits: ({ createdAt }) => createdAt > 7 })).toMatchObject({ times: [8, 9] });
  expect(await find({ place: applications[0] })).toEqual({ times: [8] });
  expect(await find({ place: unused })).toEqual({ times: [] });
});
