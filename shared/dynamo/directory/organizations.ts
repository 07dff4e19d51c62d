import type { Organization, OrganizationRecords, Organizations } from '../../ports/directory.ts';
import { codec, number, text } from '../codec.ts';
import { listPartitions, organizationKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const organizationItem = codec<Organization>({
  organizationId: text('organization_id'),
  tenantId: text('tenant_id'),
  name: text('name'),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
});

const kind: RecordKind<Organization> = {
  key: organizationKey,
  id: (organization) => organization.organizationId,
  list: (organization) => listPartitions.organizations(organization.tenantId),
  listOf: listPartitions.organizations,
  codec: organizationItem,
};

export const organizations = (table: Table): Organizations => lookup(table, kind);
export const organizationRecords = (table: Table): OrganizationRecords => recordStore(table, kind);
