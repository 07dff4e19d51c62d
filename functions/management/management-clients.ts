import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import {
  createClient,
  deleteClient,
  listClients,
  requireClientOf,
  revokeSecret,
  rotateSecret,
  updateClient,
} from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a management client, which may do everything in the tenant. */
export const createManagementClient: UseCase<typeof rows.createManagementClient> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const owner = { tenant: caller.tenant };
  const { client, secret } = await createClient(ports, owner, json, request.now, settings);
  audit({ recordId: client.clientId });
  return { json: { result: clientRecord(client, secret) } };
};

/** Lists the management clients of the tenant. */
export const listManagementClients: UseCase<typeof rows.listManagementClients> = async (
  { query, caller },
  ports,
) => {
  const page = await listClients(ports, { tenant: caller.tenant }, readPageQuery(query));
  return { json: listRecord(page, (client) => clientRecord(client)) };
};

/** Shows a management client. */
export const getManagementClient: UseCase<typeof rows.getManagementClient> = async (
  { path, caller, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const client = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  return { json: { result: clientRecord(client) } };
};

/** Changes a management client. Running functions see it within a minute. */
export const updateManagementClient: UseCase<typeof rows.updateManagementClient> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  const client = await updateClient(ports, caller.tenant, clientId, json, request.now, settings);
  return { json: { result: clientRecord(client) } };
};

/** Deletes a management client. It gets no token from now on, and its tokens are refused. */
export const deleteManagementClient: UseCase<typeof rows.deleteManagementClient> = async (
  { path, caller, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  await deleteClient(ports, caller.tenant, clientId, caller.client);
  return { none: true };
};

/** Adds a secret. The former one works until it is revoked or another one is added. */
export const addManagementClientSecret: UseCase<typeof rows.addManagementClientSecret> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  const { client, secret } = await rotateSecret(ports, caller.tenant, clientId, request.now);
  return { json: { result: clientRecord(client, secret) } };
};

/** Revokes a secret. It gets no token from now on, and the tokens that it got are refused. */
export const revokeManagementClientSecret: UseCase<typeof rows.revokeManagementClientSecret> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, undefined, path.clientId);
  await revokeSecret(ports, caller.tenant, clientId, path.secretId, request.now, caller.client);
  return { none: true };
};
