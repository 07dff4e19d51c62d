import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toTheEnd } from '../../../shared/domain/jobs/job.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  organizationRecord,
  requireOrganization,
  updateOrganization,
} from '../../../shared/domain/organizations/organizations.ts';
import type { OrganizationRecord } from '../../../shared/ports/directory.ts';
import { CreateOrganizationBody, UpdateOrganizationBody } from '../../../shared/schemas/organizations.ts';
import { type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const columns = columnsOf<OrganizationRecord>('org_id', 'name', 'created_at');

export const organization: CommandGroup = {
  name: 'organization',
  summary: "business customers of a tenant, whose members are the tenant's users",
  commands: [
    {
      verb: 'create',
      summary: 'Makes an organization',
      changes: 'management.changed',
      fields: fieldsOfRecord(CreateOrganizationBody),
      examples: ['--name "Acme Works"'],
      run: withBody(CreateOrganizationBody, async ({ ports, tenant, body, audit }) => {
        const made = await createOrganization(ports, await tenant(), body, nowSeconds());
        audit({ recordId: made.organizationId });
        return { record: organizationRecord(made) };
      }),
    },
    {
      verb: 'list',
      summary: 'Lists the organizations of the tenant',
      paged: true,
      examples: ['', '--limit 100 --json'],
      run: async ({ ports, tenant, page }) =>
        listOutcome(await listOrganizations(ports, await tenant(), page), organizationRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows an organization',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => ({
        record: organizationRecord(await requireOrganization(ports, await tenant(), id)),
      }),
    },
    {
      verb: 'update',
      summary: 'Changes an organization',
      changes: 'management.changed',
      id: 'required',
      fields: fieldsOfRecord(UpdateOrganizationBody),
      examples: ['0a1b2c --name "Acme Industries"'],
      run: withBody(UpdateOrganizationBody, async ({ ports, tenant, id, body }) => {
        const named = { tenant: await tenant(), organizationId: id };
        return { record: organizationRecord(await updateOrganization(ports, named, body, nowSeconds())) };
      }),
    },
    {
      verb: 'delete',
      summary: 'Deletes an organization; its users stay',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the organization ${id} with its memberships`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await deleteOrganization(ports, await tenant(), id, toTheEnd(nowSeconds()));
        return { done: `The organization ${id} is deleted.` };
      },
    },
  ],
};
