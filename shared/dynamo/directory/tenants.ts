import type { Tenant, TenantRecords, Tenants } from '../../ports/directory.ts';
import { tenantFields } from '../../records/tenant.ts';
import { createCodec } from '../codec-of.ts';
import { listPartitions, tenantKey } from '../keys.ts';
import { cachedReader, type RecordStorage, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordStorage<Tenant> = {
  key: tenantKey,
  id: (tenant) => tenant.tenantId,
  list: listPartitions.tenants,
  toListPartition: listPartitions.tenants,
  codec: createCodec(tenantFields),
};

export const tenants = (table: Table): Tenants => cachedReader(table, kind);
export const tenantRecords = (table: Table): TenantRecords => recordStore(table, kind);
