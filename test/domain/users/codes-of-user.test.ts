import { expect, test } from '@jest/globals';
import { listSendWindowPages } from '../../../shared/domain/users/codes-of-user.ts';
import { someTenant, someUser, T } from '../../support/server/records.ts';

test("a user's message limits at deleted applications are listed only on the first page", async () => {
  const ports = {
    formerApplications: { listOf: async () => ['deleted'] },
    applicationRecords: { list: async () => ({ items: [{ applicationId: 'used' }] }) },
  } as never;
  const { list } = listSendWindowPages(ports, { tenant: someTenant(), user: someUser() }, T);
  expect(await list({ limit: 10 })).toEqual({ items: ['deleted', 'used'] });
  expect(await list({ limit: 10, cursor: 'second page' })).toEqual({ items: ['used'] });
});
