import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { toClientRecord } from '../../shared/domain/management/client-record.ts';
import * as clients from '../../shared/domain/management/clients.ts';
import {
  requireClientOfApplication,
  revokeSecret,
  rotateSecret,
} from '../../shared/domain/management/clients.ts';
import type { OperationPorts, OperationRequest, OperationRow, UseCase } from '../../shared/operation.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type * as rows from './rows.ts';

/** Input of an operation on the clients of an application or, if the path contains no application ID, on management clients. */
type Input<Row extends OperationRow> = Omit<OperationRequest<Row>, 'path'> & {
  readonly path: OperationRequest<Row>['path'] & { readonly appId?: string };
};

/** Creates a client of an application or, without one, a management client. Only this response contains the secret. */
async function create(
  {
    json,
    caller,
    request,
    settings,
    audit,
  }: Omit<OperationRequest<typeof rows.createManagementClient>, 'path'>,
  ports: OperationPorts<typeof rows.createManagementClient>,
  application?: Application,
) {
  const owner = { tenant: caller.tenant, application, choice: settings };
  const { client, secret } = await clients.createClient(ports, owner, json, request.now);
  audit({ recordId: client.clientId });
  return { json: { result: toClientRecord(client, secret) } };
}
export const createClient: UseCase<typeof rows.createClient> = async (input, ports) =>
  create(input, ports, await requireApplication(ports, input.caller.tenant, input.path.appId));
export const createManagementClient: UseCase<typeof rows.createManagementClient> = async (input, ports) =>
  create(input, ports);

export const listClients: UseCase<typeof rows.listClients> = async ({ path, query, caller }, ports) => {
  const { tenant } = caller;
  const application = await requireApplication(ports, tenant, path.appId);
  const page = await clients.listClients(ports, { tenant, application }, readPageQuery(query));
  return { json: toListRecord(page, (client) => toClientRecord(client)) };
};

export const listManagementClients: UseCase<typeof rows.listManagementClients> = async (
  { query, caller: { tenant } },
  ports,
) => {
  const page = await clients.listClients(ports, { tenant }, readPageQuery(query));
  return { json: toListRecord(page, (client) => toClientRecord(client)) };
};

/** Returns a client without its secrets. */
async function show(
  { path, caller }: Input<typeof rows.getManagementClient>,
  ports: OperationPorts<typeof rows.getManagementClient>,
) {
  const client = await requireClientOfApplication(ports, caller.tenant, path.appId, path.clientId);
  return { json: { result: toClientRecord(client) } };
}
export const getClient: UseCase<typeof rows.getClient> = show;
export const getManagementClient: UseCase<typeof rows.getManagementClient> = show;

/** Updates a client. Running functions apply the change within a minute. */
async function update(
  { path, json, caller, request, settings }: Input<typeof rows.updateManagementClient>,
  ports: OperationPorts<typeof rows.updateManagementClient>,
) {
  const { clientId } = await requireClientOfApplication(ports, caller.tenant, path.appId, path.clientId);
  const own = { tenant: caller.tenant, clientId, choice: settings };
  const client = await clients.updateClient(ports, own, json, request.now);
  return { json: { result: toClientRecord(client) } };
}
export const updateClient: UseCase<typeof rows.updateClient> = update;
export const updateManagementClient: UseCase<typeof rows.updateManagementClient> = update;

/** Deletes a client other than the caller. The deleted client's tokens become invalid immediately. */
async function remove(
  { path, caller }: Input<typeof rows.deleteManagementClient>,
  ports: OperationPorts<typeof rows.deleteManagementClient>,
) {
  const { clientId } = await requireClientOfApplication(ports, caller.tenant, path.appId, path.clientId);
  await clients.deleteClient(ports, caller.tenant, clientId, caller.client);
  return { none: true as const };
}
export const deleteClient: UseCase<typeof rows.deleteClient> = remove;
export const deleteManagementClient: UseCase<typeof rows.deleteManagementClient> = remove;

/** Adds a client secret. The previous secret stays valid until it is revoked or another secret is added. */
async function addSecret(
  { path, caller, request }: Input<typeof rows.addManagementClientSecret>,
  ports: OperationPorts<typeof rows.addManagementClientSecret>,
) {
  const { clientId } = await requireClientOfApplication(ports, caller.tenant, path.appId, path.clientId);
  const { client, secret } = await rotateSecret(ports, { tenant: caller.tenant, clientId }, request.now);
  return { json: { result: toClientRecord(client, secret) } };
}
export const addClientSecret: UseCase<typeof rows.addClientSecret> = addSecret;
export const addManagementClientSecret: UseCase<typeof rows.addManagementClientSecret> = addSecret;

/**
 * Revokes a client secret. The client can no longer get tokens with the secret, and tokens that it got with the secret are
 * rejected.
 */
async function revoke(
  { path, caller, request }: Input<typeof rows.revokeManagementClientSecret>,
  ports: OperationPorts<typeof rows.revokeManagementClientSecret>,
) {
  const { clientId } = await requireClientOfApplication(ports, caller.tenant, path.appId, path.clientId);
  const own = { tenant: caller.tenant, clientId, caller: caller.client };
  await revokeSecret(ports, own, path.secretId, request.now);
  return { none: true as const };
}
export const revokeClientSecret: UseCase<typeof rows.revokeClientSecret> = revoke;
export const revokeManagementClientSecret: UseCase<typeof rows.revokeManagementClientSecret> = revoke;
