import type { Tenant, TenantRecords, Tenants } from '../../ports/directory.ts';
import { number, omitUndefined, optionalNumber, text } from '../attributes.ts';
import { listPartitions, tenantKey } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Item, Table } from '../table.ts';

function toTenant(item: Item): Tenant {
  return omitUndefined({
    tenantId: text(item, 'tenant_id'),
    name: text(item, 'name'),
    salt: text(item, 'salt'),
    smsPerDay: optionalNumber(item, 'sms_per_day'),
    smsPer30Days: optionalNumber(item, 'sms_per_30_days'),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  });
}

const kind: RecordKind<Tenant> = {
  key: tenantKey,
  id: (tenant) => tenant.tenantId,
  list: listPartitions.tenants,
  listOf: listPartitions.tenants,
  fromItem: toTenant,
  toAttributes: (tenant) => ({
    tenant_id: tenant.tenantId,
    name: tenant.name,
    salt: tenant.salt,
    sms_per_day: tenant.smsPerDay,
    sms_per_30_days: tenant.smsPer30Days,
    created_at: tenant.createdAt,
    updated_at: tenant.updatedAt,
  }),
};

export const tenants = (table: Table): Tenants => lookup(table, kind);
export const tenantRecords = (table: Table): TenantRecords => recordStore(table, kind);
