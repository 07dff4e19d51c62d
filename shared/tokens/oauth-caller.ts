import { invalidClient } from '../domain/oauth/client-authentication.ts';
import { recordSecretUse } from '../domain/oauth/secret-use.ts';
import { escapeRequested, ServiceError } from '../errors/service-error.ts';
import type { AuditContext, ClientCaller } from '../operation.ts';
import type { Application, Tenant } from '../ports/directory.ts';
import type { PortsWith } from '../ports/uses.ts';
import {
  type AuthenticatedClient,
  authenticateClientRequest,
  type ClientAuthenticationPorts,
  type ClientRequest,
} from './client-authentication.ts';

/** Client that calls an OAuth endpoint. It acts for its application; a management client acts for its whole tenant. */
export interface OAuthCaller extends AuthenticatedClient {
  readonly tenant: Tenant;
  readonly application?: Application;
}

type DirectoryPorts = PortsWith<'applications' | 'tenants'>;

/** Adds the tenant and application to an authenticated client. Errors: `invalid_client` if either no longer exists. */
export async function addDirectoryRecords(
  ports: DirectoryPorts,
  authenticated: AuthenticatedClient,
): Promise<OAuthCaller> {
  const { clientId, tenantId, applicationId } = authenticated.client;
  const [tenant, application] = await Promise.all([
    ports.tenants.find(tenantId),
    applicationId === undefined ? undefined : ports.applications.find(applicationId),
  ]);
  const belongs = applicationId === undefined || application?.tenantId === tenantId;
  if (!tenant || !belongs)
    throw invalidClient({ unknownValue: escapeRequested(clientId), audit: { clientId, tenantId } });
  return { ...authenticated, tenant, ...(application ? { application } : {}) };
}

/** Authenticates the client of a form request (RFC 6749 §2.3). Errors: `invalid_client`, `system_invalid_input`. */
export async function requireOAuthCaller(
  ports: ClientAuthenticationPorts & DirectoryPorts,
  request: ClientRequest & { readonly audit: (context: AuditContext) => void },
): Promise<OAuthCaller> {
  const authenticated = await authenticateClientRequest(ports, request);
  const { clientId, tenantId, applicationId } = authenticated.client;
  request.audit({ clientId, tenantId, ...(applicationId === undefined ? {} : { applicationId }) });
  request.audit(recordSecretUse(authenticated.secretId, request.request.now));
  return addDirectoryRecords(ports, authenticated);
}

/** Rejects management clients, because users log in only to applications. Errors: `unauthorized_client`. */
export function requireApplicationClient(
  caller: OAuthCaller,
): Pick<ClientCaller, 'client' | 'tenant' | 'application'> & Pick<OAuthCaller, 'confirm'> {
  const { client, tenant, application, confirm } = caller;
  if (!application) throw new ServiceError('unauthorized_client');
  return { client, tenant, application, confirm };
}

/** Rejects public clients, because a public client does not authenticate (RFC 6749 §2.1). Errors: `unauthorized_client`. */
export function requireConfidential(caller: OAuthCaller): OAuthCaller {
  if (caller.client.authMethod === 'none') throw new ServiceError('unauthorized_client');
  return caller;
}
