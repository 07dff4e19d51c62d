import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import { resourceRecord } from '../../../shared/domain/management/resource-record.ts';
import {
  createResource,
  deleteResource,
  listResources,
  requireResource,
  updateResource,
} from '../../../shared/domain/management/resources.ts';
import { requireResourceByUri } from '../../../shared/domain/management/resources-of-caller.ts';
import type { ResourceRecord } from '../../../shared/ports/directory.ts';
import { CreateResourceBody, UpdateResourceBody } from '../../../shared/schemas/resources.ts';
import { type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';
import { uriCommands } from './resource-uris.ts';

const fields = fieldsOfRecord(CreateResourceBody);

const columns = columnsOf<ResourceRecord>('resource_id', 'name', 'uri', {
  heading: 'ACCESS',
  text: (resource) => `${resource.access_token_ttl} s`,
});

export const resource: CommandGroup = {
  name: 'resource',
  summary: 'audiences of access tokens, with the lifetimes of their tokens',
  commands: [
    {
      verb: 'create',
      summary: 'Makes a resource of the tenant, or of one application',
      changes: 'management.changed',
      fields,
      options: { 'app <id>': 'ID of the application that it belongs to' },
      examples: [
        '--name Orders --uri https://api.example.com/orders --access-token-ttl 600 --refresh-token-ttl 86400 --max-refresh-rotate 1209600',
      ],
      run: withBody(CreateResourceBody, async ({ ports, tenant: tenantOf, option, body, audit }) => {
        const tenant = await tenantOf();
        const applicationId = option('app');
        const application =
          applicationId === undefined ? undefined : await requireApplication(ports, tenant, applicationId);
        const made = await createResource(ports, { tenant, application }, body, nowSeconds());
        audit({ recordId: made.resourceId });
        return { record: resourceRecord(made) };
      }),
    },
    {
      verb: 'list',
      summary: 'Lists the resources of the tenant and of its applications',
      paged: true,
      examples: [''],
      run: async ({ ports, tenant, page }) =>
        listOutcome(await listResources(ports, await tenant(), page), resourceRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows a resource',
      id: 'optional',
      options: { 'uri <uri>': 'find by URI' },
      examples: ['0a1b2c', '--uri https://api.example.com/orders'],
      run: async ({ ports, tenant: tenantOf, id, option }) => {
        const [tenant, uri] = [await tenantOf(), option('uri')];
        if (id !== '') return { record: resourceRecord(await requireResource(ports, tenant, id)) };
        if (uri === undefined) throw new UsageError('Name the resource: <id> or --uri.');
        return { record: resourceRecord(await requireResourceByUri(ports, { tenant }, uri)) };
      },
    },
    {
      verb: 'update',
      summary: 'Changes a resource; tokens that are out keep their lifetime',
      changes: 'management.changed',
      id: 'required',
      fields,
      examples: ['0a1b2c --access-token-ttl 300'],
      run: withBody(UpdateResourceBody, async ({ ports, tenant, id, body }) => ({
        record: resourceRecord(await updateResource(ports, await tenant(), id, body, nowSeconds())),
      })),
    },
    ...uriCommands,
    {
      verb: 'delete',
      summary: 'Deletes a resource that no application uses',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the resource ${id}`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await deleteResource(ports, await tenant(), id);
        return { done: `The resource ${id} is deleted.` };
      },
    },
  ],
};
