import type { Organization, OrganizationRecords, Organizations } from '../../ports/directory.ts';
import { organizationFields } from '../../records/organization.ts';
import { codecOf } from '../codec-of.ts';
import { listPartitions, organizationKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordKind<Organization> = {
  key: organizationKey,
  id: (organization) => organization.organizationId,
  list: (organization) => listPartitions.organizations(organization.tenantId),
  listOf: listPartitions.organizations,
  codec: codecOf(organizationFields),
};

export const organizations = (table: Table): Organizations => lookup(table, kind);
export const organizationRecords = (table: Table): OrganizationRecords => recordStore(table, kind);
