import type { Tenant, TenantRecords, Tenants } from '../../ports/directory.ts';
import { tenantFields } from '../../records/tenant.ts';
import { codecOf } from '../codec-of.ts';
import { listPartitions, tenantKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordKind<Tenant> = {
  key: tenantKey,
  id: (tenant) => tenant.tenantId,
  list: listPartitions.tenants,
  listOf: listPartitions.tenants,
  codec: codecOf(tenantFields),
};

export const tenants = (table: Table): Tenants => lookup(table, kind);
export const tenantRecords = (table: Table): TenantRecords => recordStore(table, kind);
