import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type {
  Application,
  Client,
  ClientFields,
  ClientSecret,
  Page,
  PageRequest,
  Tenant,
} from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { clientFields } from '../../records/client.ts';
import { createRecord } from '../../records/record.ts';
import { changeRecord, requireRecordOfTenant } from '../basis/change-record.ts';
import { CLIENT_SECRETS_MAX, RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../basis/limits.ts';
import { hashSecret, newId, newSecret } from '../basis/random.ts';
import { nowSeconds } from '../basis/time.ts';
import { addRevocation } from '../oauth/client-revocations.ts';
import { announceChange } from '../rate-limits/call-window.ts';
import { applyClientFields, type ClientEnvironment, hasSecrets } from './client-record.ts';

/** Client together with its newly created secret, if it uses one. The secret is never shown again. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret?: string;
}

function makeSecret(at: number): { readonly text: string; readonly stored: ClientSecret } {
  const text = newSecret();
  return { text, stored: { secretId: newId(), hash: hashSecret(text), createdAt: at } };
}

interface Owner {
  readonly tenant: Tenant;
  readonly application?: Application | undefined;
}

interface OwnClient {
  readonly tenant: Tenant;
  readonly clientId: string;
}

interface WithChoice {
  readonly choice?: ClientEnvironment | undefined;
}

/** Creates a client of an application, or a management client of the tenant. Errors: `system_invalid_input`. */
export async function createClient(
  ports: PortsWith<'clientRecords.put'>,
  { tenant, application, choice }: Owner & WithChoice,
  fields: ClientFields & { readonly name: string },
  at: number,
): Promise<ClientWithSecret> {
  const secret = makeSecret(at);
  const { applicationId } = application ?? {};
  const own = {
    clientId: newId(),
    tenantId: tenant.tenantId,
    applicationId,
    kind: applicationId === undefined ? 'management' : 'application',
    secrets: [secret.stored],
    createdAt: at,
  } as const;
  const blank = createRecord(clientFields, own, { name: fields.name });
  const client = applyClientFields(blank, fields, at, choice);
  if (!(await ports.clientRecords.put(client))) throw new Error('a fresh client ID is in use');
  return hasSecrets(client) ? { client, secret: secret.text } : { client };
}

/** Returns a client of the tenant. Errors: `client_not_found`. */
export function requireClient(
  ports: PortsWith<'clientRecords.find'>,
  { tenantId }: Tenant,
  clientId: string,
): Promise<Client> {
  return requireRecordOfTenant(ports.clientRecords, tenantId, clientId, 'client_not_found');
}

/**
 * Returns a client whose authentication is about to change. Announces the change, so that all functions read the client's
 * record again. Errors: `client_not_found`.
 */
async function requireClientToChange(
  ports: PortsWith<'clientRecords.find' | 'windowRecords.announce'>,
  { tenant, clientId }: OwnClient,
): Promise<Client> {
  const client = await requireClient(ports, tenant, clientId);
  await announceChange(ports, clientId);
  return client;
}

/**
 * Returns a client of the application, or a management client if `applicationId` is undefined. Errors: `client_not_found`, also
 * for a client of another application.
 */
export async function requireClientOfApplication(
  ports: PortsWith<'clientRecords.find'>,
  tenant: Tenant,
  applicationId: string | undefined,
  clientId: string,
): Promise<Client> {
  const client = await requireClient(ports, tenant, clientId);
  if (client.applicationId !== applicationId) throw new ServiceError('client_not_found');
  return client;
}

/** Lists the clients of an application, or the management clients of the tenant. */
export function listClients(
  ports: PortsWith<'clientRecords.list'>,
  owner: Owner,
  page: PageRequest,
): Promise<Page<Client>> {
  return ports.clientRecords.list(owner.application?.applicationId ?? owner.tenant.tenantId, page);
}

/** Changes the given fields of a client. Errors: `client_not_found`, `system_invalid_input`, `concurrent_change`. */
export function updateClient(
  ports: PortsWith<'clientRecords.find' | 'clientRecords.replace' | 'windowRecords.announce'>,
  { choice, ...own }: OwnClient & WithChoice,
  fields: ClientFields,
  at: number,
): Promise<Client> {
  return changeRecord(
    ports.clientRecords,
    () => requireClientToChange(ports, own),
    (current) => applyClientFields(current, fields, at, choice),
  );
}

/**
 * Adds a client secret. The previous secret stays valid while servers switch over one by one; older secrets become invalid.
 * Errors: `client_not_found`, `system_invalid_input` for a client without secrets, `concurrent_change`.
 */
export async function rotateSecret(
  ports: PortsWith<'clientRecords.find' | 'clientRecords.replace' | 'windowRecords.announce'>,
  own: OwnClient,
  at: number,
): Promise<ClientWithSecret> {
  const secret = makeSecret(at);
  const client = await changeRecord(
    ports.clientRecords,
    () => requireClientToChange(ports, own),
    (current) => {
      if (!hasSecrets(current)) throw invalidInput(`auth_method: ${current.authMethod} has no secret`);
      return {
        ...current,
        secrets: [...current.secrets, secret.stored].slice(-CLIENT_SECRETS_MAX),
        updatedAt: at,
      };
    },
  );
  return { client, secret: secret.text };
}

/**
 * Revokes a client secret and the tokens issued with it. A caller cannot revoke its own last secret.
 * Errors: `client_not_found`, `secret_not_found`, `own_client`, `concurrent_change`.
 */
export function revokeSecret(
  ports: PortsWith<'clientRecords.find' | 'clientRecords.replace' | 'windowRecords.announce'>,
  { caller, ...own }: OwnClient & { readonly caller?: Client | undefined },
  secretId: string,
  at: number,
): Promise<Client> {
  return changeRecord(
    ports.clientRecords,
    () => requireClientToChange(ports, own),
    (current) => {
      const secrets = current.secrets.filter((secret) => secret.secretId !== secretId);
      if (secrets.length === current.secrets.length) throw new ServiceError('secret_not_found');
      if (secrets.length === 0 && caller?.clientId === own.clientId) throw new ServiceError('own_client');
      const until = nowSeconds() + RESOURCE_ACCESS_TTL_MAX_SECONDS;
      return addRevocation({ ...current, secrets, updatedAt: at }, secretId, until, nowSeconds());
    },
  );
}

/**
 * Revokes a client token until it expires. Errors: `invalid_client` if the client no longer exists, `service_unavailable` if
 * the client revokes too many tokens at the same time (RFC 7009 §2.2.1).
 */
export async function revokeClientToken(
  ports: PortsWith<'clientRecords.find' | 'clientRecords.replace' | 'windowRecords.announce'>,
  clientId: string,
  jti: string,
  expiresAt: number,
): Promise<void> {
  await announceChange(ports, clientId);
  await changeRecord(
    ports.clientRecords,
    async () =>
      (await ports.clientRecords.find(clientId)) ?? Promise.reject(new ServiceError('invalid_client')),
    (current) => addRevocation(current, jti, expiresAt, nowSeconds()),
  ).catch((error: unknown) => {
    const isOverloaded = error instanceof ServiceError && error.key === 'concurrent_change';
    throw isOverloaded ? new ServiceError('service_unavailable', { retryAfterSeconds: 1 }) : error;
  });
}

/** Removes a client and announces the change to all functions. Returns false if the client does not exist. */
export async function removeClient(
  ports: PortsWith<'clientRecords.remove' | 'windowRecords.announce'>,
  clientId: string,
): Promise<boolean> {
  await announceChange(ports, clientId);
  return ports.clientRecords.remove(clientId);
}

/**
 * Deletes a client, unless it is the caller itself. A single call therefore never leaves a tenant without a management client.
 * If two clients delete each other at the same time, an operator can create another management client with the command line.
 * Errors: `client_not_found`, `own_client`.
 */
export async function deleteClient(
  ports: PortsWith<'clientRecords.find' | 'clientRecords.remove' | 'windowRecords.announce'>,
  tenant: Tenant,
  clientId: string,
  caller?: Client,
): Promise<void> {
  await requireClient(ports, tenant, clientId);
  if (caller?.clientId === clientId) throw new ServiceError('own_client');
  if (!(await removeClient(ports, clientId))) throw new ServiceError('client_not_found');
}
