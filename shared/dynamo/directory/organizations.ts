import type { Organization, OrganizationRecords, Organizations } from '../../ports/directory.ts';
import { organizationFields } from '../../records/organization.ts';
import { createCodec } from '../codec-of.ts';
import { listPartitions, organizationKey } from '../keys.ts';
import { cachedReader, type RecordStorage, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordStorage<Organization> = {
  key: organizationKey,
  id: (organization) => organization.organizationId,
  list: (organization) => listPartitions.organizations(organization.tenantId),
  toListPartition: listPartitions.organizations,
  codec: createCodec(organizationFields),
};

export const organizations = (table: Table): Organizations => cachedReader(table, kind);
export const organizationRecords = (table: Table): OrganizationRecords => recordStore(table, kind);
