import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createTenant,
  deleteTenant,
  listTenants,
  requireTenant,
  toTenantRecord,
  updateTenant,
} from '../../../shared/domain/management/tenants.ts';
import type { TenantRecord } from '../../../shared/ports/directory.ts';
import { CreateTenantBody, UpdateTenantBody } from '../../../shared/schemas/tenants.ts';
import { type Call, type CommandGroup, withValidBody } from '../engine/command.ts';
import { listBodyFields } from '../engine/fields.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { makeColumns } from '../terminal/print.ts';
import { exportLines, firstManagementClient } from './management-client.ts';

const columns = makeColumns<TenantRecord>('tenant_id', 'name', 'created_at');

/** Returns the tenant ID that is given as an argument, otherwise the ID of the tenant that the command works in. */
async function findId({ id, tenant }: Call): Promise<string> {
  return id === '' ? (await tenant()).tenantId : id;
}

export const tenant: CommandGroup = {
  name: 'tenant',
  summary: 'customer organisations: each has its own users and applications',
  ofNoTenant: true,
  commands: [
    {
      verb: 'create',
      summary: 'Creates a tenant with a management client and shows its secret, only this once',
      changes: 'management.changed',
      fields: listBodyFields(CreateTenantBody),
      examples: ['--name "Example Ltd"'],
      run: withValidBody(CreateTenantBody, async ({ ports, body, audit }) => {
        const made = await createTenant(ports, body, nowSeconds());
        audit({ recordId: made.tenantId, tenantId: made.tenantId });
        const management = await firstManagementClient({ ports }, made);
        return { record: { ...toTenantRecord(made), management }, note: exportLines(management) };
      }),
    },
    {
      verb: 'list',
      summary: 'Lists all tenants',
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, page }) => listOutcome(await listTenants(ports, page), toTenantRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows a tenant',
      id: 'optional',
      examples: ['0a1b2c'],
      run: async (call) => ({ record: toTenantRecord(await requireTenant(call.ports, await findId(call))) }),
    },
    {
      verb: 'update',
      summary: 'Changes a tenant',
      changes: 'management.changed',
      id: 'required',
      fields: listBodyFields(UpdateTenantBody),
      examples: [
        '0a1b2c --name "Example plc"',
        '0a1b2c --sms-per-day 500 --sms-per-30-days 5000',
        '0a1b2c --account-deletion',
      ],
      run: withValidBody(UpdateTenantBody, async ({ ports, id, body, audit }) => {
        const changed = await updateTenant(ports, id, body, nowSeconds());
        audit({ tenantId: changed.tenantId });
        return { record: toTenantRecord(changed) };
      }),
    },
    {
      verb: 'delete',
      summary: 'Deletes a tenant that has no applications, users or organizations',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the tenant ${id} with its management clients, resources and webhooks`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, id, audit }) => {
        await deleteTenant(ports, id);
        audit({ tenantId: id });
        return { done: `The tenant ${id} was deleted.` };
      },
    },
  ],
};
