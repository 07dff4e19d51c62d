import * as v from 'valibot';
import {
  ADDRESS_MAX,
  APPLICATIONS_DEFAULT,
  APPLICATIONS_MAX,
  NAME_MAX,
  RATE_LIMIT_MAX,
  RECOVERY_DELAY_HOURS,
  RECOVERY_DELAY_HOURS_MAX,
  SMS_PER_TENANT_PER_30_DAYS,
  SMS_PER_TENANT_PER_DAY,
} from '../domain/basis/limits.ts';
import { ENROLMENT_STEPS, operatorFields } from '../records/operator.ts';
import { tenantFields } from '../records/tenant.ts';
import { describe, described, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { createSchemas, withFields } from './fields/of-record.ts';
import {
  id,
  integer,
  name,
  optionalField,
  tenantId,
  textUpTo,
  toPage,
  toResult,
  userId,
} from './fields/record.ts';

// Schemas of tenants, which only the command line manages.

const tenant = createSchemas(tenantFields, {
  tenantId,
  name: [name, describe(`Name of the customer organisation. At most ${NAME_MAX} characters.`, 'Example Ltd')],
  smsPerDay: [
    integer(1, RATE_LIMIT_MAX),
    describe(
      `SMS of all the tenant's applications per day (default: ${SMS_PER_TENANT_PER_DAY}).`,
      SMS_PER_TENANT_PER_DAY,
    ),
  ],
  smsPer30Days: [
    integer(1, RATE_LIMIT_MAX),
    describe(
      `SMS of all the tenant's applications in thirty days (default: ${SMS_PER_TENANT_PER_30_DAYS}).`,
      SMS_PER_TENANT_PER_30_DAYS,
    ),
  ],
  maxApplications: [
    integer(1, APPLICATIONS_MAX),
    describe(
      `Maximum number of applications, 1 to ${APPLICATIONS_MAX} (default: ${APPLICATIONS_DEFAULT}).`,
      APPLICATIONS_DEFAULT,
    ),
  ],
  recoveryDelayHours: [
    integer(1, RECOVERY_DELAY_HOURS_MAX),
    describe(
      `Hours after which one factor is sufficient for a user who has lost another, 1 to ${RECOVERY_DELAY_HOURS_MAX} (default: ${RECOVERY_DELAY_HOURS}).`,
      RECOVERY_DELAY_HOURS,
    ),
  ],
  accountDeletion: describe(
    'Whether users may delete their account on the account page (default: false).',
    false,
  ),
});
export const { create: CreateTenantBody, update: UpdateTenantBody, record: TenantRecord } = tenant;
export const TenantListResponse = toPage(TenantRecord);

// Schemas of operators: people with a role in a tenant.

const email = describe(`Email address of the person. At most ${ADDRESS_MAX} characters.`, 'ann@example.org');
const operator = createSchemas(operatorFields, {
  userId,
  tenantId,
  role: describe(
    'Role of the operator: viewer reads with masked addresses, support changes users without power, developer changes appearance and texts, admin changes everything in the tenant.',
    'support',
  ),
  state: describe(
    'State of the operator: invited until the person has a passkey and a second factor, then enrolled until another operator confirms it, then active.',
    'active',
  ),
  invitedBy: describe('User ID of the inviter, or the name of AWS credentials.', '2vd8nq4m1x0k7zt9w5chb3ryp'),
});
export const InviteOperatorBody = described(
  withFields(operator.create, { email: described(textUpTo(ADDRESS_MAX), email) }),
  sample('email', 'role'),
);
const role = v.picklist(operatorFields.role.of);
export const UpdateOperatorBody = v.object({
  role: described(role, describe('New role of the operator.', 'support')),
});
export const OperatorRecord = described(
  withFields(operator.record, {
    email: optionalField(v.string(), email),
    enrolment_step: optionalField(
      v.picklist(ENROLMENT_STEPS),
      describe(
        'Last step that an invited person has completed after opening the invitation. Only in lists. Absent: the invitation was not accepted, or the person has enrolled.',
        'address_verified',
      ),
    ),
  }),
  describe('A person with a role in a tenant.'),
);
export const OperatorResponse = toResult(OperatorRecord);
export const OperatorListResponse = toPage(OperatorRecord);
export const OperatorPath = v.object({ userId: described(id, userId) });

export const OwnOperatorResponse = toResult(
  described(
    v.object({
      user_id: described(v.string(), userId),
      email: optionalField(v.string(), email),
      auth_time: described(v.number(), describe('Time of the login in epoch seconds.', 1769860800)),
      grants: described(
        v.array(
          v.object({
            tenant_id: described(v.string(), tenantId),
            tenant_name: described(v.string(), describe('Name of the tenant.', 'Shop')),
            role: described(role, describe('Role of the operator in this tenant.', 'support')),
          }),
        ),
        describe('Tenants in which the person is an operator.'),
      ),
    }),
    describe('Operator of the access token.'),
  ),
);

const LINK_MAX = 200;
export const InvitationQuery = v.object({
  invitation: described(
    v.pipe(v.string(), v.minLength(1), maxCharacters(LINK_MAX)),
    describe(
      'Secret of an invitation, from the link in the mail.',
      '2vd8nq4m1x0k7zt9w5chb3ryp.4pf9mhq20w7x3dz1k6vs8tybn.oX0z8m3qV5tWb7Rk1yN4hJ',
    ),
  ),
});

/** Fields of a request to the console, in a query or form. The console passes them on to the API, which validates them. */
const consoleFields = v.record(v.string(), v.string());
export const ConsolePath = v.object({ path: v.optional(v.string()) });
export const ConsoleQuery = consoleFields;
export const ConsoleForm = consoleFields;
