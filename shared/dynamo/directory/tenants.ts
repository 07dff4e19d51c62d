import type { Tenant, TenantRecords, Tenants } from '../../ports/directory.ts';
import { codec, flag, number, optional, text } from '../codec.ts';
import { listPartitions, tenantKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const tenantItem = codec<Tenant>({
  tenantId: text('tenant_id'),
  name: text('name'),
  salt: text('salt'),
  smsPerDay: optional(number('sms_per_day')),
  smsPer30Days: optional(number('sms_per_30_days')),
  recoveryDelayHours: optional(number('recovery_delay_hours')),
  accountDeletion: optional(flag('account_deletion')),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
});

const kind: RecordKind<Tenant> = {
  key: tenantKey,
  id: (tenant) => tenant.tenantId,
  list: listPartitions.tenants,
  listOf: listPartitions.tenants,
  codec: tenantItem,
};

export const tenants = (table: Table): Tenants => lookup(table, kind);
export const tenantRecords = (table: Table): TenantRecords => recordStore(table, kind);
