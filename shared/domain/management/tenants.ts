import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant, TenantFields, TenantRecord } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import { tenantFields } from '../../records/tenant.ts';
import { changeRecord, hasItems, iterateItems } from '../basis/change-record.ts';
import { newId, newSecret } from '../basis/random.ts';
import { removeClient } from './clients.ts';
import { removeResource } from './resources.ts';

/** Converts a tenant to its API representation. The salt is never shown. */
export const toTenantRecord = (tenant: Tenant): TenantRecord => toRecordView(tenantFields, tenant);

export async function createTenant(
  ports: PortsWith<'tenantRecords.put'>,
  fields: TenantFields & { readonly name: string },
  at: number,
): Promise<Tenant> {
  const own = { tenantId: newId(), salt: newSecret(), createdAt: at, updatedAt: at };
  const tenant = createRecord(tenantFields, own, fields);
  if (!(await ports.tenantRecords.put(tenant))) throw new Error('a fresh tenant ID is in use');
  return tenant;
}

/** Returns a tenant. Errors: `tenant_not_found`. */
export async function requireTenant(
  ports: PortsWith<'tenantRecords.find'>,
  tenantId: string,
): Promise<Tenant> {
  const tenant = await ports.tenantRecords.find(tenantId);
  if (!tenant) throw new ServiceError('tenant_not_found');
  return tenant;
}

export function listTenants(
  ports: PortsWith<'tenantRecords.list'>,
  page: PageRequest,
): Promise<Page<Tenant>> {
  return ports.tenantRecords.list('', page);
}

/** Changes the given fields of a tenant. Errors: `tenant_not_found`, `concurrent_change`. */
export function updateTenant(
  ports: PortsWith<'tenantRecords.find' | 'tenantRecords.replace'>,
  tenantId: string,
  fields: TenantFields,
  at: number,
): Promise<Tenant> {
  return changeRecord(
    ports.tenantRecords,
    () => requireTenant(ports, tenantId),
    (tenant) => ({ ...applyChanges(tenantFields, tenant, fields), updatedAt: at }),
  );
}

/**
 * Deletes an empty tenant with its management clients, resources, hosts and webhooks.
 * Errors: `tenant_not_found`, `in_use` while it has applications, users or organizations.
 */
export async function deleteTenant(
  ports: PortsWith<
    | 'tenantRecords.find'
    | 'tenantRecords.remove'
    | 'applicationRecords.list'
    | 'clientRecords.list'
    | 'clientRecords.remove'
    | 'windowRecords.announce'
    | 'resourceRecords.list'
    | 'resourceRecords.remove'
    | 'resourceRecords.releaseUri'
    | 'uriOwners.reserveUntil'
    | 'uriOwnerRecords.listHosts'
    | 'uriOwnerRecords.freeHost'
    | 'webhookRecords.list'
    | 'webhookRecords.remove'
    | 'organizationRecords.list'
    | 'userRecords.list'
  >,
  tenantId: string,
): Promise<void> {
  await requireTenant(ports, tenantId);
  const lists: Readonly<Record<string, (page: PageRequest) => Promise<Page<unknown>>>> = {
    applications: (page) => ports.applicationRecords.list(tenantId, page),
    users: (page) => ports.userRecords.list(tenantId, page),
    organizations: (page) => ports.organizationRecords.list(tenantId, page),
  };
  for (const [kind, list] of Object.entries(lists))
    if (await hasItems(list))
      throw new ServiceError('in_use', { message: `The tenant has ${kind}: delete them first` });

  for await (const { clientId } of iterateItems((page) => ports.clientRecords.list(tenantId, page)))
    await removeClient(ports, clientId);
  for await (const resource of iterateItems((page) => ports.resourceRecords.list(tenantId, page)))
    await removeResource(ports, resource);
  for (const { host, tenantId: keeper } of await ports.uriOwnerRecords.listHosts())
    if (keeper === tenantId) await ports.uriOwnerRecords.freeHost(tenantId, host);
  for await (const { webhookId } of iterateItems((page) => ports.webhookRecords.list(tenantId, page)))
    await ports.webhookRecords.remove(webhookId);
  await ports.tenantRecords.remove(tenantId);
}
