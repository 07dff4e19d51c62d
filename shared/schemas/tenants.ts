import * as v from 'valibot';
import { RECOVERY_DELAY_HOURS_MAX } from '../domain/basis/limits.ts';
import { dates, field, integer, limit, listOf, name } from './record-fields.ts';

/** Tenants: only the command line manages them. */

const smsBudget = { sms_per_day: limit, sms_per_30_days: limit };
const tenantSettings = {
  ...smsBudget,
  recovery_delay_hours: field(integer(1, RECOVERY_DELAY_HOURS_MAX)),
  narrow_credentials: field(v.boolean()),
};
export const CreateTenantBody = v.object({ name, ...tenantSettings });
export const UpdateTenantBody = v.object({ name: v.optional(name), ...tenantSettings });
export type TenantFields = v.InferOutput<typeof UpdateTenantBody>;
export const TenantRecord = v.object({
  tenant_id: v.string(),
  name: v.string(),
  sms_per_day: v.optional(v.number()),
  sms_per_30_days: v.optional(v.number()),
  recovery_delay_hours: v.optional(v.number()),
  narrow_credentials: v.optional(v.boolean()),
  ...dates,
});
export type TenantRecord = v.InferOutput<typeof TenantRecord>;
export const TenantListResponse = listOf(TenantRecord);
