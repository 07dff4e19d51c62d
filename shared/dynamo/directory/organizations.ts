import type { Organization, OrganizationRecords, Organizations } from '../../ports/directory.ts';
import { number, text } from '../attributes.ts';
import { listPartitions, organizationKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Item, Table } from '../table.ts';

function toOrganization(item: Item): Organization {
  return {
    organizationId: text(item, 'organization_id'),
    tenantId: text(item, 'tenant_id'),
    name: text(item, 'name'),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  };
}

const kind: RecordKind<Organization> = {
  key: organizationKey,
  id: (organization) => organization.organizationId,
  list: (organization) => listPartitions.organizations(organization.tenantId),
  listOf: listPartitions.organizations,
  fromItem: toOrganization,
  toAttributes: (organization) => ({
    organization_id: organization.organizationId,
    tenant_id: organization.tenantId,
    name: organization.name,
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
  }),
};

export const organizations = (table: Table): Organizations => lookup(table, kind);
export const organizationRecords = (table: Table): OrganizationRecords => recordStore(table, kind);
