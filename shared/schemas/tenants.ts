import {
  APPLICATIONS,
  APPLICATIONS_MAX,
  NAME_MAX,
  RATE_LIMIT_MAX,
  RECOVERY_DELAY_HOURS,
  RECOVERY_DELAY_HOURS_MAX,
  SMS_PER_TENANT_PER_30_DAYS,
  SMS_PER_TENANT_PER_DAY,
} from '../domain/basis/limits.ts';
import { tenantFields } from '../records/tenant.ts';
import { doc } from './fields/described.ts';
import { schemasOf } from './fields/of-record.ts';
import { integer, listOf, name, tenantId } from './fields/record.ts';

/** Tenants: only the command line manages them. */

const tenant = schemasOf(tenantFields, {
  tenantId,
  name: [name, doc(`Name of the customer organisation. At most ${NAME_MAX} characters.`, 'Example Ltd')],
  smsPerDay: [
    integer(1, RATE_LIMIT_MAX),
    doc(`SMS of all its applications in a day (default: ${SMS_PER_TENANT_PER_DAY}).`, SMS_PER_TENANT_PER_DAY),
  ],
  smsPer30Days: [
    integer(1, RATE_LIMIT_MAX),
    doc(
      `SMS of all its applications in thirty days (default: ${SMS_PER_TENANT_PER_30_DAYS}).`,
      SMS_PER_TENANT_PER_30_DAYS,
    ),
  ],
  maxApplications: [
    integer(1, APPLICATIONS_MAX),
    doc(`Most applications, 1 to ${APPLICATIONS_MAX} (default: ${APPLICATIONS}).`, APPLICATIONS),
  ],
  recoveryDelayHours: [
    integer(1, RECOVERY_DELAY_HOURS_MAX),
    doc(
      `Hours after which one kind of factor is enough for a user who has lost another, 1 to ${RECOVERY_DELAY_HOURS_MAX} (default: ${RECOVERY_DELAY_HOURS}).`,
      RECOVERY_DELAY_HOURS,
    ),
  ],
  accountDeletion: doc(
    'Whether people may delete their own account on the account page (default: false).',
    false,
  ),
});
export const { create: CreateTenantBody, update: UpdateTenantBody, record: TenantRecord } = tenant;
export const TenantListResponse = listOf(TenantRecord);
