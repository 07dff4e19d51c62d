import { expect, test } from '@jest/globals';
import {
  deleteClient,
  listClients,
  revokeClientToken,
  revokeSecret,
  rotateSecret,
  updateClient,
} from '../../../shared/domain/management/clients.ts';
import { someApplication, someClient, someTenant, T } from '../../support/server/records.ts';

test('listClients returns the clients of an application or the management clients of a tenant', async () => {
  const asked: string[] = [];
  const list = async (owner: string) => ({ items: [], ...(asked.push(owner) && {}) });
  const [tenant, application] = [someTenant(), someApplication()];
  await listClients({ clientRecords: { list } }, { tenant, application }, { limit: 1 });
  await listClients({ clientRecords: { list } }, { tenant }, { limit: 1 });
  expect(asked).toEqual([application.applicationId, tenant.tenantId]);
});

test.each<[string, (ports: never, own: Parameters<typeof rotateSecret>[1]) => Promise<unknown>]>([
  ['an update', (ports, own) => updateClient(ports, own, { name: 'New' }, T)],
  ['a new secret', (ports, own) => rotateSecret(ports, own, T)],
  ['the revocation of a secret', (ports, own) => revokeSecret(ports, own, 'secret', T)],
  ['the revocation of a token', (ports, { clientId }) => revokeClientToken(ports, clientId, 'jti', T)],
  ['a deletion', (ports, { tenant, clientId }) => deleteClient(ports, tenant, clientId)],
])('all functions are told to read a client again before the change: %s', async (_title, change) => {
  const tenant = someTenant();
  const client = someClient({ tenantId: tenant.tenantId });
  const { clientId } = client;
  const calls: string[] = [];
  const write = async () => calls.push('write') > 0;
  const announce = async (key: string) => void calls.push(key);
  const ports = {
    clientRecords: { find: async () => client, replace: write, remove: write },
    windowRecords: { announce },
  } as never;
  await change(ports, { tenant, clientId });
  expect(calls).toEqual([expect.stringContaining(clientId), 'write']);
});
