import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toClientRecord } from '../../../shared/domain/management/client-record.ts';
import { createClient } from '../../../shared/domain/management/clients.ts';
import { CreateClientBody } from '../../../shared/schemas/clients.ts';
import { noCallerError } from '../api/caller.ts';
import { requireOwner } from '../api/clients.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import { type Command, type CommandGroup, withValidBody } from '../engine/command.ts';

const { create, ...others } = recordCommands('client');

/**
 * Command `client create`. With AWS credentials it creates only management clients. A tenant's first client cannot be created
 * through the API, because no client exists yet that could call it.
 */
const make: Command = {
  ...create,
  options: { ...create.options, management: 'a management client, which may do everything in the tenant' },
  changes: 'management.changed',
  request: {
    ...create.request,
    operation(given) {
      requireOwner(given);
      return given.option('app') === undefined ? 'createManagementClient' : 'createClient';
    },
  },
  run: withValidBody(
    CreateClientBody,
    async ({ ports, tenant: tenantOf, option, body, es256, localExceptions, audit }) => {
      if (option('app') !== undefined) throw noCallerError('client create --app', {});
      const tenant = await tenantOf();
      const owner = { tenant, application: undefined, choice: { es256, ...localExceptions } };
      const { client, secret } = await createClient(ports, owner, body, nowSeconds());
      audit({ recordId: client.clientId });
      return {
        record: toClientRecord(client, secret),
        note: 'Save client_secret now. It is stored as a hash and cannot be shown again.',
      };
    },
  ),
};

export const client: CommandGroup = {
  name: 'client',
  summary: nouns.client.summary,
  commands: [make, ...Object.values(others)],
};
