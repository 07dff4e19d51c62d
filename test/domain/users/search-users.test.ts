import { expect, test } from '@jest/globals';
import { buildUserFilter, type UserSearch } from '../../../shared/domain/users/search-users.ts';
import { someAddress, someUser } from '../../support/server/records.ts';

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
])('the user search %j finds only matching users', (search, annFits, disabledFits) => {
  const fits = buildUserFilter(search);
  expect([fits?.(ann), fits?.(disabled)]).toEqual([annFits, disabledFits]);
});

test('a user search without criteria applies no filter', () => {
  expect(buildUserFilter({})).toBeUndefined();
});
