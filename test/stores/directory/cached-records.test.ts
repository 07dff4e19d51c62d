import { expect, test } from '@jest/globals';
import { listAccessByMethod, portAccess, type TablePort } from '../../../lib/stacks/functions/port-access.ts';
import { buildGrantId } from '../../../shared/domain/basis/operators.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import {
  someApplication,
  someClient,
  someGrant,
  someOrganization,
  someResource,
  someTenant,
} from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

// Records of the table `directory` are cached for 60 seconds. Tests changes and removals of each record type.

const server = useTestServer();

interface Named {
  readonly name: string;
}
interface Records<T> {
  put(record: T): Promise<boolean>;
  find(id: string): Promise<T | undefined>;
  replace(expected: T, next: T): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}
interface Kept {
  readonly read: () => Promise<Named | undefined>;
  readonly rename: (name: string) => Promise<boolean>;
  readonly remove: () => Promise<boolean>;
}

async function kept<T extends Named>(
  records: Records<T>,
  id: string,
  record: T,
  read: Kept['read'],
): Promise<Kept> {
  await records.put(record);
  return {
    read,
    async rename(name) {
      const current = await records.find(id);
      return current !== undefined && records.replace(current, { ...current, name });
    },
    remove: () => records.remove(id),
  };
}

/** Cached read-only ports. Each function stores a record and returns functions that read, rename and remove the record. */
const kinds = {
  async tenants() {
    const { tenants, tenantRecords } = await server.ports(['tenants', 'tenantRecords']);
    const tenant = someTenant();
    return kept(tenantRecords, tenant.tenantId, tenant, () => tenants.find(tenant.tenantId));
  },
  async applications() {
    const ports = await server.ports(['applications', 'applicationRecords']);
    const application = someApplication();
    const { applicationId } = application;
    return kept(ports.applicationRecords, applicationId, application, () =>
      ports.applications.find(applicationId),
    );
  },
  async applicationsOfTenant() {
    const ports = await server.ports(['applicationsOfTenant', 'applicationRecords']);
    const application = someApplication();
    const { tenantId, applicationId } = application;
    return kept(ports.applicationRecords, applicationId, application, async () =>
      (await ports.applicationsOfTenant.list(tenantId)).find((each) => each.applicationId === applicationId),
    );
  },
  async clients() {
    const { clients, clientRecords } = await server.ports(['clients', 'clientRecords']);
    const client = someClient();
    return kept(clientRecords, client.clientId, client, () => clients.find(client.clientId));
  },
  async organizations() {
    const ports = await server.ports(['organizations', 'organizationRecords']);
    const organization = someOrganization();
    const { organizationId } = organization;
    return kept(ports.organizationRecords, organizationId, organization, () =>
      ports.organizations.find(organizationId),
    );
  },
  async operators() {
    const { operators, operatorRecords } = await server.ports(['operators', 'operatorRecords']);
    const grant = someGrant();
    const id = buildGrantId(grant);
    await operatorRecords.put(grant);
    return {
      async read() {
        const found = await operators.find(grant);
        return found && { name: found.invitedBy };
      },
      async rename(invitedBy: string) {
        const current = await operatorRecords.find(id);
        return current !== undefined && operatorRecords.replace(current, { ...current, invitedBy });
      },
      remove: () => operatorRecords.remove(id),
    };
  },
  async resources() {
    const { resources, resourceRecords } = await server.ports(['resources', 'resourceRecords']);
    const resource = someResource();
    const { tenantId, uri, resourceId } = resource;
    await resourceRecords.reserveUri(tenantId, uri, resourceId);
    return kept(resourceRecords, resourceId, resource, () => resources.findByUri(tenantId, uri));
  },
  async resourcesOfTenant() {
    const { resourcesOfTenant, resourceRecords } = await server.ports([
      'resourcesOfTenant',
      'resourceRecords',
    ]);
    const resource = someResource();
    const { tenantId, resourceId } = resource;
    return kept(resourceRecords, resourceId, resource, async () =>
      (await resourcesOfTenant.list(tenantId)).find((each) => each.resourceId === resourceId),
    );
  },
} satisfies Partial<Record<keyof Ports, () => Promise<Kept>>>;

/**
 * Ports that are not tested here. `webhooks` and `formerIssuers` are not cached, and `uriOwners` decides with a conditional
 * write. Rotations of signing keys and changes of RP IDs take into account that records are cached for a minute.
 */
const OTHERS = [
  ...['webhooks', 'formerIssuers', 'signingKeys', 'relatedOrigins', 'rpIds', 'uriOwners'],
  'operatorEnrolments',
];

test('the cache tests cover every port that reads the table `directory`', () => {
  const reading = Object.keys(portAccess).filter((port) =>
    Object.values(listAccessByMethod(port as TablePort))
      .flat()
      .some(({ table }) => table === 'directory'),
  );
  const known = [...Object.keys(kinds), ...OTHERS];
  expect(reading.filter((port) => !port.endsWith('Records') && !known.includes(port))).toEqual([]);
});

test.each(Object.entries(kinds))(
  'after a record changes, the cached port %s returns the new record within 60 seconds',
  async (_, make) => {
    const { read, rename, remove } = await make();
    const former = (await read())?.name;
    expect(former).toBeDefined();
    expect(await rename('Changed')).toBe(true);
    expect((await read())?.name).toBe(former);
    await server.advanceClock(60);
    expect((await read())?.name).toBe('Changed');
    expect(await remove()).toBe(true);
    expect((await read())?.name).toBe('Changed');
    await server.advanceClock(60);
    expect(await read()).toBeUndefined();
  },
);
