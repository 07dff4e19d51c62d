import { expect, test } from '@jest/globals';
import { createApplication } from '../../../shared/domain/management/applications.ts';
import { createClient } from '../../../shared/domain/management/clients.ts';
import { createResource } from '../../../shared/domain/management/resources.ts';
import { createTenant } from '../../../shared/domain/management/tenants.ts';
import { createWebhook } from '../../../shared/domain/management/webhooks.ts';
import { someResource, someTenant, T } from '../../support/server/records.ts';

const store = {
  put: async () => false,
  list: async () => ({ items: [] }),
  areAtLeast: async () => false,
  reserveUri: async () => true,
};
const ports = {
  ...{ tenantRecords: store, applicationRecords: store, clientRecords: store, webhookRecords: store },
  ...{
    resourceRecords: store,
    uriOwners: { reserve: async () => true },
    webhookMac: { mac: async () => 'mac' },
  },
} as never;
const tenant = someTenant();
const name = 'New';
const lifetimes = { access_token_ttl: 60, refresh_token_ttl: 60, max_refresh_rotate: 60 };

test.each([
  ['tenant', () => createTenant(ports, { name }, T)],
  ['application', () => createApplication(ports, { tenant }, { name }, T)],
  ['client', () => createClient(ports, { tenant }, { name }, T)],
  ['resource', () => createResource(ports, { tenant }, { name, uri: someResource().uri, ...lifetimes }, T)],
  [
    'webhook',
    () =>
      createWebhook(
        ports,
        { tenant, localExceptions: { loopback: false } },
        { url: 'https://hooks.example.com/' },
        T,
      ),
  ],
])('a new %s does not replace a record with the same ID', async (kind, create) => {
  await expect(create()).rejects.toThrow(`a fresh ${kind} ID is in use`);
});
