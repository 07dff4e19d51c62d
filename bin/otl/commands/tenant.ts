import {
  RECOVERY_DELAY_HOURS,
  SMS_PER_TENANT_PER_30_DAYS,
  SMS_PER_TENANT_PER_DAY,
} from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createTenant,
  deleteTenant,
  listTenants,
  requireTenant,
  tenantRecord,
  updateTenant,
} from '../../../shared/domain/management/tenants.ts';
import type { TenantRecord } from '../../../shared/schemas/tenants.ts';
import { CreateTenantBody, UpdateTenantBody } from '../../../shared/schemas/tenants.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import type { Field } from '../engine/fields.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';
import { shortDate } from '../terminal/print.ts';

const fields: readonly Field[] = [
  { flag: 'name', help: 'name of the customer organisation', required: true },
  {
    flag: 'sms-per-day',
    kind: 'number',
    value: 'count',
    help: `SMS of all its applications in a day (default: ${SMS_PER_TENANT_PER_DAY})`,
  },
  {
    flag: 'sms-per-30-days',
    field: 'sms_per_30_days',
    kind: 'number',
    value: 'count',
    help: `SMS of all its applications in thirty days (default: ${SMS_PER_TENANT_PER_30_DAYS})`,
  },
  {
    flag: 'recovery-delay-hours',
    kind: 'number',
    value: 'hours',
    help: `hours after which one kind of factor is enough for a user who has lost another (default: ${RECOVERY_DELAY_HOURS})`,
  },
  {
    flag: 'narrow-credentials',
    kind: 'flag',
    help: 'whether passkeys from before 0.2.0 count only where they were registered (default: no)',
  },
];

const columns: readonly Column<TenantRecord>[] = [
  { heading: 'TENANT', text: (tenant) => tenant.tenant_id },
  { heading: 'NAME', text: (tenant) => tenant.name, flexible: true },
  { heading: 'MADE', text: (tenant) => shortDate(tenant.created_at) },
];

/** The tenant with the given ID, or else the command's tenant. */
async function idOf({ id, tenant }: Call): Promise<string> {
  return id === '' ? (await tenant()).tenantId : id;
}

export const tenant: CommandGroup = {
  name: 'tenant',
  summary: 'customer organisations: each has its own users and applications',
  ofNoTenant: true,
  commands: [
    {
      verb: 'create',
      summary: 'Makes a tenant',
      changes: 'management.changed',
      fields,
      examples: ['--name "Example Ltd"'],
      run: withBody(CreateTenantBody, async ({ ports, body, audit }) => {
        const made = await createTenant(ports, body, nowSeconds());
        audit({ recordId: made.tenantId, tenantId: made.tenantId });
        return { record: tenantRecord(made) };
      }),
    },
    {
      verb: 'list',
      summary: 'Lists all tenants',
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, page }) => listOutcome(await listTenants(ports, page), tenantRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows a tenant',
      id: 'optional',
      examples: ['0a1b2c'],
      run: async (call) => ({ record: tenantRecord(await requireTenant(call.ports, await idOf(call))) }),
    },
    {
      verb: 'update',
      summary: 'Changes a tenant',
      changes: 'management.changed',
      id: 'required',
      fields,
      examples: [
        '0a1b2c --name "Example plc"',
        '0a1b2c --sms-per-day 500 --sms-per-30-days 5000',
        '0a1b2c --narrow-credentials',
      ],
      run: withBody(UpdateTenantBody, async ({ ports, id, body, audit }) => {
        const changed = await updateTenant(ports, id, body, nowSeconds());
        audit({ tenantId: changed.tenantId });
        return { record: tenantRecord(changed) };
      }),
    },
    {
      verb: 'delete',
      summary: 'Deletes a tenant that has no applications, users and organizations',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the tenant ${id} with its management clients, resources and webhooks`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, id, audit }) => {
        await deleteTenant(ports, id);
        audit({ tenantId: id });
        return { done: `The tenant ${id} is deleted.` };
      },
    },
  ],
};
