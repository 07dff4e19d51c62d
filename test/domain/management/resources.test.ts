import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { resourceRecord } from '../../../shared/domain/management/resource-record.ts';
import {
  createResource,
  deleteResource,
  requireResource,
  updateResource,
} from '../../../shared/domain/management/resources.ts';
import { ResourceRecord } from '../../../shared/schemas/management.ts';
import { storedPorts } from '../../support/directory.ts';
import { someTenant } from '../../support/records.ts';
import { describeStore } from '../../support/store.ts';

const fields = {
  name: 'Orders',
  uri: 'https://api.example.com/orders',
  access_token_ttl: 600,
  refresh_token_ttl: 3600,
  max_refresh_rotate: 7200,
};

describeStore('resources', (store) => {
  test('a URI is unique in its tenant, also when many ask for it at once', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, () => createResource(ports, { tenant }, fields)),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({
      key: 'system_invalid_input',
      message: 'uri: another resource of the tenant has it',
    });
    await expect(createResource(ports, { tenant: someTenant() }, fields)).resolves.toBeDefined();
  });

  test('a changed URI leads to the resource, the former one is free', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const made = await createResource(ports, { tenant }, { ...fields, description: 'What was ordered' });
    const changed = await updateResource(ports, tenant, made.resourceId, { uri: 'urn:example:orders' });
    expect(changed).toMatchObject({
      name: 'Orders',
      description: 'What was ordered',
      uri: 'urn:example:orders',
    });
    const found = await ports.resources.findByUri(tenant.tenantId, 'urn:example:orders', { fresh: true });
    expect(found?.resourceId).toBe(made.resourceId);
    const successor = await createResource(ports, { tenant }, fields);
    await expect(updateResource(ports, tenant, made.resourceId, { uri: fields.uri })).rejects.toMatchObject({
      key: 'system_invalid_input',
    });
    expect((await requireResource(ports, tenant, made.resourceId)).uri).toBe('urn:example:orders');

    await deleteResource(ports, tenant, successor.resourceId);
    await expect(createResource(ports, { tenant }, fields)).resolves.toBeDefined();
    await expect(requireResource(ports, tenant, successor.resourceId)).rejects.toMatchObject({
      key: 'unknown_resource',
    });
  });

  test('the record is that of the specification', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const record = resourceRecord(await createResource(ports, { tenant }, { ...fields, description: null }));
    expect(v.parse(ResourceRecord, record)).toEqual(record);
    expect(record).toEqual({
      resource_id: expect.any(String),
      tenant_id: tenant.tenantId,
      ...fields,
      created_at: expect.stringMatching(/T.*\.\d{3}Z$/),
      updated_at: record.created_at,
    });
  });

  test.each([
    [{ uri: 'orders' }, /^uri: /],
    [{ uri: '/orders' }, /^uri: /],
    [{ uri: 'https://api.example.com/#orders' }, /^uri: /],
    [{ uri: 'https://api.example.com/a b' }, /^uri: /],
    [{ uri: `https://api.example.com/${'x'.repeat(1024)}` }, /^uri: /],
    [{ access_token_ttl: 59 }, /^access_token_ttl: /],
    [{ access_token_ttl: 86_401 }, /^access_token_ttl: /],
    [{ refresh_token_ttl: 7201 }, /^refresh_token_ttl: must be at most max_refresh_rotate \(7200\)/],
    [{ max_refresh_rotate: Number.NaN }, /^max_refresh_rotate: /],
  ])('%j is refused, on creation and on change', async (wrong, message) => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await expect(createResource(ports, { tenant }, { ...fields, ...wrong })).rejects.toThrow(message);
    const { resourceId } = await createResource(ports, { tenant }, fields);
    await expect(updateResource(ports, tenant, resourceId, wrong)).rejects.toThrow(message);
  });
});
