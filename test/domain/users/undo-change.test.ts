import { expect, test } from '@jest/globals';
import { FIRST_GENERATION } from '../../../shared/domain/trust/generations.ts';
import { cancelUndoRequest, requestUndo } from '../../../shared/domain/users/undo-change.ts';
import type { User } from '../../../shared/ports/people.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('undoing a credential change after a delay', (store) => {
  test('cancelling an unknown undo request fails with the error that the link has expired', async () => {
    const tenant = someTenant();
    const ports = storedPorts(store());
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const ending = cancelUndoRequest(ports, tenant, userId, 'change');
    await expect(ending).rejects.toMatchObject({ key: 'notice_link_over' });
  });
});

test('repeating an undo request does not extend the delay until the undo takes effect', async () => {
  const tenant = someTenant();
  const change = {
    ...{ changeId: 'change', changedAt: T, until: T + 1000, validBefore: [FIRST_GENERATION] },
    ...{ undoCondition: 'kind' as const, linkFrom: T + 1000 },
    what: { attribute: 'email' as const, former: someAddress('former@example.com') },
  };
  let user = someUser({
    tenantId: tenant.tenantId,
    email: someAddress('ann@example.com'),
    changes: [change],
  });
  let counted = 0;
  const ports = {
    userRecords: {
      find: async () => user,
      replace: async (_: User, next: User) => {
        user = next;
        return true;
      },
    },
    membershipRecords: { listOfUser: async () => [] },
    windows: {
      count: async () => {
        counted += 1;
        return { admitted: true };
      },
    },
  } as never;
  const request = (at: number) =>
    requestUndo(ports, { smsCountries: 'any' }, { tenant, userId: user.userId, changeId: 'change' }, at);
  const { linkFrom, until, isNew } = await request(T);
  expect(isNew).toBe(true);
  expect(await request(T + 60)).toMatchObject({ linkFrom, until, isNew: false });
  expect(counted).toBe(1);
});
