import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { newId, newSecret } from '../random.ts';
import { nowSeconds, wireDate } from '../time.ts';
import { changeRecord, everyItem, hasItems } from './change-record.ts';
import { removeResource } from './resources.ts';

export interface TenantRecord {
  readonly tenant_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A tenant as operators see it; its salt stays inside. */
export function tenantRecord(tenant: Tenant): TenantRecord {
  return {
    tenant_id: tenant.tenantId,
    name: tenant.name,
    created_at: wireDate(tenant.createdAt),
    updated_at: wireDate(tenant.updatedAt),
  };
}

export async function createTenant(
  ports: Using<'tenantRecords.put'>,
  fields: { readonly name: string },
): Promise<Tenant> {
  const at = nowSeconds();
  const tenant = { tenantId: newId(), name: fields.name, salt: newSecret(), createdAt: at, updatedAt: at };
  if (!(await ports.tenantRecords.put(tenant))) throw new Error('a fresh tenant ID is in use');
  return tenant;
}

/** Errors: `tenant_not_found`. */
export async function requireTenant(ports: Using<'tenantRecords.find'>, tenantId: string): Promise<Tenant> {
  const tenant = await ports.tenantRecords.find(tenantId);
  if (!tenant) throw new ServiceError('tenant_not_found');
  return tenant;
}

export function listTenants(ports: Using<'tenantRecords.list'>, page: PageRequest): Promise<Page<Tenant>> {
  return ports.tenantRecords.list('', page);
}

/** Errors: `tenant_not_found`, `concurrent_change`. */
export function updateTenant(
  ports: Using<'tenantRecords.find' | 'tenantRecords.replace'>,
  tenantId: string,
  fields: { readonly name?: string | undefined },
): Promise<Tenant> {
  return changeRecord(
    ports.tenantRecords,
    () => requireTenant(ports, tenantId),
    (tenant) => ({ ...tenant, name: fields.name ?? tenant.name, updatedAt: nowSeconds() }),
  );
}

/**
 * Deletes an empty tenant with its management clients and resources. Errors: `tenant_not_found`, `in_use` while it has
 * applications, users or organizations.
 */
export async function deleteTenant(
  ports: Using<
    | 'tenantRecords.find'
    | 'tenantRecords.remove'
    | 'applicationRecords.list'
    | 'clientRecords.list'
    | 'clientRecords.remove'
    | 'resourceRecords.list'
    | 'resourceRecords.remove'
    | 'resourceRecords.releaseUri'
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

  for await (const { clientId } of everyItem((page) => ports.clientRecords.list(tenantId, page)))
    await ports.clientRecords.remove(clientId);
  for await (const resource of everyItem((page) => ports.resourceRecords.list(tenantId, page)))
    await removeResource(ports, resource);
  await ports.tenantRecords.remove(tenantId);
}
