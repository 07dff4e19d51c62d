import { expect, test } from '@jest/globals';
import { listClients } from '../../../shared/domain/management/clients.ts';
import { someApplication, someTenant } from '../../support/server/records.ts';

test('listClients returns the clients of an application or the management clients of a tenant', async () => {
  const asked: string[] = [];
  const list = async (owner: string) => ({ items: [], ...(asked.push(owner) && {}) });
  const [tenant, application] = [someTenant(), someApplication()];
  await listClients({ clientRecords: { list } }, { tenant, application }, { limit: 1 });
  await listClients({ clientRecords: { list } }, { tenant }, { limit: 1 });
  expect(asked).toEqual([application.applicationId, tenant.tenantId]);
});
