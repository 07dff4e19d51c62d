import { expect, test } from '@jest/globals';
import { endUndoWait } from '../../../shared/domain/users/undo-change.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('a wait for an undo', (store) => {
  test('that is not there cannot be ended: the link is over', async () => {
    const tenant = someTenant();
    const ports = storedPorts(store());
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const ending = endUndoWait(ports, tenant, userId, 'change');
    await expect(ending).rejects.toMatchObject({ key: 'notice_link_over' });
  });
});
