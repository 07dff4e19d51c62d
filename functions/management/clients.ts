import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { clientRecord } from '../../shared/domain/management/client-record.ts';
import * as clients from '../../shared/domain/management/clients.ts';
import { requireClientOf, revokeSecret, rotateSecret } from '../../shared/domain/management/clients.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a client of an application. Only this answer shows the secret. */
export const createClient: UseCase<typeof rows.createClient> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  const { tenant } = caller;
  const application = await requireApplication(ports, tenant, path.appId);
  const owner = { tenant, application };
  const { client, secret } = await clients.createClient(ports, owner, json, request.now, settings);
  audit({ recordId: client.clientId });
  return { json: { result: clientRecord(client, secret) } };
};

/** Lists the clients of an application. */
export const listClients: UseCase<typeof rows.listClients> = async (
  { path, query, caller, audit },
  ports,
) => {
  audit({ recordId: path.appId });
  const { tenant } = caller;
  const application = await requireApplication(ports, tenant, path.appId);
  const page = await clients.listClients(ports, { tenant, application }, readPageQuery(query));
  return { json: listRecord(page, (client) => clientRecord(client)) };
};

/** Shows a client of an application. */
export const getClient: UseCase<typeof rows.getClient> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const client = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  return { json: { result: clientRecord(client) } };
};

/** Changes a client. Running functions see it within a minute. */
export const updateClient: UseCase<typeof rows.updateClient> = async (
  { path, json, caller, request, settings, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  const client = await clients.updateClient(ports, caller.tenant, clientId, json, request.now, settings);
  return { json: { result: clientRecord(client) } };
};

/** Deletes a client. Its tokens end at once. */
export const deleteClient: UseCase<typeof rows.deleteClient> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  await clients.deleteClient(ports, caller.tenant, clientId);
  return { none: true };
};

/** Adds a secret. The former one works until it is revoked or another one is added. */
export const addClientSecret: UseCase<typeof rows.addClientSecret> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  const { client, secret } = await rotateSecret(ports, caller.tenant, clientId, request.now);
  return { json: { result: clientRecord(client, secret) } };
};

/** Revokes a secret. It gets no token from now on, and the tokens that it got are refused. */
export const revokeClientSecret: UseCase<typeof rows.revokeClientSecret> = async (
  { path, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.clientId });
  const { clientId } = await requireClientOf(ports, caller.tenant, path.appId, path.clientId);
  await revokeSecret(ports, caller.tenant, clientId, path.secretId, request.now);
  return { none: true };
};
