import * as v from 'valibot';
import {
  NAME_MAX,
  RATE_LIMIT_MAX,
  RECOVERY_DELAY_HOURS,
  RECOVERY_DELAY_HOURS_MAX,
  SMS_PER_TENANT_PER_30_DAYS,
  SMS_PER_TENANT_PER_DAY,
} from '../domain/basis/limits.ts';
import { described, doc } from './fields/described.ts';
import { dates, field, integer, listOf, name, shown, tenantId } from './fields/record.ts';

/** Tenants: only the command line manages them. */

const nameOfTenant = doc(`Name of the customer organisation. At most ${NAME_MAX} characters.`, 'Example Ltd');
const smsPerDay = doc(
  `SMS of all its applications in a day (default: ${SMS_PER_TENANT_PER_DAY}).`,
  SMS_PER_TENANT_PER_DAY,
);
const smsPer30Days = doc(
  `SMS of all its applications in thirty days (default: ${SMS_PER_TENANT_PER_30_DAYS}).`,
  SMS_PER_TENANT_PER_30_DAYS,
);
const recoveryDelayHours = doc(
  `Hours after which one kind of factor is enough for a user who has lost another, 1 to ${RECOVERY_DELAY_HOURS_MAX} (default: ${RECOVERY_DELAY_HOURS}).`,
  RECOVERY_DELAY_HOURS,
);
const accountDeletion = doc(
  'Whether people may delete their own account on the account page (default: false).',
  false,
);
const tenantSettings = {
  sms_per_day: field(integer(1, RATE_LIMIT_MAX), smsPerDay),
  sms_per_30_days: field(integer(1, RATE_LIMIT_MAX), smsPer30Days),
  recovery_delay_hours: field(integer(1, RECOVERY_DELAY_HOURS_MAX), recoveryDelayHours),
  account_deletion: field(v.boolean(), accountDeletion),
};
export const CreateTenantBody = v.object({ name: described(name, nameOfTenant), ...tenantSettings });
export const UpdateTenantBody = v.object({ name: shown(name, nameOfTenant), ...tenantSettings });
export type TenantFields = v.InferOutput<typeof UpdateTenantBody>;
export const TenantRecord = v.object({
  tenant_id: described(v.string(), tenantId),
  name: described(v.string(), nameOfTenant),
  sms_per_day: shown(v.number(), smsPerDay),
  sms_per_30_days: shown(v.number(), smsPer30Days),
  recovery_delay_hours: shown(v.number(), recoveryDelayHours),
  account_deletion: shown(v.boolean(), accountDeletion),
  ...dates,
});
export type TenantRecord = v.InferOutput<typeof TenantRecord>;
export const TenantListResponse = listOf(TenantRecord);
