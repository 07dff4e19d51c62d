import { readPageQuery } from '../../../shared/domain/basis/paging.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { createClient, listClients, rotateSecret } from '../../../shared/domain/management/clients.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import { CreateClientBody } from '../../../shared/schemas/clients.ts';
import { PageQuery } from '../../../shared/schemas/fields/record.ts';
import type { Call } from '../engine/command.ts';

/**
 * Credentials with which `otl` calls the API of a tenant. The path `/_local/environment` of a local server returns the same
 * fields.
 */
export interface Management {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * Creates a tenant's first management client. If an interrupted run has already created the client, adds a second secret,
 * because the first secret was never shown.
 */
export async function firstManagementClient(
  { ports }: Pick<Call, 'ports'>,
  tenant: Tenant,
): Promise<Management> {
  const owner = { tenant, application: undefined };
  const { items } = await listClients(ports, owner, readPageQuery(check(PageQuery, {})));
  const [former] = items;
  const { client, secret = '' } = former
    ? await rotateSecret(ports, { tenant, clientId: former.clientId }, nowSeconds())
    : await createClient(ports, owner, check(CreateClientBody, { name: 'otl' }), nowSeconds());
  return { client_id: client.clientId, client_secret: secret };
}

/** Returns the shell lines that make `otl` act as this management client. */
export const exportLines = ({ client_id, client_secret }: Management): string =>
  `Save both. For the commands that call the API, set them where you run otl:
  export OTL_CLIENT_ID=${client_id} OTL_CLIENT_SECRET=${client_secret}`;
