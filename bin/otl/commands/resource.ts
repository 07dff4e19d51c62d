import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import { toResourceRecord } from '../../../shared/domain/management/resource-record.ts';
import { createResource } from '../../../shared/domain/management/resources.ts';
import { CreateResourceBody } from '../../../shared/schemas/resources.ts';
import { noCallerError } from '../api/caller.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import { type Command, type CommandGroup, withValidBody } from '../engine/command.ts';
import { uriCommands } from './resource-uris.ts';

const { create, ...others } = recordCommands('resource');

/**
 * Command `resource create`. With `--app` it writes with AWS credentials instead of calling the API, because only a client of
 * that application could create the resource through the API.
 */
const make: Command = {
  ...create,
  options: { 'app <id>': 'ID of the application that it belongs to' },
  changes: 'management.changed',
  request: {
    ...create.request,
    operation: (given) => (given.option('app') === undefined ? create.request.operation(given) : undefined),
  },
  run: withValidBody(CreateResourceBody, async ({ ports, tenant: tenantOf, option, body, audit }) => {
    const applicationId = option('app');
    if (applicationId === undefined) throw noCallerError('resource create', {});
    const tenant = await tenantOf();
    const application = await requireApplication(ports, tenant, applicationId);
    const made = await createResource(ports, { tenant, application }, body, nowSeconds());
    audit({ recordId: made.resourceId });
    return { record: toResourceRecord(made) };
  }),
};

export const resource: CommandGroup = {
  name: 'resource',
  summary: nouns.resource.summary,
  commands: [make, ...Object.values(others), ...uriCommands],
};
