import { afterEach, expect, jest, test } from '@jest/globals';
import {
  iterateRequestableResources,
  moveUri,
  reserveUri,
} from '../../../shared/domain/management/resource-uris.ts';
import {
  deleteResource,
  removeResource,
  replaceResource,
} from '../../../shared/domain/management/resources.ts';
import { someResource, someTenant } from '../../support/server/records.ts';

const NOW = 1000;
const ABANDONED_UNTIL = NOW + 90 * 86_400;
const resource = someResource({ tenantId: 'tenant', resourceId: 'resource', uri: 'urn:old' });
const next = { ...resource, uri: 'urn:new' };

afterEach(() => {
  jest.restoreAllMocks();
});

/** Creates ports that record their writes. `results` are the results of single calls; all others return true. */
function createPorts(results: Readonly<Record<string, () => unknown>> = {}) {
  jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
  const calls: unknown[] = [];
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return results[name]?.() ?? true;
    };
  const ports = {
    resourceRecords: {
      find: async () => resource,
      reserveUri: call('reserve in tenant'),
      releaseUri: call('release in tenant'),
      replace: call('replace'),
      remove: call('remove'),
    },
    uriOwners: { reserve: call('reserve'), reserveUntil: call('reserve until') },
    applicationRecords: { list: async () => ({ items: [] }) },
  };
  return { ports: ports as never, calls };
}

const reserved = [
  ['reserve in tenant', 'tenant', 'urn:new', 'resource'],
  ['reserve', 'tenant', 'urn:new', NOW],
];

test('a URI that belongs to another tenant does not stay reserved in the tenant', async () => {
  const { ports, calls } = createPorts({ reserve: () => false });
  await expect(reserveUri(ports, next)).rejects.toThrow(
    'uri: belongs to another tenant of this environment, or did in the last 90 days',
  );
  expect(calls).toEqual([...reserved, ['release in tenant', 'tenant', 'urn:new', 'resource', NOW]]);
});

test.each([
  [30, true],
  [30.1, false],
])('a resource URI must be reserved within 30 seconds: %s', async (seconds, isReserved) => {
  const { ports } = createPorts({
    reserve: () => Boolean(jest.mocked(Date.now).mockReturnValue((NOW + seconds) * 1000)),
  });
  const reserving = reserveUri(ports, next);
  if (isReserved) await reserving;
  else await expect(reserving).rejects.toMatchObject({ key: 'concurrent_change' });
});

test('another tenant cannot use the previous URI of a changed resource for 90 days', async () => {
  const { ports, calls } = createPorts();
  await replaceResource(ports, { current: resource, next, startedAt: NOW - 1 });
  expect(calls).toEqual([
    ...reserved,
    ['reserve until', 'tenant', 'urn:old', ABANDONED_UNTIL],
    ['replace', resource, next],
    ['release in tenant', 'tenant', 'urn:old', 'resource', NOW - 1],
  ]);
});

test('another tenant cannot use the URI of a removed resource for 90 days', async () => {
  const { ports, calls } = createPorts();
  expect(await removeResource(ports, resource)).toBe(true);
  expect(calls).toEqual([
    ['reserve until', 'tenant', 'urn:old', ABANDONED_UNTIL],
    ['remove', 'resource'],
    ['release in tenant', 'tenant', 'urn:old', 'resource', NOW],
  ]);
});

test('a resource cannot be deleted twice', async () => {
  const { ports } = createPorts({ remove: () => false });
  await expect(deleteResource(ports, someTenant(resource), 'resource')).rejects.toMatchObject({
    key: 'unknown_resource',
  });
});

const tenants = ['tenant', 'former', 'other'].map((tenantId) => someTenant({ tenantId }));
const tenantRecords = { list: async () => ({ items: tenants }) };

test('moveUri assigns a URI to a tenant and takes it from all others', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
  const calls: unknown[] = [];
  const uriOwnerRecords = {
    assign: async (...given: unknown[]) => void calls.push(given),
    revoke: async (tenantId: string, uri: string) => calls.push([tenantId, uri]) > 0 && tenantId === 'former',
  };
  const former = await moveUri({ uriOwnerRecords, tenantRecords } as never, someTenant(resource), 'urn:old');
  expect(former).toEqual(['former']);
  expect(calls).toEqual([
    ['tenant', 'urn:old', NOW],
    ['former', 'urn:old'],
    ['other', 'urn:old'],
  ]);
});

test('only a resource that its URI leads to can be requested', async () => {
  const resources = tenants.map(({ tenantId }) => someResource({ tenantId }));
  const [first, second] = resources;
  const ports = {
    tenantRecords,
    resourceRecords: {
      list: async (tenantId: string) => ({ items: resources.filter((each) => each.tenantId === tenantId) }),
    },
    resources: {
      findByUri: async (_: string, uri: string, { fresh }: { readonly fresh?: boolean }) =>
        fresh && uri === first?.uri ? first : uri === second?.uri ? someResource({ uri }) : undefined,
    },
  } as never;
  const found: unknown[] = [];
  for await (const each of iterateRequestableResources(ports)) found.push(each);
  expect(found).toEqual([first]);
});
